"""Views of graphs: what NetworkX answers of them, or nothing."""

import random

import networkx as nx
import pytest

from exhaustive import slow
from networkx_close import rounded
from networkx_graphs import outcome

CALLS = {
    "all_pairs_dijkstra": (),
    "all_pairs_bellman_ford_path_length": (),
    "single_source_dijkstra": (0,),
    "dijkstra_predecessor_and_distance": (0,),
    "dijkstra_path_length": (0, 5),
    "bidirectional_dijkstra": (0, 5),
    "shortest_path_length": (None, 3, "weight"),
    "johnson": (),
    "eccentricity": (None, None, "weight"),
    "diameter": (None, False, "weight"),
    "average_shortest_path_length": ("weight",),
    "wiener_index": ("weight",),
    "closeness_centrality": (None, "weight"),
    "harmonic_centrality": (None, "weight"),
    "betweenness_centrality": (None, True, "weight"),
    "edge_betweenness_centrality": (None, True, "weight"),
    "voronoi_cells": ({0, 1},),
    "floyd_warshall": (),
    "floyd_warshall_numpy": (),
    "minimum_spanning_tree": (),
}
LEFT = {"harmonic_centrality", "floyd_warshall", "floyd_warshall_numpy"}


def draw(seed, n, kind):
    """Arcs that weigh more in one direction, all nodes on a cycle."""
    rng = random.Random(seed)
    D = kind(nx.gnm_random_graph(n, 2 * n, seed=seed, directed=True))
    nx.add_cycle(D, range(n))
    for *_, data in D.edges(data=True):
        data["weight"] = rng.randrange(1, 20)
    return D


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("kind", [nx.DiGraph, *slow([nx.MultiDiGraph])])
def test_undirected_views_with_other_weights_in_each_direction(kind, name):
    for seed in range(3):
        G = draw(seed, 40, kind).to_undirected(as_view=True)
        ours = outcome(getattr(nx, name), G, *CALLS[name], backend="warpath")
        theirs = outcome(getattr(nx, name), G, *CALLS[name], backend="networkx")
        if name in LEFT:
            assert ours[0] is NotImplementedError
        elif name == "minimum_spanning_tree":
            assert list(ours.edges(data=True)) == list(theirs.edges(data=True))
        else:
            assert rounded(ours) == rounded(theirs)


@pytest.mark.parametrize("name", sorted(LEFT))
def test_undirected_views_with_the_same_weights_in_both_directions(name):
    D = nx.DiGraph(nx.cycle_graph(7))
    nx.set_edge_attributes(D, 3, "weight")
    G = D.to_undirected(as_view=True)
    ours = getattr(nx, name)(G, *CALLS[name], backend="warpath")
    theirs = getattr(nx, name)(G, *CALLS[name], backend="networkx")
    if name == "floyd_warshall_numpy":
        assert (ours == theirs).all()
    else:
        assert rounded(ours) == rounded(theirs)


@pytest.mark.parametrize("name", sorted(set(CALLS) - LEFT - {"minimum_spanning_tree"}))
def test_reversed_and_filtered_views(name):
    D = draw(7, 30, nx.DiGraph)
    for G in (D.reverse(copy=False), nx.subgraph_view(D, filter_edge=lambda u, v: u % 5 != v % 7)):
        ours = outcome(getattr(nx, name), G, *CALLS[name], backend="warpath")
        theirs = outcome(getattr(nx, name), G, *CALLS[name], backend="networkx")
        assert rounded(ours) == rounded(theirs)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("pagerank", ()), ("average_shortest_path_length", ("weight", "floyd-warshall"))],
)
def test_what_reads_one_direction_leaves_such_views(name, arguments):
    D = nx.DiGraph([(1, 0, {"weight": 1}), (0, 1, {"weight": 5}), (1, 2, {"weight": 3})])
    with pytest.raises(NotImplementedError):
        getattr(nx, name)(D.to_undirected(as_view=True), *arguments, backend="warpath")
    copy = D.to_undirected()
    ours = getattr(nx, name)(copy, *arguments, backend="warpath")
    assert rounded(ours) == rounded(getattr(nx, name)(copy, *arguments))


def test_two_ended_searches_with_a_function_on_an_undirected_view_are_networkxs():
    """It gives the function the attributes of one direction for those of the other."""
    D = nx.DiGraph([(0, 1, {"weight": 1}), (1, 0, {"weight": 9})])

    def weight(u, v, data):
        return data["weight"]

    for view in (D.to_undirected(as_view=True), D.to_undirected(as_view=True).subgraph([0, 1])):
        with pytest.raises(NotImplementedError):
            nx.bidirectional_dijkstra(view, 0, 1, weight=weight, backend="warpath")
    copy = D.to_undirected()
    expected = nx.bidirectional_dijkstra(copy, 0, 1, weight=weight)
    assert nx.bidirectional_dijkstra(copy, 0, 1, weight=weight, backend="warpath") == expected
