import itertools
import threading
import time

import numpy as np
import pytest
from numba import njit

from teams import record_call, rotate
from warpath.parallel import team
from warpath.parallel.atomics import atomic_add
from warpath.parallel.interruption import new_sync
from warpath.parallel.sync import RETURNED, SPINS, barrier, leave, share, stopping


@pytest.mark.parametrize("total", [0, 1, 2, 7, 1000, 2**40])
@pytest.mark.parametrize("size", [1, 2, 5])
def test_shares_cover_all_without_overlap(total, size):
    shares = [share(total, t, size) for t in range(size)]
    assert shares[0][0] == 0
    assert shares[-1][1] == total
    assert all(a[1] == b[0] for a, b in itertools.pairwise(shares))
    lengths = [end - begin for begin, end in shares]
    assert max(lengths) - min(lengths) <= 1


@pytest.mark.parametrize("returned", [0, 1])
def test_a_caller_spins_for_workers_no_longer_than_at_a_barrier(returned):
    sync = new_sync()
    for worker in range(1, returned + 1):
        leave(worker, 3, sync)
    assert sync[RETURNED] == returned
    sync[SPINS] = 1000
    leave(0, 3, sync)  # one worker at least has not returned: the caller is to sleep then


def test_a_caller_sees_that_all_workers_have_returned():
    sync = new_sync()
    sync[SPINS] = 2**62
    workers = [threading.Thread(target=leave, args=(k, 3, sync)) for k in (1, 2)]
    for worker in workers:
        worker.start()
    leave(0, 3, sync)
    for worker in workers:
        worker.join()
    assert sync[RETURNED] == 2


def test_a_barrier_orders_writes_before_reads(size):
    errors = np.zeros(1, np.int64)
    rounds = 3000 if size <= 2 else 200  # a team larger than the machine waits for its turns
    team.run(rotate, size, np.zeros(size, np.int64), errors, rounds)
    assert errors[0] == 0


@njit(nogil=True)
def late(thread, threads, sync, order, steps):
    """Members come to the barrier one long after the other, so that the first ones sleep."""
    for _ in range(thread * steps):
        stopping(sync)
    order[thread] = atomic_add(order, threads, 1)
    barrier(sync, threads)
    if order[threads] != threads:
        order[thread] = -1


def test_members_that_sleep_at_a_barrier_are_woken(size):
    for _ in range(3):
        order = np.zeros(size + 1, np.int64)
        team.run(late, size, order, 2_000_000)
        assert sorted(order) == list(range(size + 1))


@pytest.mark.parametrize("size", [2, 5], indirect=True)
def test_all_members_leave_a_call(size, monkeypatch):
    syncs = []
    monkeypatch.setattr(team, "new_sync", lambda: syncs.append(new_sync()) or syncs[-1])
    team.run(record_call, size, np.zeros(size, np.int64), np.zeros(size, np.int64))
    deadline = time.monotonic() + 10
    while syncs[0][RETURNED] < size - 1 and time.monotonic() < deadline:
        time.sleep(0.001)
    assert syncs[0][RETURNED] == size - 1
