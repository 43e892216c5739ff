"""What the kernel promises beyond the path: when it stops, and the bound that rounding has."""

import math
from fractions import Fraction

import numpy as np
import pytest

from oracles import weighted
from warpath import Graph
from warpath.cpu.bidirectional_dijkstra import bidirectional_dijkstra, rounding
from warpath.cpu.trace import VERTICES
from warpath.generate import named

INT = np.dtype(np.int32)


def test_it_stops_where_no_shorter_path_can_come():
    """The first meeting is not the shortest path: three arcs of 2 next to one of 7."""
    graph = Graph.from_edges([0, 0, 1, 2], [3, 1, 2, 3], np.int32([7, 2, 2, 2]))
    path, length, _ = bidirectional_dijkstra(graph, 0, 3, INT, 100)
    assert (path.tolist(), length) == ([0, 1, 2, 3], 6)


def test_it_settles_two_small_balls():
    graph = named("path", 1001).with_weights(np.ones(2000, np.int32))
    path, length, report = bidirectional_dijkstra(graph, 400, 600, INT, 10_000)
    assert (len(path), length) == (201, 200)
    # Balls of radius 100, twice as wide: not the whole path, nor one of radius 200.
    assert report.trace[0, VERTICES] <= 2 * 201


@pytest.mark.parametrize("dtype", [np.int32, np.float64])
def test_it_gives_up(dtype):
    graph = weighted("grid", dtype)
    args = graph, 0, graph.num_vertices - 1, np.dtype(dtype)
    _, length, report = bidirectional_dijkstra(*args, 10**6)
    assert bidirectional_dijkstra(*args, 1000) is None
    again = bidirectional_dijkstra(*args, int(report.trace[0, VERTICES]) + 1)
    assert again is not None
    assert again[1] == length


def test_no_path():
    graph = Graph.from_edges([0, 1], [1, 0], np.int32([1, 2]), n=3)
    assert bidirectional_dijkstra(graph, 0, 2, INT, 100)[0] is None
    assert bidirectional_dijkstra(graph, 2, 0, INT, 100)[0] is None


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rounding_bounds_what_sums_can_be_off(dtype):
    """A path's two halves, summed from both its ends, and all of it, in exact arithmetic."""
    rng = np.random.default_rng(5)
    n = 1000
    worst = 0
    for _ in range(30):
        weights = (rng.random(n - 1) * 10.0 ** rng.integers(-6, 7, n - 1)).astype(dtype)
        cut = int(rng.integers(1, n - 1))
        there = np.cumsum(weights[:cut], dtype=dtype)[-1]
        back = np.cumsum(weights[cut:][::-1], dtype=dtype)[-1]
        whole = np.cumsum(weights, dtype=dtype)[-1]
        off = Fraction(float(there + back)) / Fraction(float(whole)) - 1
        worst = max(worst, abs(off))
    assert 0 < worst < rounding(n, np.dtype(dtype))


def test_rounding_is_for_floats():
    assert rounding(10**6, np.dtype(np.int64)) == 0
    assert math.isclose(rounding(10**6, np.dtype(np.float64)), 4.44e-10, rel_tol=1e-2)
