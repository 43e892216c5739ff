"""What the kernel promises beyond the path: where it met, what it looked at."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from oracles import shape
from warpath import Graph, bfs
from warpath.cpu.bidirectional_bfs import BACKWARD, FORWARD, bidirectional_bfs
from warpath.cpu.trace import DIRECTION, EDGES, VERTICES
from warpath.generate import erdos_renyi, named
from warpath.planning.memory import MAX_TRACE_ROWS


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
    n = 2 * MAX_TRACE_ROWS + 100
    path, _, report = bidirectional_bfs(named("path", n), 0, n - 1)
    assert np.array_equal(path, np.arange(n))
    assert report.iterations == n - 1
    assert len(report.trace) == MAX_TRACE_ROWS
    assert report.trace[:, VERTICES].sum() == n - 1


def test_a_hub_at_one_end_waits():
    path, place, report = bidirectional_bfs(shape("star"), 0, 5)
    assert (path.tolist(), place) == ([0, 5], 0)
    assert report.trace[:, EDGES].sum() == 1


@pytest.mark.parametrize("directed", [False, True])
def test_searches_leave_clear_marks_behind(directed):
    graph = erdos_renyi(300, 500, directed=directed, seed=3)
    distance = bfs(graph, range(300)).distance
    rng = np.random.default_rng(0)
    for source, target in rng.integers(0, 300, (400, 2)).tolist():
        path, _, _ = bidirectional_bfs(graph, source, target)
        assert (-1 if path is None else len(path) - 1) == distance[source, target]
    assert graph.memory()["searches from both ends"] >= 12 * 300
    ((mark, *_),) = graph.derived[("searches from both ends",)]
    assert not mark.any()
    graph.release()
    assert "searches from both ends" not in graph.memory()


def test_threads_have_spaces_of_their_own():
    graph = erdos_renyi(2000, 5000, seed=3)
    ends = np.random.default_rng(1).integers(0, 2000, (300, 2)).tolist()
    alone = [bidirectional_bfs(graph, *pair)[0] for pair in ends]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda pair: bidirectional_bfs(graph, *pair)[0], ends))
    for one, other in zip(alone, together, strict=True):
        assert (one is None) == (other is None)
        assert one is None or np.array_equal(one, other)
