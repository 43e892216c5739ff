"""`Frontier`: what it is made of."""

import numpy as np
import pytest

import warpath as wp

GRAPH = wp.generate.grid(1, 5)


def test_frontiers():
    f = wp.Frontier(GRAPH, [4, 1, 4])
    assert (len(f), bool(f), repr(f)) == (2, True, "Frontier(2 vertices)")
    assert (f.vertices.tolist(), f.vertices.dtype, f.device) == ([1, 4], np.int32, "cpu")
    assert wp.Frontier(GRAPH, 3).vertices.tolist() == [3]
    assert wp.Frontier(GRAPH).vertices.tolist() == [0, 1, 2, 3, 4]
    for nothing in ([], (), np.empty(0, np.int64)):
        assert not wp.Frontier(GRAPH, nothing)


def test_labels():
    graph = wp.Graph.from_edges(["x", "y"], ["y", "z"])
    assert wp.Frontier(graph, "z").vertices.tolist() == [graph.index("z")]
    assert len(wp.Frontier(graph, ["x", "z"])) == 2


@pytest.mark.parametrize("vertices", [5, [-1], 1.5, "a", [0.5]])
def test_what_is_no_vertex(vertices):
    with pytest.raises(ValueError, match="vert"):
        wp.Frontier(GRAPH, vertices)


def test_what_is_no_graph():
    with pytest.raises(TypeError, match=r"expected a warpath\.Graph"):
        wp.Frontier([1], 0)
