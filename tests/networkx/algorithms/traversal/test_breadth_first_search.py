"""Breadth-first search: the same edges in the same order."""

import networkx as nx
import pytest

from networkx_graphs import KINDS, compare, random_graph

SEARCHES = ("bfs_edges", "bfs_tree", "bfs_predecessors", "bfs_successors")


@pytest.mark.parametrize("depth", [None, 0, 1, 2, 99])
@pytest.mark.parametrize("kind", KINDS)
def test_searches(kind, depth):
    for seed in range(2):
        G = random_graph(kind, "integers", seed)
        for source in [*list(G)[:4], "nowhere"]:
            for name in SEARCHES:
                compare(name, G, source, depth_limit=depth)
            for name in SEARCHES[:2]:
                compare(name, G, source, True, depth)
            compare("descendants_at_distance", G, source, 1 if depth is None else depth)


@pytest.mark.parametrize("kind", KINDS)
def test_layers(kind):
    G = random_graph(kind, "integers", 2)
    nodes = list(G)
    for sources in (nodes[0], nodes[:3], set(nodes[:5]), [], ["nowhere"], [nodes[0], nodes[0]]):
        compare("bfs_layers", G, sources)
    compare("bfs_layers", G, "nowhere")


def test_distances_between_levels_have_no_vertex():
    G = nx.path_graph(5)
    for distance in (-1, 1.5, 9):
        compare("descendants_at_distance", G, 0, distance)


def test_descendants_of_what_cannot_be_hashed():
    for distance in (-1, 1):
        compare("descendants_at_distance", nx.path_graph(3), [0], distance)


def test_generators_raise_when_they_are_asked():
    G = nx.path_graph(3)
    edges = nx.bfs_edges(G, 9, backend="warpath")
    with pytest.raises(nx.NetworkXError, match="node 9 is not in the graph"):
        next(edges)


def test_a_node_alone():
    G = nx.empty_graph(1)
    for name in SEARCHES:
        compare(name, G, 0)
