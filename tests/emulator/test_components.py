"""Connected components by their driver: balances, shapes and orders of threads."""

import numpy as np
import pytest

import warpath as wp
from emulated_bfs import GRAPHS, THREADS
from emulated_runtime import EmulatedRuntime
from exhaustive import few
from planted import Fault
from warpath import Graph
from warpath.balance import DEFAULT, TECHNIQUES, lookup
from warpath.cuda.components import connected_components
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.instances import components_kernel
from warpath.cuda.runtime import use
from warpath.graph import components as oracle

HEADER = "algorithms/components.cuh"
# Each is two kernels to build, and test_balance.py has all: by default by thread, by item, and with a worklist.
OFTEN = ("thread-mapped", "two-phase-search", "node-splitting")


def instances(*names, offset_bytes=4):
    return [
        (HEADER, components_kernel(offset_bytes, directed, initialized, lookup(name), THREADS))
        for name in names
        for directed, initialized in ((False, False), (True, False), (False, True))
        if not initialized or name == DEFAULT
    ]


@pytest.fixture(scope="module")
def runtime(emulator):
    often = instances(*OFTEN) + instances(DEFAULT, offset_bytes=8)
    with EmulatedRuntime(emulator, often, instances(*TECHNIQUES)) as runtime:
        yield runtime


def check(runtime, graph, name=DEFAULT, *, seed=0, blocks=2, wide=False, reached=None):
    """With those ``reached`` known to be connected."""
    runtime.seed, runtime.blocks = seed, blocks
    with use(runtime):
        there = DeviceGraph.from_arrays(
            graph.row_offsets, graph.column_indices, directed=graph.directed, wide=wide
        )
        labels = runtime.xp.empty(graph.num_vertices, np.int32)
        if reached is not None:
            labels[:] = np.where(reached, np.argmax(reached), np.arange(len(reached)))
        connected_components(there, lookup(name), labels, initialized=reached is not None)
    assert np.array_equal(labels.get(), oracle.connected_components(graph)[0])


def chains(count, length, seed=0):
    """Long paths whose vertices are numbered at random, and a component of most of the others."""
    order = np.random.default_rng(seed).permutation(count * length + 400)
    ends = np.arange(count * length).reshape(count, length)
    source = np.r_[ends[:, :-1].ravel(), np.full(399, count * length)]
    target = np.r_[ends[:, 1:].ravel(), np.arange(count * length + 1, count * length + 400)]
    return Graph.from_edges(order[source], order[target], n=len(order), directed=False)


def rivals(count):
    """Three triangles, `count` times; two edges of the last one, behind the sampled ones, join it with the others."""
    first = 9 * np.arange(count)[:, None]
    triangles = (0, 5, 6), (1, 7, 8), (2, 3, 4)  # neighbours are sorted
    inside = np.array([(u, v) for three in triangles for u in three for v in three if u != v])
    between = np.array([(2, 5), (3, 7)])
    arcs = [(first + ends.T[side]).ravel() for ends in (inside, between) for side in (0, 1)]
    return Graph.from_edges(np.r_[arcs[0], arcs[2]], np.r_[arcs[1], arcs[3]], directed=True)


def linked_at_once(count):
    """A path whose edges stand behind two self-loops, beyond the sample: linked at once they make a deep tree."""
    v = np.arange(count)
    return Graph.from_edges(np.r_[v, v, v[:-1]], np.r_[v, v, v[1:]], n=count, directed=True)


@pytest.mark.parametrize("name", GRAPHS)
def test_shapes(runtime, name):
    for seed, blocks in enumerate((1, 2, 4)):
        check(runtime, GRAPHS[name], seed=seed, blocks=blocks)
    check(runtime, GRAPHS[name], wide=True)


@pytest.mark.parametrize("name", few(TECHNIQUES, OFTEN))
def test_every_balance(runtime, name):
    for seed, graph in enumerate(
        (
            chains(9, 12),
            rivals(20),
            linked_at_once(300),
            GRAPHS["components"],
            GRAPHS["random, directed"],
        )
    ):
        check(runtime, graph, name, seed=seed, blocks=3)


@pytest.mark.parametrize("name", GRAPHS)
def test_what_a_search_has_reached(runtime, name):
    """In some levels, or in all."""
    graph = GRAPHS[name]
    graph = Graph.from_edges(*graph.coo()[:2], n=graph.num_vertices, directed=False)
    for seed, levels in enumerate((0, 1, 3, None) if graph.num_vertices else ()):
        source = seed * (graph.num_vertices - 1) // 3
        reached = wp.bfs(graph, source, depth_limit=levels, device="cpu").reached
        check(runtime, graph, seed=seed, blocks=3, reached=reached, wide=seed == 3)


def test_no_arcs_and_one_vertex(runtime):
    check(runtime, Graph.from_edges([], [], n=70))
    check(runtime, Graph.from_edges([], [], n=1))


# ---- it can fail -------------------------------------------------------------------------------

MUTANTS = {
    "edges beyond the sample that no thread follows": Fault(HEADER, "return parent[v] != giant;", "return parent[v] == static_cast<int>(v);"),
    "links before all parents are there": Fault("engine/program.cuh", "grid.sync([&] {  // all is unreachable", "block_sync([&] {  // all is unreachable"),
    "a path that others shorten while its owner writes the root": Fault("operators/link.cuh", "for (int next = above(root); next != root; next = above(root)) root = next;", "for (int last = static_cast<int>(v), next = above(root); next != root; next = above(root)) { store_relaxed(parent + last, next); last = root; root = next; }"),
    "a loser of the race that does not try again": Fault("operators/link.cuh", "} else if (found[j] == a[j]) {", "} else {"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_a_fault_is_found(emulator, tmp_path, name):
    changed = emulator.mutant(tmp_path, MUTANTS[name])

    def run_all(runtime):
        for seed in range(40):
            check(runtime, rivals(60), seed=seed, blocks=3)
            check(runtime, chains(9, 12, seed), seed=seed, blocks=3)
            check(runtime, linked_at_once(300), seed=seed, blocks=3)
            check(runtime, GRAPHS["random, directed"], seed=seed, blocks=3)

    with (
        EmulatedRuntime(emulator, instances(DEFAULT), include=[changed]) as runtime,
        pytest.raises((AssertionError, emulator.Error)),
    ):
        run_all(runtime)
