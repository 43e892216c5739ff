"""NetworkX's order out of distances, with weights as large as there are."""

import networkx as nx
import numpy as np
import pytest

from networkx_graphs import compare
from warpath.graph.build import read_only
from warpath.networkx import from_networkx
from warpath.networkx.finalization_order import Found, by_first_sight, settle, tied_predecessors

MOST = np.iinfo(np.int64).max
FUNCTIONS = (
    "dijkstra_predecessor_and_distance",
    "single_source_dijkstra",
    "single_source_dijkstra_path",
    "multi_source_dijkstra",
    "single_source_all_shortest_paths",
)


def star_behind(weight, n):
    """An arc, and behind it as many as there are vertices."""
    G = nx.DiGraph([(0, 1, {"weight": 1})])
    G.add_edges_from((1, v, {"weight": weight}) for v in range(2, n))
    return G


def call_all(G, **how):
    for name in FUNCTIONS:
        ends = ([0],) if name.startswith("multi") else (0,)
        compare(name, G, *ends, **how)
    for name in ("all_pairs_dijkstra", "all_pairs_dijkstra_path_length", "wiener_index"):
        compare(name, G if len(G) < 9 else G.subgraph(range(9)), **how)
    compare("all_shortest_paths", G, 0, 1, **how)


def test_hidden_arcs_lead_nowhere():
    call_all(star_behind(None, 400), weight=lambda u, v, data: data["weight"])


def test_beyond_the_cutoff_are_the_largest_weights():
    for cutoff in (100, 100.5, -1, -(10.0**300), 2**62):
        for name in FUNCTIONS[:3]:
            compare(name, star_behind(MOST - 1, 400), 0, cutoff=cutoff)


@pytest.fixture
def wrapping():
    """Two arcs whose sums wrap to 0 or so, one that does not, and 1000 vertices behind them."""
    G = nx.DiGraph([(0, 1, {"weight": MOST - 1}), (0, 2, {"weight": 5})])
    G.add_edges_from((1, v, {"weight": MOST - 1}) for v in range(2, 1000))
    H = from_networkx(G, "weight")
    return H.adjacency, read_only(H.arc_weights("weight"))


def test_sums_that_wrap_are_no_distances(wrapping):
    distance = np.zeros(1000, np.int64)
    distance[1:3] = MOST - 1, 5
    reached = np.arange(1000) < 3
    found = settle(*wrapping, np.array([0], np.int32), distance, reached)
    assert found.order.tolist() == [0, 2, 1]
    assert by_first_sight(*wrapping, found).tolist() == [0, 1, 2]
    offsets, ties = tied_predecessors(*wrapping, found)
    assert ties.tolist() == [0, 0]
    assert offsets[:4].tolist() == [0, 0, 1, 2]


def test_distances_of_other_arcs_are_refused(wrapping):
    """Whether or not assertions are on."""
    source, reached = np.array([0], np.int32), np.arange(1000) < 3
    distance = np.zeros(1000, np.int64)
    distance[1:3] = 7, 5
    with pytest.raises(ValueError, match="no arc that leads to it"):
        settle(*wrapping, source, distance, reached)
    distance[1:3] = MOST - 1, 5
    found = settle(*wrapping, source, distance, reached)
    with pytest.raises(ValueError, match="not those that the arcs lead to"):
        by_first_sight(*wrapping, found, 4)
    some = Found(found.order[:2], found.distance[:2], found.predecessor)
    assert by_first_sight(*wrapping, some).tolist() == [0, 2]  # vertex 1 has no room
