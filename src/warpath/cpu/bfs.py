"""Breadth-first search that turns round: top-down, bottom-up, and both in turn.

Source: S. Beamer, K. Asanović, D. Patterson, "Direction-optimizing breadth-first
search", SC 2012; α and β as in the GAP benchmark.

What is in the encoding:

- A frontier is the window ``queue[begin:end]``. What chunks find grows behind it; the other
  forms write a new queue.
- ``front``, ``next_front`` and ``unreached`` are bitmaps, 64 vertices per word. A bottom-up
  step walks the set bits of ``unreached`` (vertices without arcs are not among them) and
  writes each word of ``next_front`` once, by the thread that took it: no atomics, no
  clearing.
- Three sets of counters rotate: `warpath.cpu.counters`.
- A top-down step has two forms. Many edges: each thread takes chunks of the queue, and a
  compare-and-swap decides which thread found a vertex. Few edges, as in a road network's
  thousands of levels: level after level without atomics, each thread with lists of its own, or
  one thread alone (`warpath.cpu.levels`).
"""

from collections.abc import Hashable

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.arcs import arc_range
from warpath.cpu.counters import LINE, counters_of
from warpath.cpu.levels import (
    LARGE,
    OPTIMIZING,
    TOGETHER,
    Frontier,
    Traversal,
    is_wide,
    parts_of,
    short_levels,
    topology_of,
)
from warpath.cpu.report import Report
from warpath.cpu.trace import BOTTOM_UP, TOP_DOWN, record
from warpath.cpu.unsigned import LOW, ONE, WORD, ZERO, trailing_zeros
from warpath.graph.graph import Graph
from warpath.parallel import late, team
from warpath.parallel.atomics import atomic_add, atomic_compare_and_swap, prefetch, unowned
from warpath.parallel.jit import compiled, inlined, outlined
from warpath.parallel.late import ABSENT, call_at
from warpath.parallel.sync import barrier, share

_WAYS = "top-down", "bottom-up"  # as the trace numbers them
DIRECTIONS = {"top-down": TOP_DOWN, "bottom-up": BOTTOM_UP, "optimizing": OPTIMIZING}

_CHUNK = 64  # vertices that a thread takes from the queue at once; the GAP benchmark's
_WORDS = 16  # words (of 64 vertices) that a thread takes from the bitmap at once: a guess
_BUFFER = 512  # vertices found that a thread keeps before it appends them: a guess

_CURSOR, _FOUND, _FOUND_EDGES, _INSPECTED, _LEFT = (LINE * i for i in range(5))
_INT64 = np.dtype(np.int64)
_BIT = np.int64(1)
# Vertices between asking for the line of the first arc and its turn: measured, 1.3 times faster
# on R-MAT 18 than not asking.
_AHEAD_BOTTOM_UP = np.uint64(16)


@outlined
def _append(queue, end, counters, buffer, count):  # type: ignore[no-untyped-def]
    """Move ``count`` buffered vertices behind the queue's ``end``."""
    place = np.uint64(end + atomic_add(counters, _FOUND, np.int64(count)))
    for i in range(count):
        queue[place + i] = buffer[i]


@outlined
def _expand_chunks(threads, search, queue, frontier, counters, buffer):  # type: ignore[no-untyped-def]
    """Expand chunks of the frontier until none is left.

    Two threads may find a vertex at once: the compare-and-swap on its distance decides.
    Only the winner writes its predecessor and appends it.
    """
    search, queue = unowned(search), unowned((queue,))[0]
    distance, end, next_level = search.distance, frontier.end, frontier.level + 1
    count = ZERO
    edges = ZERO
    while True:
        first = frontier.begin + atomic_add(counters, _CURSOR, _CHUNK)
        if first >= end:
            break
        for i in range(np.uint64(first), np.uint64(np.minimum(first + _CHUNK, end))):
            u = queue[i]
            begin, stop = arc_range(search.arcs, u)
            for arc in range(begin, stop):
                v = search.arcs.indices[arc]
                if distance[v] >= 0:
                    continue
                if threads == 1:
                    distance[v] = next_level
                elif atomic_compare_and_swap(distance, v, -1, next_level) != -1:
                    continue
                search.predecessor[v] = u
                edges += search.arcs.offsets[v + ONE] - search.arcs.offsets[v]
                buffer[count] = v
                count += ONE
                if count == _BUFFER:
                    _append(queue, end, counters, buffer, count)
                    count = ZERO
    _append(queue, end, counters, buffer, count)
    atomic_add(counters, _FOUND_EDGES, np.int64(edges))


@outlined
def _bottom_up(search, next_level, front, next_front, unreached, counters):  # type: ignore[no-untyped-def]
    """Look for a parent in the frontier of each unreached vertex of the words I take."""
    search = unowned(search)
    offsets, indices = search.reverse.offsets, search.reverse.indices
    n = np.uint64(search.distance.shape[0])
    words = front.shape[0]
    found = 0
    inspected = missed = ZERO
    while True:
        first = atomic_add(counters, _CURSOR, _WORDS)
        if first >= words:
            break
        for word in range(np.uint64(first), np.uint64(np.minimum(first + _WORDS, words))):
            bits = ZERO
            left = np.uint64(unreached[word])
            while left != ZERO:
                bit = left & (~left + ONE)
                v = (word << WORD) | trailing_zeros(left)
                left ^= bit
                if v + _AHEAD_BOTTOM_UP < n:
                    prefetch(indices, offsets[v + _AHEAD_BOTTOM_UP])
                start, stop = arc_range(search.reverse, v)
                arc = start
                while arc < stop:
                    u = np.uint64(indices[arc])
                    arc += ONE
                    if (np.uint64(front[u >> WORD]) >> (u & LOW)) & ONE:
                        search.distance[v] = next_level
                        search.predecessor[v] = u
                        bits |= bit
                        found += 1
                        break
                inspected += arc - start
            next_front[word] = bits
            left = np.uint64(unreached[word]) ^ bits
            missed |= left
            unreached[word] = left
    atomic_add(counters, _FOUND, found)
    atomic_add(counters, _LEFT, np.int64(missed != ZERO))
    atomic_add(counters, _INSPECTED, np.int64(inspected))


@outlined
def _mark_unreached(thread, threads, offsets, distance, unreached):  # type: ignore[no-untyped-def]
    """Set the bits of the vertices that a bottom-up step may reach: those with arcs."""
    n = np.uint64(distance.shape[0])
    first, last = share(unreached.shape[0], thread, threads)
    for word in range(np.uint64(first), np.uint64(last)):
        bits = ZERO
        begin = word << WORD
        for v in range(begin, np.minimum(begin + np.uint64(64), n)):
            bit = np.uint64((distance[v] < 0) & (offsets[v] < offsets[v + ONE]))
            bits |= bit << (v & LOW)
        unreached[word] = bits


@outlined
def _queue_to_bitmap(thread, threads, sync, queue, frontier, front):  # type: ignore[no-untyped-def]
    first, last = share(front.shape[0], thread, threads)
    front[first:last] = 0
    barrier(sync, threads)  # the bitmap is empty
    first, last = share(frontier.end - frontier.begin, thread, threads)
    for i in range(frontier.begin + first, frontier.begin + last):
        v = np.uint64(queue[i])
        # A vertex is in the queue once, so adding its bit sets it.
        atomic_add(front, v >> WORD, _BIT << np.int64(v & LOW))


@outlined
def _bitmap_to_queue(thread, threads, offsets, front, queue, counters, buffer):  # type: ignore[no-untyped-def]
    """Make a new queue of my share of the bitmap's words."""
    count = ZERO
    edges = ZERO
    first, last = share(front.shape[0], thread, threads)
    for word in range(np.uint64(first), np.uint64(last)):
        bits = np.uint64(front[word])
        while bits != ZERO:
            v = (word << WORD) | trailing_zeros(bits)
            bits &= bits - ONE
            edges += offsets[v + ONE] - offsets[v]
            buffer[count] = v
            count += ONE
            if count == _BUFFER:
                _append(queue, 0, counters, buffer, count)
                count = ZERO
    _append(queue, 0, counters, buffer, count)
    atomic_add(counters, _FOUND_EDGES, np.int64(edges))


@compiled
def _bottom_up_levels(thread, threads, sync, search, space, frontier):  # type: ignore[no-untyped-def]
    """Go on bottom-up until a frontier is small, or the last; the first that was not expanded."""
    front, next_front, unreached = space.bitmaps[0], space.bitmaps[1], space.bitmaps[2]
    _mark_unreached(thread, threads, search.reverse.offsets, search.distance, unreached)
    _queue_to_bitmap(thread, threads, sync, space.queue, frontier, front)
    barrier(sync, threads)  # the bitmaps hold the frontier and the unreached
    level, step, awake = frontier.level, frontier.step, frontier.end - frontier.begin
    while True:
        counters = counters_of(thread, step, space.counters)
        _bottom_up(search, level + 1, front, next_front, unreached, counters)
        if barrier(sync, threads):  # next_front and the counters are complete
            return Frontier(level, step, 0, 0, 0, 0)
        if thread == 0:
            record(space.trace, level, awake, counters[_INSPECTED], BOTTOM_UP)
        before, awake = awake, counters[_FOUND]
        front, next_front = next_front, front
        step += 1
        level += 1
        is_last = counters[_LEFT] == 0  # this level can find no more vertices
        if awake == 0 or level == search.depth_limit or is_last:
            break
        small = awake < before and awake <= search.distance.shape[0] / search.beta
        if search.direction == OPTIMIZING and small:
            break
    if is_last:
        if awake > 0 and level < search.depth_limit:
            if thread == 0:
                record(space.trace, level, awake, 0, BOTTOM_UP)
            level += 1
        return Frontier(level, step, 0, 0, 0, 0)
    counters = counters_of(thread, step, space.counters)
    _bitmap_to_queue(
        thread, threads, search.arcs.offsets, front, space.queue, counters, space.lists[0, thread]
    )
    barrier(sync, threads)  # the queue holds the frontier
    # What bottom-up steps found never went through the queue: it starts again.
    return Frontier(
        level, step + 1, 0, counters[_FOUND], counters[_FOUND_EDGES], frontier.unexplored
    )


@compiled
def _large_level(thread, threads, sync, search, space, frontier):  # type: ignore[no-untyped-def]
    """Expand one frontier top-down in chunks; the next one."""
    level, step, begin, end, edges, unexplored = frontier
    counters = counters_of(thread, step, space.counters)
    _expand_chunks(threads, search, space.queue, frontier, counters, space.lists[0, thread])
    if barrier(sync, threads):  # the queue and the counters are complete
        return Frontier(level, step, 0, 0, 0, 0)
    if thread == 0:
        record(space.trace, level, end - begin, edges, TOP_DOWN)
    return Frontier(
        level + 1, step + 1, end, end + counters[_FOUND], counters[_FOUND_EDGES], unexplored - edges
    )


@compiled
def _large_levels(thread, threads, sync, search, words, ends, frontier):  # type: ignore[no-untyped-def]
    """Expand a frontier of many edges, bottom-up or in chunks; then `_next_frontier` has the next one.

    Compiled late: road networks and small graphs have no such frontier.
    """
    search = unowned(search)
    space = parts_of(words, ends, search.distance.shape[0], threads)
    if search.direction == BOTTOM_UP or is_wide(search, frontier.edges, frontier.unexplored):
        frontier = _bottom_up_levels(thread, threads, sync, search, space, frontier)
    else:
        frontier = _large_level(thread, threads, sync, search, space, frontier)
    row = space.tallies[0, thread]
    for k, value in enumerate(frontier):
        row[k] = value


@inlined
def _next_frontier(row):  # type: ignore[no-untyped-def]
    """What `_large_levels` wrote to the thread's own ``tallies[0]``."""
    level, step, begin, end, edges, unexplored = row[0], row[1], row[2], row[3], row[4], row[5]
    return Frontier(
        np.int64(level),
        np.int64(step),
        np.int64(begin),
        np.int64(end),
        np.int64(edges),
        np.int64(unexplored),
    )


@compiled
def _one_thread_levels(thread, threads, sync, search, space, frontier):  # type: ignore[no-untyped-def]
    """`short_levels` by one thread of the team, while the others wait."""
    outcome = space.outcome
    if thread == 0:
        then = short_levels(0, 1, threads, sync, search, space, frontier)
        outcome[0], outcome[1] = then.level, then.end
        outcome[2], outcome[3] = then.edges, then.unexplored
    barrier(sync, threads)  # the outcome is there
    then = Frontier(outcome[0], frontier.step, 0, outcome[1], outcome[2], outcome[3])
    barrier(sync, threads)  # all threads have read it
    return then


@compiled
def _bfs(thread, threads, sync, search, words, ends, large_levels):  # type: ignore[no-untyped-def]
    search = unowned(search)
    sources, distance = search.sources, search.distance
    space = parts_of(words, ends, distance.shape[0], threads)
    first, last = share(distance.shape[0], thread, threads)
    distance[first:last] = -1
    search.predecessor[first:last] = -1
    if thread == 0:
        space.counters[:] = 0
    barrier(sync, threads)  # every vertex is unreached
    edges = np.int64(0)
    for i in range(np.uint64(sources.shape[0])):
        source = np.uint64(sources[i])
        if thread == 0:
            distance[source] = 0
            space.queue[i] = source
        begin, end = arc_range(search.arcs, source)
        edges += np.int64(end - begin)
    barrier(sync, threads)  # the first frontier is there

    frontier = Frontier(0, 0, 0, sources.shape[0], edges, search.arcs.indices.shape[0])
    is_absent = False
    while frontier.begin < frontier.end and frontier.level < search.depth_limit:
        edges, vertices = frontier.edges, frontier.end - frontier.begin
        if (
            search.direction == BOTTOM_UP
            or np.maximum(edges, vertices) >= LARGE
            or is_wide(search, edges, frontier.unexplored)
        ):
            is_absent = large_levels == ABSENT
            if is_absent:
                break
            call_at(large_levels, (thread, threads, sync, search, words, ends, frontier))
            frontier = _next_frontier(space.tallies[0, thread])
        elif threads == 1 or edges >= TOGETHER:
            frontier = short_levels(thread, threads, threads, sync, search, space, frontier)
        else:
            frontier = _one_thread_levels(thread, threads, sync, search, space, frontier)
    if thread == 0:
        space.outcome[0] = frontier.level
        space.outcome[1] = threads
        space.outcome[2] = is_absent


_large_levels_at: dict[Hashable, int] = {}
"""The address of `_large_levels` by the types of its arguments, if a search has needed it."""


def bfs(
    graph: Graph,
    sources: NDArray[np.int32],
    direction: str,
    alpha: float,
    beta: float,
    depth_limit: int,
    distance: NDArray[np.int32],
    predecessor: NDArray[np.int32],
    threads: int,
) -> Report:
    """Fill ``distance`` and ``predecessor`` from ``sources``.

    Takes 4 bytes per vertex for the queue and three eighths for the bitmaps. Each thread takes
    16 bytes per vertex more, at most a megabyte.
    """
    code = DIRECTIONS[direction]
    topology, ends, kinds = topology_of(graph, code != TOP_DOWN, threads)
    search = Traversal(
        *topology, sources, code, float(alpha), float(beta), depth_limit, distance, predecessor
    )
    words = np.empty(ends.lists, _INT64)
    flags = sources.flags.num, distance.flags.num, predecessor.flags.num
    like = kinds, flags
    is_absent = True
    while is_absent:  # at most twice
        large_levels = _large_levels_at.get(like, ABSENT)
        team.run(_bfs, threads, search, words, ends, large_levels, like=like)
        levels, size, is_absent = words[:3].tolist()
        if is_absent:
            start = Frontier(0, 0, 0, 0, 0, 0)
            _large_levels_at[like] = late.address(_large_levels, search, words, ends, start)
    rows = words[LINE : min(LINE + 3 * levels, ends.trace)]
    return Report(rows.copy(), levels, size, ways=_WAYS)
