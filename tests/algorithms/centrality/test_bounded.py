"""Eccentricities and diameters by bounds: the same by far fewer searches."""

import networkx as nx
import numpy as np
import pytest

import warpath as wp
from oracles import SHAPES, shape, unreachable
from warpath.algorithms.all_pairs.rows import Rows, no_tick, rows_of_paths
from warpath.algorithms.centrality import bounded

UNDIRECTED = [
    name for name in SHAPES if not shape(name).directed and 0 < shape(name).num_vertices <= 1100
]


@pytest.fixture
def searched(monkeypatch):
    """How many sources were searched from."""
    sources = []
    fill = Rows.fill

    def count(self, given, *others):
        sources.extend(given)
        fill(self, given, *others)

    monkeypatch.setattr(Rows, "fill", count)
    return sources


def farthest(graph):
    distance = wp.apsp(graph, device="cpu").distance
    return np.where(distance == unreachable(distance.dtype), 0, distance).max(axis=1)


@pytest.mark.parametrize("name", UNDIRECTED)
def test_every_shape(name, monkeypatch, threads):
    monkeypatch.setattr(bounded, "_ALONE", 5)
    monkeypatch.setattr(bounded, "_FEW_ALONE", 3)
    monkeypatch.setattr(bounded, "_FIRST_BATCH", 8)
    graph = shape(name)
    rows, expected = rows_of_paths(graph), farthest(graph)
    assert bounded.bounded_diameter(graph, rows, no_tick) == expected.max()
    if rows.dtype.kind == "i":
        found = bounded.bounded_eccentricities(graph, rows, no_tick)
        assert found.dtype == expected.dtype
        assert np.array_equal(found, expected)


@pytest.mark.parametrize("seed", range(6))
def test_weights_of_zero_and_large_ones(seed):
    rng = np.random.default_rng(seed)
    source, target = rng.integers(0, 60, (2, 90))
    for weight in (rng.integers(0, 4, 90), rng.integers(2**59, 2**60, 90)):
        graph = wp.Graph.from_edges(source, target, weight, n=70, directed=False)
        try:
            expected = farthest(graph)
        except OverflowError:
            with pytest.raises(OverflowError):
                wp.eccentricity(graph)
            continue
        assert np.array_equal(wp.eccentricity(graph), expected)
        assert wp.diameter(graph) == expected.max()


def test_few_searches(searched):
    grid = wp.generate.grid(60, weights=(1, 255))
    far = wp.eccentricity(grid)
    assert len(searched) < 1200  # of 3,600
    searched.clear()
    assert wp.diameter(grid) == far.max()
    assert len(searched) < 60


def test_small_components_take_no_searches(searched):
    grid = nx.disjoint_union_all([nx.grid_2d_graph(30, 30), *[nx.path_graph(5)] * 400])
    assert wp.diameter(wp.Graph(grid)) == 58
    assert len(searched) < 20
    nx.set_edge_attributes(grid, 3, "weight")
    searched.clear()
    assert wp.diameter(wp.Graph(grid)) == 3 * 58
    assert len(searched) < 20


def test_progress_is_told_of_all_vertices():
    ticks = []
    wp.eccentricity(
        wp.generate.grid(30, weights=(1, 9)), progress=lambda done, of: ticks.append((done, of))
    )
    assert ticks[0][0] < ticks[-1][0]
    assert ticks[-1] == (900, 900)
