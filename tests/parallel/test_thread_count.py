import os

import pytest

import warpath as wp
from warpath.parallel import thread_count


@pytest.fixture(autouse=True)
def no_choice():
    """As a process begins."""
    before = thread_count._num_threads
    thread_count.set_num_threads(None)
    yield
    thread_count.set_num_threads(before)


def test_number_of_threads(monkeypatch):
    monkeypatch.delenv("WARPATH_NUM_THREADS", raising=False)
    assert wp.num_threads() >= 1
    if hasattr(os, "sched_getaffinity"):
        assert wp.num_threads() <= len(os.sched_getaffinity(0))
    monkeypatch.setenv("WARPATH_NUM_THREADS", "7")
    assert wp.num_threads() == 7
    wp.set_num_threads(3)
    assert wp.num_threads() == 3
    wp.set_num_threads(None)
    assert wp.num_threads() == 7


@pytest.mark.parametrize("given", ["0", "-1", "two", "1.5"])
def test_wrong_environment(given, monkeypatch):
    monkeypatch.setenv("WARPATH_NUM_THREADS", given)
    with pytest.raises(ValueError, match=f"WARPATH_NUM_THREADS.*{given}"):
        wp.num_threads()


@pytest.mark.parametrize("given", [0, -1, 1.5, "2", True])
def test_wrong_number_of_threads(given):
    with pytest.raises(ValueError, match=f"positive integer, not {given!r}"):
        wp.set_num_threads(given)
