"""Kernels for teams of threads, and what a team must do whatever happened before."""

import _thread
import sys
import time

import numpy as np
from numba import njit

from warpath.parallel import team, workers
from warpath.parallel.atomics import atomic_add
from warpath.parallel.sync import barrier, share


@njit(nogil=True)
def record_call(thread, threads, sync, seen, sizes):
    seen[thread] += 1
    sizes[thread] = threads


@njit(nogil=True)
def rotate(thread, threads, sync, values, errors, rounds):
    """Each round every member writes its own cell, then reads its neighbour's."""
    for i in range(1, rounds + 1):
        values[thread] = i
        barrier(sync, threads)  # all have written round i
        if values[(thread + 1) % threads] != i:
            atomic_add(errors, 0, 1)
        barrier(sync, threads)  # all have read round i


@njit(nogil=True)
def prefix_sums(thread, threads, sync, values, totals, out):
    begin, end = share(values.shape[0], thread, threads)
    total = 0
    for i in range(begin, end):
        total += values[i]
    totals[thread] = total
    barrier(sync, threads)  # all totals are there
    position = 0
    for t in range(thread):
        position += totals[t]
    for i in range(begin, end):
        out[i] = position
        position += values[i]


class Interrupted(BaseException):
    """What a signal handler raises."""


def check_prefix_sums(seed):
    values = np.random.default_rng(seed).integers(0, 9, 1000)
    out = np.empty_like(values)
    team.run(prefix_sums, 4, values, np.zeros(4, np.int64), out)
    assert np.array_equal(out, np.cumsum(values) - values)


def check_full_team():
    """The next call has all members, and they do what they should."""
    while workers.busy:  # members whose caller was interrupted end by themselves
        time.sleep(1e-4)
    seen, sizes = np.zeros(8, np.int64), np.zeros(8, np.int64)
    team.run(record_call, 3, seen, sizes)
    assert seen.tolist() == [1, 1, 1, 0, 0, 0, 0, 0]
    assert sizes.tolist() == [3, 3, 3, 0, 0, 0, 0, 0]
    errors = np.zeros(1, np.int64)
    team.run(rotate, 3, np.zeros(3, np.int64), errors, 2)
    assert errors[0] == 0


def dismiss_workers():
    """End all threads, and forget them."""
    others = _thread._count() - len(workers.hired)
    for worker in workers.hired:
        worker.calls.put(sys.exit)
    while _thread._count() > others:
        time.sleep(1e-4)
    workers.forget()
