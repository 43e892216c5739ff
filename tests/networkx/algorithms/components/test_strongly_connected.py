"""Strongly connected components are NetworkX's own, in its order."""

import networkx as nx
import pytest

from networkx_graphs import compare, random_graph

NAMES = (
    "strongly_connected_components",
    "number_strongly_connected_components",
    "is_strongly_connected",
)


@pytest.mark.parametrize("name", NAMES)
def test_components(name):
    for kind in (nx.DiGraph, nx.MultiDiGraph):
        for seed in range(3):
            for m in (0, 20, 40, 60, 90, 300):
                compare(name, random_graph(kind, "integers", seed, m=m))
        compare(name, kind())
        compare(name, kind([(0, 1), (1, 0)]))
    compare(name, nx.Graph([(0, 1)]))


def test_long_paths_and_cycles():
    for G in (nx.path_graph(3000, nx.DiGraph), nx.cycle_graph(3000, nx.DiGraph)):
        for name in NAMES:
            compare(name, G)
            compare(name, G.reverse())
