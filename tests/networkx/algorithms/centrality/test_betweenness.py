"""Betweenness: answers, their order and exceptions are NetworkX's own."""

import itertools

import networkx as nx
import pytest

from exhaustive import few
from networkx_close import compare_close
from networkx_graphs import KINDS, random_graph
from warpath.networkx import from_networkx, interface

WEIGHTS = [None, "weight", "absent", lambda u, v, data: 1 + len(str(v)) % 3]
YES_NO = (True, False)


def graph_of(kind, weights, seed):
    """Without the node (1, 2), which NetworkX takes for the edge from 1 to 2."""
    return nx.relabel_nodes(random_graph(kind, weights, seed), {(1, 2): "pair"})


@pytest.mark.parametrize(
    ("kind", "weight"),
    few(itertools.product(KINDS, WEIGHTS), zip(KINDS, WEIGHTS, strict=True)),
)
def test_to_the_letter(kind, weight):
    for seed, weights in enumerate(("integers", "floats", "some missing")):
        G = graph_of(kind, weights, seed)
        for normalized, ends in itertools.product(YES_NO, YES_NO):
            how = {"normalized": normalized, "weight": weight}
            compare_close("betweenness_centrality", G, endpoints=ends, **how)
        compare_close("edge_betweenness_centrality", G, normalized=seed > 0, weight=weight)


@pytest.mark.parametrize("k", [0, 1, 2, 9, 39, 40, 41, -1])
@pytest.mark.parametrize("kind", KINDS)
def test_samples(kind, k):
    G = graph_of(kind, "integers", k)
    for normalized, ends in itertools.product(YES_NO, YES_NO):
        how = {"k": k, "seed": 7, "normalized": normalized}
        compare_close("betweenness_centrality", G, endpoints=ends, **how)
        compare_close("edge_betweenness_centrality", G, **how)


@pytest.mark.parametrize("kind", KINDS)
def test_few_nodes(kind):
    for n in range(4):
        G = kind(nx.path_graph(n))
        for normalized, ends in itertools.product(YES_NO, YES_NO):
            how = {"normalized": normalized}
            compare_close("betweenness_centrality", G, endpoints=ends, **how)
            compare_close("edge_betweenness_centrality", G, **how)


@pytest.mark.parametrize("name", ["betweenness_centrality", "edge_betweenness_centrality"])
def test_what_is_left_to_networkx(name):
    zeros = nx.Graph([(0, 1, {"weight": 0}), (1, 2, {"weight": 1})])
    ask = getattr(interface, name)
    with pytest.raises(NotImplementedError, match="needs positive weights"):
        ask(from_networkx(zeros), weight="weight")
    with pytest.raises(NotImplementedError, match="returns None"):
        ask(from_networkx(zeros), weight=lambda u, v, data: data["weight"] or None)
    lost = nx.path_graph(3)
    lost.edges[1, 2]["weight"] = 1e-30
    with pytest.raises(NotImplementedError, match="is lost when it is added"):
        ask(from_networkx(lost), weight="weight")


@pytest.mark.parametrize("name", ["betweenness_centrality", "edge_betweenness_centrality"])
def test_distances_beyond_64_bits_are_left_to_networkx(name):
    G = nx.path_graph(6)
    nx.set_edge_attributes(G, 2**61, "weight")
    with pytest.raises(NotImplementedError) as caught:
        getattr(nx, name)(G, weight="weight", backend="warpath")
    assert "exceeds int64" in str(caught.value.__cause__ or caught.value)
    with nx.config(backend_priority=["warpath"]):
        assert getattr(nx, name)(G, weight="weight") == getattr(nx, name)(
            G, weight="weight", backend="networkx"
        )
