"""Spanning trees: the same edges as NetworkX's, in its order, ties included."""

from fractions import Fraction

import networkx as nx
import pytest

from networkx_graphs import compare, random_graph
from warpath.networkx import from_networkx, interface

EDGES = ("minimum_spanning_edges", "maximum_spanning_edges")
TREES = ("minimum_spanning_tree", "maximum_spanning_tree")


@pytest.mark.parametrize("kind", [nx.Graph, nx.MultiGraph])
@pytest.mark.parametrize("weights", ["integers", "floats", "zeros", "some missing"])
def test_to_the_letter(kind, weights):
    for seed in range(3):
        G = random_graph(kind, weights, seed, m=150)
        G.graph["name"] = "random"
        G.add_node("a", color="red")
        for name in EDGES:
            for keys in (True, False):
                for data in (True, False):
                    compare(name, G, keys=keys, data=data)
            compare(name, G, weight="absent")
        for name in TREES:
            compare(name, G)
            assert getattr(nx, name)(G, backend="warpath").graph == G.graph


def test_edges_keep_their_own_data():
    G = nx.path_graph(3)
    (*_, first), _ = nx.minimum_spanning_edges(G, backend="warpath")
    assert first is G[0][1]


@pytest.mark.parametrize("kind", [nx.Graph, nx.MultiGraph])
def test_nan(kind):
    G = kind([(0, 1, {"weight": 2}), (1, 2, {"weight": float("nan")}), (0, 2, {"weight": 3})])
    for name in (*EDGES, *TREES):
        compare(name, G, ignore_nan=True)
        with pytest.raises(ValueError, match="NaN found as an edge weight"):
            list(getattr(nx, name)(G, backend="warpath"))
    waiting = nx.minimum_spanning_edges(G, backend="warpath")
    with pytest.raises(ValueError, match="NaN"):
        next(waiting)


@pytest.mark.parametrize("name", [*EDGES, *TREES])
def test_few_nodes_and_directed_graphs(name):
    for n in range(3):
        compare(name, nx.path_graph(n))
    compare(name, nx.DiGraph([(0, 1)]))


def test_other_algorithms_are_left_to_networkx():
    G = nx.path_graph(3)
    assert isinstance(interface.can_run("minimum_spanning_edges", (G, "prim"), {}), str)
    assert isinstance(interface.can_run("maximum_spanning_tree", (G, "weight", "boruvka"), {}), str)
    G[0][1]["weight"] = Fraction(1, 2)
    with pytest.raises(NotImplementedError, match="Fraction are not plain numbers"):
        interface.minimum_spanning_edges(from_networkx(G))


def test_the_least_integer_has_no_opposite():
    G = nx.Graph([(0, 1, {"weight": -(2**63)}), (1, 2, {"weight": 1}), (2, 0, {"weight": 0})])
    with pytest.raises(NotImplementedError, match="raised NotImplementedError"):
        nx.maximum_spanning_tree(G, backend="warpath")
