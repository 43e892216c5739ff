"""Frontiers expanded by an operator: `warpath.advance` and `warpath.traverse` on the CPU.

The kernel is compiled for each operator: `warpath.cpu.specialized` replaces the one below, which accepts every
edge, by the operator's own text.

What is in the encoding:

- The frontier is ``queue[iteration % 2, :size]``. Threads take chunks of it; what a thread finds it gathers in a
  list of its own, which goes to the other queue when it is full, at a place that one atomic addition gives.
- ``stamps[v]`` is the last iteration whose edges put v in a queue. The first to exchange it puts v there, so a
  queue has each vertex once. Stamps need no clearing.
- Bottom-up, threads take chunks of all vertices and look at the edges that come in. The frontier's stamps
  say which vertices are in it, so there are two sets of stamps, which alternate.
- Three sets of counters rotate, so one barrier ends an iteration: one set is in use, one is read, one cleared.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.arcs import arcs_of
from warpath.cpu.specialized import kernel_for
from warpath.cpu.unsigned import ONE, ZERO
from warpath.graph.graph import Graph
from warpath.language.python import source
from warpath.language.tree import Function
from warpath.parallel import team
from warpath.parallel.atomics import atomic_add, atomic_exchange, unowned
from warpath.parallel.jit import compiled, inlined
from warpath.parallel.sync import barrier, stopping_at

_CHUNK = 64  # vertices that a thread takes at a time: a guess
LIST = 1024  # vertices that a thread gathers
COUNTERS = 3 * 16  # three sets, a cache line for each number
_TAKEN, _FOUND = 0, 8


# OPERATOR {
@inlined
def operator(u_, v_, w_, faults):  # type: ignore[no-untyped-def]
    """What an edge does; whether v enters the next frontier."""
    return True


# } OPERATOR


class Run(NamedTuple):
    """A traversal, for the kernel.

    ``queue`` (2, n) holds ``size`` vertices in its first row; ``stamps`` is (1, n), or (2, n) for ``pull``, zeros.
    ``lists`` has a row for each thread. ``outcome`` becomes the iterations, and the size of the frontier that is
    left, in row ``iterations % 2`` of the queue.
    """

    offsets: Any
    indices: Any
    pull: Any
    queue: Any
    size: Any
    stamps: Any
    lists: Any
    counters: Any
    max_iterations: Any
    outcome: Any


@inlined
def _keep(run, thread, kept, there, set_, iteration, v):  # type: ignore[no-untyped-def]
    """Put v in my list, unless it is in the next frontier already; the list's length."""
    stamps = run.stamps[iteration % np.uint64(run.stamps.shape[0])]
    if atomic_exchange(stamps, v, np.int32(iteration)) == np.int32(iteration):
        return kept
    run.lists[thread, kept] = v
    kept += ONE
    if kept == np.uint64(LIST):
        kept = _flush(run, thread, kept, there, set_)
    return kept


@inlined
def _flush(run, thread, kept, there, set_):  # type: ignore[no-untyped-def]
    """Put my list at the end of the next frontier."""
    place = np.uint64(atomic_add(run.counters, set_ + np.uint64(_FOUND), np.int64(kept)))
    for i in range(kept):
        run.queue[there, place + i] = run.lists[thread, i]
    return ZERO


@inlined
def _expand(run, thread, kept, here, set_, iteration, u, weights, arguments, faults):  # type: ignore[no-untyped-def]
    """Follow the edges out of u."""
    for arc in range(np.uint64(run.offsets[u]), np.uint64(run.offsets[u + ONE])):
        v = np.uint64(run.indices[arc])
        w = np.int32(1) if weights is None else weights[arc]
        if operator(np.int32(u), np.int32(v), w, *arguments, faults):
            kept = _keep(run, thread, kept, ONE - here, set_, iteration, v)
    return kept


@inlined
def _gather(run, thread, kept, here, set_, iteration, v, weights, arguments, faults):  # type: ignore[no-untyped-def]
    """Look at the edges into v that leave the frontier."""
    before = run.stamps[(iteration - ONE) % np.uint64(run.stamps.shape[0])]
    for arc in range(np.uint64(run.offsets[v]), np.uint64(run.offsets[v + ONE])):
        u = np.uint64(run.indices[arc])
        if before[u] == np.int32(iteration - ONE):
            w = np.int32(1) if weights is None else weights[arc]
            if operator(np.int32(u), np.int32(v), w, *arguments, faults):
                kept = _keep(run, thread, kept, ONE - here, set_, iteration, v)
    return kept


@compiled
def kernel(thread, threads, sync, run, weights, arguments, faults):  # type: ignore[no-untyped-def]
    """All iterations; ``run.offsets`` and ``indices`` are of the reverse graph for ``pull``."""
    run = unowned(run)
    me = np.uint64(thread)
    n = np.uint64(run.queue.shape[1])
    size = np.uint64(run.size)
    iteration = ONE
    here = ZERO
    if run.pull and thread == 0:
        for i in range(size):
            run.stamps[ONE, run.queue[ZERO, i]] = 1
    barrier(sync, threads)  # the first frontier is marked
    while size > ZERO and iteration <= run.max_iterations:
        iteration += ONE
        set_ = (iteration % np.uint64(3)) * np.uint64(16)
        if thread == 0:
            behind = ((iteration + ONE) % np.uint64(3)) * np.uint64(16)
            run.counters[behind + np.uint64(_TAKEN)] = 0
            run.counters[behind + np.uint64(_FOUND)] = 0
        kept = ZERO
        total = n if run.pull else size
        while True:
            first = np.uint64(atomic_add(run.counters, set_ + np.uint64(_TAKEN), np.int64(_CHUNK)))
            if first >= total or stopping_at(sync, first):
                break
            for i in range(first, np.minimum(first + np.uint64(_CHUNK), total)):
                if run.pull:
                    kept = _gather(
                        run, me, kept, here, set_, iteration, i, weights, arguments, faults
                    )
                else:
                    u = np.uint64(run.queue[here, i])
                    kept = _expand(
                        run, me, kept, here, set_, iteration, u, weights, arguments, faults
                    )
        _flush(run, me, kept, ONE - here, set_)
        if barrier(sync, threads):  # the next frontier and its size are there
            return
        size = np.uint64(run.counters[set_ + np.uint64(_FOUND)])
        here = ONE - here
    if thread == 0:
        run.outcome[0] = np.int64(iteration) - 1
        run.outcome[1] = np.int64(size)


def traverse(
    graph: Graph,
    vertices: NDArray[np.int32],
    function: Function,
    arguments: tuple[Any, ...],
    pull: bool,
    max_iterations: int,
    threads: int,
    faults: NDArray[np.int64],
    checks: bool,
) -> tuple[NDArray[np.int32], int]:
    """Expand a frontier until it is empty, or for ``max_iterations``.

    Parameters
    ----------
    graph : Graph
    vertices : int32 array, shape (k,)
        The first frontier, each vertex once.
    function : Function
        An operator on edges.
    arguments : tuple of arrays and NumPy's scalars
        Its arrays, then its numbers.
    pull : bool
        Whether vertices look at the edges that come in.
    max_iterations, threads : int
    faults : int64 array, shape (4,)
        Zeros; with ``checks`` they say which index was out of range: `warpath.cpu.arithmetic`.

    Returns
    -------
    vertices : int32 array
        The frontier that is left.
    iterations : int

    Notes
    -----
    Takes 12 bytes per vertex, 16 with ``pull``.
    """
    followed = graph.reverse if pull else graph
    arcs, n = arcs_of(followed), graph.num_vertices
    queue = np.empty((2, n), np.uint32)
    queue[0, : len(vertices)] = vertices
    outcome = np.zeros(2, np.int64)
    run = Run(
        arcs.offsets, arcs.indices, pull, queue, len(vertices), np.zeros((1 + pull, n), np.int32),
        np.empty((threads, LIST), np.uint32), np.zeros(COUNTERS, np.int64), np.uint64(max_iterations), outcome,
    )  # fmt: skip
    weights = followed.weights if function.takes_weight else None
    specialized = kernel_for(__name__, source(function, checks=checks))
    team.run(specialized, threads, run, weights, arguments, faults)
    iterations, size = outcome.tolist()
    return queue[iterations % 2, :size].view(np.int32), iterations
