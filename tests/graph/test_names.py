"""Vertices by name: look-ups, and what a graph answers in names."""

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest

import warpath as wp

NAMES = {
    "integers in order": np.array([3, 5, 2**40]),
    "integers": np.array([2**40, -5, 3]),
    "small integers": np.array([2, 0, 1], np.int8),
    "unsigned": np.array([7, 2**64 - 1, 3], np.uint64),
    "text": np.array(["b", "a", "ccc"]),
    "objects": np.array(["b", ("a", 1), 7.5], object),
    "tuples": np.array([*np.ndindex(1, 3), None], object)[:3],
}


@pytest.mark.parametrize("labels", NAMES.values(), ids=NAMES)
def test_index(labels):
    graph = wp.Graph.from_edges([0, 1], [1, 2], [5, 6], labels=labels)
    names = labels.tolist()
    assert [graph.index(name) for name in names] == [0, 1, 2]
    assert graph.index(names[::-1]).tolist() == [2, 1, 0]
    assert graph.index(labels[1:]).tolist() == [1, 2]
    assert graph.index([]).tolist() == []
    assert graph.has_edge(names[1], names[2])
    assert not graph.has_edge(names[2], names[1])
    assert graph.neighbors(names[0]).tolist() == [names[1]]
    assert graph.arc_weights(names[1]).tolist() == [6]
    for absent in ("zoe", 99, (1, 2, 3), None, 1.25):
        with pytest.raises(ValueError, match="is not in the graph: its vertices are called"):
            graph.index(absent)
        with pytest.raises(ValueError, match=r"^vertex\[1\] .* is not in the graph"):
            graph.index([names[0], absent])


def test_numbers_are_no_names_where_there_are_labels():
    graph = wp.Graph.from_edges([0, 1], [1, 2], labels=["a", "b", "c"])
    with pytest.raises(
        ValueError, match=r"source 1 is not in .* 'a', 'b', 'c', and vertex number 1 'b'"
    ):
        wp.bfs(graph, 1)
    graph = wp.Graph.from_edges([0, 1], [1, 2], labels=[2, 0, 1])
    assert wp.bfs(graph, 2).distance.tolist() == [0, 1, 2]
    with pytest.raises(ValueError, match="source True is not in the graph"):
        wp.bfs(graph, True)
    assert wp.bfs(graph.without_labels(), 2).distance.tolist() == [-1, -1, 0]


def test_sequences_of_every_kind():
    graph = wp.Graph.from_edges(["a", "b"], ["b", "c"])
    for names in (("c", "a"), np.array(["c", "a"]), pd.Series(["c", "a"]), pl.Series(["c", "a"])):
        assert graph.index(names).tolist() == [2, 0]
    graph = wp.Graph.from_edges([0, 1], [1, 2], labels=[30, 10, 20])
    for names in ([20, 30], np.array([20, 30], np.uint8), pd.Series([20, 30]), pl.Series([20, 30])):
        assert graph.index(names).tolist() == [2, 0]
    assert graph.index(np.array(20)) == graph.index(np.int32(20)) == 2


def test_without_labels_names_are_numbers():
    graph = wp.Graph.from_edges([0, 1], [1, 2])
    assert graph.without_labels() is graph
    assert graph.index(2) == 2
    assert graph.index([2, 0]).tolist() == [2, 0]
    for absent in (3, -1, "a", [0, 3]):
        with pytest.raises(ValueError, match=r"out of range|must be an integer|vertices"):
            graph.index(absent)
    with pytest.raises(ValueError, match="no labels"):
        _ = graph.names


@pytest.mark.parametrize("labels", [["a", "b", "a"], [7, 8, 7], [("a", 1), 8, ("a", 1)]])
def test_two_vertices_of_one_name(labels):
    graph = wp.Graph.from_edges([0, 1], [1, 2], labels=labels)
    with pytest.raises(ValueError, match="vertices 0 and 2 are both called"):
        wp.bfs(graph, labels[0])
    assert wp.bfs(graph.without_labels(), 0).distance.tolist() == [0, 1, 2]


def test_a_tuple_that_is_a_name_is_one_vertex():
    graph = wp.Graph(nx.grid_2d_graph(2, 3))
    assert wp.bfs(graph, (0, 0)).path((1, 2))[0] == (0, 0)
    assert wp.bfs(graph, ((0, 0), (1, 2))).distance.shape == (2, 6)


def test_the_twin_is_made_once_and_shares_all():
    graph = wp.Graph.from_edges(["a", "b"], ["b", "c"], [1, 2])
    twin = graph.without_labels()
    assert twin is graph.without_labels()
    assert twin.labels is None
    assert np.shares_memory(twin.column_indices, graph.column_indices)
    assert graph.reverse.without_labels() is twin.reverse
    assert graph.reverse.reverse is graph
    assert graph.reverse.neighbors("c").tolist() == ["b"]
    mirrored = wp.Graph.from_edges(["a"], ["b"], directed=False)
    assert mirrored.reverse is mirrored


def test_a_truth_value_is_no_vertex():
    text = wp.Graph.from_edges(["a", "b"], ["b", "c"])
    with pytest.raises(
        ValueError,
        match=r"^source True is not in the graph: its vertices are called 'a', 'b', 'c'$",
    ):
        wp.sssp(text, True)
    mixed = wp.Graph.from_edges([0, 1], [1, 2], labels=["a", 1, ("c", 3)])
    for truth in (True, np.True_, [np.True_]):
        with pytest.raises(ValueError, match=r"^source(\[0\])? True is not in the graph"):
            wp.sssp(mixed, truth)
    assert wp.sssp(mixed, 1).path(("c", 3)) == [1, ("c", 3)]
    called_so = wp.Graph.from_edges([0], [1], labels=[True, "b"])
    assert wp.sssp(called_so, True).path("b") == [True, "b"]
