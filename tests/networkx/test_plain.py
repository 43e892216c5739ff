"""The check for NumPy's scalars finds them, wherever they are."""

import importlib.util
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

from networkx_graphs import assert_plain

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "networkx_suite_plugin.py"


def _plugin():
    spec = importlib.util.spec_from_file_location("networkx_suite_plugin", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _graph(value):
    G = nx.Graph()
    G.add_edge(0, 1, weight=value)
    return G


WAYS = (
    lambda value: value,
    lambda value: [0, [value]],
    lambda value: (0, {1: value}),
    lambda value: {value: 1},
    lambda value: {"a": {"b": (value,)}},
    lambda value: frozenset({value}),
    _graph,
)


@pytest.mark.parametrize("scalar", [np.bool_(True), np.int64(1), np.float64(1)])
@pytest.mark.parametrize("way", WAYS)
def test_scalars_are_found(way, scalar):
    numpys_scalar = _plugin().numpys_scalar
    with pytest.raises(AssertionError, match="NumPy's"):
        assert_plain(way(scalar))
    assert numpys_scalar(way(scalar)) is not None
    assert_plain(way(scalar.item()))
    assert numpys_scalar(way(scalar.item())) is None
