"""Graphs that change between two calls: no answer is that of the graph as it was."""

import networkx as nx
import numpy as np
import pytest

from networkx_graphs import KINDS, outcome
from warpath.networkx import from_networkx, graph, interface, weights


def first(G):
    """The attributes of the edge between 0 and 1."""
    data = G[0][1]
    return data[0] if G.is_multigraph() else data


CHANGES = {
    "item": lambda G: first(G).__setitem__("weight", 1),
    "item of another type": lambda G: first(G).__setitem__("weight", 5.0),
    "item that needs NetworkX": lambda G: first(G).__setitem__("weight", 2**70),
    "NumPy's item": lambda G: first(G).__setitem__("weight", np.int64(1)),
    "update": lambda G: first(G).update(weight=1),
    "delete": lambda G: first(G).__delitem__("weight"),
    "clear": lambda G: first(G).clear(),
    "adj": lambda G: G.adj[0][1].get(0, G.adj[0][1]).__setitem__("weight", 1),
    "edges": lambda G: [data.update(weight=1) for *_, data in G.edges(data=True)],
    "set_edge_attributes": lambda G: nx.set_edge_attributes(G, 1, "weight"),
    "add_edge": lambda G: G.add_edge(0, 2, weight=1),
    "remove_edge": lambda G: G.remove_edge(0, 1),
    "remove_node": lambda G: G.remove_node(1),
    "add_node": lambda G: G.add_node("new"),
}


@pytest.fixture(params=["small", "of any size"], autouse=True)
def sizes(request, monkeypatch):
    monkeypatch.setattr(interface, "should_run", lambda name, args, kwargs: True)
    if request.param == "of any size":
        monkeypatch.setattr(graph, "_FEW_ARCS", -1)
        monkeypatch.setattr(weights, "_FIT_THE_CACHE", -1)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("kind", KINDS)
def test_changes_are_seen(kind, change):
    G = kind()
    G.add_weighted_edges_from([(0, 1, 5), (1, 2, 5), (0, 3, 1), (2, 3, 30)])
    calls = [
        ("single_source_dijkstra", 0),
        ("bidirectional_dijkstra", 0, 2),
        ("shortest_path_length", None, 2, "weight"),
        ("floyd_warshall",),
    ]

    def answers(backend):
        with nx.config.backend_priority(algos=[backend]):
            return [outcome(getattr(nx, name), G, *arguments) for name, *arguments in calls]

    assert answers("warpath") == answers("networkx")
    (kept,) = set(G.__networkx_cache__["backends"]["warpath"].values())
    assert kept.may_change
    CHANGES[change](G)
    assert answers("warpath") == answers("networkx")


def test_what_did_not_change_is_not_made_again():
    G = nx.path_graph(4)
    nx.set_edge_attributes(G, 2, "weight")
    nx.dijkstra_path_length(G, 0, 3, backend="warpath")
    (kept,) = set(G.__networkx_cache__["backends"]["warpath"].values())
    array, made = kept.arc_weights("weight"), kept.to_graph("weight")
    assert kept.arc_weights("weight") is array
    assert kept.reversed.arc_weights("weight") is kept.reversed.arc_weights("weight")
    assert kept.to_graph("weight") is made
    G[0][1]["weight"] = 7
    assert kept.to_graph("weight").weight_range == (2, 7)
    assert kept.reversed.to_graph("weight").weight_range == (2, 7)


def test_a_graph_that_was_converted_once_is_not_read_again():
    G = nx.path_graph(4)
    H = from_networkx(G, "weight")
    assert not H.may_change
    G[0][1]["weight"] = 7
    assert nx.shortest_path_length(H, 0, 3, weight="weight") == 3


def test_weights_that_are_replaced_while_a_generator_runs():
    """What it began with is what it goes on with."""
    G = nx.gnm_random_graph(50, 150, seed=3)
    nx.set_edge_attributes(G, 2, "weight")
    expected = dict(nx.all_pairs_dijkstra_path_length(G, backend="networkx"))
    rows = nx.all_pairs_dijkstra_path_length(G, backend="warpath")
    found = dict([next(rows)])
    for *_, data in G.edges(data=True):
        data["weight"] = 1
    nx.dijkstra_path_length(G, 0, 1, backend="warpath")
    found.update(rows)
    assert found == expected
