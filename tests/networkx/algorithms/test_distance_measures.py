"""Eccentricity and similar measures: answers, their order and exceptions are NetworkX's own."""

import networkx as nx
import pytest

from exhaustive import few
from networkx_close import compare_close
from networkx_graphs import KINDS, compare, random_graph
from warpath.networkx import interface

OF_ALL = ("diameter", "radius", "periphery", "center")


def connected(kind, weights, seed):
    """A random graph and a circle through all of its nodes."""
    G = random_graph(kind, weights, seed)
    nx.add_cycle(G, list(G), weight=2.5 if weights == "floats" else 5)
    return G


@pytest.mark.parametrize("kind", few(KINDS, [nx.Graph, nx.MultiDiGraph]))
def test_to_the_letter(kind):
    for weights in ("integers", "floats", "zeros", "some missing"):
        G = connected(kind, weights, 1)
        for name in ("eccentricity", *OF_ALL):
            compare(name, G)
            for weight in ("weight", "absent", lambda u, v, data: 1 + len(str(v))):
                compare_close(name, G, weight=weight)
    for name in OF_ALL:
        compare(name, G, usebounds=True)
        compare(name, G, {node: node == "a" for node in G})


@pytest.mark.parametrize("kind", KINDS)
def test_some_nodes_and_given_distances(kind):
    G = connected(kind, "integers", 2)
    lengths = dict(nx.all_pairs_dijkstra_path_length(G))
    for v in (None, "a", ["a", 3, "nowhere"], [], "nowhere", 3):
        compare("eccentricity", G, v)
        compare("eccentricity", G, v, weight="weight")
        compare("eccentricity", G, v, sp=lengths)
    compare("eccentricity", G, sp=dict.fromkeys(G, 3))
    compare("eccentricity", G, sp={node: {node: 0} for node in G})


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["eccentricity", *OF_ALL])
def test_graphs_of_several_parts_and_of_few_nodes(name, kind):
    compare(name, random_graph(kind, "integers", 3))
    for n in range(3):
        compare(name, kind(nx.path_graph(n)))
        if name != "eccentricity":
            compare(name, kind(nx.path_graph(n)), usebounds=True)
    if name != "eccentricity":
        compare(name, random_graph(kind, "integers", 3), usebounds=True)


@pytest.mark.parametrize("name", OF_ALL)
def test_bounds_of_weights_are_left_to_networkx(name):
    G = nx.path_graph(3)
    asked = {"usebounds": True, "weight": "weight"}
    assert isinstance(interface.can_run(name, (G,), asked), str)
    assert interface.can_run(name, (G,), {"usebounds": True}) is True


def test_trees_and_wheels():
    """Centers of which NetworkX's trees have a method of their own."""
    for G in (nx.balanced_tree(2, 4), nx.path_graph(8), nx.wheel_graph(6), nx.star_graph(4)):
        for name in OF_ALL:
            compare(name, G)
