import numpy as np
import pytest

from warpath.cpu.parents import cycle_through, find_cycle


def found(predecessor):
    predecessor = np.array(predecessor, np.int32)
    v = find_cycle(predecessor, np.empty(len(predecessor), np.int32))
    return None if v < 0 else cycle_through(predecessor, v)


@pytest.mark.parametrize(
    "predecessor",
    [[-1], [-1, -1], [-1, 0, 1, 2], [1, 2, 3, -1], [-1, 0, 0, 1, 1, 2, 2]],
    ids=["one vertex", "two trees", "path", "path back", "tree"],
)
def test_trees_hold_none(predecessor):
    assert found(predecessor) is None


@pytest.mark.parametrize(
    ("predecessor", "cycle"),
    [
        ([0], [0]),
        ([-1, 1], [1]),
        ([1, 0], [0, 1]),
        ([-1, 3, 1, 2], [1, 2, 3]),
        ([-1, 0, 4, 2, 3, 4, 5, 6], [2, 3, 4]),  # with a path that hangs on it
        ([7, 0, 1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4, 5, 6, 7]),
    ],
)
def test_a_cycle_comes_in_the_direction_of_the_arcs(predecessor, cycle):
    around = found(predecessor)
    start = around.index(cycle[0])
    assert around[start:] + around[:start] == cycle


@pytest.mark.parametrize("seed", range(30))
def test_random_predecessors(seed):
    """Every vertex has at most one, so after n steps one is on a cycle or at an end."""
    rng = np.random.default_rng(seed)
    n = 40
    predecessor = np.where(rng.random(n) < 0.15, -1, rng.integers(0, n, n))
    walk = np.append(predecessor, -1)
    ends = np.arange(n)
    for _ in range(n):
        ends = walk[ends]
    around = found(predecessor)
    assert (around is not None) == bool((ends >= 0).any())
    if around is not None:
        assert len(set(around)) == len(around)
        for u, v in zip(around, around[1:] + around[:1], strict=True):
            assert predecessor[v] == u


def test_a_long_path_takes_linear_time():
    n = 10**6
    backwards = np.append(np.arange(1, n), -1)  # each start walks into what is known
    assert found(backwards) is None
    assert found(np.arange(-1, n - 1)) is None
