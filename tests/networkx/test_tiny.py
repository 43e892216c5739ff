"""Tiny graphs have searches of their own, with the answers of all others.

That these are NetworkX's to the letter, the tests of the functions say: they run both ways.
"""

import networkx as nx
import numpy as np
import pytest

from networkx_graphs import KINDS, random_graph
from warpath.networkx import from_networkx, tiny
from warpath.networkx.breadth_first import search
from warpath.networkx.shortest import Weighted

MOST = np.iinfo(np.int64).max


def converted(edges, n=None, kind=nx.DiGraph):
    G = kind()
    G.add_nodes_from(range(n or 0))
    G.add_weighted_edges_from(edges)
    return from_networkx(G, weight="weight")


def same(found, expected):
    for mine, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(mine, other)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("weights", ["integers", "floats", "zeros"])
def test_searches_settle_what_others_do(kind, weights, monkeypatch):
    H = from_networkx(random_graph(kind, weights, 5))
    every = np.arange(len(H), dtype=np.int32)
    for v, found in enumerate(tiny.search_each(H.adjacency, None, every)):
        same(found, search(H.adjacency, v))
    weighted = Weighted(H, "weight")
    by_weight = [*tiny.search_each(H.adjacency, weighted.weights, every)]
    nearest = tiny.search_nearest(H.adjacency, weighted.weights, every[[7, 3, 20]])
    monkeypatch.setattr(tiny, "ONE", -1)
    for v, found in enumerate(by_weight):
        same(found, weighted.dijkstra([v]))
    same(nearest, weighted.dijkstra([7, 3, 20]))
    monkeypatch.setattr(tiny, "_NO_HEAP", -1)
    same(nearest, tiny.search_nearest(H.adjacency, weighted.weights, every[[7, 3, 20]]))


def test_no_arcs_and_several_sources(monkeypatch):
    H = converted([], 4)
    for limit in (tiny._NO_HEAP, -1):
        monkeypatch.setattr(tiny, "_NO_HEAP", limit)
        found = tiny.search_nearest(H.adjacency, np.empty(0), np.array([2, 0], np.int32))
        same(found, ([2, 0], [0, 0], [-1] * 4))


@pytest.mark.parametrize("dtype", [np.int64, np.float64])
@pytest.mark.parametrize("seed", range(5))
def test_negative_weights_end_in_a_tree(dtype, seed):
    """Its arcs are tight, and no other arc is shorter: a certificate of its distances."""
    draw = np.random.default_rng(seed)
    n, m = 30, 90
    source, target = draw.integers(0, n, (2, m))
    lift = draw.integers(0, 20, n) if dtype == np.int64 else draw.random(n)
    weights = draw.integers(0, 9, m) if dtype == np.int64 else draw.random(m)
    weights = weights + lift[source] - lift[target]  # no cycle becomes negative
    if dtype == np.float64:
        weights = np.round(weights * 2**20) / 2**20  # sums are exact
        keep = source < target
        source, target, weights = source[keep], target[keep], weights[keep]
    H = converted(zip(source.tolist(), target.tolist(), weights.tolist(), strict=True), n)
    given = H.arc_weights("weight")
    assert given.dtype == dtype
    assert (given < 0).any()
    found = tiny.search_signed(H.adjacency, given, 0)
    distance = np.full(n, np.inf)
    distance[found.order] = found.distance
    assert (np.diff(found.distance) >= 0).all()
    tails = np.repeat(np.arange(n), np.diff(H.adjacency.offsets))
    heads = H.adjacency.neighbors
    assert (distance[tails] + given >= distance[heads]).all()
    weight_of = dict(zip(zip(tails.tolist(), heads.tolist(), strict=True), given, strict=True))
    for v in set(found.order.tolist()) - {0}:
        u = int(found.predecessor[v])
        assert distance[u] + weight_of[u, v] == distance[v]
        steps = 0
        while v != 0:
            v, steps = int(found.predecessor[v]), steps + 1
            assert steps < n
    assert found.predecessor[0] == -1


def test_negative_cycles_are_seen():
    ahead = [(0, 1, 1), (1, 2, 1), (2, 3, 1)]
    for edges in ([(1, 1, -1)], [(3, 1, -3)], [(1, 0, -2)]):
        H = converted(ahead + edges)
        assert tiny.search_signed(H.adjacency, H.arc_weights("weight"), 0) is None
        with pytest.raises(nx.NetworkXUnbounded):
            nx.single_source_bellman_ford_path_length(H, 0)
    H = converted([*ahead, (4, 4, -1)])  # out of reach
    found = tiny.search_signed(H.adjacency, H.arc_weights("weight"), 0)
    assert found.order.tolist() == [0, 1, 2, 3]


def test_what_does_not_fit_is_not_taken():
    for weight, fits in ((MOST // 16, True), (MOST // 15, False), (1e308, False), (-1, False)):
        H = converted([(0, 1, weight), (1, 2, weight), (2, 3, 1)])
        assert tiny.takes(H, H.arc_weights("weight")) == fits
    H = converted([(0, 1, -1), (1, 2, MOST // 9)])
    assert tiny.takes(H, H.arc_weights("weight"), signed=True)
    assert not tiny.takes(H, H.arc_weights("weight"))
    assert not tiny.takes(H, H.arc_weights("weight") * 2, signed=True)


def test_the_limit_is_on_all_searches_together():
    H = from_networkx(nx.path_graph(10))  # 18 arcs
    assert tiny.is_tiny(H, 2, None, 56)
    assert not tiny.is_tiny(H, 2, None, 55)
    assert tiny.is_tiny(H, 2, "weight", 236)
    assert not tiny.is_tiny(H, 2, "weight", 235)
