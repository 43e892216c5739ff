import os
import subprocess
import sys
import time

import numpy as np
import pytest
from numba import njit

from warpath.parallel import contention, cores, team, thread_count
from warpath.parallel.contention import (
    Member,
    Moment,
    Tally,
    learn,
)  # all_cores replaces the module's

FOUR = frozenset(range(4))
LONG = 1.0  # seconds, so that what came before counts for nothing


def kernel():
    """Stands for one."""


def tally(waits, ran, seconds=LONG):
    """Of members that ran for equal times, ``ran`` threads together."""
    found, own = Tally(), ran * seconds / len(waits)
    found.members = {
        core: Member(seconds, own, own * wait / (1 - wait)) for core, wait in enumerate(waits)
    }
    return found


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch):
    monkeypatch.setattr(contention, "_teams", {})
    monkeypatch.setattr(contention, "_waits", {})


@pytest.mark.parametrize(
    ("waits", "ran", "used"),
    [
        ((0.0, 0.0, 0.0, 0.0), 4.0, 4),
        ((0.0, 0.5, 0.0, 0.0), 2.0, 3),  # the other members wait for the second one
        ((0.0, 0.5, 0.5, 0.0), 2.0, 2),
        ((0.0, 0.5, 0.0, 0.0), 3.5, 3),
        ((0.5, 0.5, 0.5, 0.0), 3.0, 4),  # one free core is worth less than what four did
        ((0.5, 0.5, 0.5, 0.5), 1.8, 4),  # one process on each core
        ((0.8, 0.8, 0.8, 0.8), 0.3, 1),  # several on each: the members seldom meet
        ((0.8, 0.8, 0.8, 0.8), 0.8, 4),  # but there each does what it can
    ],
)
def test_cores_of_the_next_call(waits, ran, used):
    learn(kernel, FOUR, tally(waits, ran), 0)
    on = contention.cores_for(kernel, FOUR)
    assert len(on) == used
    if used in (2, 3):
        assert on == {core for core, wait in enumerate(waits) if wait == 0.0}
    assert contention.cores_for(print, FOUR) == FOUR  # another kernel


def test_spinning_is_worth_nothing():
    waits = (0.8, 0.8, 0.8, 0.8)
    learn(kernel, FOUR, tally(waits, 0.8), int(0.6 * LONG / contention._SPIN))
    assert len(contention.cores_for(kernel, FOUR)) == 1


def test_all_cores_are_tried_again(monkeypatch):
    learn(kernel, FOUR, tally((0.0, 0.5, 0.0, 0.0), 2.0), 0)
    assert len(contention.cores_for(kernel, FOUR)) == 3
    later = time.perf_counter() + contention._LEFT_OUT_TIMES * LONG
    monkeypatch.setattr(contention, "perf_counter", lambda: later)
    assert contention.cores_for(kernel, FOUR) == FOUR
    learn(kernel, FOUR, tally((0.0, 0.0, 0.0, 0.0), 4.0), 0)
    assert contention.cores_for(kernel, FOUR) == FOUR


def test_one_time_slice_tells_nothing():
    learn(kernel, FOUR, tally((0.0, 0.8, 0.0, 0.0), 1.0, seconds=0.005), 0)
    assert contention.cores_for(kernel, FOUR) == FOUR


def test_short_calls_and_members_of_several_cores_do_not_count():
    calls = Tally()
    calls.add(None, Moment())
    assert not calls.members
    for core in FOUR:
        calls.members[core] = Member(contention._SHORT / 2, contention._SHORT / 4, 1.0)
    learn(kernel, FOUR, calls, 0)
    assert not contention._waits


def test_a_member_that_is_soon_done_tells_nothing_of_its_core(monkeypatch):
    learn(kernel, FOUR, tally((0.8, 0.8, 0.8, 0.8), 0.3), 0)
    before = contention._waits[1]
    calls = tally((0.8, 0.8, 0.8, 0.8), 0.3)
    began = Moment()
    soon = began.clock + contention._SHORT / 2
    monkeypatch.setattr(contention, "perf_counter", lambda: soon)
    calls.add(1, began)
    assert calls.members[1].waited == 0.0
    learn(kernel, FOUR, calls, 0)
    assert contention._waits[1] > 0.9 * before


def test_other_cores_than_those_allowed_are_not_used():
    learn(kernel, FOUR, tally((0.0, 0.5, 0.0, 0.0), 2.0), 0)
    assert contention.cores_for(kernel, frozenset([1])) == {1}
    assert contention.cores_for(kernel, frozenset([1, 2])) == {2}


@pytest.mark.skipif(sys.platform != "linux", reason="counted by Linux alone")
def test_a_thread_that_shares_its_core_waits():
    core = min(os.sched_getaffinity(0))
    command = f"import os; os.sched_setaffinity(0, {{{core}}})\nwhile True: pass"
    busy = subprocess.Popen([sys.executable, "-c", command])
    allowed = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {core})
        began, calls = Moment(), Tally()
        while time.perf_counter() < began.clock + 20:
            calls.add(core, began)
            if core in calls.members and calls.members[core].wait > 0.1:
                break
        assert 0.1 < calls.members[core].wait < 1.0
    finally:
        os.sched_setaffinity(0, allowed)
        busy.kill()
        busy.wait()


@njit(nogil=True)
def count(thread, threads, sync, sizes):
    sizes[thread] = threads


@pytest.mark.parametrize("used", [1, 2, 3])
def test_a_team_has_a_member_for_each_core(used, monkeypatch):
    monkeypatch.setattr(cores, "allowed", lambda: FOUR)
    monkeypatch.setattr(contention, "cores_for", lambda key, allowed: frozenset(range(used)))
    sizes = np.zeros(4, np.int64)
    thread_count.set_num_threads(4)
    try:
        team.run(count, 3, sizes)
    finally:
        thread_count.set_num_threads(None)
    assert sizes.tolist() == [used] * used + [0] * (4 - used)
