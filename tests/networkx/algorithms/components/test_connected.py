"""Connected components are NetworkX's own, in its order."""

import networkx as nx
import pytest

from networkx_graphs import compare, random_graph

NAMES = ("connected_components", "number_connected_components", "is_connected")


@pytest.mark.parametrize("name", NAMES)
def test_components(name):
    for kind in (nx.Graph, nx.MultiGraph):
        for m in (0, 20, 40, 300):
            compare(name, random_graph(kind, "integers", m, m=m))
        compare(name, kind())
        compare(name, kind([(0, 1)]))
    compare(name, nx.DiGraph([(0, 1)]))


def test_the_component_of_a_node():
    G = random_graph(nx.MultiGraph, "integers", 1, m=30)
    for node in [*G, "nowhere"]:
        compare("node_connected_component", G, node)


def test_a_converted_graph_is_a_generator_too():
    found = nx.connected_components(nx.Graph([(1, 2), (4, 3)]), backend="warpath")
    assert next(found) == {1, 2}
    assert list(found) == [{3, 4}]
