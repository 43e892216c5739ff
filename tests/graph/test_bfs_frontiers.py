"""Frontiers as balances take them, from distances."""

import numpy as np
import pytest

import warpath as wp
from warpath.graph.bfs_frontiers import levels_of


def frontiers(graph, source):
    """Of each level its vertices with arcs, and their degrees."""
    distance = wp.bfs(graph, source).distance
    offsets = graph.row_offsets.astype(np.uint32)
    found = levels_of(offsets, distance)
    return found, distance, np.diff(offsets)


@pytest.mark.parametrize("directed", [False, True])
def test_each_level_has_its_vertices_and_prefix_sums(directed):
    graph = wp.generate.rmat(9, 3, directed=directed, seed=1)
    source = int(graph.degree.argmax())
    found, distance, degree = frontiers(graph, source)
    assert len(found.begin) == len(found.arcs) + 1
    for level, (begin, end) in enumerate(zip(found.begin[:-1], found.begin[1:], strict=True)):
        vertices, prefix = found.vertices[begin:end], found.prefix[begin:end]
        assert set(vertices) == set(np.flatnonzero((distance == level) & (degree > 0)))
        assert np.array_equal(prefix, np.cumsum(degree[vertices]) - degree[vertices])
        assert found.arcs[level] == degree[vertices].sum()
    assert found.arcs.sum() == degree[distance >= 0].sum()
    assert found.vertices.dtype == found.prefix.dtype == np.uint32


def test_a_source_without_arcs_has_no_level():
    found, _, _ = frontiers(wp.Graph.from_edges([1], [2], n=4), 0)
    assert len(found.vertices) == len(found.arcs) == 0
    assert list(found.begin) == [0]
