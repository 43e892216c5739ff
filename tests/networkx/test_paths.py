"""Paths by node: dicts and lists like any other."""

from concurrent.futures import ThreadPoolExecutor

import networkx as nx
import numpy as np
import pytest

from warpath.networkx import from_networkx
from warpath.networkx.finalization_order import Found
from warpath.networkx.paths import path_to, paths_by_node

LENGTHS = {0: 0, 1: 1, 2: 2}
PATHS = {0: [0], 1: [0, 1], 2: [0, 1, 2]}
CALLS = {
    "single_source_shortest_path_length": (lambda f, G: f(G, 0), LENGTHS),
    "single_source_dijkstra_path_length": (lambda f, G: f(G, 0), LENGTHS),
    "all_pairs_shortest_path_length": (lambda f, G: next(f(G))[1], LENGTHS),
    "all_pairs_dijkstra_path_length": (lambda f, G: next(f(G))[1], LENGTHS),
    "all_pairs_bellman_ford_path_length": (lambda f, G: next(f(G))[1], LENGTHS),
    "single_source_shortest_path": (lambda f, G: f(G, 0), PATHS),
    "single_source_dijkstra_path": (lambda f, G: f(G, 0), PATHS),
    "single_source_bellman_ford_path": (lambda f, G: f(G, 0), PATHS),
    "all_pairs_shortest_path": (lambda f, G: next(f(G))[1], PATHS),
    "all_pairs_dijkstra_path": (lambda f, G: next(f(G))[1], PATHS),
    "johnson": (lambda f, G: f(G)[0], PATHS),
}


@pytest.mark.parametrize("name", CALLS)
def test_every_dict_is_a_dict(name):
    call, plain = CALLS[name]
    found = call(getattr(nx, name), from_networkx(nx.path_graph(3)))
    assert type(found) is dict
    assert found == plain
    assert all(type(value) in (int, list) for value in found.values())


def test_two_threads_look_at_once():
    G = nx.gnm_random_graph(300, 900, seed=1)
    rows = [row for _, row in nx.all_pairs_shortest_path_length(G, backend="warpath")]
    with ThreadPoolExecutor(4) as pool:
        sums = [list(pool.map(lambda row: sum(row.values()), rows)) for _ in range(4)]
    assert sums[0] == sums[1] == sums[2] == sums[3]


def test_no_path_shares_a_list_with_another():
    paths = nx.single_source_shortest_path(nx.path_graph(4), 0, backend="warpath")
    paths[1].append("mine")
    assert paths[2] == [0, 1, 2]
    assert paths[3] == [0, 1, 2, 3]


@pytest.mark.parametrize("from_root", [True, False])
def test_vertices_may_stand_before_their_predecessors(from_root):
    """As those of negative weights do, which stand by distance."""
    H = from_networkx(nx.relabel_nodes(nx.path_graph(5), dict(enumerate("abcde"))))
    order = np.array([4, 1, 3, 0, 2], np.int32)
    found = Found(order, np.zeros(5), np.array([-1, 0, 1, 2, 3], np.int32))
    paths = paths_by_node(H, found, from_root)
    assert list(paths) == ["e", "b", "d", "a", "c"]
    for v, node in enumerate("abcde"):
        path = list("abcde"[: v + 1])
        assert paths[node] == (path if from_root else path[::-1])
        assert path_to(H, found, v) == path
