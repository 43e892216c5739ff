"""Ctrl-C ends long work soon."""

import signal
import time
from contextlib import contextmanager, suppress
from functools import partial
from itertools import product
from threading import main_thread

import networkx as nx
import numpy as np
import pytest

import warpath as wp
from exhaustive import few
from oracles import SIGNED
from warpath.networkx import finalization_order, from_networkx, two_ended
from warpath.parallel import interruption, workers
from warpath.parallel.interruption import new_sync
from warpath.parallel.sync import STOP

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers on this system")
SECONDS = 10.0  # far less than any call here takes, and far more than one needs to end


@pytest.fixture
def interrupt():
    """Call, interrupt after a while, and see it end."""

    def handler(number, frame):
        raise KeyboardInterrupt

    def run(call):
        began = time.monotonic()
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(KeyboardInterrupt):
            call()
        assert time.monotonic() - began < SECONDS
        while workers.busy and time.monotonic() - began < SECONDS:
            time.sleep(1e-3)
        assert not workers.busy

    before = signal.signal(signal.SIGALRM, handler)
    yield run
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def slow_graph(n):
    """A graph on which each distance gets better n times: each path of one more arc is shorter.

    Vertices are numbered from the last one on, so that the farthest are looked at first.
    """
    start, end = np.triu_indices(n, 1)
    return wp.Graph.from_edges(n - 1 - start, n - 1 - end, 2 * (end - start) - 1, n=n)


@pytest.fixture(scope="module")
def slow():
    return slow_graph(4000)


@pytest.mark.parametrize(
    ("method", "threads"),
    few(
        product(SIGNED, [1, 2]),
        [("sequential-bellman-ford", 1), ("bellman-ford", 2), ("bellman-ford-queueless", 2)],
    ),
)
def test_one_search(method, threads, slow, interrupt):
    wp.set_num_threads(threads)
    try:
        wp.sssp(slow_graph(4), 3, method=method)  # compiles
        interrupt(lambda: wp.sssp(slow, slow.num_vertices - 1, method=method))
    finally:
        wp.set_num_threads(None)


def test_searches_in_other_threads(slow, interrupt):
    wp.set_num_threads(2)
    try:
        method = "sequential-bellman-ford"
        wp.sssp(slow_graph(4), [3, 3], method=method)  # compiles
        sources = np.full(4, slow.num_vertices - 1)
        interrupt(lambda: wp.sssp(slow, sources, method=method))
        assert not interruption._to_stop
    finally:
        wp.set_num_threads(None)
    assert main_thread().ident not in interruption._last


@pytest.mark.slow
def test_betweenness(interrupt):
    """Also in the middle of a search, after which there is nothing to count."""
    graph = wp.generate.rmat(19, weights=(1, 255))
    wp.betweenness(wp.generate.grid(4, weights=(1, 9)))  # compiles
    for _ in range(4):
        interrupt(lambda: wp.betweenness(graph))


@pytest.mark.slow
def test_spanning_forest(interrupt):
    graph = wp.generate.rmat(20, weights=(1, 255))
    wp.minimum_spanning_forest(wp.generate.grid(4, weights=(1, 9)))  # compiles
    interrupt(lambda: wp.minimum_spanning_forest(graph))


def test_drawing(interrupt):
    wp.generate.rmat(5, weights=(1, 9))
    interrupt(lambda: wp.generate.rmat(24))


@pytest.fixture
def stopped(monkeypatch):
    """Call: every kernel is told to end from its beginning on; what the kernels return is noted."""

    @contextmanager
    def interruptible():
        sync = new_sync()
        sync[STOP] = 1
        yield sync

    def run(module, kernel, call):
        returned = []
        original = getattr(module, kernel)

        def noted(*args):
            returned.append(original(*args))
            return returned[-1]

        monkeypatch.setattr(module, "interruptible", interruptible)
        monkeypatch.setattr(module, kernel, noted)
        with suppress(ValueError):  # of an answer that is incomplete
            call()
        return returned[0]

    return run


def test_networkx_kernels_stop(stopped):
    H = from_networkx(nx.path_graph(10_000))
    ahead, behind = H.arcs_both_ways(None)
    by_edges = partial(two_ended.path_by_edges, H.adjacency, H.adjacency, 0, 9_999)
    assert stopped(two_ended, "_by_edges", by_edges) < 0
    by_weight = partial(two_ended.path_by_weight, ahead, behind, 0, 9_999)
    assert stopped(two_ended, "_by_weight", by_weight) < 0

    places, distance = np.arange(10_000, dtype=np.int32), np.arange(10_000.0)
    found = finalization_order.Found(places, distance, places - 1)
    arcs = H.adjacency, np.ones(2 * 9_999)
    settle = partial(finalization_order.settle, *arcs, places[:1], distance, np.ones(10_000, bool))
    assert not stopped(finalization_order, "_settle", settle)
    assert (
        stopped(
            finalization_order, "_meet", partial(finalization_order.by_first_sight, *arcs, found)
        )
        == 1
    )


@pytest.mark.parametrize(
    "generate",
    [
        lambda n: wp.generate.mesh((n, n, n), 26),
        lambda n: wp.generate.roads(20 * n, 20 * n, pieces=20),
        lambda n: wp.generate.local((20 * n, 20 * n), np.full((20 * n) ** 2, 8)),
    ],
    ids=["mesh", "roads", "local"],
)
def test_generating(generate, interrupt):
    generate(5)
    interrupt(lambda: generate(300))
