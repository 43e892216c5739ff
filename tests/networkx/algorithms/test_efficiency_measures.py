"""Global efficiency is NetworkX's own."""

import networkx as nx

from networkx_close import compare_close
from networkx_graphs import random_graph


def test_efficiency():
    for kind in (nx.Graph, nx.MultiGraph):
        for m in (0, 50, 200):
            compare_close("global_efficiency", random_graph(kind, "integers", m, m=m))
        for n in range(3):
            compare_close("global_efficiency", kind(nx.path_graph(n)))
    compare_close("global_efficiency", nx.DiGraph([(0, 1)]))
