"""A team: the threads that run one kernel together.

A kernel is a Numba function ``kernel(thread, threads, sync, *args)``, compiled
with ``nogil=True``. `run` calls it once on each of ``threads`` threads, of which
the caller's is number 0, and returns when all have returned. What the members do with each
other meanwhile is in `warpath.parallel.sync`. This is the CPU's counterpart of a persistent GPU
kernel, and the reason is the same: a road network takes thousands of short steps.
A barrier costs some 0.2 µs where starting a parallel loop costs 5 to 50.

A kernel must not raise: the others would wait for it for ever. It returns an
error by writing a code into an array that its caller reads.
"""

import operator
from _thread import LockType, allocate_lock
from collections import deque
from collections.abc import Callable, Hashable
from functools import partial
from itertools import chain, islice, repeat
from typing import Any

import numpy as np
from numba import typeof
from numpy import ndarray
from numpy.typing import NDArray

from warpath.parallel import contention, cores, workers
from warpath.parallel.interruption import new_sync, raise_if_stopped
from warpath.parallel.sync import (
    SLEPT,
    SPINS,
    SPINS_ON_OWN_CORE,
    SPINS_ON_SHARED_CORE,
    STOP,
    leave,
)
from warpath.parallel.thread_count import num_threads
from warpath.parallel.workers import Decision, Worker

# A kernel, and what stands for its arguments' types.
_Key = tuple[Callable[..., Any], Hashable]
_KEY, _YES, _IF_YES = (None,), (True,), {True: None}


def run(kernel: Callable[..., Any], threads: int, *args: Any, like: Hashable = None) -> None:
    """Run ``kernel(thread, threads, sync, *args)`` on a team of at most ``threads``.

    The team is smaller when other calls hold the workers: two Python threads that
    traverse at once share the cores instead of waiting for each other. It is smaller, too, when
    the system has no memory for more threads, or other processes keep some cores busy
    (`warpath.parallel.contention`).

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
    sync = new_sync()
    # Numba looks at the types of plain arrays in less time than `kind`.
    alone = kernel if like is None else _entry((kernel, like), sync, args)
    alone(0, 1, sync, *args)
    raise_if_stopped(sync)


def _run_as_team(key: _Key, threads: int, args: tuple[Any, ...]) -> bool:
    """Run a kernel on the caller and the workers that are to be had; False if that is none."""
    limit = num_threads() - 1
    wanted = min(threads - 1, limit)
    on = allowed = cores.allowed()
    if wanted < len(allowed):
        on = contention.cores_for(key[0], allowed)
        wanted = min(wanted, len(on) - 1)
    if len(workers.hired) < wanted + len(workers.busy):
        workers.hire(min(wanted + len(workers.busy), limit))
    while (room := min(wanted, limit - len(workers.busy))) > 0 and workers.idle:
        if _run_with(list(islice(reversed(workers.idle), room)), key, args, on, allowed):
            return True
        wanted -= 1
    return False


def _run_with(
    taken: list[Worker],
    key: _Key,
    args: tuple[Any, ...],
    on: frozenset[int],
    allowed: frozenset[int],
) -> bool:
    """Run a kernel on the caller and all of ``taken``; False if one of them was not idle.

    They run on the cores ``on``, of those that the caller is ``allowed``.

    A signal handler may raise between any two steps of the caller's Python code. If that happened after
    the workers have their calls and before the caller runs its own part, they would wait for it
    at a barrier for ever. So one call of C functions, in which no handler runs, does all of it.
    It takes the workers, gives them their calls, decides that the team starts, and runs the caller's
    part on a core of its own. If it fails before the decision, the team is called off: each member
    that finds no decision makes it.
    """
    size = len(taken) + 1
    sync = new_sync()
    entry, last = _entry(key, sync, args), _entry(_LEAVE, sync, ())
    decision: Decision = {}
    errors: list[BaseException] = []

    def member(worker: Worker, thread: int, finished: LockType) -> Callable[[], object] | None:
        if workers.busy.get(worker) is not decision:
            return None  # it was not taken for this team, or has served it
        try:
            worker.bind(spread.members[thread])
            if decision.setdefault(None, False):
                began = contention.Moment()
                entry(thread, size, sync, *args)
                tally.add(spread.cores[thread], began)
        except BaseException as caught:  # the caller raises it
            errors.append(caught)
        del workers.busy[worker]
        workers.idle[worker] = worker
        finished.release()
        return partial(last, thread, size, sync)

    spread, tally = cores.spread(size, on, allowed), contention.Tally()
    sync[SPINS] = SPINS_ON_OWN_CORE if spread.apart else SPINS_ON_SHARED_CORE
    puts, members, finished = [], [], []
    for thread, worker in enumerate(taken, 1):
        lock = allocate_lock()
        lock.acquire()
        finished.append(lock)
        puts.append(worker.calls.put)
        members.append(partial(member, worker, thread, lock))
    mine: list[Callable[[], Any]] = [
        spread.members[0],
        partial(entry, 0, size, sync, *args),
        partial(last, 0, size, sync),
        spread.back,
    ]
    starting = chain(
        map(
            workers.busy.setdefault, map(workers.idle.pop, taken), repeat(decision)
        ),  # KeyError: not idle
        map(operator.call, puts, members),
        map(_IF_YES.__getitem__, map(decision.setdefault, _KEY, _YES)),  # KeyError: called off
        map(operator.call, mine),
    )
    again = map(operator.call, puts, members)
    began = contention.Moment()
    try:
        deque(starting, 0)
    except BaseException as error:
        spread.back()
        deque(again, 0)  # so that each worker taken goes back; no effect if the team has started
        if decision.setdefault(None, False):
            sync[STOP] = 1
            _wait(finished)
        elif isinstance(error, KeyError):
            return False
        raise
    try:
        _wait(finished)
    except BaseException:
        sync[STOP] = 1
        raise
    tally.add(spread.cores[0], began)
    if size == len(allowed):
        contention.learn(key[0], allowed, tally, int(sync[SLEPT] * sync[SPINS]))
    if errors:
        raise errors[0]
    raise_if_stopped(sync)
    return True


def _wait(finished: list[LockType]) -> None:
    for lock in finished:
        lock.acquire()


_LEAVE: _Key = leave, None
_compiled: dict[_Key, Callable[..., Any]] = {}


def _entry(key: _Key, sync: NDArray[np.int64], args: tuple[Any, ...]) -> Callable[..., Any]:
    """The kernel's machine code for these arguments: a C function that looks at no types.

    Compiled before the team starts: a member that fails to compile would strand the rest.
    """
    entry = _compiled.get(key)
    if entry is None:  # Numba takes some 0.1 ms to find that out
        kernel: Any = key[0]
        entry = _compiled[key] = kernel.compile(signature(sync, args))
    return entry


def signature(sync: NDArray[np.int64], args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Numba's types of ``(thread, threads, sync, *args)``."""
    return tuple(map(typeof, (0, 1, sync, *args)))


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
