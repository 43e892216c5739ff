"""Eccentricity, diameter and closeness, against matrices and NetworkX."""

import tracemalloc
from itertools import product

import networkx as nx
import numpy as np
import pytest

import warpath as wp
from exhaustive import few
from oracles import SHAPES, shape, unreachable, weighted
from warpath.algorithms.all_pairs import rows

MIDDLE = [name for name in SHAPES if shape(name).num_vertices <= 8200 and name != "power law"]


def farthest(distance):
    return np.where(distance == unreachable(distance.dtype), 0, distance).max(axis=1)


@pytest.mark.parametrize(
    ("weights", "directed"),
    few(
        product([None, (1, 20), (0.0, 1.0)], [False, True]),
        [(None, False), ((1, 20), True), ((0.0, 1.0), False)],
    ),
)
def test_matrices_and_networkx(weights, directed, threads):
    for seed, edges in enumerate((100, 250, 600)):
        graph = wp.generate.erdos_renyi(120, edges, directed=directed, weights=weights, seed=seed)
        expected = farthest(wp.apsp(graph, method="sssp", device="cpu").distance)
        found = wp.eccentricity(graph)
        assert found.dtype == expected.dtype
        assert np.array_equal(found, expected)
        assert wp.diameter(graph) == expected.max()
        some = [7, 3, 119]
        assert np.array_equal(wp.eccentricity(graph, some), expected[some])
        there = nx.closeness_centrality(
            graph.to_networkx(), distance=None if weights is None else "weight"
        )
        assert np.allclose(wp.closeness(graph), [there[v] for v in range(120)])
        assert np.allclose(wp.closeness(graph, some), [there[v] for v in some])
        name = None if weights is None else "weight"
        there = nx.closeness_centrality(graph.to_networkx(), distance=name, wf_improved=False)
        assert np.allclose(wp.closeness(graph, by_share=False), [there[v] for v in range(120)])
        there = nx.harmonic_centrality(graph.to_networkx(), distance=name)
        assert np.allclose(wp.harmonic(graph), [there[v] for v in range(120)])
        assert np.allclose(wp.harmonic(graph, some), [there[v] for v in some])
        arcs = farthest(wp.apsp(graph.without_weights(), device="cpu").distance)
        assert np.array_equal(wp.eccentricity(graph, weighted=False), arcs)
        assert wp.diameter(graph, weighted=False) == arcs.max()


@pytest.mark.parametrize("name", MIDDLE)
def test_every_shape(name):
    graph = shape(name)
    some = np.unique(np.linspace(0, graph.num_vertices - 1, 40).astype(int))
    expected = farthest(wp.sssp(graph, some, predecessors=False).distance)
    assert np.array_equal(wp.eccentricity(graph, some), expected)
    if graph.num_vertices < 2000:
        assert wp.diameter(graph) == wp.eccentricity(graph).max()


@pytest.mark.parametrize("dtype", [np.int32, np.float32])
def test_diameters_of_floats_and_of_weights_of_zero(dtype):
    for name in ("karate", "complete", "path", "directed cycle"):
        graph = weighted(name, dtype)
        assert wp.diameter(graph) == wp.eccentricity(graph).max()


def test_negative_weights():
    graph = wp.generate.erdos_renyi(80, 300, directed=True, weights=(1, 20))
    graph = wp.generate.negative_weights(graph, 2)
    distance = wp.apsp(graph, method="sssp", device="cpu").distance
    distance[distance == unreachable(distance.dtype)] = np.iinfo(distance.dtype).min
    assert np.array_equal(wp.eccentricity(graph), distance.max(axis=1))
    with pytest.raises(ValueError, match="diameter needs non-negative weights"):
        wp.diameter(graph)
    assert wp.diameter(graph, weighted=False) == wp.diameter(graph.without_weights())
    with pytest.raises(ValueError, match="closeness needs non-negative weights"):
        wp.closeness(graph)
    with pytest.raises(ValueError, match="harmonic centrality needs non-negative weights"):
        wp.harmonic(graph)
    cycle = wp.Graph.from_edges([0, 1, 2], [1, 2, 1], [1, -3, 2])
    with pytest.raises(wp.NegativeCycleError):
        wp.eccentricity(cycle)
    both_ways = wp.Graph.from_edges([0], [1], [-1], directed=False)
    with pytest.raises(wp.NegativeCycleError):
        wp.diameter(both_ways)


def test_few_vertices():
    none, one = wp.Graph.from_edges([], [], n=0), wp.Graph.from_edges([], [], n=1)
    assert len(wp.eccentricity(none)) == 0
    assert len(wp.closeness(none)) == 0
    assert len(wp.harmonic(none)) == 0
    assert wp.eccentricity(one).tolist() == [0]
    assert wp.closeness(one).tolist() == [0.0]
    assert wp.harmonic(one).tolist() == [0.0]
    assert wp.diameter(one) == 0
    with pytest.raises(ValueError, match="has no vertices"):
        wp.diameter(none)
    with pytest.raises(ValueError, match="out of range"):
        wp.eccentricity(one, [1])
    with pytest.raises(TypeError, match=r"expected a warpath\.Graph"):
        wp.diameter(np.zeros((2, 2)))


@pytest.mark.parametrize("measure", [wp.eccentricity, wp.closeness, wp.harmonic])
def test_errors_name_the_parameter(measure):
    graph = wp.generate.named("path", 3)
    for vertices, message in (
        ([], "vertices is empty"),
        ([True], "vertices must be integer vertex ids"),
        ([0, 9], r"vertices\[1\] 9 is out of range"),
        (9, "vertex 9 is out of range"),
    ):
        with pytest.raises(ValueError, match=f"^{message}"):
            measure(graph, vertices)


def test_no_matrix_is_ever_there():
    graph = wp.generate.grid(150)
    matrix = graph.num_vertices**2 * 4
    wp.eccentricity(graph, [0])
    tracemalloc.start()
    wp.eccentricity(graph, np.arange(0, graph.num_vertices, 20))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < matrix / 10


def test_progress_can_stop_it():
    seen = []
    graph = wp.generate.named("star", 3000)
    wp.eccentricity(graph, progress=lambda *now: seen.append(now))
    assert seen[-1] == (3000, 3000)

    def stop(done, of):
        raise KeyboardInterrupt

    for ask in (wp.eccentricity, wp.diameter, wp.closeness, wp.harmonic):
        with pytest.raises(KeyboardInterrupt):
            ask(graph, progress=stop)


@pytest.mark.parametrize("n", [6, 12, 500])  # one call for all rows, and one for each
def test_totals_beyond_64_bits_are_exact(n):
    heavy = 2**61 + 1
    star = wp.Graph.from_edges(
        np.zeros(n - 1, int), np.arange(1, n), np.full(n - 1, heavy), n=n, directed=False
    )
    leaf = (n - 1) / (heavy + 2 * heavy * (n - 2))
    assert wp.closeness(star).tolist() == [1 / heavy, *[leaf] * (n - 1)]
    found = rows.rows_of_paths(star).summarise(np.arange(n, dtype=np.int32))
    assert found.total.tolist() == [heavy * (n - 1), *[heavy * (2 * n - 3)] * (n - 1)]
    assert wp.diameter(star) == 2 * heavy


def test_a_diameter_near_the_limit():
    rng = np.random.default_rng(0)
    for heavy in (2**62, 2**62 + 2**61, 2**63 - 2):
        n = 200  # more than one round of searches; each vertex hangs on a hub
        weights = rng.integers(1, 1000, n - 1)
        weights[-1] = heavy
        star = wp.Graph.from_edges(
            np.zeros(n - 1, int), np.arange(1, n), weights, n=n, directed=False
        )
        if heavy == 2**63 - 2:
            with pytest.raises(OverflowError):
                wp.diameter(star)
        else:
            assert wp.diameter(star) == wp.eccentricity(star).max() == heavy + weights[:-1].max()


def test_totals_of_narrow_floats_are_wide():
    top, tiny = np.finfo(np.float32).max, np.finfo(np.float32).smallest_subnormal
    n = 8
    ends = np.zeros(n - 1, int), np.arange(1, n)
    heavy = wp.Graph.from_edges(*ends, np.full(n - 1, top, np.float32), n=n)
    assert wp.closeness(heavy.reverse)[0] == 1 / float(top)
    light = wp.Graph.from_edges(*ends, np.full(n - 1, tiny, np.float32), n=n)
    assert wp.harmonic(light.reverse)[0] == pytest.approx((n - 1) / float(tiny))


def test_totals_beyond_floats_are_refused():
    heavy = wp.Graph.from_edges([0, 0], [1, 2], [1.7e308, 1.7e308], directed=False)
    with pytest.raises(OverflowError, match="exceeds float64"):
        wp.closeness(heavy)
    light = wp.Graph.from_edges([0], [1], [5e-324], directed=False)
    for ask in (wp.closeness, wp.harmonic):
        with pytest.raises(OverflowError, match="exceeds float64"):
            ask(light)
    assert wp.eccentricity(light).tolist() == [5e-324, 5e-324]


def test_negative_weights_whose_shifts_do_not_fit():
    half, top = 2**62 - 1, 2**63 - 1
    graph = wp.Graph.from_edges(
        [0, 0, 0, 1, 1, 1, 2, 3, 4, 4],
        [0, 3, 4, 0, 2, 3, 2, 0, 3, 3],
        [half, top, top, half, -1, -1, top, -1, top, -half - 1],
    )
    assert wp.eccentricity(graph, [1, 2, 3]).tolist() == [top - 2, 0, top - 1]
    with pytest.raises(OverflowError, match="the distance of vertex 3 exceeds int64"):
        wp.eccentricity(graph)
    for method in ("johnson", "sssp"):
        with pytest.raises(OverflowError, match="the distance of vertex 3 exceeds int64"):
            wp.apsp(graph, method=method)
