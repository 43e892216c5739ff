"""Teams of threads within a call, and several calls at once."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest

import warpath as wp
from oracles import METHODS, distances, levels, shape, signed, weighted
from warpath.parallel import thread_count

CALLERS = 6  # more than threads of a team, and than most machines' cores


@pytest.fixture
def unset(monkeypatch):
    """No number of threads is set, by a call or by the environment."""
    monkeypatch.setattr(thread_count, "_num_threads", None)
    monkeypatch.delenv("WARPATH_NUM_THREADS", raising=False)
    return monkeypatch


def all_at_once(*calls):
    """The results of ``calls``, each made by a Python thread of its own, started together."""
    start = Barrier(len(calls))

    def run(call):
        start.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


@pytest.mark.parametrize("method", METHODS)
def test_callers_share_a_graph(method, threads):
    graph = weighted("power law", np.int32)
    sources = range(0, 900, 150)
    answers = all_at_once(*(lambda s=s: wp.sssp(graph, s, method=method) for s in sources))
    for source, paths in zip(sources, answers, strict=True):
        assert np.array_equal(paths.distance, distances(graph, source, np.int32))
        paths.verify()


@pytest.mark.parametrize("attempt", range(10))
def test_callers_need_the_reverse_at_once(attempt, threads):
    """It is built once, while others wait or go top-down."""
    plain = shape("power law, directed")
    graph = wp.Graph.from_csr(plain.row_offsets, plain.column_indices)
    ways = ["bottom-up", "top-down", "optimizing"] * (CALLERS // 3)
    answers = all_at_once(
        *(lambda w=w: wp.bfs(graph, 3, schedule=wp.Schedule(direction=w)) for w in ways),
        lambda: graph.reverse,
    )
    assert answers.pop() is graph.reverse
    for paths in answers:
        assert np.array_equal(paths.distance, levels(plain, 3))
        paths.verify()


@pytest.mark.parametrize("attempt", range(5))
def test_callers_classify_a_graph_at_once(attempt, threads, small_teams):
    """Bellman-Ford's classes of vertices are kept with the graph."""
    known = signed("power law, directed", np.int32)
    graph = wp.Graph.from_csr(known.row_offsets, known.column_indices, known.weights)
    for paths in all_at_once(*[lambda: wp.sssp(graph, 0)] * CALLERS):
        assert np.array_equal(paths.distance, distances(known, 0, np.int32))
        paths.verify()


def test_different_algorithms_at_once(threads, small_teams):
    graph, twin = weighted("grid", np.int32), signed("power law, directed", np.int32)
    calls = [
        lambda: wp.bfs(graph, 7),
        lambda: wp.sssp(graph, 7),
        lambda: wp.sssp(graph, range(8)),
        lambda: wp.bfs(graph, [1, 2, 3], schedule="direction=bottom-up"),
        lambda: wp.sssp(twin, 7),
        lambda: wp.sssp(twin, range(5), method="bellman-ford-queueless"),
    ]
    alone = [call() for call in calls]
    for _ in range(5):
        for paths, known in zip(all_at_once(*calls), alone, strict=True):
            assert np.array_equal(paths.distance, known.distance)
            paths.verify()


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_set_num_threads(count, unset, small_teams):
    """Also more threads than cores: they wait for each other, and the answer stays."""
    wp.set_num_threads(count)
    graph, twin = weighted("power law", np.int32), signed("power law, directed", np.int32)
    assert wp.num_threads() == count
    for paths in (
        wp.bfs(graph, 0),
        wp.bfs(graph, 0, schedule="direction=top-down"),
        wp.sssp(graph, 0),
        wp.sssp(twin, 0),
        wp.sssp(twin, 0, method="bellman-ford-queueless"),
    ):
        assert paths.stats.threads == count
        paths.verify()
    assert np.array_equal(wp.sssp(graph, 0).distance, distances(graph, 0, np.int32))
    assert np.array_equal(wp.bfs(graph, 0).distance, levels(graph, 0))


@pytest.mark.parametrize("method", ["delta-stepping", "bellman-ford", "bellman-ford-queueless"])
def test_a_crowd(method, unset, small_teams):
    """Eight threads are put off the cores in the middle of everything."""
    wp.set_num_threads(8)
    graph = wp.generate.grid(60, 60, weights=(0, 3), seed=4)
    for source in range(0, 3600, 90):
        paths = wp.sssp(graph, source, method=method)
        assert np.array_equal(paths.distance, distances(graph, source, graph.weights.dtype))
        paths.verify()


@pytest.mark.parametrize("count", [1, 3])
def test_the_environment_says_how_many(count, unset, small_teams):
    unset.setenv("WARPATH_NUM_THREADS", str(count))
    assert wp.num_threads() == count
    assert wp.bfs(shape("power law"), 0).stats.threads == count
    wp.set_num_threads(2)
    assert wp.bfs(shape("power law"), 0).stats.threads == 2


@pytest.mark.parametrize("value", ["0", "-1", "two", "1.5"])
def test_the_environment_is_wrong(value, unset):
    unset.setenv("WARPATH_NUM_THREADS", value)
    with pytest.raises(ValueError, match=f"WARPATH_NUM_THREADS must be a positive .* '{value}'"):
        wp.bfs(shape("power law"), 0)
    with pytest.raises(ValueError, match="WARPATH_NUM_THREADS"):
        wp.num_threads()


def test_one_thread_is_enough_for_a_small_graph(threads):
    assert wp.bfs(shape("karate"), 0).stats.threads == 1
    assert wp.sssp(weighted("karate", np.int32), 0).stats.threads == 1


def test_more_sources_than_threads_take_one_each(unset):
    wp.set_num_threads(2)
    graph = weighted("power law", np.int32)
    assert wp.sssp(graph, 0).stats.threads == 2
    assert wp.sssp(graph, [0, 1, 2]).stats.threads == 1
