"""Measures on a device: the CPU's to the bit."""

import numpy as np
import pytest

import warpath as wp
from oracles import SHAPES, shape
from warpath import balance

pytestmark = pytest.mark.gpu
GRAPHS = {
    "rmat": lambda: wp.generate.rmat(16, 8, seed=1),
    "directed": lambda: wp.generate.rmat(15, 8, directed=True, seed=2),
    "weighted": lambda: wp.generate.rmat(14, 8, weights=(1, 255), seed=3),
    "grid": lambda: wp.generate.grid(300, keep=0.9, seed=4),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_pagerank(name):
    graph = GRAPHS[name]()
    for options in ({}, {"personalization": {3: 1, 4: 2}}):
        found = wp.pagerank(graph, device="cuda", **options)
        assert np.array_equal(found.get(), wp.pagerank(graph, device="cpu", **options))


@pytest.mark.parametrize("name", GRAPHS)
def test_triangles(name):
    graph = GRAPHS[name]()
    assert np.array_equal(
        wp.triangles(graph, device="cuda").get(), wp.triangles(graph, device="cpu")
    )
    found = wp.clustering(graph, device="cuda").get()
    assert np.allclose(found, wp.clustering(graph, device="cpu"), rtol=1e-15)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    graph = shape(name)
    assert np.array_equal(
        wp.triangles(graph, device="cuda").get(), wp.triangles(graph, device="cpu")
    )


@pytest.mark.parametrize(
    "name", [name for name in balance.TECHNIQUES if not balance.lookup(name).launches_children]
)
def test_balances(name):
    graph = wp.generate.rmat(12, 8, seed=1)
    assert np.array_equal(wp.triangles(graph, schedule=name), wp.triangles(graph, device="cpu"))
    assert np.array_equal(wp.pagerank(graph, schedule=name), wp.pagerank(graph, device="cpu"))


@pytest.mark.parametrize("name", GRAPHS)
def test_core_numbers(name):
    graph = GRAPHS[name]()
    found = wp.core_numbers(graph, device="cuda")
    assert np.array_equal(found.get(), wp.core_numbers(graph, device="cpu"))
    wp.verify.core_numbers(graph, found)


@pytest.mark.parametrize("name", GRAPHS)
def test_maximal_independent_set(name):
    graph = GRAPHS[name]()
    found = wp.maximal_independent_set(graph, seed=1, device="cuda")
    assert np.array_equal(found.get(), wp.maximal_independent_set(graph, seed=1, device="cpu"))
    wp.verify.maximal_independent_set(graph, found)


@pytest.mark.parametrize("name", GRAPHS)
def test_label_propagation(name):
    graph = GRAPHS[name]()
    labels, count = wp.label_propagation(graph, device="cuda")
    right, same = wp.label_propagation(graph, device="cpu")
    assert np.array_equal(labels.get(), right)
    assert count == same


@pytest.mark.parametrize("name", GRAPHS)
def test_strongly_connected_components(name):
    graph = GRAPHS[name]()
    labels, count = wp.strongly_connected_components(graph, device="cuda")
    right, parts = wp.strongly_connected_components(graph, device="cpu")
    assert np.array_equal(labels.get(), right)
    assert count == parts


@pytest.mark.parametrize("weights", [None, (1, 9), (0.0, 1.0)])
def test_minimum_spanning_forest(weights):
    for graph in (
        wp.generate.rmat(14, 8, weights=weights, seed=3),
        wp.generate.grid(300, keep=0.9, weights=weights, seed=4),
    ):
        forest = wp.minimum_spanning_forest(graph, device="cuda")
        right = wp.minimum_spanning_forest(graph, device="cpu")
        assert forest.device == "cuda"
        for one, other in zip(forest.edges(), right.edges(), strict=True):
            assert (one is None and other is None) or np.array_equal(one, other)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("measure", [wp.betweenness, wp.edge_betweenness])
def test_betweenness(measure, name, weighted):
    """But for the order of additions."""
    graph, options = GRAPHS[name](), {"sources": [0, 7, 9], "weighted": weighted}
    found = measure(graph, device="cuda", **options)
    assert np.allclose(found.get(), measure(graph, device="cpu", **options), rtol=1e-10)


@pytest.mark.parametrize("weights", [None, (1, 9), (0.5, 1.5)])
@pytest.mark.parametrize("measure", [wp.betweenness, wp.edge_betweenness])
def test_betweenness_of_all_sources(measure, weights):
    graph = wp.generate.rmat(9, 6, weights=weights, seed=5)
    found = measure(graph, device="cuda")
    assert np.allclose(found.get(), measure(graph, device="cpu"), rtol=1e-10)
