"""PageRank, against NetworkX."""

from itertools import product

import networkx as nx
import numpy as np
import pytest

import warpath as wp
from exhaustive import few
from oracles import SHAPES, shape
from warpath.algorithms.centrality import pagerank

TIGHT = {"tolerance": 1e-12, "max_iterations": 1000}


def by_networkx(graph, **options):
    source, target, weight = graph.coo()
    same = nx.MultiDiGraph()
    same.add_nodes_from(range(graph.num_vertices))
    weight = np.ones(len(source)) if weight is None else weight
    same.add_weighted_edges_from(
        zip(source.tolist(), target.tolist(), weight.tolist(), strict=True)
    )
    rank = nx.pagerank(same, tol=1e-14, max_iter=1000, **options)
    return np.array([rank[v] for v in range(graph.num_vertices)])


@pytest.mark.parametrize(
    ("weights", "directed"),
    few(
        product([None, (1, 9), (0.0, 1.0)], [False, True]),
        [(None, True), ((1, 9), False), ((0.0, 1.0), True)],
    ),
)
def test_like_networkx(weights, directed, threads):
    graph = wp.generate.rmat(9, 4, directed=directed, weights=weights, seed=1)
    for options in (
        {},
        {"personalization": {3: 1, 7: 2.5}},
        {"dangling": {5: 1}},
        {"personalization": {3: 1, 7: 2}, "dangling": {5: 1}},
    ):
        found = wp.pagerank(graph, damping=0.8, **options, **TIGHT)
        assert found.dtype == np.float64
        assert found.sum() == pytest.approx(1)
        assert np.allclose(found, by_networkx(graph, alpha=0.8, **options), atol=1e-11, rtol=1e-9)


@pytest.mark.parametrize("name", [name for name in SHAPES if shape(name).num_vertices <= 2000])
def test_shapes(name):
    graph = shape(name)
    assert np.allclose(wp.pagerank(graph, **TIGHT), by_networkx(graph), atol=1e-11, rtol=1e-9)


def test_a_vertex_with_edges_of_weight_0_alone_is_dangling():
    for weights in ([0, 2, 1], [0.0, 2.0, 1.0]):
        graph = wp.Graph.from_edges([0, 1, 2], [1, 2, 0], weights)
        assert np.allclose(wp.pagerank(graph, **TIGHT), by_networkx(graph), atol=1e-11)


def change(graph, rank, damping=0.85):
    """How far one more iteration moves the ranks, all together."""
    source, target, _ = graph.coo()
    degree = np.bincount(source, minlength=len(rank))
    share = np.divide(rank, degree, out=np.zeros(len(rank)), where=degree > 0)
    new = np.bincount(target, share[source], len(rank)) + rank[degree == 0].sum() / len(rank)
    return np.abs(damping * new + (1 - damping) / len(rank) - rank).sum()


@pytest.mark.parametrize("scale", [6, 13])
def test_the_tolerance_is_of_all_ranks_whatever_n_is(scale):
    graph = wp.generate.rmat(scale, 4, directed=True, seed=2)
    for tolerance in (1e-2, 1e-4, 1e-6):
        left = change(graph, wp.pagerank(graph, tolerance=tolerance))
        assert tolerance / 10 < left < tolerance
    assert change(graph, wp.pagerank(graph)) < 1e-6


@pytest.mark.parametrize("weights", [None, (0, 9), (1, 2**31 - 1)])
def test_shares_are_rounded_where_the_tolerance_allows_it(monkeypatch, weights):
    graph = wp.generate.rmat(10, 4, directed=True, weights=weights, seed=2)
    small = wp.pagerank(graph, tolerance=1e-6)
    monkeypatch.setattr(pagerank, "_ROUNDED_VERTICES", graph.num_vertices)
    rounded = wp.pagerank(graph, tolerance=1e-6)
    exact = wp.pagerank(graph, tolerance=0.8e-6)
    monkeypatch.setattr(pagerank, "_ROUNDING", 1)
    same = wp.pagerank(graph, tolerance=1e-6)
    assert np.array_equal(small, same)
    assert np.array_equal(wp.pagerank(graph, tolerance=0.8e-6), exact)
    assert not np.array_equal(rounded, same)
    assert np.abs(rounded - same).sum() < 1e-7


@pytest.mark.parametrize("damping", [0.85, 0.95, 0.99])
def test_rounding_keeps_no_ranks_from_converging(monkeypatch, damping):
    """On bipartite graphs, whose ranks change longest."""
    monkeypatch.setattr(pagerank, "_ROUNDED_VERTICES", 0)
    complete = wp.Graph.from_edges(np.repeat(range(3), 7), np.tile(range(3, 10), 3), directed=False)
    weighted = complete.with_weights(np.full(complete.num_arcs, 2**40 + 7))
    for graph in (complete, weighted, wp.generate.grid(30), wp.generate.grid(1, 50)):
        for tolerance in (1e-6, 1e-4):
            rank = wp.pagerank(graph, damping=damping, tolerance=tolerance, max_iterations=20_000)
            assert change(graph.without_weights(), rank, damping) < 1.1 * tolerance


def test_the_defaults_suffice_where_ranks_change_longest():
    graph = wp.Graph.from_edges([0, *range(2, 1000)], [1, *[0] * 998])  # a star into an edge
    both = wp.Graph.from_edges([0, 1, *range(2, 1000)], [1, 0, *[0] * 998])  # periodic
    for one in (graph, both):
        assert change(one, wp.pagerank(one)) < 1e-6


def test_iterations_have_a_limit():
    graph = wp.generate.rmat(9, 4, directed=True, seed=2)
    with pytest.raises(
        RuntimeError, match="has not converged after 3 iterations: the ranks still change by"
    ):
        wp.pagerank(graph, tolerance=1e-12, max_iterations=3)


def test_names_and_arrays():
    graph = wp.Graph.from_edges(["a", "b", "b"], ["b", "a", "c"])
    one = wp.pagerank(graph, personalization={"c": 1})
    assert np.array_equal(one, wp.pagerank(graph, personalization=[0, 0, 2.0]))
    assert len(wp.pagerank(wp.Graph.from_edges([], [], n=0))) == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"damping": 1.5}, "damping must be from 0 to 1"),
        ({"tolerance": -1}, "tolerance must be 0 or more"),
        ({"max_iterations": 0}, "max_iterations must be a positive integer"),
        ({"personalization": [1, 2]}, r"personalization has shape \(2,\)"),
        ({"personalization": [0, 0, 0]}, "personalization is 0 everywhere"),
        ({"personalization": [[1, 2], [3]]}, r"personalization\[0\] is \[1, 2\]"),
        (
            {"dangling": [1, -1, 1]},
            "dangling must be finite and not negative; that of vertex number 1",
        ),
        ({"personalization": {9: 1}}, "out of range"),
        ({"schedule": "loop=host"}, "pagerank has no loop"),
    ],
)
def test_refused(options, message):
    with pytest.raises(ValueError, match=message):
        wp.pagerank(wp.generate.grid(1, 3), **options)
    with pytest.raises(ValueError, match="weights of 0 or more"):
        wp.pagerank(wp.Graph.from_edges([0], [1], [-1]))


def test_weights_whose_sums_exceed_float64():
    ends = ["a", "a", "b", "c"], ["b", "c", "a", "a"]
    with pytest.raises(
        OverflowError, match=r"^the weights of the edges out of vertex 'a' sum up to"
    ):
        wp.pagerank(wp.Graph.from_edges(*ends, [1e308, 1e308, 1.0, 1.0]))
    for largest in (
        8e307,
        1.7e308,
    ):  # a bound and the sums themselves, the second with a light edge
        weights = [largest, largest if largest < 1e308 else 1.0, 1.0, 1.0]
        same = [weight / largest for weight in weights[:2]]
        found = wp.pagerank(wp.Graph.from_edges(*ends, weights))
        right = wp.pagerank(wp.Graph.from_edges(*ends, [*same, 1.0, 1.0]))
        np.testing.assert_allclose(found, right, rtol=1e-12)


@pytest.mark.parametrize("name", ["personalization", "dangling"])
def test_shares_are_the_callers(name):
    graph = wp.Graph.from_edges([0, 1], [2, 2], n=3)
    shares = np.array([1.0, 2.0, 5.0])
    shares.setflags(write=False)
    found = wp.pagerank(graph, **{name: shares})
    assert shares.tolist() == [1, 2, 5]
    huge = wp.pagerank(graph, **{name: shares * 2.0**1021})  # their sum is no float64
    assert huge.tolist() == found.tolist()
