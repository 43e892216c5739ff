"""Spanning forests: Kruskal's, edge by edge."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warpath.cpu.boruvka import boruvka


def kruskal(n, source, target, weight):
    forest, chosen = nx.utils.UnionFind(range(n)), []
    for edge in np.argsort(weight, kind="stable").tolist():
        u, v = int(source[edge]), int(target[edge])
        if forest[u] != forest[v]:
            forest.union(u, v)
            chosen.append(edge)
    return sorted(chosen)


@given(st.integers(0, 2**32 - 1), st.integers(1, 40), st.integers(0, 120), st.integers(1, 30))
def test_random_multigraphs(seed, n, edges, heaviest):
    rng = np.random.default_rng(seed)
    source, target = rng.integers(0, n, (2, edges), dtype=np.int32)
    for dtype in (np.int32, np.int64, np.float32, np.float64):
        weight = rng.integers(-heaviest, heaviest, edges).astype(dtype)
        assert boruvka(n, source, target, weight).tolist() == kruskal(n, source, target, weight)


@pytest.mark.parametrize("heaviest", [1, 50, 10**9])
def test_teams(heaviest, threads):
    """As heavy edges everywhere, so that both threads compete for the same trees."""
    rng = np.random.default_rng(heaviest)
    n, edges = 9000, 60_000
    source, target = rng.integers(0, n, (2, edges), dtype=np.int32)
    weight = rng.integers(0, heaviest, edges)
    expected = kruskal(n, source, target, weight)
    for _ in range(5):
        assert boruvka(n, source, target, weight).tolist() == expected


def test_a_path_whose_trees_hang_in_one_chain_and_infinite_weights():
    """Which is walked for each of a million vertices: if each walk began at its start, it would take for ever."""
    n = 1_000_000
    v = np.arange(n, dtype=np.int32)
    for weight in (np.ones(n - 1), np.arange(n - 1.0), np.arange(n - 1) % 3):
        assert len(boruvka(n, v[:-1], v[1:], weight)) == n - 1
    ends = np.array([-np.inf, np.inf])
    assert boruvka(2, v[[0, 0]], v[[1, 1]], ends).tolist() == [0]
    assert boruvka(2, v[[0, 0]], v[[1, 1]], ends[::-1].copy()).tolist() == [1]


def test_nothing_to_choose_from():
    none = np.empty(0, np.int32)
    assert boruvka(3, none, none, np.empty(0)).tolist() == []
    assert boruvka(0, none, none, np.empty(0)).tolist() == []
    loop = np.zeros(1, np.int32)
    assert boruvka(1, loop, loop, np.zeros(1)).tolist() == []
