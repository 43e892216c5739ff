"""Fingerprints of arcs: equal for equal multisets, and seldom else."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warpath.graph.graph import Graph
from warpath.io.symmetry import as_undirected, fingerprints

ARCS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(-3, 3)), max_size=8)


@given(ARCS, st.booleans(), st.sampled_from([np.int32, np.int64, np.float32, np.float64]))
def test_symmetric_or_not(arcs, symmetric, dtype):
    source, target, weight = np.array(arcs, np.int64).reshape(-1, 3).T
    graph = Graph.from_edges(source, target, weight.astype(dtype), n=5, directed=not symmetric)
    arrays = graph.row_offsets, graph.column_indices, graph.weights
    forth, back = fingerprints(graph)
    assert fingerprints(graph.reverse) == (back, forth)
    directed = Graph.from_csr(*arrays)
    multiset = sorted(zip(*(a.tolist() for a in directed.coo()), strict=True))
    turned = sorted((v, u, w) for u, v, w in multiset)
    if multiset == turned:
        assert not as_undirected(directed).directed
        assert as_undirected(directed).column_indices is not None
    else:
        with pytest.raises(ValueError, match="has no reverse"):
            as_undirected(directed)


def test_zeros_of_both_signs_are_equal():
    graph = Graph.from_edges([0, 1], [1, 0], [0.0, -0.0])
    assert not as_undirected(graph).directed


def test_no_two_of_many_arcs_collide():
    """Single arcs u → v of weight w, all different: all fingerprints differ."""
    found = {
        fingerprints(Graph.from_edges([u], [v], [w], n=20))[0]
        for u in range(20)
        for v in range(20)
        for w in range(-5, 5)
    }
    assert len(found) == 20 * 20 * 10
