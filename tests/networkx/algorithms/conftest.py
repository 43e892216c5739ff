"""The graphs of these tests are small: each test runs with what small graphs have of their own, and without."""

import pytest

from warpath.networkx import graph, tiny, weights


@pytest.fixture(params=["tiny", "of any size"], autouse=True)
def ways(request, monkeypatch):
    """Which ways a call goes."""
    if request.param == "of any size":
        for module, limit in (
            (tiny, "SUMS"),
            (tiny, "ROWS"),
            (tiny, "ONE"),
            (graph, "_FEW_ARCS"),
            (weights, "_FIT_THE_CACHE"),
        ):
            monkeypatch.setattr(module, limit, -1)
