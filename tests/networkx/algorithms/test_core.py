"""Cores are NetworkX's own."""

import networkx as nx
import pytest

from networkx_graphs import KINDS, compare, declined, random_graph


def without_loops(kind, seed, m):
    G = random_graph(kind, "integers", seed, m=m)
    G.remove_edges_from(list(nx.selfloop_edges(G)))
    return G


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["core_number", "k_core", "k_shell"])
def test_graphs(name, kind):
    for seed, m in enumerate((0, 40, 90, 300)):
        compare(name, without_loops(kind, seed, m))
    compare(name, kind())


def test_self_loops_are_networkxs_to_refuse():
    declined("core_number", random_graph(nx.Graph, "integers", 1, m=300))


def test_an_edge_in_both_directions_counts_twice():
    compare("core_number", nx.DiGraph([(0, 1), (1, 0), (1, 2), (2, 3), (3, 1)]))


def test_a_core_of_ones_choice():
    G = without_loops(nx.Graph, 3, 200)
    nx.set_node_attributes(G, {3: "blue"}, "color")
    for k in (0, 2, 5, 99):
        for name in ("k_core", "k_shell"):
            compare(name, G, k)
    for name in ("k_core", "k_shell"):
        compare(name, G, 2, dict.fromkeys(G, 2))
