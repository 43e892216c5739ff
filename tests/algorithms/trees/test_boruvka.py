"""Borůvka's algorithm by operators: edge for edge what the CPU's kernel finds."""

import numpy as np
import pytest

import warpath as wp
from exhaustive import slow
from oracles import SHAPES, small_multigraph, weighted
from warpath.algorithms.trees.boruvka import forest_edges, lightest_edges
from warpath.cpu.boruvka import boruvka


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


@pytest.mark.parametrize("dtype", [np.int32, *slow([np.float64, np.int64, np.float32])])
def test_multigraphs(dtype):
    for seed in range(4):
        check(small_multigraph(seed, dtype, directed=False))


@pytest.mark.parametrize("dtype", [np.int32, *slow([np.int64])])
def test_extreme_and_negative_weights(dtype):
    ends = np.iinfo(dtype)
    weights = np.array([ends.max, ends.min, 0, ends.max, -5], dtype)
    check(wp.Graph.from_edges([0, 0, 1, 3, 2], [1, 2, 2, 4, 1], weights, n=6, directed=False))


def test_without_vertices():
    check(wp.Graph.from_edges([], [], n=0, directed=False))


@pytest.mark.parametrize("dtype", [np.float64, *slow([np.int64])])
def test_the_lightest_edges_are_those_of_the_cpu(dtype):
    """Parallel edges, self-loops and equal weights: of equal ones the first."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        source, target = rng.integers(0, 60, (2, 200)).astype(np.int32)
        weights = rng.integers(0, 9, 200).astype(dtype)
        if dtype is np.float64:
            weights[::17] = np.nan
        found = lightest_edges(60, source, target, weights, np)
        rank = np.empty(200, np.int64)
        rank[np.argsort(weights, kind="stable")] = np.arange(200)
        right = boruvka(60, source, target, rank)
        assert np.array_equal(np.sort(found), np.sort(right))
        assert (np.diff(rank[found]) > 0).all()
