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

import operator
import os
from _thread import LockType, allocate_lock, start_new_thread
from collections import deque
from collections.abc import Callable
from functools import partial
from itertools import chain, islice, repeat
from queue import SimpleQueue
from typing import Any

import numpy as np
from numba import typeof
from numpy import ndarray
from numpy.typing import NDArray

from warpath.parallel.atomics import (
    atomic_add,
    atomic_load,
    atomic_store,
    spin_hint,
    yield_core,
)
from warpath.parallel.jit import compiled, inlined

# Both counters stand on cache lines of their own (64 bytes, 8 int64).
_ARRIVED, _GENERATION, _SYNC_LENGTH = 0, 8, 16
_INT64 = np.dtype(np.int64)
# Some 2 µs, longer than most waits. Two threads of a team that share a core burn it for
# nothing while one of them spins (measured: 15 times slower than one thread with 2000).
_SPINS_BEFORE_YIELD = 64


@inlined
def back_off(spins):  # type: ignore[no-untyped-def]
    """Pass a moment of waiting, the ``spins``-th one: soon by leaving the core to others."""
    if spins < _SPINS_BEFORE_YIELD:
        spin_hint()
    else:
        yield_core()


@compiled
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


@compiled
def share(total, thread, threads):  # type: ignore[no-untyped-def]
    """``(begin, end)`` of this thread's equal share of ``total`` items."""
    return total * thread // threads, total * (thread + 1) // threads


class _Worker:
    """A thread that waits for one call at a time, for as long as the process lives."""

    def __init__(self) -> None:
        self.calls: SimpleQueue[Callable[[], object]] = SimpleQueue()


# Whether a team starts, at the key None. The first who sets it decides.
_Decision = dict[None, bool]
_KEY, _YES, _IF_YES = (None,), (True,), {True: None}

_workers: list[_Worker] = []
# Each worker is idle, or it is in the team whose decision stands here. A caller moves a worker to its
# team, only the worker itself moves back.
_idle: dict[_Worker, _Worker] = {}
_busy: dict[_Worker, _Decision] = {}
# A thread that has not begun by then is not waited for: one that runs out of memory as it begins
# ends without a word.
_SECONDS_TO_BEGIN = 5.0


def _forget_workers() -> None:
    """A forked child has none of its parent's threads."""
    _workers.clear()
    _idle.clear()
    _busy.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_workers)


def _work(wanted: int, begun: LockType) -> None:
    """What a worker's thread does; it ends if there are ``wanted`` workers without it."""
    worker = _Worker()
    _workers.append(worker)
    surplus = len(_workers) > wanted  # an interrupted caller did not see that one had begun
    if surplus:
        _workers.remove(worker)
    else:
        _idle[worker] = worker
    begun.release()
    while not surplus:
        worker.calls.get()()


def _hire(wanted: int) -> None:
    """Start threads until there are ``wanted`` workers, or as many as the system grants."""
    while len(_workers) < wanted:
        begun = allocate_lock()
        begun.acquire()
        try:
            start_new_thread(_work, (wanted, begun))
        except (MemoryError, RuntimeError) as error:
            if error.__traceback__ is not None and error.__traceback__.tb_next is not None:
                raise  # a signal handler's
            return
        if not begun.acquire(timeout=_SECONDS_TO_BEGIN):
            return


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
    traverse at once share the cores instead of waiting for each other. It is smaller, too, when
    the system has no memory for more threads.

    An exception of a signal handler (Ctrl-C) comes out when the kernel has ended, and a second one
    at once: then the other members end by themselves.
    """
    limit = num_threads() - 1
    wanted = threads - 1 if threads <= limit else limit
    if len(_workers) < wanted + len(_busy):
        _hire(min(wanted + len(_busy), limit))
    while (room := min(wanted, limit - len(_busy))) > 0 and _idle:
        if _run_with(list(islice(reversed(_idle), room)), kernel, args):
            return
        wanted -= 1
    kernel(0, 1, np.zeros(_SYNC_LENGTH, _INT64), *args)


def _run_with(workers: list[_Worker], kernel: Callable[..., Any], args: tuple[Any, ...]) -> bool:
    """Run a kernel on the caller and all of ``workers``; False if one of them was not idle.

    A signal handler may raise between any two steps of the caller's Python code. If that happened after
    the workers have their calls and before the caller runs its own part, they would wait for it
    at a barrier for ever. So one call of C functions, in which no handler runs, does all of it:
    it takes the workers, gives them their calls, decides that the team starts and runs the caller's
    part. If it fails before the decision, the team is called off: each member that finds
    no decision makes it.
    """
    size = len(workers) + 1
    sync: NDArray[np.int64] = np.zeros(_SYNC_LENGTH, _INT64)
    entry = _compile_first(kernel, size, sync, args)
    decision: _Decision = {}
    errors: list[BaseException] = []

    def member(worker: _Worker, thread: int, finished: LockType) -> None:
        if _busy.get(worker) is not decision:
            return  # it was not taken for this team, or has served it
        try:
            if decision.setdefault(None, False):
                entry(thread, size, sync, *args)
        except BaseException as caught:  # handed to the caller, who raises it
            errors.append(caught)
        del _busy[worker]
        _idle[worker] = worker
        finished.release()

    puts, members, finished = [], [], []
    for thread, worker in enumerate(workers, 1):
        lock = allocate_lock()
        lock.acquire()
        finished.append(lock)
        puts.append(worker.calls.put)
        members.append(partial(member, worker, thread, lock))
    starting = chain(
        map(_busy.setdefault, map(_idle.pop, workers), repeat(decision)),  # KeyError: not idle
        map(operator.call, puts, members),
        map(_IF_YES.__getitem__, map(decision.setdefault, _KEY, _YES)),  # KeyError: called off
        map(operator.call, (partial(entry, 0, size, sync, *args),)),
    )
    again = map(operator.call, puts, members)
    try:
        deque(starting, 0)
    except BaseException as error:
        deque(again, 0)  # so that each worker taken goes back; no effect if the team has started
        if decision.setdefault(None, False):
            _wait(finished)
        elif isinstance(error, KeyError):
            return False
        raise
    _wait(finished)
    if errors:
        raise errors[0]
    return True


def _wait(finished: list[LockType]) -> None:
    for lock in finished:
        lock.acquire()


_compiled: dict[tuple[Any, ...], Callable[..., Any]] = {}


def _compile_first(
    kernel: Any, size: int, sync: NDArray[np.int64], args: tuple[Any, ...]
) -> Callable[..., Any]:
    """The kernel's machine code for these arguments: a C function that looks at no types.

    Compiled before the team starts: a member that fails to compile would strand the rest.
    """
    key = (kernel, *map(_kind, args))
    entry = _compiled.get(key)
    if entry is None:  # Numba takes some 0.1 ms to find that out
        signature = tuple(typeof(arg) for arg in (0, size, sync, *args))
        entry = _compiled[key] = kernel.compile(signature)
    return entry


def _kind(arg: Any) -> Any:
    """What Numba's type of an argument depends on, and may depend on more than that type."""
    if isinstance(arg, ndarray):
        return arg.dtype, arg.ndim, arg.flags.num
    if isinstance(arg, tuple):
        return type(arg), *map(_kind, arg)
    if isinstance(arg, np.generic):
        return arg.dtype
    if type(arg) is int:
        return int, arg.bit_length() < 64
    return type(arg) if type(arg) in (float, bool) else typeof(arg)
