"""Borůvka's algorithm by operators: edge for edge what the CPU's kernel finds."""

import numpy as np
import pytest

import warpath as wp
from oracles import DTYPES, SHAPES, small_multigraph, weighted
from warpath.algorithms.trees.boruvka import forest_edges


def check(graph):
    """With NumPy's arrays."""
    found, right = forest_edges(graph, np), wp.minimum_spanning_forest(graph).edges()
    for one, other in zip(found, right, strict=True):
        assert (one is None and other is None) or np.array_equal(one, other)
        assert one is None or one.dtype == other.dtype


def undirected(graph):
    """Each edge at one of its ends."""
    source, target, weight = graph.coo()
    return wp.Graph.from_edges(source, target, weight, n=graph.num_vertices, symmetrize=True)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    check(undirected(weighted(name, np.int32)))
    check(undirected(weighted(name, np.int32)).without_weights())


@pytest.mark.parametrize("dtype", DTYPES)
def test_multigraphs(dtype):
    for seed in range(4):
        check(small_multigraph(seed, dtype, directed=False))


def test_extreme_and_negative_weights():
    for dtype in (np.int32, np.int64):
        ends = np.iinfo(dtype)
        weights = np.array([ends.max, ends.min, 0, ends.max, -5], dtype)
        check(wp.Graph.from_edges([0, 0, 1, 3, 2], [1, 2, 2, 4, 1], weights, n=6, directed=False))


def test_without_vertices():
    check(wp.Graph.from_edges([], [], n=0, directed=False))
