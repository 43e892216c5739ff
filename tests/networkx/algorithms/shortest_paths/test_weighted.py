"""Shortest paths by weight: answers, their order and exceptions are NetworkX's own."""

from itertools import product

import networkx as nx
import pytest

from exhaustive import few
from networkx_graphs import KINDS, WEIGHTS, assert_plain, compare, outcome, random_graph

ONE_SOURCE = (
    "single_source_dijkstra",
    "single_source_dijkstra_path",
    "single_source_dijkstra_path_length",
    "dijkstra_predecessor_and_distance",
)


@pytest.mark.parametrize(
    ("kind", "weights"), few(product(KINDS, WEIGHTS), zip(KINDS, WEIGHTS, strict=True))
)
def test_dijkstra_to_the_letter(kind, weights):
    """Of one source and of several, and all pairs: dicts in order, ties, types of numbers."""
    for seed in range(2):
        G = random_graph(kind, weights, seed)
        source, other, third = list(G)[:3]
        for name in ONE_SOURCE:
            compare(name, G, source)
            compare(name, G, source, cutoff=3)
        for name in ("multi_source_dijkstra", "multi_source_dijkstra_path_length"):
            compare(name, G, [other, source, other])
        compare("multi_source_dijkstra_path", G, [third, source], cutoff=2)
        compare("single_source_dijkstra", G, source, target=other)
        compare("dijkstra_path", G, source, third)
        compare("dijkstra_path_length", G, third, source)
        for name in (
            "all_pairs_dijkstra",
            "all_pairs_dijkstra_path",
            "all_pairs_dijkstra_path_length",
        ):
            compare(name, G)
        compare("all_pairs_dijkstra", G, cutoff=2)


@pytest.mark.parametrize("name", ONE_SOURCE)
def test_other_weights(name):
    G = random_graph(nx.DiGraph, "integers", 5)
    source = next(iter(G))
    compare(name, G, source, weight=None)
    compare(name, G, source, weight="no such attribute")
    compare(name, G, source, weight=lambda u, v, data: data["weight"] / 3)
    compare(
        name, G, source, weight=lambda u, v, data: None if data["weight"] > 3 else data["weight"]
    )
    compare(name, G, source, weight=lambda u, v, data: len(str(u)))


@pytest.mark.parametrize("cutoff", [-1, 0, 1.5, float("inf")])
def test_cutoffs(cutoff):
    for kind in (nx.Graph, nx.DiGraph):
        G = random_graph(kind, "zeros", 6)
        source = next(iter(G))
        for name in ONE_SOURCE:
            compare(name, G, source, cutoff=cutoff)
        compare("all_pairs_dijkstra_path_length", G, cutoff=cutoff)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        *((name, (99,)) for name in ONE_SOURCE),
        ("single_source_dijkstra", (0, 99)),
        ("single_source_dijkstra", (0, 2)),
        ("multi_source_dijkstra", ([],)),
        ("multi_source_dijkstra_path_length", ([],)),
        ("multi_source_dijkstra", ([0, 99],)),
        ("multi_source_dijkstra", ([0, 1], 1)),
        ("dijkstra_path", (99, 0)),
        ("dijkstra_path", (0, 2)),
        ("dijkstra_path_length", (0, 2)),
        ("dijkstra_path_length", (0, 99)),
        ("dijkstra_path_length", (0, 0)),
        ("bidirectional_dijkstra", (0, 2)),
        ("bidirectional_dijkstra", (0, 99)),
        ("bidirectional_dijkstra", (99, 0)),
        ("bidirectional_dijkstra", (1, 1)),
        ("bellman_ford_path", (0, 2)),
        ("bellman_ford_path", (99, 0)),
        ("bellman_ford_path_length", (0, 2)),
        ("bellman_ford_path_length", (99, 99)),
        ("bellman_ford_path_length", (99, 0)),
        ("bellman_ford_predecessor_and_distance", (99,)),
        ("single_source_bellman_ford", (99,)),
        ("single_source_bellman_ford", (0, 2)),
        ("single_source_bellman_ford", (99, 99)),
        ("single_source_bellman_ford_path_length", (99,)),
        ("goldberg_radzik", (99,)),
        ("negative_edge_cycle", ()),
        ("johnson", ()),
    ],
)
def test_exceptions_and_corners(name, arguments):
    for G in (nx.DiGraph([(0, 1), (2, 3)]), nx.Graph([(0, 1), (2, 3)])):
        compare(name, G, *arguments)


def test_one_node():
    for kind in KINDS:
        G = nx.empty_graph(1, create_using=kind)
        for name in (*ONE_SOURCE, "goldberg_radzik", "bellman_ford_predecessor_and_distance"):
            compare(name, G, 0)
        compare("negative_edge_cycle", G)
        compare("johnson", G)


BELLMAN_FORD = ("single_source_bellman_ford_path_length", "goldberg_radzik")


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", [nx.DiGraph, nx.MultiDiGraph])
def test_negative_weights(kind, seed):
    """Distances are NetworkX's; paths and predecessors may be others, of the same length."""
    G = random_graph(kind, "integers", seed)
    height = {node: 5 * (i % 4) for i, node in enumerate(G)}
    for u, v, data in G.edges(data=True):
        data["weight"] += height[v] - height[u]  # some negative, no cycle
    assert any(weight < 0 for _, _, weight in G.edges(data="weight"))
    source = next(iter(G))
    compare("single_source_bellman_ford_path_length", G, source, ordered=False)
    compare("all_pairs_bellman_ford_path_length", G, ordered=False)
    compare("negative_edge_cycle", G)
    compare("johnson", G)
    distance, paths = nx.single_source_bellman_ford(G, source, backend="warpath")
    ties, same = nx.bellman_ford_predecessor_and_distance(G, source, backend="warpath")
    tree, again = nx.goldberg_radzik(G, source, backend="warpath")
    assert distance == same == again
    theirs = nx.bellman_ford_predecessor_and_distance(G, source, backend="networkx")[0]
    assert {v: set(ties[v]) for v in ties} == {v: set(theirs[v]) for v in theirs}
    assert tree[source] is None
    for node, path in paths.items():
        assert nx.path_weight(nx.DiGraph(lightest(G)), path, "weight") == distance[node]
        assert node == source or tree[node] in ties[node]
    assert_plain((distance, paths, ties, tree))


def lightest(G):
    """The edges without those that a parallel one is lighter than."""
    for u, row in G.adjacency():
        for v, keys in row.items():
            edges = keys.values() if G.is_multigraph() else [keys]
            yield u, v, {"weight": min(data["weight"] for data in edges)}


def test_floats_and_ints_of_bellman_ford_keep_their_types():
    for weights in ("integers", "floats"):
        G = random_graph(nx.DiGraph, weights, 8)
        source = next(iter(G))
        compare("single_source_bellman_ford_path_length", G, source, ordered=False)


@pytest.mark.parametrize("weight", [-3, -0.5])
@pytest.mark.parametrize("kind", KINDS)
def test_negative_cycles(kind, weight):
    G = nx.path_graph(5, create_using=kind)
    G.add_edge(3, 1, weight=weight - 3)
    for name in (
        "single_source_bellman_ford",
        "single_source_bellman_ford_path_length",
        "bellman_ford_predecessor_and_distance",
        "goldberg_radzik",
    ):
        compare(name, G, 0)
    compare("negative_edge_cycle", G)
    compare("johnson", G)


@pytest.mark.parametrize("kind", KINDS)
def test_a_negative_self_loop_counts_out_of_reach_too(kind):
    G = kind([(0, 1), (2, 2, {"weight": -1})])
    for name in ("bellman_ford_predecessor_and_distance", "goldberg_radzik"):
        compare(name, G, 0)
    compare("single_source_bellman_ford_path_length", G, 0)
    compare("negative_edge_cycle", G)


@pytest.mark.parametrize("function", ["dijkstra_path_length", "dijkstra_path"])
def test_negative_weights_are_not_dijkstras_to_what_is_no_node(function):
    """NetworkX searches before it finds that the target is not there."""
    G = nx.DiGraph([(0, 1, {"weight": 2}), (0, 2, {"weight": 1}), (1, 2, {"weight": -2})])
    with pytest.raises(NotImplementedError):
        getattr(nx, function)(G, 0, "no node", backend="warpath")


def test_negative_weights_are_not_dijkstras():
    G = nx.DiGraph([(0, 1, {"weight": -1})])
    with pytest.raises(NotImplementedError, match="raised NotImplementedError"):
        nx.dijkstra_path(G, 0, 1, backend="warpath")
    with nx.config.backend_priority(algos=["warpath"]):
        assert nx.dijkstra_path(G, 0, 1) == [0, 1]  # NetworkX's own


@pytest.mark.parametrize("weights", ["integers", "floats", "zeros", "some missing"])
@pytest.mark.parametrize("kind", KINDS)
def test_bidirectional(kind, weights):
    """The same path and the same length, to the bit."""
    G = random_graph(kind, weights, 9)
    nodes = list(G)
    for target in nodes[1:20]:
        compare("bidirectional_dijkstra", G, nodes[0], target)
        compare("shortest_path", G, nodes[0], target, weight="weight")


def test_bidirectional_by_another_method():
    """As long a path, whichever of them."""
    G = random_graph(nx.Graph, "integers", 9)
    nodes = list(G)
    for target in nodes[1:20]:
        theirs = outcome(nx.bidirectional_dijkstra, G, nodes[0], target)
        ours = outcome(
            nx.bidirectional_dijkstra, G, nodes[0], target, backend="warpath", method="dijkstra"
        )
        if isinstance(theirs[0], int):
            assert ours[0] == theirs[0] == nx.path_weight(G, ours[1], "weight")
        else:
            assert ours == theirs


def test_further_keywords():
    G = random_graph(nx.DiGraph, "integers", 10)
    source = next(iter(G))
    expected = nx.single_source_dijkstra_path_length(G, source)
    found = nx.single_source_dijkstra_path_length(
        G, source, backend="warpath", method="dijkstra", device="cpu"
    )
    assert found == expected
    with pytest.raises(ValueError, match="delta-stepping"):
        nx.single_source_dijkstra(G, source, backend="warpath", method="quickest")
    with pytest.raises(TypeError, match="colour"):
        nx.single_source_dijkstra(G, source, backend="warpath", colour="red")


def test_integers_beyond_64_bits_are_left_to_networkx():
    G = nx.path_graph(4, create_using=nx.DiGraph)
    nx.set_edge_attributes(G, 2**62, "weight")
    with nx.config.backend_priority(algos=["warpath"]):
        assert nx.single_source_dijkstra_path_length(G, 0)[3] == 3 * 2**62


def test_no_loop_is_followed_beyond_a_negative_cutoff():
    G = nx.Graph([(0, 0, {"weight": 0}), (0, 1, {"weight": 1})])
    compare("dijkstra_predecessor_and_distance", G, 0, cutoff=-1)


def test_a_node_is_seen_first_along_an_arc_whose_sum_goes_beyond_64_bits():
    edges = [(0, 1, 2**61), (0, 2, 2**61), (1, 4, 2**63 - 2), (2, 3, 1), (3, 4, 1)]
    G = nx.DiGraph()
    G.add_weighted_edges_from(edges)
    compare("dijkstra_predecessor_and_distance", G, 0)
