"""Weakly connected components are NetworkX's own, in its order."""

import networkx as nx
import pytest

from networkx_graphs import compare, random_graph

NAMES = (
    "weakly_connected_components", "number_weakly_connected_components", "is_weakly_connected",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_components(name):
    for kind in (nx.DiGraph, nx.MultiDiGraph):
        for m in (0, 20, 40, 300):
            compare(name, random_graph(kind, "integers", m, m=m))
        compare(name, kind())
        compare(name, kind([(0, 1), (2, 1)]))
    compare(name, nx.Graph([(0, 1)]))
