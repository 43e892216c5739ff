"""Triangles and clustering are NetworkX's own."""

import networkx as nx
import pytest

from networkx_graphs import KINDS, compare, declined, outcome, random_graph

NAMES = ("triangles", "clustering", "average_clustering", "transitivity")


@pytest.mark.parametrize("name", NAMES)
def test_graphs(name):
    for seed, m in enumerate((0, 40, 90, 300)):
        compare(name, random_graph(nx.Graph, "integers", seed, m=m))
    for G in (nx.Graph(), nx.empty_graph(1), nx.complete_graph(5), nx.karate_club_graph()):
        compare(name, G)


@pytest.mark.parametrize("name", NAMES[:3])
def test_some_nodes(name):
    G = random_graph(nx.Graph, "integers", 5, m=200)
    for nodes in ([3, "a", 3, (1, 2)], [], ["nowhere"], "a", 4):
        compare(name, G, nodes)


def test_options():
    G = random_graph(nx.Graph, "integers", 5, m=120)
    compare("average_clustering", G, count_zeros=False)


@pytest.mark.parametrize("name", NAMES)
def test_directions_and_parallel_edges_are_networkxs(name):
    for kind in KINDS[1:]:
        kind_of_error, _ = outcome(
            getattr(nx, name), random_graph(kind, "integers", 1), backend="warpath"
        )
        assert issubclass(kind_of_error, NotImplementedError | nx.NetworkXNotImplemented)


def test_weights_are_networkxs():
    G = random_graph(nx.Graph, "integers", 5)
    declined("clustering", G, weight="weight")
    declined("average_clustering", G, None, "weight")
