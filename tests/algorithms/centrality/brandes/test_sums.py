"""Brandes' algorithm by operators: the CPU's kernels' sums, but for the order of additions."""

from itertools import product

import numpy as np
import pytest

import warpath as wp
from exhaustive import few
from oracles import SHAPES, shape, small_multigraph, some_vertices
from warpath.algorithms.centrality import brandes
from warpath.algorithms.centrality.betweenness import dependencies, positive_weights
from warpath.algorithms.centrality.brandes import sums


def check(graph, starts, *, weighted=True):
    """With NumPy's arrays, in batches of three; one by one as well."""
    starts = np.unique(starts).astype(np.int32)
    weights = positive_weights(graph) if weighted else None
    in_batches, one_by_one = 0, 16  # by weight, or in a sparse graph
    arcs, ends = {"arcs": True}, {"endpoints": True}
    for how, many_sources in ((arcs, in_batches), (arcs, one_by_one), (ends, one_by_one)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sums, "_MANY_SOURCES", many_sources)
            found = brandes.dependencies(graph, starts, weights, np, **how)
        right = dependencies(graph, starts, weights, **{"endpoints": False, "arcs": False, **how})
        assert np.allclose(found.passing, right.passing, rtol=1e-11, atol=1e-9)
        if "arcs" in how:
            assert np.allclose(found.on_arcs, right.on_arcs, rtol=1e-11, atol=1e-9)
        else:
            assert found.on_arcs is None


@pytest.fixture(autouse=True)
def small_batches(monkeypatch):
    monkeypatch.setattr(sums, "_MAX_BATCH", 3)
    monkeypatch.setattr(sums, "_MIN_BATCH", 2)


@pytest.mark.parametrize(
    "name", few(SHAPES[1:], ["no arcs", "self-loop", "karate", "power law, directed"])
)
def test_shapes(name):
    check(shape(name), some_vertices(shape(name)))


def test_all_sources_of_multigraphs(threads):
    for seed in range(6):
        graph = small_multigraph(seed, None, directed=bool(seed % 2))
        check(graph, range(14))


# By default weights are test_betweenness's on the emulator: five more kernels to compile here.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("weights", "directed"), list(product([(1, 3), (1, 255), (0.5, 1.5)], [False, True]))
)
def test_by_weight(weights, directed):
    for seed in range(3):
        graph = wp.generate.erdos_renyi(90, 300, directed=directed, weights=weights, seed=seed)
        check(graph, range(0, 90, 7))
        check(graph, [4], weighted=False)
    check(wp.generate.grid(20, keep=0.9, weights=weights, seed=1), [0, 7, 399])


@pytest.mark.slow
@pytest.mark.parametrize("dtype", [np.int32, np.float64, np.float32])
def test_parallel_edges_by_weight(dtype):
    for seed in range(4):
        rng = np.random.default_rng(seed)
        source, target = rng.integers(0, 6, (2, 14))
        weight = rng.integers(1, 4, 14).astype(dtype)
        for directed in (False, True):
            graph = wp.Graph.from_edges(source, target, weight, n=7, directed=directed)
            check(graph, range(7))


def test_a_batch_is_small_where_the_graph_is_large(monkeypatch):
    monkeypatch.setattr(sums, "_MAX_BATCH", 256)
    assert brandes.batch_of(5000, 10_000) == 256
    assert brandes.batch_of(2**20, 10_000) == 64
    assert brandes.batch_of(2**27, 10_000) == 2
    assert brandes.batch_of(2**27, 1) == 1
    assert brandes.batch_of(0, 0) == 0


def test_paths_that_cannot_be_counted():
    with pytest.raises(OverflowError, match="from vertex 0 there are more than"):
        brandes.dependencies(wp.generate.grid(520), np.array([9, 0], np.int32), None, np)


@pytest.mark.slow
def test_weights_that_are_lost():
    graph = wp.Graph.from_edges([0, 1, 2], [1, 2, 3], [1.0, 1e-30, 1.0])
    with pytest.raises(ValueError, match="the weight of arc 1 is lost"):
        brandes.dependencies(graph, np.array([3, 0], np.int32), graph.weights, np)
    check(graph, [1, 2])


def test_what_does_not_fit():
    graph = wp.generate.grid(3, weights=(1, 9), seed=1)
    for search in (wp.betweenness, wp.edge_betweenness):
        with pytest.raises(ValueError, match="betweenness has no loop"):
            search(graph, schedule="loop=host")
        plan = wp.plan(graph, search.__name__, device="cuda")
        assert plan.device == "cuda"
        arcs = 20 * graph.num_arcs * (search is wp.edge_betweenness)
        assert plan.memory["workspace"] == 40 * 9 * 3 + arcs
