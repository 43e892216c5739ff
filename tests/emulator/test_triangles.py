"""Triangles by their driver: by warps and by blocks, lists longer than a table, orders of threads."""

import numpy as np
import pytest

import warpath as wp
from emulated_runtime import EmulatedRuntime
from warpath.algorithms.centrality.triangles import _oriented
from warpath.algorithms.primitives.arrays import simple_graph
from warpath.cuda import triangles as driver
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.instances import triangles_kernel
from warpath.cuda.runtime import use

THREADS = 64


@pytest.fixture(scope="module")
def runtime(emulator):
    made = [
        ("triangles.cuh", triangles_kernel(size, in_block, THREADS))
        for size in (4, 8)
        for in_block in (False, True)
    ]
    with EmulatedRuntime(emulator, made) as runtime:
        yield runtime


GRAPHS = {
    "karate": lambda: wp.generate.named("karate"),
    "skewed": lambda: wp.generate.rmat(8, 12, seed=2),
    "without any": lambda: wp.generate.grid(6, 7),
    "complete": lambda: wp.generate.named("complete", 150),
}


def check(runtime, graph, *, seed=0, blocks=2, wide=False):
    simple = simple_graph(graph, np)
    up = _oriented(simple, np)
    runtime.seed, runtime.blocks = seed, blocks
    with use(runtime):
        there = DeviceGraph.from_arrays(up.row_offsets, up.column_indices, directed=True, wide=wide)
        count = runtime.xp.zeros(graph.num_vertices, np.int64)
        driver.count_triangles(there, count)
    assert np.array_equal(count.get(), wp.triangles(graph, device="cpu"))


@pytest.mark.parametrize("name", GRAPHS)
def test_graphs(runtime, name):
    for seed in range(2):
        check(runtime, GRAPHS[name](), seed=seed, blocks=1 + seed)
    check(runtime, GRAPHS[name](), wide=True)


def test_warps_and_blocks_have_the_same_vertices(runtime, monkeypatch):
    """A warp's table of 128 takes a list in parts, and a block's takes the shortest."""
    for degree in (1, 1000):
        monkeypatch.setattr(driver, "_WARP_DEGREE", degree)
        check(runtime, GRAPHS["complete"]())
        check(runtime, GRAPHS["skewed"]())
