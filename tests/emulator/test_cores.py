"""Core numbers by their driver: balances, shapes and orders of threads."""

import numpy as np
import pytest

import warpath as wp
from emulated_bfs import GRAPHS, THREADS
from emulated_runtime import EmulatedRuntime
from planted import Fault
from warpath.algorithms.primitives.arrays import simple_graph
from warpath.balance import DEFAULT, lookup
from warpath.cuda.cores import core_numbers
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.instances import cores_kernel
from warpath.cuda.runtime import use

HEADER = "algorithms/cores.cuh"
# Each is a kernel to build: by thread, by warp, by block, by item, and with a worklist.
OFTEN = ("thread-mapped", "virtual-warp", "cta-warp-scan", "merge-path", "node-splitting")


def instances(*names, offset_bytes=4):
    return [(HEADER, cores_kernel(offset_bytes, lookup(name), THREADS)) for name in names]


@pytest.fixture(scope="module")
def runtime(emulator):
    made = instances(DEFAULT) + instances(DEFAULT, offset_bytes=8)
    with EmulatedRuntime(emulator, made) as runtime:
        yield runtime


def check(runtime, graph, name=DEFAULT, *, seed=0, blocks=2, wide=False):
    graph = simple_graph(graph, np)
    runtime.seed, runtime.blocks = seed, blocks
    with use(runtime):
        there = DeviceGraph.from_arrays(
            graph.row_offsets, graph.column_indices, directed=False, wide=wide
        )
        core = runtime.xp.asarray(np.diff(graph.row_offsets).astype(np.int32))
        core_numbers(there, lookup(name), core)
    wp.verify.core_numbers(graph, core.get())


def gaps():
    """Cliques of 3, 9 and 20 vertices, a path between them, and vertices without edges: k's that no vertex has."""
    edges, first = [], 0
    for size in (3, 9, 20):
        edges += [(first + u, first + v) for u in range(size) for v in range(u)]
        first += size
    edges += [(2, 33), (33, 34), (34, 3), (11, 12)]
    source, target = np.array(edges).T
    return wp.Graph.from_edges(source, target, n=40, directed=False)


def hub_that_falls():
    """A hub of 6 neighbours, 3 of them leaves: in the bucket after the leaves', before that of a clique of 6."""
    source = [0, 0, 0, 0, 0, 0, 4, 4, 5]
    target = [1, 2, 3, 4, 5, 6, 5, 6, 6]
    clique = [(7 + u, 7 + v) for u in range(6) for v in range(u)]
    more, others = np.array(clique).T
    return wp.Graph.from_edges(np.r_[source, more], np.r_[target, others], directed=False)


@pytest.mark.parametrize("name", GRAPHS)
def test_shapes(runtime, name):
    for seed, blocks in enumerate((1, 4)):
        check(runtime, GRAPHS[name], seed=seed, blocks=blocks)
    check(runtime, GRAPHS[name], wide=True)


def check_buckets(runtime, name):
    for seed, graph in enumerate((gaps(), hub_that_falls(), wp.generate.rmat(7, 8, seed=2))):
        check(runtime, graph, name, seed=seed, blocks=3)


def test_buckets(runtime):
    check_buckets(runtime, DEFAULT)


@pytest.mark.slow
@pytest.mark.parametrize("name", OFTEN)
def test_every_balance(runtime, name):
    check_buckets(runtime, name)


def test_no_edges_and_one_vertex(runtime):
    check(runtime, wp.Graph.from_edges([], [], n=70))
    check(runtime, wp.Graph.from_edges([], [], n=1))


# ---- it can fail -------------------------------------------------------------------------------

MUTANTS = {
    "degrees that fall below k": Fault("operators/peel.cuh", "if (before < threshold) atomicAdd(degree + v, 1);", ""),
    "a vertex that nothing takes along": Fault("operators/peel.cuh", "return before == threshold;", "return before == threshold + 1;"),
    "a bucket that is skipped": Fault("engine/program.cuh", "if (Algorithm::starts_far || control->flag", "if (control->flag"),
    "vertices that are not listed": Fault(HEADER, "*space.pile(0).size = space.n;", "*space.pile(0).size = space.n - 1;"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_a_fault_is_found(emulator, tmp_path, name):
    with emulator.faulty_runtime(tmp_path, MUTANTS[name], instances(DEFAULT)) as runtime:
        for seed in range(20):
            check(runtime, gaps(), seed=seed, blocks=3)
            check(runtime, hub_that_falls(), seed=seed, blocks=3)
            check(runtime, wp.generate.rmat(7, 8, seed=seed), seed=seed, blocks=3)
