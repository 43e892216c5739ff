"""A team: the threads that run one kernel together, and the barrier at which they meet.

A kernel is a Numba function ``kernel(thread, threads, sync, *args)``, compiled
with ``nogil=True``. `run` calls it once on each of ``threads`` threads, of which
the caller's is number 0, and returns when all have returned. Between its steps the
kernel calls ``barrier(sync, threads)``: what any member wrote before the barrier is
visible to every member after it. This is the CPU's counterpart of a persistent GPU
kernel, and the reason is the same: a road network takes thousands of short steps.
A barrier here costs some 0.2 µs where starting a parallel loop costs 5 to 50.

A kernel must not raise: the others would wait for it for ever. It returns an
error by writing a code into an array that its caller reads.
"""

import operator
import os
from _thread import LockType, allocate_lock, start_new_thread
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain, islice, repeat
from queue import SimpleQueue
from threading import get_ident, main_thread
from typing import Any

import numpy as np
from numba import typeof
from numpy import ndarray
from numpy.typing import NDArray

from warpath.parallel import cores
from warpath.parallel.atomics import (
    atomic_add,
    atomic_exchange,
    atomic_load,
    atomic_store,
    spin_hint,
    yield_core,
)
from warpath.parallel.jit import compiled, inlined, outlined
from warpath.parallel.waiting import (
    CAN_SLEEP,
    milliseconds,
    raise_from,
    raised_by_signal,
    sleep_while,
    thread_identity,
    wake_all,
)

# What `sync` holds. The barrier's counters stand on cache lines of their own (64 bytes, 8 int64).
_ARRIVED, _GENERATION = 0, 8
_ASLEEP = 9  # members that sleep, or are about to
_STOPPED = 10  # the generation at which all members stop; 0: none
_STOP = 16  # whether the kernel is to end
_MAIN = 17  # the main thread, if it is the caller: only there do signal handlers run
_POLLED = 18  # when they last had an occasion to
_CALLS = 19
_RAISED = 20  # the exception that one has raised: 3 addresses
_SPINS = 23  # of a member that waits, before it sleeps
_RETURNED = 24  # workers that have returned from the kernel
_SYNC_LENGTH = 32
_INT64 = np.dtype(np.int64)
# Some 2 µs, longer than most waits. Two threads of a team that share a core burn it for
# nothing while one of them spins (measured: 15 times slower than one thread with 2000).
_SPINS_ON_SHARED_CORE = 64
# Some 0.2 ms. A thread that sleeps is back only after another process's time slice, or its core has
# gone to sleep as well. With another process on each core, SSSP on the 1000² grid takes 45 ms with
# this many and 104 with 1,000 (Zen 5, 2026-11).
_SPINS_ON_OWN_CORE = 10_000
_SPINS_TO_LET_CALLER_LEAVE = 256  # some 5 µs: a guess
_CALLS_PER_POLL = 64
_STEPS = np.uint64(4095)  # kernels without iterations ask `stopping` where ``step & _STEPS`` is 0
_MILLISECONDS_PER_POLL = 50


@inlined
def back_off(spins):  # type: ignore[no-untyped-def]
    """Pass a moment of waiting, the ``spins``-th one: soon by leaving the core to others."""
    if spins < _SPINS_ON_SHARED_CORE:
        spin_hint()
    else:
        yield_core()


@outlined
def barrier(sync, threads):  # type: ignore[no-untyped-def]
    """Wait until every member of the team is here; return whether the kernel is to end.

    All members get the same answer. Once it is True, it is at each later barrier, too; so a kernel
    may ignore it at some of them.
    """
    if threads == 1:
        sync[_CALLS] += 1
        if sync[_CALLS] % _CALLS_PER_POLL == 0:
            _poll(sync)
        return atomic_load(sync, _STOP) != 0
    _poll(sync)
    generation = atomic_load(sync, _GENERATION)
    if atomic_add(sync, _ARRIVED, 1) == threads - 1:
        atomic_store(sync, _ARRIVED, 0)
        if atomic_load(sync, _STOP) != 0 and sync[_STOPPED] == 0:
            sync[_STOPPED] = generation + 1
        atomic_exchange(sync, _GENERATION, generation + 1)  # before it looks for sleeping members
        if atomic_load(sync, _ASLEEP) != 0:
            wake_all(sync, _GENERATION)
    else:
        _wait_for_others(sync, generation)
    # A faster member may have gone on to a barrier at which the kernel stops.
    return 0 < atomic_load(sync, _STOPPED) <= generation + 1


@outlined
def _wait_for_others(sync, generation):  # type: ignore[no-untyped-def]
    """Spin, then sleep.

    A thread that yields instead gives its core away for a whole time slice of another process, in each
    iteration. With another process on each core, a BFS of the 1000² grid took 1,500 ms for 6.
    """
    for _ in range(sync[_SPINS]):
        if atomic_load(sync, _GENERATION) != generation:
            return
        spin_hint()
    atomic_add(sync, _ASLEEP, 1)
    while atomic_load(sync, _GENERATION) == generation:
        if CAN_SLEEP:
            sleep_while(sync, _GENERATION, generation)
        else:
            yield_core()
        _poll(sync)
    atomic_add(sync, _ASLEEP, -1)


@compiled
def _leave(thread, threads, sync):  # type: ignore[no-untyped-def]
    """End a call: a worker reports that it has returned from the kernel, the caller spins until all have.

    If the caller slept instead, for some microseconds, another process could take its core for a
    whole time slice. For the same reason a worker lets the caller have Python's global lock first.
    """
    if thread > 0:
        atomic_add(sync, _RETURNED, 1)
        for _ in range(_SPINS_TO_LET_CALLER_LEAVE):
            spin_hint()
    else:
        for _ in range(sync[_SPINS]):
            if atomic_load(sync, _RETURNED) == threads - 1:
                break
            spin_hint()


@outlined
def stopping(sync):  # type: ignore[no-untyped-def]
    """Whether the kernel is to end: for loops without barriers, each thousand steps.

    Members of a team get different answers for a while: `barrier` gives all the same one.
    """
    _poll(sync)
    return atomic_load(sync, _STOP) != 0


@inlined
def stopping_at(sync, step):  # type: ignore[no-untyped-def]
    """`stopping`, asked at every 4096th step of a loop."""
    return np.uint64(step) & _STEPS == np.uint64(0) and stopping(sync)


@outlined
def _poll(sync):  # type: ignore[no-untyped-def]
    """In the main thread, every 50 ms: let signal handlers run. If one raises, the kernel is to end."""
    if thread_identity() != sync[_MAIN]:
        return
    now = milliseconds()
    if now - sync[_POLLED] >= _MILLISECONDS_PER_POLL:
        sync[_POLLED] = now
        if atomic_load(sync, _STOP) == 0 and raised_by_signal(sync, _RAISED):
            atomic_store(sync, _STOP, 1)


@compiled
def share(total, thread, threads):  # type: ignore[no-untyped-def]
    """``(begin, end)`` of this thread's equal share of ``total`` items."""
    return total * thread // threads, total * (thread + 1) // threads


class _Worker:
    """A thread that waits for one call at a time, for as long as the process lives."""

    def __init__(self) -> None:
        self.calls: SimpleQueue[Callable[[], Callable[[], object] | None]] = SimpleQueue()
        self.bound = cores.UNBOUND

    def bind(self, to: cores.Binding) -> None:
        """Run on some cores only, from now on; called by the worker's own thread."""
        if to is not self.bound:
            self.bound = to
            to()


# Whether a team starts, at the key None. The first to set it decides.
_Decision = dict[None, bool]
# A kernel, and what stands for its arguments' types.
_Key = tuple[Callable[..., Any], Hashable]
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
        _serve(worker)


def _serve(worker: _Worker) -> None:
    """One call. What it held, as the caller's workspace, is freed before its last step."""
    leave = worker.calls.get()()
    if leave is not None:
        leave()


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
    the cores that this thread may run on, or fewer where a cgroup's quota grants less time.

    Returns
    -------
    int
        At least 1.

    See Also
    --------
    set_num_threads : Choose another number.

    Examples
    --------
    >>> import warpath as wp
    >>> wp.num_threads() >= 1
    True
    """
    if _num_threads is not None:
        return _num_threads
    given = os.environ.get("WARPATH_NUM_THREADS", "")
    if given:
        if not given.isdecimal() or int(given) < 1:
            raise ValueError(f"WARPATH_NUM_THREADS must be a positive integer, not {given!r}")
        return int(given)
    return cores.count()


def set_num_threads(threads: int | None) -> None:
    """Use at most ``threads`` threads a call; None: the default again.

    Parameters
    ----------
    threads : int or None
        At least 1, or None for the default.

    Raises
    ------
    ValueError
        If ``threads`` is not a positive integer.

    See Also
    --------
    num_threads : The number in use.

    Examples
    --------
    >>> import warpath as wp
    >>> wp.set_num_threads(1)
    >>> wp.num_threads()
    1
    >>> wp.set_num_threads(None)
    """
    global _num_threads
    whole = isinstance(threads, int) and not isinstance(threads, bool)
    if threads is not None and (not whole or threads < 1):
        raise ValueError(f"the number of threads must be a positive integer, not {threads!r}")
    _num_threads = threads


def run(kernel: Callable[..., Any], threads: int, *args: Any, like: Hashable = None) -> None:
    """Run ``kernel(thread, threads, sync, *args)`` on a team of at most ``threads``.

    The team is smaller when other calls hold the workers: two Python threads that
    traverse at once share the cores instead of waiting for each other. It is smaller, too, when
    the system has no memory for more threads.

    An exception of a signal handler (Ctrl-C) ends the kernel where it next asks `barrier` or `stopping`,
    and comes out then; what the kernel was to fill is then incomplete. A second one comes out at once,
    and the other members end by themselves.

    ``like`` stands for the types of the arguments: a kernel's calls with equal ones must have equal types.
    Without it the arguments are looked at, which for tuples of arrays takes longer than a small search.
    """
    if threads > 1:
        key = kernel, tuple(map(kind, args)) if like is None else like
        if _run_as_team(key, threads, args):
            return
    sync = _new_sync()
    # Numba looks at the types of plain arrays in less time than `kind`.
    alone = kernel if like is None else _entry((kernel, like), sync, args)
    alone(0, 1, sync, *args)
    _raise_if_stopped(sync)


def _run_as_team(key: _Key, threads: int, args: tuple[Any, ...]) -> bool:
    """Run a kernel on the caller and the workers that are to be had; False if that is none."""
    limit = num_threads() - 1
    wanted = min(threads - 1, limit)
    if len(_workers) < wanted + len(_busy):
        _hire(min(wanted + len(_busy), limit))
    while (room := min(wanted, limit - len(_busy))) > 0 and _idle:
        if _run_with(list(islice(reversed(_idle), room)), key, args):
            return True
        wanted -= 1
    return False


def _new_sync() -> NDArray[np.int64]:
    """What a team meets by."""
    sync: NDArray[np.int64] = np.zeros(_SYNC_LENGTH, _INT64)
    identity = get_ident()
    if identity == main_thread().ident:
        sync[_MAIN] = identity
    else:
        _last[identity] = sync
        sync[_STOP] = identity in _to_stop
    return sync


@contextmanager
def interruptible() -> Iterator[NDArray[np.int64]]:
    """``sync`` for a kernel that is called without a team, which asks `stopping`.

    The exception of a signal handler that ended the kernel comes out at the end of the block.
    """
    sync = _new_sync()
    yield sync
    _raise_if_stopped(sync)


def _raise_if_stopped(sync: NDArray[np.int64]) -> None:
    if sync[_STOP]:
        if sync[_RAISED]:
            raise_from(sync, _RAISED)
        raise Stopped


class Stopped(BaseException):
    """A thread's kernel was ended by `stopped`."""


# For threads other than the main one: the array of the barrier of their last kernel.
_last: dict[int, NDArray[np.int64]] = {}
_to_stop: set[int] = set()


@contextmanager
def stopped(identities: Sequence[int | None]) -> Iterator[None]:
    """End the kernels of some threads, other than the main one, and those that they begin.

    They are to end before the block does.
    """
    known = {identity for identity in identities if identity is not None}
    _to_stop.update(known)
    for identity in known:
        if identity in _last:
            _last[identity][_STOP] = 1
    try:
        yield
    finally:
        _to_stop.difference_update(known)
        for identity in known:
            _last.pop(identity, None)


def _run_with(workers: list[_Worker], key: _Key, args: tuple[Any, ...]) -> bool:
    """Run a kernel on the caller and all of ``workers``; False if one of them was not idle.

    A signal handler may raise between any two steps of the caller's Python code. If that happened after
    the workers have their calls and before the caller runs its own part, they would wait for it
    at a barrier for ever. So one call of C functions, in which no handler runs, does all of it.
    It takes the workers, gives them their calls, decides that the team starts, and runs the caller's
    part on a core of its own. If it fails before the decision, the team is called off: each member
    that finds no decision makes it.
    """
    size = len(workers) + 1
    sync = _new_sync()
    entry, leave = _entry(key, sync, args), _entry(_LEAVE, sync, ())
    decision: _Decision = {}
    errors: list[BaseException] = []

    def member(worker: _Worker, thread: int, finished: LockType) -> Callable[[], object] | None:
        if _busy.get(worker) is not decision:
            return None  # it was not taken for this team, or has served it
        try:
            worker.bind(bindings[thread])
            if decision.setdefault(None, False):
                entry(thread, size, sync, *args)
        except BaseException as caught:  # the caller raises it
            errors.append(caught)
        del _busy[worker]
        _idle[worker] = worker
        finished.release()
        return partial(leave, thread, size, sync)

    bindings, unbind, apart = cores.bindings(size)
    sync[_SPINS] = _SPINS_ON_OWN_CORE if apart else _SPINS_ON_SHARED_CORE
    puts, members, finished = [], [], []
    for thread, worker in enumerate(workers, 1):
        lock = allocate_lock()
        lock.acquire()
        finished.append(lock)
        puts.append(worker.calls.put)
        members.append(partial(member, worker, thread, lock))
    mine: list[Callable[[], Any]] = [
        bindings[0],
        partial(entry, 0, size, sync, *args),
        partial(leave, 0, size, sync),
        unbind,
    ]
    starting = chain(
        map(_busy.setdefault, map(_idle.pop, workers), repeat(decision)),  # KeyError: not idle
        map(operator.call, puts, members),
        map(_IF_YES.__getitem__, map(decision.setdefault, _KEY, _YES)),  # KeyError: called off
        map(operator.call, mine),
    )
    again = map(operator.call, puts, members)
    try:
        deque(starting, 0)
    except BaseException as error:
        unbind()
        deque(again, 0)  # so that each worker taken goes back; no effect if the team has started
        if decision.setdefault(None, False):
            sync[_STOP] = 1
            _wait(finished)
        elif isinstance(error, KeyError):
            return False
        raise
    try:
        _wait(finished)
    except BaseException:
        sync[_STOP] = 1
        raise
    if errors:
        raise errors[0]
    _raise_if_stopped(sync)
    return True


def _wait(finished: list[LockType]) -> None:
    for lock in finished:
        lock.acquire()


_LEAVE: _Key = _leave, None
_compiled: dict[_Key, Callable[..., Any]] = {}


def _entry(key: _Key, sync: NDArray[np.int64], args: tuple[Any, ...]) -> Callable[..., Any]:
    """The kernel's machine code for these arguments: a C function that looks at no types.

    Compiled before the team starts: a member that fails to compile would strand the rest.
    """
    entry = _compiled.get(key)
    if entry is None:  # Numba takes some 0.1 ms to find that out
        kernel: Any = key[0]
        entry = _compiled[key] = kernel.compile(tuple(map(typeof, (0, 1, sync, *args))))
    return entry


def kind(arg: Any) -> Any:
    """What Numba's type of an argument depends on, and may depend on more than that type."""
    if isinstance(arg, ndarray):
        return arg.dtype, arg.ndim, arg.flags.num
    if isinstance(arg, tuple):
        return type(arg), *map(kind, arg)
    if isinstance(arg, np.generic):
        return arg.dtype
    if type(arg) is int:
        return int, arg.bit_length() < 64
    return type(arg) if type(arg) in (float, bool) else typeof(arg)
