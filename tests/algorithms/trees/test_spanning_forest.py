"""Forests: of as many edges and as little weight as SciPy's, made of the graph's own edges."""

import numpy as np
import pytest
from scipy.sparse import csgraph, csr_array

import warpath as wp
from exhaustive import slow
from oracles import lightest, small_multigraph


def check(graph):
    forest = wp.minimum_spanning_forest(graph)
    assert forest.num_vertices == graph.num_vertices
    assert not forest.directed
    assert forest.weight_dtype == graph.weight_dtype
    _, components = wp.connected_components(graph)
    assert wp.connected_components(forest)[1] == components
    assert forest.num_edges == graph.num_vertices - components
    there = set(zip(*(part.tolist() for part in graph.edges() if part is not None), strict=True))
    edges = forest.edges()
    assert set(zip(*(part.tolist() for part in edges if part is not None), strict=True)) <= there
    return edges


@pytest.mark.parametrize("dtype", [np.int32, *slow([np.float64, np.int64, np.float32])])
def test_multigraphs(dtype):
    for seed in range(6):
        graph = small_multigraph(seed, dtype, directed=False)
        weight = check(graph)[2]
        # SciPy takes 0 for no edge.
        expected = csgraph.minimum_spanning_tree(lightest(graph.with_weights(graph.weights + 1)))
        assert np.isclose((weight + 1).sum(), expected.sum())


@pytest.mark.parametrize("make", [wp.generate.grid, lambda n, **k: wp.generate.rmat(12, 8, **k)])
def test_larger_graphs(make, threads):
    graph = make(100, weights=(1, 1000))
    expected = csgraph.minimum_spanning_tree(lightest(graph))
    assert check(graph)[2].sum() == expected.sum()


def test_negative_weights_no_weights_and_labels():
    graph = wp.Graph.from_edges([0, 0, 1], [1, 2, 2], [-4, -1, -2], directed=False)
    assert check(graph)[2].tolist() == [-4, -2]
    assert check(graph.without_weights())[2] is None
    named = wp.Graph.from_edges([0], [1], directed=False, labels=["a", "b"])
    assert wp.minimum_spanning_forest(named).labels.tolist() == ["a", "b"]
    for n in (0, 3):
        check(wp.Graph.from_edges([], [], n=n, directed=False))


def test_the_answer_is_a_graph_as_others_are():
    for graph in (small_multigraph(3, np.float32, directed=False), wp.generate.rmat(10, seed=1)):
        forest = wp.minimum_spanning_forest(graph)
        source, target, weight = forest.edges()
        built = wp.Graph.from_edges(source, target, weight, n=graph.num_vertices, directed=False)
        for one, other in zip(forest.resident, built.resident, strict=True):
            assert (one is None and other is None) or np.array_equal(one, other)
            assert one is None or one.dtype == other.dtype


def test_bad_input():
    matrix = csr_array(np.array([[0, 2], [2, 0]]))
    with pytest.raises(ValueError, match=r"so make the graph with directed=False"):
        wp.minimum_spanning_forest(wp.Graph(matrix))
    assert wp.minimum_spanning_forest(wp.Graph(matrix, directed=False)).num_edges == 1
    with pytest.raises(ValueError, match=r"symmetrize=True\) makes one"):
        wp.minimum_spanning_forest(wp.Graph(csr_array(np.array([[0, 2], [3, 0]]))))
    with pytest.raises(ValueError, match="is of an undirected graph"):
        wp.minimum_spanning_forest(wp.Graph.from_edges([0], [1]))
    with pytest.raises(TypeError, match=r"expected a warpath\.Graph"):
        wp.minimum_spanning_forest(np.eye(2))
