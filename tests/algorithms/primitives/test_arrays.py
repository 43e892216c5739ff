"""What is kept with a graph for operators: its arrays, the weights out of its vertices, its simple graph."""

import networkx as nx
import numpy as np
import pytest

import warpath as wp
from oracles import SHAPES, shape, small_multigraph
from warpath.algorithms.primitives.arrays import (
    arrays_of,
    edge_weights,
    ends_of,
    out_weights,
    simple_graph,
    with_edge_numbers,
)


def test_arrays_are_made_once():
    graph = wp.generate.rmat(8, 6, directed=True, seed=1)
    arrays = arrays_of(graph, np)
    assert arrays is arrays_of(graph, np)
    assert arrays.offsets.dtype == np.int64
    assert np.array_equal(arrays.degree, np.diff(graph.row_offsets))
    assert arrays.degree is arrays.degree
    assert np.shares_memory(arrays.columns, graph.column_indices)
    for one, other in zip(ends_of(graph, np), graph.coo(), strict=False):
        assert np.array_equal(one, other)


def test_edges_have_numbers_and_weights():
    graph = wp.generate.rmat(6, 4, directed=True, weights=(1, 9), seed=1)
    numbered = with_edge_numbers(graph, np)
    assert numbered.weights.tolist() == list(range(graph.num_arcs))
    for one, other in zip(numbered.coo()[:2], graph.coo()[:2], strict=True):
        assert np.array_equal(one, other)
    assert np.array_equal(edge_weights(graph, np), graph.weights)
    assert edge_weights(graph.without_weights(), np).tolist() == graph.num_arcs * [1]


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32, np.float64])
def test_weights_are_added_in_their_order(dtype):
    graph = wp.generate.rmat(8, 6, weights=(0.0, 1.0), seed=1)
    graph = graph.with_weights((graph.weights * 100).astype(dtype))
    right = np.zeros(graph.num_vertices)
    np.add.at(right, graph.coo()[0], graph.weights)
    assert np.array_equal(out_weights(graph, np), right)
    assert out_weights(graph, np) is out_weights(graph, np)


@pytest.mark.parametrize("name", SHAPES)
def test_a_simple_graph_is_its_own(name):
    graph = simple_graph(shape(name), np)
    assert not graph.directed
    assert simple_graph(graph, np) is graph
    assert simple_graph(shape(name), np) is graph


@pytest.mark.parametrize("directed", [False, True])
def test_the_simple_graph_of_a_multigraph(directed):
    for seed in range(5):
        graph = small_multigraph(seed, None, directed=directed)
        same = nx.Graph(zip(*(part.tolist() for part in graph.coo()[:2]), strict=True))
        same.remove_edges_from(list(nx.selfloop_edges(same)))
        source, target, _ = simple_graph(graph, np).edges()
        found = set(zip(source.tolist(), target.tolist(), strict=True))
        assert found == {(min(edge), max(edge)) for edge in same.edges}
        assert len(found) == len(source)
