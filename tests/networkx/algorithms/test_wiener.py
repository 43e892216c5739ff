"""The Wiener index is NetworkX's own."""

import networkx as nx
import pytest

from networkx_close import compare_close
from networkx_graphs import KINDS, random_graph


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
