"""Filters of duplicates: what they drop, and that one of each vertex passes."""

from pathlib import Path

import numpy as np
import pytest

FILTERS = "hash", "warp_culling", "history_culling", "warp_and_history_culling"
THREADS, WARPS = 64, 2


@pytest.fixture(scope="module")
def program(emulator):
    return emulator.build(Path(__file__).with_suffix(".cpp"))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", FILTERS)
def test_duplicates_are_dropped(program, name, seed):
    """A vertex that all threads offer, and then once more, passes a few times, whatever the schedule."""

    def passed(vertices):
        found = program.run(name, seed=seed, vertices=vertices.astype(np.uint32))["passed"]
        return found.reshape(2, THREADS)

    first, again = passed(np.full(THREADS, 5)).sum(axis=1)
    assert first >= 1
    if name == "hash":  # the last one to write
        assert first == again == 1
    elif name == "warp_culling":  # one of each warp
        assert first == again == WARPS
    else:  # it is remembered
        assert again == 0
        assert name == "history_culling" or first <= WARPS
    # Different vertices pass, also with the same hash.
    first, again = passed(np.arange(THREADS))
    assert first.all()
    assert again.all() or "history" in name
