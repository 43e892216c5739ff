"""Harmonic centrality: answers, their order and exceptions are NetworkX's own."""

import networkx as nx
import pytest

from networkx_close import compare_close
from networkx_graphs import KINDS, random_graph
from warpath.networkx import from_networkx, interface
from warpath.networkx.algorithms.centrality import harmonic

NAME = "harmonic_centrality"


@pytest.mark.parametrize("kind", KINDS)
def test_to_the_letter(kind, monkeypatch):
    monkeypatch.setattr(harmonic, "_ROWS", 2)
    for weights in ("integers", "zeros"):
        G = random_graph(kind, weights, 2)
        names = list(G)
        bunches = (None, names[0], names[:3], [*names[4:9], "nowhere"], [], "nowhere")
        for distance in (None, "weight"):
            for nbunch in bunches:
                for sources in bunches:
                    compare_close(NAME, G, nbunch, distance, sources)


@pytest.mark.parametrize("kind", KINDS)
def test_few_nodes(kind):
    for n in range(3):
        compare_close(NAME, kind(nx.path_graph(n)))


def test_functions_and_negative_weights_are_left_to_networkx():
    G = nx.DiGraph([(0, 1, {"weight": -1})])
    assert isinstance(interface.can_run(NAME, (G,), {"distance": lambda u, v, d: 1}), str)
    with pytest.raises(NotImplementedError, match="a weight of -1"):
        interface.harmonic_centrality(from_networkx(G), distance="weight")
