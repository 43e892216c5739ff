"""Paths out of predecessors, by their driver, on the emulator."""

import numpy as np
import pytest

from emulated_runtime import EmulatedRuntime
from warpath.cuda.instances import walk_kernel
from warpath.cuda.runtime import use
from warpath.cuda.walk import walk_back


@pytest.fixture(scope="module")
def runtime(emulator):
    with EmulatedRuntime(emulator, [("walk.cuh", walk_kernel())]) as runtime, use(runtime):
        yield runtime


def test_every_vertex_of_a_tree(runtime):
    rng = np.random.default_rng(1)
    parents = np.array([-1, *(rng.integers(0, v) for v in range(1, 40)), -1], np.int32)
    predecessor = runtime.xp.asarray(parents)
    for target in range(len(parents)):
        path = walk_back(predecessor, target)
        assert path[-1] == target
        assert parents[path[0]] == -1
        assert [parents[v] for v in path[1:]] == path[:-1]


def test_the_longest_path(runtime):
    predecessor = runtime.xp.asarray(np.arange(-1, 299, dtype=np.int32))
    assert walk_back(predecessor, 299) == list(range(300))
