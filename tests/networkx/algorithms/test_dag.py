"""What can be reached."""

import networkx as nx
import pytest

from networkx_graphs import KINDS, compare, random_graph


@pytest.mark.parametrize("name", ["ancestors", "descendants"])
@pytest.mark.parametrize("kind", KINDS)
def test_reached(kind, name):
    G = random_graph(kind, "integers", 1)
    for node in [*G, "nowhere"]:
        compare(name, G, node)
    compare(name, nx.Graph(), 0)
