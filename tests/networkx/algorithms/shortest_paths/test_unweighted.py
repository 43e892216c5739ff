"""Shortest paths by number of edges: answers, their order and exceptions are NetworkX's own."""

from itertools import cycle, product

import networkx as nx
import pytest

from exhaustive import few
from networkx_graphs import KINDS, assert_plain, compare, random_graph
from warpath import devices

ONE_END = (
    "single_source_shortest_path_length",
    "single_target_shortest_path_length",
    "single_source_shortest_path",
    "single_target_shortest_path",
    "predecessor",
)
CUTOFFS = (None, -1, 0, 1, 1.5, 2, float("inf"))


@pytest.mark.filterwarnings("ignore:.*will return:FutureWarning")
@pytest.mark.parametrize(
    ("kind", "cutoff"),
    few(product(KINDS, CUTOFFS), zip(cycle(KINDS), CUTOFFS, strict=False)),
)
def test_to_the_letter(kind, cutoff):
    for seed in range(2):
        G = random_graph(kind, "integers", seed)
        for name in ONE_END:
            for node in list(G)[:5]:
                compare(name, G, node, cutoff=cutoff)
        compare("all_pairs_shortest_path_length", G, cutoff=cutoff)
        compare("all_pairs_shortest_path", G, cutoff=cutoff)


@pytest.mark.parametrize("kind", KINDS)
def test_predecessors_of_one_target(kind):
    G = random_graph(kind, "integers", 3)
    source, *others = G
    for target in [*others[:10], "nowhere"]:
        for seen in (None, True):
            compare("predecessor", G, source, target, return_seen=seen)
            compare("predecessor", G, source, target, cutoff=1, return_seen=seen)
    compare("predecessor", G, source, return_seen=True)


@pytest.mark.parametrize("name", [*ONE_END, "all_pairs_shortest_path_length"])
def test_missing_nodes_and_empty_graphs(name):
    for G in (nx.Graph(), nx.DiGraph([(0, 1)])):
        compare(name, G, *([] if name.startswith("all") else [99]))
        compare(name, G, *([] if name.startswith("all") else [[]]))


@pytest.mark.parametrize("kind", KINDS)
def test_bidirectional(kind):
    """A path as short as NetworkX's; between some nodes there are several."""
    G = random_graph(kind, "integers", 4)
    nodes = list(G)
    for source in nodes[:4]:
        for target in nodes:
            try:
                theirs = nx.bidirectional_shortest_path(G, source, target, backend="networkx")
            except nx.NetworkXNoPath:
                compare("bidirectional_shortest_path", G, source, target)
                continue
            path = nx.bidirectional_shortest_path(G, source, target, backend="warpath")
            assert (path[0], path[-1], len(path)) == (source, target, len(theirs))
            assert nx.is_path(G, path)
            assert_plain(path)
    compare("bidirectional_shortest_path", G, nodes[0], "nowhere")
    compare("bidirectional_shortest_path", G, "nowhere", nodes[0])


def test_further_keywords():
    G = random_graph(nx.DiGraph, "integers", 5)
    source = next(iter(G))
    expected = nx.single_source_shortest_path_length(G, source)
    found = nx.single_source_shortest_path_length(G, source, backend="warpath", device="cpu")
    assert list(found.items()) == list(expected.items())
    with pytest.raises(ValueError, match="two-phase-search"):
        nx.single_source_shortest_path_length(G, source, backend="warpath", schedule="fair")


@pytest.mark.gpu
@pytest.mark.skipif(devices.missing() is not None, reason=str(devices.missing()))
@pytest.mark.parametrize("kind", KINDS)
def test_on_a_gpu(kind):
    """Distances are the same, ordered by distance; a path is one of as many edges."""
    G = random_graph(kind, "integers", 6)
    source = next(iter(G))
    where = {"backend": "warpath", "device": "cuda", "schedule": "virtual-warp:width=8"}
    distance = nx.single_source_shortest_path_length(G, source, **where)
    assert distance == nx.single_source_shortest_path_length(G, source)
    assert list(distance.values()) == sorted(distance.values())
    paths = nx.single_source_shortest_path(G, source, **where)
    assert {node: len(path) - 1 for node, path in paths.items()} == distance
    assert all(nx.is_path(G, path) for path in paths.values())
    assert_plain((distance, paths))
