"""Ctrl-C ends long work soon."""

import signal
import time
from threading import main_thread

import numpy as np
import pytest

import warpath as wp
from warpath.parallel import team

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
        while team._busy and time.monotonic() - began < SECONDS:
            time.sleep(1e-3)
        assert not team._busy

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


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    "method", ["sequential-bellman-ford", "bellman-ford", "bellman-ford-queueless"]
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
        assert not team._to_stop
    finally:
        wp.set_num_threads(None)
    assert main_thread().ident not in team._last


def test_drawing(interrupt):
    wp.generate.rmat(5, weights=(1, 9))
    interrupt(lambda: wp.generate.rmat(24))
