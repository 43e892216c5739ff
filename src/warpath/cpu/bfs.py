"""Breadth-first search that turns round: top-down, bottom-up, and both in turn.

Source: S. Beamer, K. Asanović, D. Patterson, "Direction-optimizing breadth-first
search", SC 2012; α and β as in the GAP benchmark.

What is in the encoding:

- A frontier is the window ``queue[begin:end]``. What chunks find grows behind it; the other
  forms make the queue anew.
- ``front``, ``next_front`` and ``unreached`` are bitmaps, 64 vertices a word. A bottom-up
  step walks the set bits of ``unreached`` (vertices without arcs are not among them) and
  writes each word of ``next_front`` once, by the thread that took it: no atomics, no
  clearing.
- Three sets of counters rotate: step k counts in set k mod 3 while thread 0 clears
  set k + 1 mod 3, which nobody has touched since step k − 2. So one barrier ends a
  step, and after it every thread computes the same decision from the same counters.
- A top-down step has two forms. Many edges: each thread takes chunks of the queue, and a
  compare-and-swap decides who found a vertex. Few, as in the thousands of levels of a road
  network: level after level without atomics, each thread with lists of its own, or one thread
  alone (`warpath.cpu.levels`).
"""

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.arcs import arcs_of
from warpath.cpu.levels import (
    LARGE,
    TOGETHER,
    is_unpredictable,
    is_wide,
    short_levels,
    workspace,
)
from warpath.cpu.report import Report
from warpath.cpu.trace import BOTTOM_UP, TOP_DOWN, new_trace, record
from warpath.cpu.unsigned import ONE, ZERO, trailing_zeros, unsigned
from warpath.graph.graph import Graph
from warpath.parallel import team
from warpath.parallel.atomics import atomic_add, atomic_compare_and_swap, prefetch, unowned
from warpath.parallel.jit import compiled, outlined
from warpath.parallel.team import barrier, share

OPTIMIZING = 2
DIRECTIONS = {"top-down": TOP_DOWN, "bottom-up": BOTTOM_UP, "optimizing": OPTIMIZING}

_CHUNK = 64  # vertices that a thread takes from the queue at once; the GAP benchmark's
_WORDS = 16  # words (of 64 vertices) that a thread takes from the bitmap at once: a guess
_BUFFER = 512  # vertices found that a thread keeps before it appends them: a guess

# Counters of one step, each on a cache line of its own.
_LINE = 8
_CURSOR, _FOUND, _FOUND_EDGES, _INSPECTED, _LEFT = (_LINE * i for i in range(5))
_SET = 5 * _LINE
_BIT = np.int64(1)
_LOW = np.uint64(63)
# Vertices between asking for the line of the first arc and its turn: measured, 1.3 times faster
# on R-MAT 18 than not asking.
_AHEAD_BOTTOM_UP = np.uint64(16)
_NOBODY = np.uint32(2**32 - 1)  # predecessor -1
_WORD = np.uint64(6)  # log2 of a word's bits


@outlined
def _append(queue, end, counters, base, buffer, count):  # type: ignore[no-untyped-def]
    """Move ``count`` buffered vertices behind the queue's ``end``."""
    place = np.uint64(end + atomic_add(counters, base + _FOUND, np.int64(count)))
    for i in range(count):
        queue[place + i] = buffer[i]


@outlined
def _expand_chunks(  # type: ignore[no-untyped-def]
    threads, offsets, indices, next_level, distance, predecessor, queue, begin, end,
    counters, base, buffer,
):  # fmt: skip
    """Expand chunks of the frontier until none is left.

    Two threads may find a vertex at once: the compare-and-swap on its distance decides.
    Only the winner writes its predecessor and appends it.
    """
    count = ZERO
    edges = ZERO
    while True:
        first = begin + atomic_add(counters, base + _CURSOR, _CHUNK)
        if first >= end:
            break
        for i in range(np.uint64(first), np.uint64(np.minimum(first + _CHUNK, end))):
            u = queue[i]
            for arc in range(np.uint64(offsets[u]), np.uint64(offsets[u + ONE])):
                v = indices[arc]
                if distance[v] >= 0:
                    continue
                if threads == 1:
                    distance[v] = next_level
                elif atomic_compare_and_swap(distance, v, -1, next_level) != -1:
                    continue
                predecessor[v] = u
                edges += offsets[v + ONE] - offsets[v]
                buffer[count] = v
                count += ONE
                if count == _BUFFER:
                    _append(queue, end, counters, base, buffer, count)
                    count = ZERO
    _append(queue, end, counters, base, buffer, count)
    atomic_add(counters, base + _FOUND_EDGES, np.int64(edges))


@outlined
def _bottom_up(  # type: ignore[no-untyped-def]
    offsets, indices, next_level, distance, predecessor, front, next_front, unreached,
    counters, base,
):  # fmt: skip
    """Look for a parent in the frontier of each unreached vertex of the words I take."""
    n = np.uint64(distance.shape[0])
    words = front.shape[0]
    found = 0
    inspected = missed = ZERO
    while True:
        first = atomic_add(counters, base + _CURSOR, _WORDS)
        if first >= words:
            break
        for word in range(np.uint64(first), np.uint64(np.minimum(first + _WORDS, words))):
            bits = ZERO
            left = np.uint64(unreached[word])
            while left != ZERO:
                bit = left & (~left + ONE)
                v = (word << _WORD) | trailing_zeros(left)
                left ^= bit
                if v + _AHEAD_BOTTOM_UP < n:
                    prefetch(indices, offsets[v + _AHEAD_BOTTOM_UP])
                arc = np.uint64(offsets[v])
                start = arc
                stop = np.uint64(offsets[v + ONE])
                while arc < stop:
                    u = np.uint64(indices[arc])
                    arc += ONE
                    if (np.uint64(front[u >> _WORD]) >> (u & _LOW)) & ONE:
                        distance[v] = next_level
                        predecessor[v] = u
                        bits |= bit
                        found += 1
                        break
                inspected += arc - start
            next_front[word] = bits
            left = np.uint64(unreached[word]) ^ bits
            missed |= left
            unreached[word] = left
    atomic_add(counters, base + _FOUND, found)
    atomic_add(counters, base + _LEFT, np.int64(missed != ZERO))
    atomic_add(counters, base + _INSPECTED, np.int64(inspected))


@outlined
def _mark_unreached(thread, threads, offsets, distance, unreached):  # type: ignore[no-untyped-def]
    """Set the bits of the vertices that a bottom-up step may reach: those with arcs."""
    n = np.uint64(distance.shape[0])
    first, last = share(unreached.shape[0], thread, threads)
    for word in range(np.uint64(first), np.uint64(last)):
        bits = ZERO
        begin = word << _WORD
        for v in range(begin, np.minimum(begin + np.uint64(64), n)):
            bit = np.uint64((distance[v] < 0) & (offsets[v] < offsets[v + ONE]))
            bits |= bit << (v & _LOW)
        unreached[word] = bits


@outlined
def _queue_to_bitmap(thread, threads, sync, queue, begin, end, front):  # type: ignore[no-untyped-def]
    first, last = share(front.shape[0], thread, threads)
    front[first:last] = 0
    barrier(sync, threads)  # the bitmap is empty
    first, last = share(end - begin, thread, threads)
    for i in range(begin + first, begin + last):
        v = np.uint64(queue[i])
        # A vertex is in the queue once, so adding its bit sets it.
        atomic_add(front, v >> _WORD, _BIT << np.int64(v & _LOW))


@outlined
def _bitmap_to_queue(  # type: ignore[no-untyped-def]
    thread, threads, offsets, front, queue, counters, base, buffer
):
    """Make a new queue of my share of the bitmap's words."""
    count = ZERO
    edges = ZERO
    first, last = share(front.shape[0], thread, threads)
    for word in range(np.uint64(first), np.uint64(last)):
        bits = np.uint64(front[word])
        while bits != ZERO:
            v = (word << _WORD) | trailing_zeros(bits)
            bits &= bits - ONE
            edges += offsets[v + ONE] - offsets[v]
            buffer[count] = v
            count += ONE
            if count == _BUFFER:
                _append(queue, 0, counters, base, buffer, count)
                count = ZERO
    _append(queue, 0, counters, base, buffer, count)
    atomic_add(counters, base + _FOUND_EDGES, np.int64(edges))


@compiled
def _next_set(thread, step, counters):  # type: ignore[no-untyped-def]
    """The set of counters of ``step``; thread 0 clears the one after it."""
    if thread == 0:
        after = ((step + 1) % 3) * _SET
        counters[after : after + _SET] = 0
    return (step % 3) * _SET


@compiled
def _bfs(  # type: ignore[no-untyped-def]
    thread, threads, sync,
    offsets, indices, reverse_offsets, reverse_indices,
    sources, direction, alpha, beta, branchless, depth_limit, distance, predecessor, queue,
    front, next_front, unreached, counters, lists, tallies, outcome, trace, totals,
):  # fmt: skip
    (offsets, indices, reverse_offsets, reverse_indices, distance, predecessor, queue) = unowned(
        (offsets, indices, reverse_offsets, reverse_indices, distance, predecessor, queue)
    )
    front, next_front, unreached, counters, lists, tallies, outcome = unowned(
        (front, next_front, unreached, counters, lists, tallies, outcome)
    )
    n, m = distance.shape[0], indices.shape[0]
    first, last = share(n, thread, threads)
    distance[first:last] = -1
    predecessor[first:last] = _NOBODY
    barrier(sync, threads)  # every vertex is unreached
    if thread == 0:
        for i in range(sources.shape[0]):
            distance[sources[i]] = 0
            queue[i] = sources[i]
    frontier_edges = np.int64(0)
    for i in range(sources.shape[0]):
        frontier_edges += np.int64(offsets[sources[i] + ONE] - offsets[sources[i]])
    barrier(sync, threads)  # the first frontier is there

    policy = (direction == OPTIMIZING, alpha, beta)
    buffer = lists[0, thread]
    unexplored = np.int64(m)
    begin, end, level, step = 0, sources.shape[0], 0, 0
    while begin < end and level < depth_limit:
        if direction == BOTTOM_UP or is_wide(frontier_edges, unexplored, n, m, policy):
            _mark_unreached(thread, threads, reverse_offsets, distance, unreached)
            _queue_to_bitmap(thread, threads, sync, queue, begin, end, front)
            barrier(sync, threads)  # the bitmaps hold the frontier and the unreached
            awake = end - begin
            while True:
                base = _next_set(thread, step, counters)
                _bottom_up(
                    reverse_offsets, reverse_indices, level + 1,
                    distance, predecessor, front, next_front, unreached, counters, base,
                )  # fmt: skip
                if barrier(sync, threads):  # next_front and the counters are complete
                    return
                if thread == 0:
                    record(trace, level, awake, counters[base + _INSPECTED], BOTTOM_UP)
                before, awake = awake, counters[base + _FOUND]
                front, next_front = next_front, front
                step += 1
                level += 1
                is_last = counters[base + _LEFT] == 0
                if awake == 0 or level == depth_limit or is_last:
                    break
                if direction == OPTIMIZING and awake < before and awake <= n / beta:
                    break
            if is_last:  # nobody is left whom the last level might find
                if awake > 0 and level < depth_limit:
                    if thread == 0:
                        record(trace, level, awake, 0, BOTTOM_UP)
                    level += 1
                break
            base = _next_set(thread, step, counters)
            _bitmap_to_queue(thread, threads, offsets, front, queue, counters, base, buffer)
            barrier(sync, threads)  # the queue holds the frontier
            # What bottom-up steps found never went through the queue: it starts anew.
            begin, end = 0, counters[base + _FOUND]
            frontier_edges = counters[base + _FOUND_EDGES]
            step += 1
        elif np.maximum(frontier_edges, end - begin) < LARGE:
            together = threads == 1 or frontier_edges >= TOGETHER
            if together or thread == 0:
                level, vertices, frontier_edges, unexplored = short_levels(
                    thread, threads if together else 1, threads, sync, branchless, offsets, indices,
                    level, depth_limit, policy, unexplored,
                    distance, predecessor, queue, begin, end, lists, tallies, trace,
                )  # fmt: skip
                begin, end = 0, vertices
            if not together:
                if thread == 0:
                    outcome[0], outcome[1] = level, end
                    outcome[2], outcome[3] = frontier_edges, unexplored
                barrier(sync, threads)  # the outcome is there
                begin, level, end = 0, outcome[0], outcome[1]
                frontier_edges, unexplored = outcome[2], outcome[3]
                barrier(sync, threads)  # everybody has read it
        else:
            base = _next_set(thread, step, counters)
            unexplored -= frontier_edges
            _expand_chunks(
                threads, offsets, indices, level + 1, distance, predecessor,
                queue, begin, end, counters, base, buffer,
            )  # fmt: skip
            if barrier(sync, threads):  # the queue and the counters are complete
                return
            if thread == 0:
                record(trace, level, end - begin, frontier_edges, TOP_DOWN)
            begin, end = end, end + counters[base + _FOUND]
            frontier_edges = counters[base + _FOUND_EDGES]
            level += 1
            step += 1
    if thread == 0:
        totals[0] = level
        totals[1] = threads


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

    Takes 4 bytes a vertex for the queue and three eighths for the bitmaps, and 16 bytes a
    vertex, at most a megabyte, a thread.
    """
    n = graph.num_vertices
    code = DIRECTIONS[direction]
    reverse = graph if code == TOP_DOWN else graph.reverse
    words = (n + 63) // 64
    trace, totals = new_trace(n), np.zeros(2, np.int64)
    team.run(
        _bfs, threads,
        *arcs_of(graph)[:2],
        *arcs_of(reverse)[:2],
        unsigned(sources), code, float(alpha), float(beta), is_unpredictable(graph), depth_limit,
        distance, unsigned(predecessor), np.empty(n, np.uint32),
        np.empty(words, np.int64), np.empty(words, np.int64), np.empty(words, np.int64),
        np.zeros(3 * _SET, np.int64), *workspace(n, threads), np.zeros(4, np.int64), trace, totals,
    )  # fmt: skip
    return Report(trace=trace[: totals[0]], iterations=int(totals[0]), threads=int(totals[1]))
