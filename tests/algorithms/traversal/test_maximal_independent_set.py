"""Maximal independent sets, against their certificate and the sequential algorithm."""

import numpy as np
import pytest

import warpath as wp
from oracles import SHAPES, shape, small_multigraph
from warpath.algorithms.primitives.random_order import random_priorities


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    for seed in range(2):
        found = wp.maximal_independent_set(shape(name), seed=seed)
        assert found.dtype == bool
        wp.verify.maximal_independent_set(shape(name), found)


def one_by_one(graph, seed):
    """Vertices in the order of their priorities, unless they have a neighbour in the set."""
    source, target, _ = graph.coo()
    neighbours = [set() for _ in range(graph.num_vertices)]
    for u, v in zip(source.tolist(), target.tolist(), strict=True):
        if u != v:
            neighbours[u].add(v)
            neighbours[v].add(u)
    chosen = set()
    for v in np.argsort(random_priorities(graph, np, seed)).tolist():
        if not chosen & neighbours[v]:
            chosen.add(v)
    return sorted(chosen)


def test_as_one_by_one(threads):
    graphs = [wp.generate.rmat(10, 8, seed=1), wp.generate.rmat(9, 8, directed=True, seed=2)]
    graphs += [small_multigraph(seed, None, directed=bool(seed % 2)) for seed in range(6)]
    for graph in graphs:
        for seed in (0, 1, -5, 2**40):
            found = wp.maximal_independent_set(graph, seed=seed)
            assert np.flatnonzero(found).tolist() == one_by_one(graph, seed)


def test_what_does_not_fit():
    assert len(wp.maximal_independent_set(wp.Graph.from_edges([], [], n=0))) == 0
    with pytest.raises(ValueError, match=r"seed must be an integer, not 1\.5"):
        wp.maximal_independent_set(wp.generate.grid(2, 2), seed=1.5)
    with pytest.raises(ValueError, match="maximal_independent_set has no loop"):
        wp.maximal_independent_set(wp.generate.grid(2, 2), schedule="loop=host")
