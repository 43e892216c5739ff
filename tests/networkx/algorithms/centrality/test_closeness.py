"""Closeness: answers, their order and exceptions are NetworkX's own, to the bit without weights."""

import networkx as nx
import pytest

from networkx_close import compare_close
from networkx_graphs import KINDS, compare, random_graph
from warpath.networkx import from_networkx, interface

NAME = "closeness_centrality"


@pytest.mark.parametrize("wf_improved", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_to_the_letter(kind, wf_improved):
    for weights in ("integers", "floats", "zeros", "some missing"):
        G = random_graph(kind, weights, 1)
        compare(NAME, G, wf_improved=wf_improved)
        for distance in (None, "weight"):
            compare_close(NAME, G, distance=distance, wf_improved=wf_improved)
            for u in [*list(G)[:5], "nowhere"]:
                compare_close(NAME, G, u, distance=distance, wf_improved=wf_improved)


@pytest.mark.parametrize("kind", KINDS)
def test_few_nodes(kind):
    for n in range(3):
        compare(NAME, kind(nx.path_graph(n)))


def test_functions_and_negative_weights_are_left_to_networkx():
    G = nx.DiGraph([(0, 1, {"weight": -1})])
    assert isinstance(interface.can_run(NAME, (G,), {"distance": lambda u, v, d: 1}), str)
    with pytest.raises(NotImplementedError, match="a weight of -1"):
        interface.closeness_centrality(from_networkx(G), distance="weight")
