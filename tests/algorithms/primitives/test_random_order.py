"""Priorities of vertices: different, and the same for a seed."""

import numpy as np
import pytest

import warpath as wp
from warpath.algorithms.primitives.random_order import as_seed, mixed, random_priorities

GRAPH = wp.Graph.from_edges([], [], n=100_000)


@pytest.mark.parametrize("seed", [0, 1, -5, 2**70])
def test_they_are_different_and_random(seed):
    priority = random_priorities(GRAPH, np, seed)
    assert len(np.unique(priority)) == 100_000
    assert 0 <= priority.min() < priority.max() < 2**32
    assert abs(np.corrcoef(priority, np.arange(100_000))[0, 1]) < 0.01
    assert np.array_equal(priority, random_priorities(GRAPH, np, seed))


def test_seeds_differ():
    one, other = (random_priorities(GRAPH, np, seed) for seed in (0, 1))
    assert abs(np.corrcoef(one, other)[0, 1]) < 0.01


def test_numbers_of_a_seed_are_different_and_random():
    found = np.array([mixed(seed, i) for seed in (0, 1, -5, 7) for i in range(1000)])
    assert len(np.unique(found)) == len(found)
    assert 0 <= found.min() < found.max() < 2**32
    assert abs(np.corrcoef(found[1:], found[:-1])[0, 1]) < 0.05


@pytest.mark.parametrize("seed", [1.0, "1", None, True])
def test_what_is_no_seed(seed):
    with pytest.raises(ValueError, match="seed must be an integer, not"):
        as_seed(seed)
    assert as_seed(np.int32(7)) == 7
