"""Rows are proven that are right, and no other ones."""

import numpy as np
import pytest

from oracles import ONE_OF_EACH_KIND
from warpath import Graph, apsp
from warpath.verify.fixed_point import FixedPoint


@pytest.fixture(params=ONE_OF_EACH_KIND)
def answer(request):
    """A graph of 40 vertices, not all of which reach each other, with its matrices."""
    rng = np.random.default_rng(3)
    weight = rng.integers(1, 9, 70).astype(request.param)
    graph = Graph.from_edges(*rng.integers(0, 40, (2, 70)), weight, n=40)
    found = apsp(graph, method="sssp", dtype=request.param, predecessors=True)
    return graph, found.distance.copy(), found.predecessor.copy()


def holds(graph, distance, predecessor=None):
    point = FixedPoint.of(graph, distance.dtype)
    return point.holds(np.arange(len(distance)), distance, predecessor)


def none(dtype):
    return np.inf if dtype.kind == "f" else np.iinfo(dtype).max


def test_right_rows(answer):
    graph, distance, predecessor = answer
    assert (distance == none(distance.dtype)).any()
    assert holds(graph, distance)
    assert holds(graph, distance, predecessor)
    assert holds(graph.without_weights(), apsp(graph.without_weights()).distance)


def test_each_entry_counts(answer):
    graph, distance, predecessor = answer
    far = none(distance.dtype)
    values = [1, -1, far, *([np.nan, -np.inf] if distance.dtype.kind == "f" else [2**30])]
    for u in range(0, 40, 3):
        for v in range(40):
            for value in values:
                changed = distance.copy()
                if value in (1, -1) and distance[u, v] != far:
                    changed[u, v] += value
                elif distance[u, v] == value or value == -1:
                    continue
                else:
                    changed[u, v] = value
                assert not holds(graph, changed), (u, v, value)
            for other in (-2, -1, 40, predecessor[u, v] + 1, v):
                parents = predecessor.copy()
                parents[u, v] = other
                if other != predecessor[u, v] and not is_tight(graph, distance[u], other, v):
                    assert not holds(graph, distance, parents), (u, v, other)


def is_tight(graph, row, u, v):
    """Whether u may be v's predecessor as well."""
    if not 0 <= u < len(row) or row[u] == none(row.dtype) or row[v] == 0:
        return False
    return bool((row[u] + graph.arc_weights(u)[graph.neighbors(u) == v] == row[v]).any())


@pytest.mark.parametrize(
    ("weights", "dtype"),
    [
        ([1, 0], np.int64),
        ([1, -1], np.int64),
        ([1.5, 2], np.int64),
        ([1, 2**61], np.int64),
        ([1e300, 1], np.float32),
        ([1, 1], np.int16),
        ([], np.int64),
    ],
)
def test_equations_that_may_have_several_solutions(weights, dtype):
    graph = Graph.from_edges([0, 1][: len(weights)], [1, 0][: len(weights)], weights, n=2)
    assert FixedPoint.of(graph, np.dtype(dtype)) is None


def test_distances_beyond_which_sums_may_wrap_or_vanish():
    cycle = [0, 1, 2], [1, 2, 1]
    graph = Graph.from_edges(*cycle, [2**60, 2**60, 2**60])
    far = np.iinfo(np.int64).max
    assert not holds(graph, np.array([[0, 2**60, 2**61]]))
    assert holds(Graph.from_edges([0], [1], [2**60]), np.array([[0, 2**60], [far, 0]]))
    # 1 and 2 give each other their distances, for 2⁵³ + 1 is 2⁵³.
    graph = Graph.from_edges(*cycle, [2.0**54, 1.0, 1.0])
    assert not holds(graph, np.array([[0, 2.0**53, 2.0**53]]))


def test_sums_beyond_the_largest_float():
    graph = Graph.from_edges([0, 1], [1, 2], np.array([3e38, 3e38], np.float32))
    assert holds(graph, np.array([[0, 3e38, np.inf]], np.float32))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_largest_float_is_beyond_proof(dtype):
    """Next to it lies infinity: whether an arc makes it larger cannot be told."""
    largest = np.finfo(dtype).max
    graph = Graph.from_edges([0, 0, 1], [1, 2, 2], np.array([largest, largest, 1], dtype), n=3)
    found = apsp(graph, method="sssp", dtype=dtype)
    assert found.distance[0, 2] == largest
    assert not holds(graph, found.distance)
    found.verify()
