from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import warpath as wp
from warpath.generate import erdos_renyi, named, negative_weights
from warpath.generate.weights import uniform_weights
from warpath.parallel import thread_count

UNLIKELY = 1e-6  # a test of chance fails one seed in a million; the seeds are fixed


# -- uniform weights -----------------------------------------------------------------------


def test_integers_are_uniform_with_both_ends():
    weights = uniform_weights(50_000, (-3, 6), 0)
    assert weights.dtype == np.int32
    values, counts = np.unique(weights, return_counts=True)
    assert values.tolist() == list(range(-3, 7))
    assert stats.chisquare(counts).pvalue > UNLIKELY


def test_floats_are_uniform():
    weights = uniform_weights(50_000, (-1.0, 3), 0)
    assert weights.dtype == np.float64
    assert stats.kstest(weights, "uniform", args=(-1, 4)).pvalue > UNLIKELY


@pytest.mark.parametrize(
    ("given_range", "dtype"),
    [((1, 255), "i4"), ((np.int64(1), np.uint8(255)), "i4"), ((1, 255.0), "f8"), ([1.5, 2], "f8")],
)
def test_the_ends_types_choose_the_dtype(given_range, dtype):
    weights = uniform_weights(10, given_range, 0)
    assert weights.dtype == np.dtype(dtype)
    assert ((weights >= given_range[0]) & (weights <= given_range[1])).all()


def test_extreme_ranges():
    whole = (-(2**31), 2**31 - 1)
    weights = uniform_weights(10_000, whole, 0)
    assert weights.min() < -(2**30)
    assert weights.max() > 2**30
    assert uniform_weights(3, (7, 7), 0).tolist() == [7, 7, 7]
    assert uniform_weights(3, (0.5, 0.5), 0).tolist() == [0.5, 0.5, 0.5]
    assert uniform_weights(0, (0, 1), 0).tolist() == []
    assert uniform_weights(5, None, 0) is None


@pytest.mark.parametrize("weights", [(1, 255), (0.0, 1.0)])
def test_the_same_on_any_number_of_threads(weights):
    before, drawn = thread_count._num_threads, []
    for threads in (1, 2):
        thread_count.set_num_threads(threads)
        drawn.append(uniform_weights(200_000, weights, 9))
    thread_count.set_num_threads(before)
    np.testing.assert_array_equal(*drawn)
    np.testing.assert_array_equal(drawn[0][:100], uniform_weights(100, weights, 9))


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (5, r"must be a pair \(low, high\), not 5"),
        ((1, 2, 3), r"must be a pair \(low, high\), not \(1, 2, 3\)"),
        (("a", "b"), "must be a pair of numbers"),
        ((True, 2), "must be a pair of numbers"),
        ((None, 2), "must be a pair of numbers"),
        ((2, 1), "low ≤ high, not"),
        ((2.0, 1.0), "low ≤ high, not"),
        ((0, 2**31), "must fit in int32"),
        ((0.0, np.inf), "must be finite"),
        ((np.nan, 1.0), "must be finite"),
        ((-1e308, 1e308), "must be finite"),
    ],
)
def test_wrong_ranges(weights, message):
    with pytest.raises(ValueError, match=message):
        uniform_weights(3, weights, 0)


# -- negative weights ----------------------------------------------------------------------


def assert_potentials_explain(graph, twin):
    """w' − w is p(u) − p(v) for some p: sums around undirected cycles vanish, exactly."""
    source, target, weight = graph.coo()
    change = [
        Fraction(b) - Fraction(a)
        for a, b in zip(weight.tolist(), twin.weights.tolist(), strict=True)
    ]
    potential = {}
    G = nx.MultiGraph()
    G.add_nodes_from(range(graph.num_vertices))
    for u, v, c in zip(source.tolist(), target.tolist(), change, strict=True):
        G.add_edge(u, v, change=c, tail=u)
    for part in nx.connected_components(G):
        root = min(part)
        potential[root] = Fraction(0)
        for u, v in nx.bfs_edges(G, root):
            edge = G[u][v][0]
            sign = 1 if edge["tail"] == u else -1
            potential[v] = potential[u] - sign * edge["change"]
    for u, v, c in zip(source.tolist(), target.tolist(), change, strict=True):
        assert c == potential[u] - potential[v]


@given(st.integers(0, 2**32 - 1), st.sampled_from(["i4", "i8"]))
def test_integers_change_by_potentials_alone(seed, dtype):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 12))
    ends = rng.integers(0, n, (2, 3 * n))
    weight = rng.integers(0, 100, 3 * n).astype(dtype)
    graph = wp.Graph.from_edges(*ends, weight, n=n)
    twin = negative_weights(graph, seed)
    np.testing.assert_array_equal(twin.column_indices, graph.column_indices)
    np.testing.assert_array_equal(twin.row_offsets, graph.row_offsets)
    assert_potentials_explain(graph, twin)


def test_many_weights_are_negative_and_dijkstra_on_potentials_agrees():
    graph = erdos_renyi(200, 1500, directed=True, weights=(1, 100))
    twin = negative_weights(graph)
    assert twin.weights.dtype == np.int32
    assert np.mean(twin.weights < 0) > 0.2
    assert not nx.negative_edge_cycle(twin.to_networkx())


@given(st.integers(0, 2**32 - 1), st.floats(1e-322, 1e300))
def test_sums_of_floats_along_paths_are_exact(seed, scale):
    """Added from left to right in any walk of n arcs, no sum is ever rounded."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 30))
    ends = rng.integers(0, n, (2, 4 * n))
    graph = wp.Graph.from_edges(*ends, scale * rng.random(4 * n), n=n)
    twin = negative_weights(graph, seed)
    assert twin.weights.dtype == np.float64
    vertex, total, exact = 0, 0.0, Fraction(0)
    for _ in range(n - 1):
        row = twin.neighbors(vertex)
        if not len(row):
            break
        k = int(rng.integers(len(row)))
        total += float(twin.arc_weights(vertex)[k])
        exact += Fraction(float(twin.arc_weights(vertex)[k]))
        vertex = int(row[k])
        assert Fraction(total) == exact


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_cycles_of_weight_zero_stay_at_zero(dtype):
    """The hard case: rounding any arc of the cycle alone would show."""
    n = 1000
    graph = named("cycle", n, directed=True).with_weights(np.zeros(n, dtype))
    for seed in range(20):
        weights = negative_weights(graph, seed).weights
        assert (weights < 0).any()
        for start in range(0, n, 97):
            assert np.cumsum(np.roll(weights, start))[-1] == 0.0


def test_float_weights_hardly_change():
    graph = erdos_renyi(1000, 10_000, directed=True, weights=(0.0, 1.0))
    twin = negative_weights(graph, spread=1.0)
    # Undo the potentials by a cycle's sum: u → v → u.
    matrix, other = graph.to_scipy().toarray(), twin.to_scipy().toarray()
    both = (matrix > 0) & (matrix.T > 0)
    before, after = (matrix + matrix.T)[both], (other + other.T)[both]
    assert len(before) > 50
    assert np.abs(before - after).max() < 2 * (1000 + 2) * 2.0**-52


def test_spread():
    graph = named("path", 10_000, directed=True).with_weights(np.full(9_999, 5))
    small = negative_weights(graph, spread=1).weights
    assert set(small.tolist()) == {4, 5, 6}
    wide = negative_weights(graph, spread=2**32 - 1).weights
    assert wide.dtype == np.int64
    assert wide.min() < -(2**31)
    assert np.abs(negative_weights(graph).weights - 5).max() <= 10  # twice the largest weight
    zeros = graph.with_weights(np.zeros(9_999))
    assert (negative_weights(zeros).weights < 0).any()


def test_integers_that_leave_int32_become_int64():
    graph = named("path", 1000, directed=True).with_weights(np.full(999, 2**31 - 1, np.int32))
    twin = negative_weights(graph)
    assert twin.weights.dtype == np.int64
    assert twin.weights.max() > 2**31


def test_seeds():
    graph = named("complete", 10, directed=True, weights=(1, 9))
    one, again, two = (negative_weights(graph, seed).weights for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, again)
    assert not np.array_equal(one, two)


def test_no_arcs():
    graph = wp.Graph.from_edges([], [], np.empty(0, np.int32), n=3)
    assert negative_weights(graph).weights.dtype == np.int32
    empty = wp.Graph.from_edges([], [], np.empty(0))
    assert negative_weights(empty).num_vertices == 0


@pytest.mark.parametrize(
    ("graph", "options", "message"),
    [
        (named("path", 3, weights=(1, 2)), {}, "undirected edge of negative weight is a negative"),
        (named("path", 3, directed=True), {}, "the graph has no weights"),
        (
            wp.Graph.from_edges([0, 1], [1, 2], [3, -1]),
            {},
            "the arc from 1 to 2 is -1: potentials are added",
        ),
        (named("path", 3, directed=True, weights=(1, 2)), {"spread": 0}, r"1 … 2³² − 1, not 0"),
        (named("path", 3, directed=True, weights=(1, 2)), {"spread": 1.5}, "an integer .*not 1.5"),
        (named("path", 3, directed=True, weights=(1, 2)), {"spread": 2**32}, "not 4294967296"),
        (named("path", 3, directed=True, weights=(1.0, 2)), {"spread": -1.0}, "above 0, not -1.0"),
        (named("path", 3, directed=True, weights=(1.0, 2)), {"spread": np.inf}, "not inf"),
        (named("path", 3, directed=True, weights=(1, 2)), {"seed": -1}, "seed must be in"),
    ],
)
def test_wrong_parameters(graph, options, message):
    with pytest.raises(ValueError, match=message):
        negative_weights(graph, **options)


def test_overflow():
    arc = wp.Graph.from_edges([0], [1], [2**63 - 1])
    with pytest.raises(OverflowError, match="exceeds int64"):
        negative_weights(arc)
    arc = wp.Graph.from_edges([0], [1], [1.7e308])
    with pytest.raises(OverflowError, match="exceeds float64"):
        negative_weights(arc)


def test_negative_weights_of_no_graph():
    with pytest.raises(TypeError, match=r"expected a warpath\.Graph, not numpy.ndarray"):
        negative_weights(np.ones(3))
