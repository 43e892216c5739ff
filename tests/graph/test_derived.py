"""What is kept with a graph: it is counted, and freed."""

import gc
import pickle
import weakref

import numpy as np
import pytest

import warpath as wp
from warpath.graph.derived import nbytes_of


def directed(**options):
    return wp.generate.negative_weights(
        wp.generate.rmat(8, 4, directed=True, weights=(1, 9), seed=1, **options)
    )


def test_a_graph_says_what_it_holds():
    graph = directed()
    arrays = (graph.row_offsets, graph.column_indices, graph.weights)
    arcs = sum(one.nbytes for one in arrays)
    assert graph.memory() == {"arcs": arcs}
    wp.bfs(graph, 0)
    assert graph.memory() == {"arcs": arcs, "reverse": arcs}
    wp.sssp(graph, 0)  # Bellman-Ford
    assert graph.memory() == {
        "arcs": arcs,
        "reverse": arcs,
        "classes of vertices": graph.num_vertices,
    }
    assert graph.reverse.memory() == {"arcs": arcs}  # which does not hold the graph


def test_what_is_released_is_made_again():
    graph = directed()
    before = wp.sssp(graph, 0).distance
    wp.bfs(graph, 0)
    reverse = weakref.ref(graph.reverse)
    graph.release()
    gc.collect()
    assert reverse() is None
    assert list(graph.memory()) == ["arcs"]
    wp.bfs(graph, 0).verify()
    assert np.array_equal(wp.sssp(graph, 0).distance, before)
    graph.release()
    graph.release()


def test_names_are_counted_and_released():
    graph = wp.Graph.from_edges(["a", "b"], ["b", "c"], [1, -1])
    wp.sssp(graph, "a")
    held = graph.memory()
    assert held["names"] > 0
    assert held["classes of vertices"] == 3
    graph.release()
    assert list(graph.memory()) == ["arcs"]
    assert wp.sssp(graph, "a")["c"] == 0


@pytest.mark.parametrize("vertices", [range(8), "abcdefgh"])
@pytest.mark.parametrize("directed", [False, True])
def test_what_is_kept_does_not_keep_the_graph(directed, vertices):
    path = list(vertices)
    graph = wp.Graph.from_edges(path[:-1], path[1:], range(1, 8), directed=directed)
    source = path[0]
    wp.sssp(graph, source)
    wp.bfs(graph, source)
    wp.sssp(graph, source, method="bellman-ford")
    wp.betweenness(graph)
    assert graph.reverse.reverse is graph
    gone = weakref.ref(graph)
    gc.disable()
    try:
        del graph
        assert gone() is None
    finally:
        gc.enable()


def test_a_reverse_may_outlive_its_graph():
    graph = directed()
    offsets, columns, weights = (np.array(one) for one in graph.resident)
    reverse = graph.reverse
    del graph
    again = reverse.reverse
    assert np.array_equal(again.row_offsets, offsets)
    assert np.array_equal(again.column_indices, columns)
    assert np.array_equal(again.weights, weights)
    assert again.reverse is reverse
    assert reverse.reverse is again


def test_copies_begin_with_nothing():
    graph = directed()
    wp.sssp(graph, 0)
    assert not pickle.loads(pickle.dumps(graph)).derived
    assert not graph.with_weights(graph.weights * 2).derived
    with pytest.raises(AttributeError, match="immutable"):
        graph.derived = {}


def test_bytes_are_counted_once():
    array = np.zeros(10)
    seen: set[int] = set()
    assert nbytes_of({"a": (array, [array]), "b": 3, "c": None, "d": "text"}, seen) == 80
    assert nbytes_of(array, seen) == 0


def test_views_are_no_copies():
    array = np.zeros(10)
    seen: set[int] = set()
    assert nbytes_of([array[2:5], array.view("u8"), array], seen) == 80
