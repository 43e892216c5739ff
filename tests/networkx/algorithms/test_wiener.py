"""The Wiener index is NetworkX's own."""

from itertools import product

import networkx as nx
import pytest

from exhaustive import few
from networkx_close import compare_close
from networkx_graphs import KINDS, compare, random_graph


@pytest.mark.parametrize("kind", KINDS)
def test_wiener_index(kind):
    for weights in ("integers", "floats", "zeros"):
        G = random_graph(kind, weights, 4)
        compare_close("wiener_index", G, weight="weight")  # of several parts: infinite
        nx.add_cycle(G, list(G), weight=2.5 if weights == "floats" else 2)
        for weight in (None, "weight", lambda u, v, data: len(str(u))):
            compare_close("wiener_index", G, weight=weight)
    for n in range(3):
        compare_close("wiener_index", kind(nx.path_graph(n)))


@pytest.mark.parametrize(
    ("n", "kind"),  # of few nodes, and of more than a call takes
    few(product([6, 300], [nx.Graph, nx.MultiGraph]), [(6, nx.MultiGraph), (300, nx.Graph)]),
)
def test_sums_beyond_64_bits_are_exact(kind, n):
    G = kind(nx.star_graph(n))
    nx.set_edge_attributes(G, 2**61 + 1, "weight")
    compare("wiener_index", G, weight="weight")
    compare("average_shortest_path_length", G, weight="weight")
    compare("closeness_centrality", G, distance="weight")
