"""A graph's edges: those out of a vertex, along a path, and all of them."""

import pytest

import warpath as wp


def test_rows_and_edges():
    graph = wp.Graph.from_edges([0, 0, 0, 2], [1, 1, 2, 2], [5, 3, 4, 1], n=4, directed=False)
    assert graph.neighbors(0).tolist() == [1, 1, 2]
    assert sorted(graph.arc_weights(0).tolist()) == [3, 4, 5]
    assert graph.has_edge(2, 0)
    assert not graph.has_edge(1, 2)
    assert graph.neighbors(3).tolist() == []
    assert graph.coo()[0].tolist() == [0, 0, 0, 1, 1, 2, 2]
    source, target, weight = graph.edges()
    assert (source.tolist(), target.tolist()) == ([0, 0, 0, 2], [1, 1, 2, 2])
    assert sorted(weight.tolist()) == [1, 3, 4, 5]


def test_wrong_vertices(small):
    for call in (small.neighbors, small.arc_weights, lambda v: small.has_edge(0, v)):
        with pytest.raises(ValueError, match="vertex 4 is out of range: the graph has 4 vertices"):
            call(4)
        with pytest.raises(ValueError, match="vertex -1 is out of range"):
            call(-1)
        with pytest.raises(ValueError, match=r"integer vertex id, not 1\.0"):
            call(1.0)
