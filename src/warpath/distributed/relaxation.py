"""Relaxing arcs in a part, by a team of threads: near and far vertices.

A vertex that was lowered is *near* if it is below the current bucket's limit, else *far*. A team
relaxes the near vertices in rounds, each of which makes the near vertices of the next, until there is
none. Ghosts that were lowered are listed, for their owners. So a rank works on as long as it can alone, and
only then exchanges.

What is in the encoding:

- A distance and its predecessor change together: the predecessor is the vertex's lock
  (`warpath.cpu.relax`). So predecessors form a tree at any moment, with negative weights, too.
- The smallest of equally good predecessors is taken, so the answer does not depend on the order
  of relaxations. But an arc that does not lengthen the path could close a cycle: such an arc is never taken
  for an equal distance. Where one was taken for a smaller one, ``counters`` say so.
- ``state`` of a vertex says in which list it is. It is cleared before the distance is read: a vertex that is
  lowered afterwards is listed again.
- Each thread appends to a list through a buffer, whose first element is its length.
- Cursors and lengths of the rounds rotate in sets of three, so one barrier ends a round.
"""

from typing import Any, NamedTuple

import numpy as np

from warpath.cpu.arcs import arc_range
from warpath.cpu.counters import LINE
from warpath.cpu.relax import add, lock, unlock
from warpath.parallel.atomics import (
    atomic_add,
    atomic_compare_and_swap,
    atomic_exchange,
    atomic_min,
    prefetch,
    unowned,
)
from warpath.parallel.jit import compiled, inlined
from warpath.parallel.sync import barrier, share

FREE, NEAR, FAR = 0, 1, 2  # states

# Counters. Of the lists; of what was done since they were last cleared; which of the two near and of the two
# far lists is in use; then three sets of a round's cursor and length.
(
    NEAR_COUNT, FAR_COUNT, GHOST_COUNT, EXPANDED, RELAXED, REFUSED, FELL_SHORT, LEVEL_ARCS, NEAR_SIDE, FAR_SIDE, _ROUNDS,
) = (LINE * i for i in range(11))  # fmt: skip
_CURSOR, _FOUND, _SET = 0, LINE, 2 * LINE
COUNTERS = _ROUNDS + 3 * _SET

_CHUNK = 32  # vertices that a thread takes at once: a guess
BUFFER = 256  # elements of a thread's buffer of one list: a guess
BUFFERS = 3
_TO_NEAR, _TO_FAR, _TO_GHOSTS = range(BUFFERS)
_AHEAD = 8  # vertices between asking for a vertex's arcs and its turn: a guess


class Lowering(NamedTuple):
    """The distances of a part's vertices while they are lowered, for kernels.

    ``ids`` are vertex numbers' ids, ``begin`` and ``end`` the owned numbers. Sums above ``farthest`` are no
    distances, and longer ones than ``cutoff`` not asked for. ``ties``: whether an equally good
    predecessor with a smaller id is taken, which needs weights of 0 or more.
    """

    arcs: Any
    ids: Any
    begin: Any
    end: Any
    farthest: Any
    cutoff: Any
    ties: Any
    distance: Any
    predecessor: Any
    state: Any
    near: Any  # two lists
    far: Any  # two lists
    ghosts: Any
    buffers: Any  # three of each thread
    counters: Any


@inlined
def flush(buffer, queue, counters, at):  # type: ignore[no-untyped-def]
    """Append my buffer to a list, whose length stands in ``counters[at]``."""
    count = buffer[0]
    place = np.uint64(atomic_add(counters, at, np.int64(count)))
    for i in range(np.uint64(count)):
        queue[place + i] = buffer[i + np.uint64(1)]
    buffer[0] = 0


@inlined
def append(v, buffer, queue, counters, at):  # type: ignore[no-untyped-def]
    """Add v to my buffer of a list."""
    count = buffer[0] + 1
    buffer[np.uint64(count)] = v
    buffer[0] = count
    if count == BUFFER - 1:
        flush(buffer, queue, counters, at)


@inlined
def _becomes(state, v, before, after, threads):  # type: ignore[no-untyped-def]
    """Whether I am the thread that moves v from one state to another."""
    if threads == 1:
        moves = state[v] == before
        if moves:
            state[v] = after
        return moves
    return state[v] == before and atomic_compare_and_swap(state, v, before, after) == before


@inlined
def _is_new_near(state, v, threads):  # type: ignore[no-untyped-def]
    """Whether I am the thread that makes v near.

    It asks by an exchange: a load could overtake the store of v's distance. Then the thread that clears the state
    would read the old distance, and no thread would list v.
    """
    if threads == 1:
        is_new = state[v] != NEAR
        state[v] = NEAR
        return is_new
    return atomic_exchange(state, v, NEAR) != NEAR


@inlined
def _lower(this, thread, threads, parent, v, total, lengthens, limit, near, found):  # type: ignore[no-untyped-def]
    """Make ``total`` v's distance and ``parent`` its predecessor, if that is better; list v if it was."""
    distance, predecessor, counters = this.distance, this.predecessor, this.counters
    d = distance[v]
    if total > d:
        return
    if total == d and (
        not this.ties or not lengthens or np.uint32(predecessor[v]) <= np.uint32(parent)
    ):
        return  # unless it is locked: then the number is larger
    held = lock(predecessor, v, threads)
    d = distance[v]
    if total < d:
        distance[v] = total
        unlock(predecessor, v, parent, threads)
    elif total == d and this.ties and lengthens and parent < held:
        unlock(predecessor, v, parent, threads)
    else:
        unlock(predecessor, v, held, threads)
        return
    if not lengthens:
        counters[LEVEL_ARCS] = 1
    buffers = this.buffers[thread]
    if v < this.begin or v >= this.end:
        if _becomes(this.state, v, FREE, NEAR, threads):
            append(v, buffers[_TO_GHOSTS], this.ghosts, counters, GHOST_COUNT)
        return
    if total == d:
        return  # its distance is what it was
    if total < limit:
        prefetch(this.arcs.offsets, v)
        if _is_new_near(this.state, v, threads):
            append(v, buffers[_TO_NEAR], near, counters, found)
    elif _becomes(this.state, v, FREE, FAR, threads):
        append(v, buffers[_TO_FAR], this.far[counters[FAR_SIDE]], counters, FAR_COUNT)


@inlined
def _weight(weights, arc):  # type: ignore[no-untyped-def]
    if weights is None:  # known when this is compiled
        return np.int32(1)
    return weights[arc]


@inlined
def _prefetch_weight(weights, arc):  # type: ignore[no-untyped-def]
    if weights is not None:
        prefetch(weights, arc)


@inlined
def _relax_vertex(this, thread, threads, u, limit, near, found):  # type: ignore[no-untyped-def]
    """Relax u's arcs; how many, and how many sums were too large."""
    if threads == 1:
        this.state[u] = FREE
    else:
        atomic_exchange(this.state, u, FREE)  # before its distance is read
    du = this.distance[u]
    first, last = arc_range(this.arcs, u)
    parent = this.ids[u]
    refused = np.int64(0)
    for arc in range(first, last):
        v = np.uint64(this.arcs.indices[arc])
        weight = _weight(this.arcs.weights, arc)
        total = add(du, weight)
        d = this.distance[v]
        if weight < 0 and total > du:
            this.counters[FELL_SHORT] = 1  # an integer below its dtype
            continue
        if total > d:
            refused += np.int64(d > this.farthest)  # too large for the first distance of v
            continue
        if (total < du and weight >= 0) or total > this.farthest:
            refused += 1
        elif total <= this.cutoff:
            _lower(this, thread, threads, parent, v, total, total > du, limit, near, found)
    return last - first, refused


@compiled
def relax(thread, threads, sync, this, limit, max_rounds):  # type: ignore[no-untyped-def]
    """Relax the arcs of near vertices, in rounds, until there is none; list the ghosts that are lowered."""
    this = unowned(this)
    counters = this.counters
    count, side = counters[NEAR_COUNT], counters[NEAR_SIDE]
    expanded = np.int64(0)
    relaxed = np.uint64(0)
    refused = np.int64(0)
    if thread == 0:
        counters[_ROUNDS:] = 0
    this.buffers[thread, :, 0] = 0
    barrier(sync, threads)  # counters of the rounds are 0, and all threads have read the others
    step = 0
    while count > 0 and step < max_rounds:
        cursor = _ROUNDS + _SET * (step % 3)
        found = cursor + _FOUND
        after = _ROUNDS + _SET * ((step + 1) % 3)
        if thread == 0:
            counters[after + _CURSOR] = 0
            counters[after + _FOUND] = 0
        here, near = this.near[side], this.near[1 - side]
        while True:
            if threads == 1:
                first, last = np.int64(0), count
            else:
                first = atomic_add(counters, cursor, _CHUNK)
                last = np.minimum(first + _CHUNK, count)
            if first >= count:
                break
            for i in range(np.uint64(first), np.uint64(last)):
                if i + np.uint64(_AHEAD) < np.uint64(last):
                    begin = np.uint64(this.arcs.offsets[here[i + np.uint64(_AHEAD)]])
                    prefetch(this.arcs.indices, begin)
                    _prefetch_weight(this.arcs.weights, begin)
                arcs, too_large = _relax_vertex(
                    this, thread, threads, np.uint64(here[i]), limit, near, found
                )
                relaxed += arcs
                refused += too_large
                expanded += 1
            if threads == 1:
                break
        flush(this.buffers[thread, _TO_NEAR], near, counters, found)
        if barrier(sync, threads):  # the next near list is complete
            return
        count, side = counters[found], 1 - side
        step += 1
    flush(this.buffers[thread, _TO_FAR], this.far[counters[FAR_SIDE]], counters, FAR_COUNT)
    flush(this.buffers[thread, _TO_GHOSTS], this.ghosts, counters, GHOST_COUNT)
    atomic_add(counters, EXPANDED, expanded)
    atomic_add(counters, RELAXED, np.int64(relaxed))
    atomic_add(counters, REFUSED, np.int64(refused))
    if thread == 0:
        counters[NEAR_COUNT], counters[NEAR_SIDE] = count, side


@compiled
def accept(thread, threads, sync, this, limit, told, values, parents):  # type: ignore[no-untyped-def]
    """Lower owned vertices to what other ranks tell."""
    this = unowned(this)
    this.buffers[thread, :, 0] = 0
    near = this.near[this.counters[NEAR_SIDE]]
    first, last = share(told.shape[0], thread, threads)
    for i in range(np.uint64(first), np.uint64(last)):
        # A rank tells of an equal distance only if the arc lengthens the path.
        _lower(
            this, thread, threads, parents[i], np.uint64(told[i]), values[i], True, limit, near, NEAR_COUNT
        )  # fmt: skip
    flush(this.buffers[thread, _TO_NEAR], near, this.counters, NEAR_COUNT)
    flush(
        this.buffers[thread, _TO_FAR], this.far[this.counters[FAR_SIDE]], this.counters, FAR_COUNT
    )


@compiled
def split(thread, threads, sync, this, limit):  # type: ignore[no-untyped-def]
    """Move what is below the limit from far to near; drop what was near meanwhile."""
    this = unowned(this)
    counters, distance, state = this.counters, this.distance, this.state
    this.buffers[thread, :, 0] = 0
    count, side = counters[FAR_COUNT], counters[FAR_SIDE]
    here, there, near = this.far[side], this.far[1 - side], this.near[counters[NEAR_SIDE]]
    barrier(sync, threads)  # all threads have read the counters
    if thread == 0:
        counters[FAR_COUNT], counters[FAR_SIDE], counters[NEAR_COUNT] = 0, 1 - side, 0
    barrier(sync, threads)  # the new lists are empty
    first, last = share(count, thread, threads)
    for i in range(np.uint64(first), np.uint64(last)):
        v = np.uint64(here[i])
        if state[v] != FAR:
            continue
        if distance[v] < limit:
            state[v] = NEAR
            append(v, this.buffers[thread, _TO_NEAR], near, counters, NEAR_COUNT)
        else:
            append(v, this.buffers[thread, _TO_FAR], there, counters, FAR_COUNT)
    flush(this.buffers[thread, _TO_NEAR], near, counters, NEAR_COUNT)
    flush(this.buffers[thread, _TO_FAR], there, counters, FAR_COUNT)


@compiled
def least_far(thread, threads, sync, this, least):  # type: ignore[no-untyped-def]
    """Lower ``least[0]`` to the least distance of a far vertex."""
    this = unowned(this)
    far, count = this.far[this.counters[FAR_SIDE]], this.counters[FAR_COUNT]
    first, last = share(count, thread, threads)
    mine = least[0]
    barrier(sync, threads)  # all threads have read it
    for i in range(np.uint64(first), np.uint64(last)):
        v = np.uint64(far[i])
        if this.state[v] == FAR and this.distance[v] < mine:
            mine = this.distance[v]
    atomic_min(least, 0, mine)
