import numpy as np
import pytest

import warpath as wp
from warpath import kernel_cache
from warpath.algorithms.common import stats as module
from warpath.algorithms.common.stats import Stopwatch


@pytest.fixture
def time(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(kernel_cache, "_clock", kernel_cache._Clock())
    monkeypatch.setattr(kernel_cache, "perf_counter", lambda: now[0])
    monkeypatch.setattr(module, "perf_counter", lambda: now[0])
    return now


def test_compiling_is_told_apart(time):
    with kernel_cache.compiling():
        time[0] += 5  # of an earlier call
    watch = Stopwatch()
    time[0] += 0.5
    with kernel_cache.compiling():
        time[0] += 2
    time[0] += 0.25
    assert watch.read() == {"seconds": 0.75, "compile_seconds": 2.0}


class AnHourEachTime(kernel_cache._Clock):
    """As if an hour of compiling lay between any two looks at it."""

    looks = 0

    def seconds(self):
        self.looks += 1
        return self.looks * 3600.0


CALLS = {
    "bfs": lambda g: wp.bfs(g, 0),
    "sssp": lambda g: wp.sssp(g, 0),
    "shortest_path": lambda g: wp.shortest_path(g, 0, 3),
    "st_connected": lambda g: wp.st_connected(g, 0, 3),
    "apsp": lambda g: wp.apsp(g),
    "distance_matrix": lambda g: wp.distance_matrix(g, [0], [3]),
    "k_shortest_paths": lambda g: wp.k_shortest_paths(g, 0, 3, 2),
}


@pytest.mark.parametrize("name", CALLS)
def test_each_call_tells_it(name, monkeypatch):
    graph = wp.Graph.from_edges([0, 0, 1, 2], [1, 2, 3, 3], np.array([5, 1, 1, 2]))
    CALLS[name](graph)
    found = CALLS[name](graph).stats
    assert found.compile_seconds == 0 < found.seconds
    assert "compiling" not in str(found)
    clock = AnHourEachTime()
    monkeypatch.setattr(kernel_cache, "_clock", clock)
    found = CALLS[name](graph).stats
    assert found.compile_seconds >= 3600
    assert found.as_dict()["compile_seconds"] == found.compile_seconds
    assert f"after {found.compile_seconds:.2f} s of compiling" in str(found)
