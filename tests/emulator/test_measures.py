"""Measures that are made of operators, as users call them, on the emulator: the CPU's to the bit."""

from itertools import product

import numpy as np
import pytest

import warpath as wp
from emulated_device import emulated_device
from emulated_runtime import EmulatedRuntime
from exhaustive import few, slow
from oracles import small_multigraph
from warpath.algorithms.centrality import pagerank
from warpath.algorithms.centrality.brandes import batch, by_edges, sums
from warpath.algorithms.traversal import components
from warpath.algorithms.trees.boruvka import forest_edges
from warpath.cuda import operators, propagation_blocking


class Recorder(EmulatedRuntime):
    """Notes the kernels that are launched."""

    kernels = ()

    def persistent(self, header, expression, threads, blocks, cluster=1, children=False):
        self.kernels = (*self.kernels, (header, expression))
        return super().persistent(header, expression, threads, blocks, cluster, children)


@pytest.fixture(scope="module")
def runtime(emulator):
    with Recorder(emulator) as runtime:
        yield runtime


GRAPHS = {
    "karate": lambda: wp.generate.named("karate"),
    "random": lambda: wp.generate.erdos_renyi(200, 500, seed=1),
    "skewed": lambda: wp.generate.rmat(8, 6, simple=True, seed=2),
}


MEASURES = (
    wp.triangles, wp.clustering, wp.core_numbers, wp.maximal_independent_set, wp.label_propagation,
    wp.strongly_connected_components,
)  # fmt: skip


def check(runtime, measure, graph, *, seed=0, **options):
    """What ``measure`` finds on the emulator is what it finds on the CPU."""
    runtime.seed, runtime.blocks = seed, 1 + seed % 3
    right = measure(graph, device="cpu", **options)
    with emulated_device(runtime):
        found = measure(graph, device="cuda", **options)
    if not isinstance(right, tuple):
        found, right = (found,), (right,)
    for one, other in zip(found, right, strict=True):
        assert np.array_equal(np.asarray(one), other)


@pytest.mark.parametrize("weights", [None, (1, 9), *slow([((0.0, 1.0),)])])
def test_pagerank(runtime, monkeypatch, weights):
    monkeypatch.setattr(pagerank, "_ROUNDED_VERTICES", 0)
    graph = wp.generate.erdos_renyi(100, 300, directed=True, weights=weights, seed=1)
    check(runtime, wp.pagerank, graph)
    check(runtime, wp.pagerank, graph, tolerance=1e-9)
    check(runtime, wp.pagerank, graph, seed=1, personalization={3: 1}, dangling={5: 1, 6: 2})


@pytest.mark.parametrize("directed", [False, *slow([True])])
def test_pagerank_by_blocks(runtime, monkeypatch, directed):
    """Ranks are the same; only where a graph is large, there is memory, and no schedule is named."""
    made = []
    monkeypatch.setattr(
        propagation_blocking, "BlockedSums",
        lambda *a, make=propagation_blocking.BlockedSums: made.append(a) or make(*a),
    )  # fmt: skip
    monkeypatch.setattr(runtime, "max_shared_bytes", 2048)
    monkeypatch.setattr(propagation_blocking, "_MIN_VERTICES", 256)
    graph = wp.generate.rmat(8, 6, directed=directed, seed=2)
    check(runtime, wp.pagerank, graph)
    assert len(made) == 1
    check(runtime, wp.pagerank, graph, tolerance=1e-9)
    assert len(made) == 2
    for without in (
        wp.generate.erdos_renyi(1024, 1000), wp.generate.rmat(7, 6, seed=2), wp.generate.grid(4, 400),
    ):  # fmt: skip
        check(runtime, wp.pagerank, without)
    with emulated_device(runtime):
        wp.pagerank(graph, device="cuda", schedule="virtual-warp")
    monkeypatch.setattr(propagation_blocking.Blocks, "nbytes", lambda *_: 2**60)
    check(runtime, wp.pagerank, graph)
    assert len(made) == 2


@pytest.mark.parametrize(
    ("measure", "directed"),
    few(
        product(MEASURES, [False, True]),
        [(measure, False) for measure in (wp.triangles, wp.clustering, wp.core_numbers)],
    ),
)
def test_what_is_of_simple_graphs(runtime, measure, directed):
    """Of a multigraph with self-loops, whose simple graph is built on the device."""
    check(runtime, measure, small_multigraph(3, None, directed=directed))


@pytest.mark.parametrize(
    ("measure", "name"),
    # By default operators are those of other measures: each of the slow ones compiles five more.
    [
        *product([wp.core_numbers], GRAPHS),
        *slow(product([wp.maximal_independent_set, wp.label_propagation], GRAPHS)),
    ],
)
def test_measures_of_vertices(runtime, measure, name):
    for seed in range(2):
        check(runtime, measure, GRAPHS[name](), seed=seed)


@pytest.mark.slow
@pytest.mark.parametrize("levels", [1, 16])
def test_components_with_a_search_first(runtime, monkeypatch, levels):
    """It finds all of the largest component, or what is near a hub; in any case some are left."""
    for hubs in (False, True):
        monkeypatch.setitem(components._MIN_ARCS, ("cuda", hubs), 0)
    monkeypatch.setattr(components, "_LEVELS", levels)
    for graph in wp.generate.rmat(9, 12, seed=2), wp.generate.erdos_renyi(300, 2000, seed=1):
        check(runtime, wp.connected_components, graph)
        assert "Components<false, true>" in runtime.kernels[-1][1]


@pytest.mark.slow
@pytest.mark.parametrize("arcs", [150, 400])
def test_strongly_connected_components(runtime, arcs):
    graph = wp.generate.erdos_renyi(150, arcs, directed=True, seed=3)
    for seed in range(2):
        check(runtime, wp.strongly_connected_components, graph, seed=seed)


@pytest.mark.parametrize("weights", [(1, 5), *slow([(None,), ((0.0, 1.0),)])])
def test_forest_edges(runtime, weights):
    """The forest itself would be built by CuPy."""
    graph = wp.generate.erdos_renyi(150, 400, weights=weights, seed=3)
    right = forest_edges(graph, np)
    for seed in range(2):
        runtime.seed, runtime.blocks = seed, 1 + seed % 3
        with emulated_device(runtime):
            found = forest_edges(graph, runtime.xp)
        for one, other in zip(found, right, strict=True):
            assert (one is None and other is None) or np.array_equal(one.get(), other)


@pytest.mark.parametrize(
    ("directed", "weights", "many_sources"),
    few(product([False, True], [None, (1, 3), (0.5, 1.5)], [16, 0]), [(True, (1, 3), 16)]),
)
def test_betweenness(runtime, distances_of_the_cpu, monkeypatch, directed, weights, many_sources):
    """But for the order of additions; of one source at a time, and of all at once.

    All at once and without weights are other kernels: test_networkx.py has them by default.
    """
    monkeypatch.setattr(sums, "_MANY_SOURCES", many_sources)
    monkeypatch.setattr(operators, "_CACHED", 0)
    monkeypatch.setattr(batch, "_ROWS_ADDED_UP", 7)
    graph = wp.generate.erdos_renyi(60, 200, directed=directed, weights=weights, seed=3)
    for measure, options in (
        (wp.betweenness, {"sources": [0, 7, 9], "endpoints": directed}),
        (wp.edge_betweenness, {"sources": [8, 1]}),
    ):
        right = measure(graph, device="cpu", **options)
        for seed in range(2):
            runtime.seed, runtime.blocks = seed, 1 + seed
            with emulated_device(runtime):
                found = measure(graph, device="cuda", **options)
            assert np.allclose(found.get(), right, rtol=1e-12)


def test_sources_begin_at_different_steps(runtime, distances_of_the_cpu, monkeypatch):
    """One among many neighbours of a hub, one at the end of a path to it; both with a self-loop."""
    monkeypatch.setattr(sums, "_MANY_SOURCES", 0)
    tails, heads = [0] * 30 + [31, 32, 33, 1, 33], [*range(1, 31), 0, 31, 32, 1, 33]
    graph = wp.Graph.from_edges(tails, heads, directed=False)
    begins, starts = [], by_edges.ByEdges._starts
    monkeypatch.setattr(
        by_edges.ByEdges, "_starts", lambda *given: begins.append(starts(*given)) or begins[-1]
    )
    for measure, options in ((wp.betweenness, {"endpoints": True}), (wp.edge_betweenness, {})):
        right = measure(graph, device="cpu", sources=[1, 33], **options)
        with emulated_device(runtime):
            found = measure(graph, device="cuda", sources=[1, 33], **options)
            assert begins[-1].get().tolist() == [2, 0]
        assert np.allclose(found.get(), right, rtol=1e-12)


@pytest.mark.slow
def test_kernels_compile_for_a_device_without_spills(runtime, distances_of_the_cpu):
    from compiled import check_kernels  # skips where the compiler is not there

    runtime.kernels = ()
    directed = wp.generate.erdos_renyi(60, 200, directed=True, seed=3)
    weighted = wp.generate.erdos_renyi(60, 200, weights=(0.0, 1.0), seed=3)
    with emulated_device(runtime):
        for measure in MEASURES:
            measure(directed, device="cuda")
        wp.betweenness(directed, device="cuda", sources=[0])
        for graph in (weighted, weighted.without_weights()):
            wp.pagerank(graph, device="cuda")
            wp.edge_betweenness(graph, device="cuda", sources=[0])
        forest_edges(weighted, runtime.xp)
    kernels = dict.fromkeys(runtime.kernels)
    assert len(kernels) > 30
    for header, expression in kernels:
        check_kernels("sm_90", header, [expression])
