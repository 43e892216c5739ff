"""A team: the threads that run one kernel together, and the barrier at which they meet.

A kernel is a Numba function ``kernel(thread, threads, sync, *args)``, compiled
with ``nogil=True``. `run` calls it once on each of ``threads`` threads, of which
the caller's is number 0, and returns when all have returned. Between its steps the
kernel calls ``barrier(sync, threads)``: what any member wrote before the barrier is
visible to every member after it. This is the CPU's counterpart of a persistent GPU
kernel, and the reason is the same: a road network takes thousands of short steps,
and a barrier here costs some 0.2 µs where starting a parallel loop costs 5 to 50.

A kernel must not raise: the others would wait for it for ever. It returns an
error by writing a code into an array that its caller reads.
"""

import os
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from warpath.parallel.atomics import (
    atomic_add,
    atomic_load,
    atomic_store,
    spin_hint,
    yield_core,
)

# Both counters stand on cache lines of their own (64 bytes, 8 int64).
_ARRIVED, _GENERATION, _SYNC_LENGTH = 0, 8, 16
# Some 2 µs, longer than most waits. Two threads of a team that share a core burn it for
# nothing while one of them spins (measured: 15 times slower than one thread with 2000).
_SPINS_BEFORE_YIELD = 64


@njit(nogil=True, cache=True, forceinline=True)
def back_off(spins):  # type: ignore[no-untyped-def]
    """Pass a moment of waiting, the ``spins``-th one: soon by leaving the core to others."""
    if spins < _SPINS_BEFORE_YIELD:
        spin_hint()
    else:
        yield_core()


@njit(nogil=True, cache=True)
def barrier(sync, threads):  # type: ignore[no-untyped-def]
    """Wait until every member of the team is here."""
    if threads == 1:
        return
    generation = atomic_load(sync, _GENERATION)
    if atomic_add(sync, _ARRIVED, 1) == threads - 1:
        atomic_store(sync, _ARRIVED, 0)
        atomic_store(sync, _GENERATION, generation + 1)
        return
    spins = 0
    while atomic_load(sync, _GENERATION) == generation:
        spins += 1
        back_off(spins)


@njit(nogil=True, cache=True)
def share(total, thread, threads):  # type: ignore[no-untyped-def]
    """``(begin, end)`` of this thread's equal share of ``total`` items."""
    return total * thread // threads, total * (thread + 1) // threads


class _Worker(threading.Thread):
    """A thread that waits for one call at a time, for as long as the process lives."""

    def __init__(self) -> None:
        super().__init__(name="warpath-worker", daemon=True)
        self.calls: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self.start()

    def run(self) -> None:
        while True:
            self.calls.get()()


_idle: list[_Worker] = []
_busy = 0
_lock = threading.Lock()


def _forget_workers() -> None:
    """A forked child has none of its parent's threads."""
    global _busy, _lock
    _idle.clear()
    _busy = 0
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_workers)


def _take_workers(wanted: int) -> list[_Worker]:
    """At most ``wanted`` workers that nobody else uses; none rather than wait."""
    global _busy
    with _lock:
        count = max(0, min(wanted, num_threads() - 1 - _busy))
        workers = [_idle.pop() if _idle else _Worker() for _ in range(count)]
        _busy += count
        return workers


def _return_workers(workers: list[_Worker]) -> None:
    global _busy
    with _lock:
        _idle.extend(workers)
        _busy -= len(workers)


_num_threads: int | None = None


def num_threads() -> int:
    """The most threads that one call uses.

    As `set_num_threads` said, else the environment's ``WARPATH_NUM_THREADS``, else
    the cores that this process may run on.
    """
    if _num_threads is not None:
        return _num_threads
    given = os.environ.get("WARPATH_NUM_THREADS", "")
    if given:
        if not given.isdecimal() or int(given) < 1:
            raise ValueError(f"WARPATH_NUM_THREADS must be a positive integer, not {given!r}")
        return int(given)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def set_num_threads(threads: int | None) -> None:
    """Use at most ``threads`` threads a call; None: the default again.

    Raises
    ------
    ValueError
        If ``threads`` is not a positive integer.
    """
    global _num_threads
    whole = isinstance(threads, int) and not isinstance(threads, bool)
    if threads is not None and (not whole or threads < 1):
        raise ValueError(f"the number of threads must be a positive integer, not {threads!r}")
    _num_threads = threads


def run(kernel: Callable[..., Any], threads: int, *args: Any) -> None:
    """Run ``kernel(thread, threads, sync, *args)`` on a team of at most ``threads``.

    The team is smaller when other calls hold the workers: two Python threads that
    traverse at once share the cores instead of waiting for each other.
    """
    workers = _take_workers(threads - 1)
    size = len(workers) + 1
    sync: NDArray[np.int64] = np.zeros(_SYNC_LENGTH, np.int64)
    done: SimpleQueue[BaseException | None] = SimpleQueue()

    def member(thread: int) -> None:
        error: BaseException | None = None
        try:
            kernel(thread, size, sync, *args)
        except BaseException as caught:  # handed to the caller, who raises it
            error = caught
        done.put(error)

    if not workers:
        kernel(0, 1, sync, *args)
        return
    errors: list[BaseException | None] = []
    try:
        _compile_first(kernel, size, sync, args)
        for thread, worker in enumerate(workers, 1):
            worker.calls.put(lambda thread=thread: member(thread))  # type: ignore[misc]
        try:
            kernel(0, size, sync, *args)
        finally:
            errors = [done.get() for _ in workers]
    finally:
        _return_workers(workers)
    for error in errors:
        if error is not None:
            raise error


_compiled: set[tuple[Any, ...]] = set()


def _compile_first(kernel: Any, size: int, sync: NDArray[np.int64], args: tuple[Any, ...]) -> None:
    """Compile before the team starts: a member that fails to compile would strand the rest."""
    from numba import typeof

    key = (kernel, *map(_kind, args))
    if key in _compiled:  # Numba takes some 0.1 ms to find that out
        return
    signature = tuple(typeof(arg) for arg in (0, size, sync, *args))
    kernel.compile(signature)
    _compiled.add(key)


def _kind(arg: Any) -> Any:
    """What Numba's type of an argument depends on, and may depend on more than that type."""
    if isinstance(arg, np.ndarray):
        return arg.dtype, arg.ndim, arg.flags.num
    if isinstance(arg, tuple):
        return type(arg), *map(_kind, arg)
    return (int, arg.bit_length() < 64) if type(arg) is int else type(arg)
