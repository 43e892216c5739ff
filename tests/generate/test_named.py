import networkx as nx
import numpy as np
import pytest

from warpath.generate import named


def edge_set(G):
    return {tuple(sorted(edge)) for edge in G.edges()}


@pytest.mark.parametrize(
    ("name", "n", "wanted"),
    [
        ("path", 0, nx.empty_graph(0)),
        ("path", 1, nx.empty_graph(1)),
        ("path", 6, nx.path_graph(6)),
        ("cycle", 3, nx.cycle_graph(3)),
        ("cycle", 7, nx.cycle_graph(7)),
        ("star", 0, nx.empty_graph(0)),
        ("star", 6, nx.star_graph(5)),
        ("complete", 1, nx.complete_graph(1)),
        ("complete", 6, nx.complete_graph(6)),
        ("binary-tree", 7, nx.full_rary_tree(2, 7)),
        ("binary-tree", 10, nx.full_rary_tree(2, 10)),
        ("karate", None, nx.karate_club_graph()),
    ],
)
def test_against_networkx(name, n, wanted):
    graph = named(name, n)
    assert not graph.directed
    assert graph.num_vertices == wanted.number_of_nodes()
    assert edge_set(graph.to_networkx()) == edge_set(wanted)
    assert graph.num_edges == wanted.number_of_edges()


def test_petersen():
    graph = named("petersen")
    assert nx.is_isomorphic(graph.to_networkx(), nx.petersen_graph())


def test_directed():
    def arcs(graph):
        assert graph.directed
        source, target, _ = graph.coo()
        return list(zip(source.tolist(), target.tolist(), strict=True))

    assert arcs(named("path", 4, directed=True)) == [(0, 1), (1, 2), (2, 3)]
    assert arcs(named("cycle", 3, directed=True)) == [(0, 1), (1, 2), (2, 0)]
    assert arcs(named("star", 3, directed=True)) == [(0, 1), (0, 2)]
    assert arcs(named("binary-tree", 4, directed=True)) == [(0, 1), (0, 2), (1, 3)]
    assert len(arcs(named("complete", 5, directed=True))) == 20
    for name in ("petersen", "karate"):
        assert all(u < v for u, v in arcs(named(name, directed=True)))


def test_weights():
    graph = named("petersen", weights=(3, 5), seed=1)
    assert graph.weights.dtype == np.int32
    assert set(graph.weights.tolist()) == {3, 4, 5}
    assert np.array_equal(graph.weights, named("petersen", weights=(3, 5), seed=1).weights)
    assert not np.array_equal(graph.weights, named("petersen", weights=(3, 5), seed=2).weights)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("pentagon",), "unknown graph 'pentagon'; choose one of binary-tree, complete, cycle"),
        (([1],), r"unknown graph \[1\]; choose one of"),
        (("path",), "'path' is a family of graphs: give n"),
        (("cycle", 2), "'cycle' has at least 3 vertices, not 2"),
        (("petersen", 10), "'petersen' has 10 vertices: it takes no n"),
        (("path", -1), "not -1"),
        (("star", 2.5), "not 2.5"),
    ],
)
def test_wrong_parameters(arguments, message):
    with pytest.raises(ValueError, match=message):
        named(*arguments)
