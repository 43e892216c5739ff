"""What the members of a team do with each other in a kernel: share work, meet at barriers, stop.

A kernel is ``kernel(thread, threads, sync, *args)``; `warpath.parallel.team` runs it. Between its steps it calls
``barrier(sync, threads)``: what any member wrote before the barrier is visible to every member after it. A
barrier costs some 0.2 µs.
"""

import numpy as np

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
    raised_by_signal,
    sleep_while,
    thread_identity,
    wake_all,
)

# What `sync` holds. The barrier's counters stand on cache lines of their own (64 bytes, 8 int64).
_ARRIVED, _GENERATION = 0, 8
_ASLEEP = 9  # members that sleep, or are about to
_STOPPED = 10  # the generation at which all members stop; 0: none
STOP = 16  # whether the kernel is to end
MAIN = 17  # the main thread, if it is the caller: only there do signal handlers run
_POLLED = 18  # when they last had an occasion to
_CALLS = 19
RAISED = 20  # the exception that one has raised: 3 addresses
SPINS = 23  # of a member that waits, before it sleeps
RETURNED = 24  # workers that have returned from the kernel
SLEPT = 25  # how often members have gone to sleep at a barrier
LENGTH = 32
# Some 2 µs, longer than most waits. Two threads of a team that share a core burn it for
# nothing while one of them spins (measured: 15 times slower than one thread with 2000).
SPINS_ON_SHARED_CORE = 64
# Some 0.2 ms. A thread that sleeps is back only after another process's time slice, or its core has
# gone to sleep as well. With another process on each core, SSSP on the 1000² grid takes 45 ms with
# this many and 104 with 1,000 (Zen 5, 2026-11).
SPINS_ON_OWN_CORE = 10_000
_SPINS_TO_LET_CALLER_LEAVE = 256  # some 5 µs: a guess
_CALLS_PER_POLL = 64
_STEPS = np.uint64(4095)  # kernels without iterations ask `stopping` where ``step & _STEPS`` is 0
_MILLISECONDS_PER_POLL = 50


@inlined
def back_off(spins):  # type: ignore[no-untyped-def]
    """Pass a moment of waiting, the ``spins``-th one: soon by leaving the core to others."""
    if spins < SPINS_ON_SHARED_CORE:
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
        return atomic_load(sync, STOP) != 0
    _poll(sync)
    generation = atomic_load(sync, _GENERATION)
    if atomic_add(sync, _ARRIVED, 1) == threads - 1:
        atomic_store(sync, _ARRIVED, 0)
        if atomic_load(sync, STOP) != 0 and sync[_STOPPED] == 0:
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
    for _ in range(sync[SPINS]):
        if atomic_load(sync, _GENERATION) != generation:
            return
        spin_hint()
    atomic_add(sync, SLEPT, 1)
    atomic_add(sync, _ASLEEP, 1)
    while atomic_load(sync, _GENERATION) == generation:
        if CAN_SLEEP:
            sleep_while(sync, _GENERATION, generation)
        else:
            yield_core()
        _poll(sync)
    atomic_add(sync, _ASLEEP, -1)


@compiled
def leave(thread, threads, sync):  # type: ignore[no-untyped-def]
    """End a call: a worker reports that it has returned from the kernel, the caller spins until all have.

    If the caller slept instead, for some microseconds, another process could take its core for a
    whole time slice. For the same reason a worker lets the caller have Python's global lock first.
    """
    if thread > 0:
        atomic_add(sync, RETURNED, 1)
        for _ in range(_SPINS_TO_LET_CALLER_LEAVE):
            spin_hint()
    else:
        for _ in range(sync[SPINS]):
            if atomic_load(sync, RETURNED) == threads - 1:
                break
            spin_hint()


@outlined
def stopping(sync):  # type: ignore[no-untyped-def]
    """Whether the kernel is to end: for loops without barriers, each thousand steps.

    Members of a team get different answers for a while: `barrier` gives all the same one.
    """
    _poll(sync)
    return atomic_load(sync, STOP) != 0


@inlined
def stopping_at(sync, step):  # type: ignore[no-untyped-def]
    """`stopping`, asked at every 4096th step of a loop."""
    return np.uint64(step) & _STEPS == np.uint64(0) and stopping(sync)


@outlined
def _poll(sync):  # type: ignore[no-untyped-def]
    """In the main thread, every 50 ms: let signal handlers run. If one raises, the kernel is to end."""
    if thread_identity() != sync[MAIN]:
        return
    now = milliseconds()
    if now - sync[_POLLED] >= _MILLISECONDS_PER_POLL:
        sync[_POLLED] = now
        if atomic_load(sync, STOP) == 0 and raised_by_signal(sync, RAISED):
            atomic_store(sync, STOP, 1)


@compiled
def share(total, thread, threads):  # type: ignore[no-untyped-def]
    """``(begin, end)`` of this thread's equal share of ``total`` items."""
    return total * thread // threads, total * (thread + 1) // threads
