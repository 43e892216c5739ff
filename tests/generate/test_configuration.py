import numpy as np
import pytest

from warpath.generate import configuration
from warpath.parallel import thread_count


def in_degrees(graph):
    return np.bincount(graph.column_indices, minlength=graph.num_vertices)


@pytest.mark.parametrize("n", [1, 2, 50, 20_000])
def test_arcs_have_the_degrees_that_were_given(n):
    rng = np.random.default_rng(n)
    out = rng.integers(0, 9, n)
    into = rng.permutation(out)
    graph = configuration(out, into, seed=3)
    assert graph.directed
    np.testing.assert_array_equal(graph.degree, out)
    np.testing.assert_array_equal(in_degrees(graph), into)


def test_edges_have_the_degrees_that_were_given():
    degree = np.random.default_rng(1).integers(0, 9, 20_000)
    degree[0] += degree.sum() % 2
    graph = configuration(degree)
    assert not graph.directed
    assert graph.num_edges == degree.sum() // 2
    source, target, _ = graph.edges()
    both = np.bincount(source, minlength=len(degree)) + np.bincount(target, minlength=len(degree))
    np.testing.assert_array_equal(both, degree)


def test_simple_drops_loops_and_parallel_edges_alone():
    degree = np.full(300, 20)
    kept = configuration(degree)
    simple = configuration(degree, simple=True)
    pairs = {(min(e), max(e)) for e in zip(*map(np.ndarray.tolist, kept.edges()[:2]), strict=True)}
    wanted = {(u, v) for u, v in pairs if u != v}
    assert len(wanted) < kept.num_edges
    found = {
        (min(e), max(e)) for e in zip(*map(np.ndarray.tolist, simple.edges()[:2]), strict=True)
    }
    assert found == wanted
    assert simple.num_edges == len(wanted)


def test_every_pair_of_half_edges_is_as_likely():
    # Of four vertices with one half-edge each, 0 meets each of the others a third of the time.
    partners = [
        int(configuration(np.ones(4, int), seed=seed).neighbors(0)[0]) for seed in range(900)
    ]
    counts = np.bincount(partners, minlength=4)[1:]
    assert counts.min() > 300 - 5 * np.sqrt(900 * 2 / 9)


def test_the_graph_depends_on_the_seed_and_not_on_the_threads(monkeypatch):
    degree = np.full(20_000, 4)
    graph = configuration(degree, weights=(1, 9), seed=5)
    other = configuration(degree, weights=(1, 9), seed=6)
    assert (graph.column_indices != other.column_indices).any()
    monkeypatch.setattr(thread_count, "_num_threads", 1)
    again = configuration(degree, weights=(1, 9), seed=5)
    np.testing.assert_array_equal(again.column_indices, graph.column_indices)
    np.testing.assert_array_equal(again.weights, graph.weights)


@pytest.mark.parametrize("degree", [[], [0, 0]])
def test_no_edges(degree):
    assert configuration(np.array(degree, int)).num_arcs == 0
    assert configuration(np.array(degree, int), np.array(degree, int)).num_arcs == 0


@pytest.mark.parametrize(
    ("degree", "in_degree", "message"),
    [
        ([1, 2], None, "sum up to 3, which is odd"),
        ([1, -2], None, r"degree\[1\] is -2"),
        ([1.0, 1.0], None, "degree must be a vector of integers, not float64"),
        ([[1, 1]], None, r"degree must be a vector of integers, not int64\(1, 2\)"),
        ([1, 1], [2], "in_degree has 1 entry for 2 vertices"),
        ([1, 1], [1, 2], "degrees sum up to 2, in-degrees to 3"),
        ([1, 1], [3, -1], r"in_degree\[1\] is -1"),
    ],
)
def test_degrees_that_no_graph_has(degree, in_degree, message):
    with pytest.raises(ValueError, match=message):
        configuration(degree, in_degree)
