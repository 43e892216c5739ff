"""Strongly connected components by operators, against SciPy's."""

import numpy as np
import pytest

import warpath as wp
from oracles import SHAPES, shape, small_multigraph
from warpath.algorithms.traversal.strong_components import multistep


def check(graph):
    """What operators find, with NumPy's arrays, is what SciPy finds."""
    labels, count = multistep(graph, np)
    right, parts = wp.strongly_connected_components(graph)
    assert labels.dtype == np.int32
    assert np.array_equal(labels, right)
    assert count == parts


def as_directed(graph):
    return wp.Graph.from_csr(graph.row_offsets, graph.column_indices)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    check(as_directed(shape(name)))


def test_sparse_graphs(threads):
    for seed in range(8):
        check(small_multigraph(seed, None))
        check(wp.generate.erdos_renyi(500, 500 + 100 * seed, directed=True, seed=seed))


def test_a_chain_of_components():
    """Cycles of three vertices, each with an edge to the next: a round finds more than one of them."""
    first = 3 * np.arange(500)
    inside = np.r_[first, first + 1, first + 2], np.r_[first + 1, first + 2, first]
    check(wp.Graph.from_edges(np.r_[inside[0], first[:-1]], np.r_[inside[1], first[1:]]))


def test_two_giants():
    """Two components of as many vertices, and what hangs between, before and behind them."""
    one = wp.generate.erdos_renyi(300, 3000, directed=True, seed=1)
    source, target, _ = one.coo()
    more = np.random.default_rng(1).integers(0, 700, (2, 60))
    more = more[:, more[0] < more[1]]  # ascending, so that they close no cycle between the two
    both = np.r_[source, source + 300, more[0]], np.r_[target, target + 300, more[1]]
    check(wp.Graph.from_edges(*both, n=700))


def test_without_vertices_and_without_cycles():
    check(wp.Graph.from_edges([], [], n=0))
    source, target = np.triu_indices(40, 1)
    check(wp.Graph.from_edges(source, target))


def test_what_does_not_fit():
    with pytest.raises(ValueError, match="strongly_connected_components has no loop"):
        wp.strongly_connected_components(wp.generate.grid(2, 2), schedule="loop=host")
