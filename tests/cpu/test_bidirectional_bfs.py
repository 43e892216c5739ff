"""What the kernel promises beyond the path: where it met, what it looked at."""

import numpy as np

from oracles import shape
from warpath import Graph
from warpath.cpu.bidirectional_bfs import BACKWARD, FORWARD, bidirectional_bfs
from warpath.cpu.trace import DIRECTION, EDGES, MAX_ROWS, VERTICES
from warpath.generate import named


def test_the_place_is_where_the_searches_met():
    path, place, report = bidirectional_bfs(named("path", 10), 2, 7)
    assert path.tolist() == [2, 3, 4, 5, 6, 7]
    # One level forward where both frontiers have two arcs, then the smaller first.
    forward = (report.trace[:, DIRECTION] == FORWARD).sum()
    assert 0 <= place < 5
    assert place + 1 == forward
    assert report.iterations == 5


def test_a_level_ends_where_the_searches_meet():
    """The hub's thousandth arc is not looked at: its first leads to the target."""
    graph = Graph.from_edges([0] * 1000, range(1, 1001), directed=False)
    path, _, report = bidirectional_bfs(graph, 1, 2)
    assert path.tolist() == [1, 0, 2]
    assert report.trace[:, EDGES].sum() == 2
    assert report.trace[:, VERTICES].tolist() == [1, 1]
    assert set(report.trace[:, DIRECTION].tolist()) <= {FORWARD, BACKWARD}


def test_no_path():
    path, place, report = bidirectional_bfs(Graph.from_edges([0, 1], [1, 0], n=3), 0, 2)
    assert (path, place) == (None, -1)
    assert report.trace[:, EDGES].sum() == 0


def test_both_searches_may_fill_the_queue():
    """Each vertex is found, half of them from each end; the arc between is the last."""
    n = 2 * MAX_ROWS + 100
    path, _, report = bidirectional_bfs(named("path", n), 0, n - 1)
    assert np.array_equal(path, np.arange(n))
    assert report.iterations == n - 1
    assert len(report.trace) == MAX_ROWS
    assert report.trace[:, VERTICES].sum() == n - 1


def test_a_hub_at_one_end_waits():
    path, place, report = bidirectional_bfs(shape("star"), 0, 5)
    assert (path.tolist(), place) == ([0, 5], 0)
    assert report.trace[:, EDGES].sum() == 1
