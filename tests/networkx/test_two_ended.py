"""Searches from both ends find the path that NetworkX finds."""

import networkx as nx
import numpy as np
import pytest

from networkx_graphs import KINDS, compare, random_graph
from warpath.networkx import from_networkx
from warpath.networkx.two_ended import path_by_edges, path_by_weight

MOST = np.iinfo(np.int64).max


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", KINDS)
def test_the_path_is_networkxs(kind, seed):
    G = random_graph(kind, "zeros", seed)
    nodes = list(G)
    for source in nodes[:4]:
        for target in nodes:
            compare("bidirectional_shortest_path", G, source, target)
            compare("bidirectional_dijkstra", G, source, target)
            compare("shortest_path_length", G, source, target)


def one_way(u, v, data):
    """Another weight in each direction; some hidden."""
    return None if (3 * hash(u) + hash(v)) % 5 == 0 else 1 + (hash(u) + 2 * hash(v)) % 7


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_by_a_weight_function(kind):
    G = nx.gnm_random_graph(30, 90, seed=4, directed=kind is nx.DiGraph)
    for target in range(30):
        compare("bidirectional_dijkstra", G, 0, target, weight=one_way)


def test_one_vertex():
    H = from_networkx(nx.path_graph(2))
    assert path_by_edges(H.adjacency, H.adjacency, 1, 1) == [1]


def test_lengths_beyond_64_bits_are_named():
    for weights in ([MOST - 1, 1], [MOST // 2 + 1] * 2):
        G = nx.DiGraph([(u, u + 1, {"weight": w}) for u, w in enumerate(weights)])
        both = from_networkx(G).arcs_both_ways("weight")
        with pytest.raises(OverflowError, match="64 bits"):
            path_by_weight(*both, 0, 2)
        with nx.config.backend_priority(algos=["warpath"]):
            assert nx.bidirectional_dijkstra(G, 0, 2)[0] == sum(weights)
    G = nx.DiGraph([(0, 1, {"weight": MOST - 2}), (1, 2, {"weight": 1})])
    compare("bidirectional_dijkstra", G, 0, 2)
