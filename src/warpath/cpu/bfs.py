"""Breadth-first search that turns round: top-down, bottom-up, and both in turn.

Source: S. Beamer, K. Asanović, D. Patterson, "Direction-optimizing breadth-first
search", SC 2012; α and β as in the GAP benchmark.

What is in the encoding:

- ``queue`` holds every vertex once, in the order of discovery; the frontier is the
  window ``queue[begin:end]`` and the next one grows behind it. One array serves both.
- ``front``, ``next_front`` and ``unreached`` are bitmaps, 64 vertices a word. A bottom-up
  step walks the set bits of ``unreached`` (vertices without arcs are not among them) and
  writes each word of ``next_front`` once, by the thread that took it: no atomics, no
  clearing.
- Three sets of counters rotate: step k counts in set k mod 3 while thread 0 clears
  set k + 1 mod 3, which nobody has touched since step k − 2. So one barrier ends a
  step, and after it every thread computes the same decision from the same counters.
- A top-down step has three forms. Few edges: thread 0 alone. Many: each thread takes
  chunks of the queue, and a compare-and-swap decides who found a vertex. In between
  (the thousands of levels of a road network) atomics and cache lines that wander from
  core to core would cost more than the work, so each thread expands the same share of
  the queue's order each time: see `_expand_shares`.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from warpath.cpu.report import Report
from warpath.cpu.trace import BOTTOM_UP, TOP_DOWN, new_trace, record
from warpath.cpu.unsigned import ONE, ZERO, trailing_zeros, unsigned
from warpath.graph.graph import Graph
from warpath.parallel import team
from warpath.parallel.atomics import atomic_add, atomic_compare_and_swap, prefetch, unowned
from warpath.parallel.team import barrier, share

OPTIMIZING = 2
DIRECTIONS = {"top-down": TOP_DOWN, "bottom-up": BOTTOM_UP, "optimizing": OPTIMIZING}

ALPHA, BETA = 15.0, 18.0  # the GAP benchmark's
_SMALL = 1024  # edges of a frontier below which one thread is faster: a guess
_LARGE = 65536  # edges from which chunks balance better than shares: a guess
_CHUNK = 64  # vertices that a thread takes from the queue at once; the GAP benchmark's
_WORDS = 16  # words (of 64 vertices) that a thread takes from the bitmap at once: a guess
_BUFFER = 512  # vertices found that a thread keeps before it appends them: a guess

# Counters of one step, each on a cache line of its own.
_LINE = 8
_CURSOR, _FOUND, _FOUND_EDGES, _INSPECTED = 0, _LINE, 2 * _LINE, 3 * _LINE
_SET = 4 * _LINE
_BIT = np.int64(1)
_LOW = np.uint64(63)
# Vertices between asking for the line of the first arc and its turn. Bottom-up: measured, 1.3
# times faster on R-MAT 18 than not asking. By shares: measured, 1.2 times faster on a 1000² grid
# than 4 (DRAM takes some 150 ns, a vertex 15); 32 is slower again.
_AHEAD_BOTTOM_UP, _AHEAD_SHARES = np.uint64(16), np.uint64(24)
_WORD = np.uint64(6)  # log2 of a word's bits


@njit(nogil=True, cache=True)
def _append(queue, end, counters, base, buffer, count):  # type: ignore[no-untyped-def]
    """Move ``count`` buffered vertices behind the queue's ``end``."""
    place = np.uint64(end + atomic_add(counters, base + _FOUND, np.int64(count)))
    for i in range(count):
        queue[place + i] = buffer[i]


@njit(nogil=True, cache=True)
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
        for i in range(np.uint64(first), np.uint64(min(first + _CHUNK, end))):
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


@njit(nogil=True, cache=True)
def _expand_shares(  # type: ignore[no-untyped-def]
    thread, threads, sync, offsets, indices, next_level, distance, predecessor, queue, begin, end,
    counters, base, found, parents, counts,
):  # fmt: skip
    """Expand my share of the frontier; with ``threads`` = 1, all of it.

    The next frontier keeps the order of this one, so on a grid a thread meets the
    vertices near those which it met before, whose cache lines its core still holds.
    No atomics: two threads may both find v and both write its predecessor. One write
    is the last; after the barrier the thread whose arc it names keeps v, the other
    drops it (no vertex u is in two shares).
    """
    first, last = share(end - begin, thread, threads)
    count = ZERO
    stop = np.uint64(begin + last)
    for i in range(np.uint64(begin + first), stop):
        if i + _AHEAD_SHARES < stop:
            prefetch(indices, offsets[queue[i + _AHEAD_SHARES]])
        u = queue[i]
        for arc in range(np.uint64(offsets[u]), np.uint64(offsets[u + ONE])):
            v = indices[arc]
            if distance[v] < 0:
                distance[v] = next_level
                predecessor[v] = u
                prefetch(offsets, v)
                found[count] = v
                parents[count] = u
                count += ONE
    barrier(sync, threads)  # of each vertex found, one predecessor stands

    kept = ZERO
    edges = ZERO
    for i in range(count):
        v = found[i]
        if predecessor[v] == parents[i]:
            found[kept] = v
            kept += ONE
            edges += offsets[v + ONE] - offsets[v]
    counts[thread * _LINE] = kept
    if edges:
        atomic_add(counters, base + _FOUND_EDGES, np.int64(edges))
    barrier(sync, threads)  # all counts are there

    place = np.uint64(end)
    for t in range(thread):
        place += np.uint64(counts[t * _LINE])
    for i in range(kept):
        queue[place + i] = found[i]
    if thread == threads - 1:
        counters[base + _FOUND] = place + kept - np.uint64(end)


@njit(nogil=True, cache=True)
def _bottom_up(  # type: ignore[no-untyped-def]
    offsets, indices, next_level, distance, predecessor, front, next_front, unreached,
    counters, base,
):  # fmt: skip
    """Look for a parent in the frontier of each unreached vertex of the words I take."""
    n = np.uint64(distance.shape[0])
    words = front.shape[0]
    found = 0
    inspected = ZERO
    while True:
        first = atomic_add(counters, base + _CURSOR, _WORDS)
        if first >= words:
            break
        for word in range(np.uint64(first), np.uint64(min(first + _WORDS, words))):
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
            unreached[word] ^= np.int64(bits)
    atomic_add(counters, base + _FOUND, found)
    atomic_add(counters, base + _INSPECTED, np.int64(inspected))


@njit(nogil=True, cache=True)
def _mark_unreached(thread, threads, offsets, distance, unreached):  # type: ignore[no-untyped-def]
    """Set the bits of the vertices that a bottom-up step may reach: those with arcs."""
    n = np.uint64(distance.shape[0])
    first, last = share(unreached.shape[0], thread, threads)
    for word in range(np.uint64(first), np.uint64(last)):
        bits = ZERO
        begin = word << _WORD
        for v in range(begin, min(begin + np.uint64(64), n)):
            bit = np.uint64((distance[v] < 0) & (offsets[v] < offsets[v + ONE]))
            bits |= bit << (v & _LOW)
        unreached[word] = bits


@njit(nogil=True, cache=True)
def _queue_to_bitmap(thread, threads, sync, queue, begin, end, front):  # type: ignore[no-untyped-def]
    first, last = share(front.shape[0], thread, threads)
    front[first:last] = 0
    barrier(sync, threads)  # the bitmap is empty
    first, last = share(end - begin, thread, threads)
    for i in range(begin + first, begin + last):
        v = np.uint64(queue[i])
        # A vertex is in the queue once, so adding its bit sets it.
        atomic_add(front, v >> _WORD, _BIT << np.int64(v & _LOW))


@njit(nogil=True, cache=True)
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


@njit(nogil=True, cache=True)
def _next_set(thread, step, counters):  # type: ignore[no-untyped-def]
    """The set of counters of ``step``; thread 0 clears the one after it."""
    if thread == 0:
        after = ((step + 1) % 3) * _SET
        counters[after : after + _SET] = 0
    return (step % 3) * _SET


@njit(nogil=True, cache=True)
def _bfs(  # type: ignore[no-untyped-def]
    thread, threads, sync,
    offsets, indices, reverse_offsets, reverse_indices,
    sources, direction, alpha, beta, depth_limit,
    distance, predecessor, queue, front, next_front, unreached, counters, counts, trace, totals,
):  # fmt: skip
    (offsets, indices, reverse_offsets, reverse_indices, distance, predecessor, queue) = unowned(
        (offsets, indices, reverse_offsets, reverse_indices, distance, predecessor, queue)
    )
    front, next_front, unreached, counters, counts = unowned(
        (front, next_front, unreached, counters, counts)
    )
    n = distance.shape[0]
    first, last = share(n, thread, threads)
    distance[first:last] = -1
    predecessor[first:last] = -1
    barrier(sync, threads)  # every vertex is unreached
    if thread == 0:
        for i in range(sources.shape[0]):
            distance[sources[i]] = 0
            queue[i] = sources[i]
    frontier_edges = np.int64(0)
    for i in range(sources.shape[0]):
        frontier_edges += np.int64(offsets[sources[i] + ONE] - offsets[sources[i]])
    barrier(sync, threads)  # the first frontier is there

    found = np.empty(_LARGE, queue.dtype)
    parents = np.empty(_LARGE, predecessor.dtype)
    unexplored = np.int64(indices.shape[0])
    begin, end, level, step = 0, sources.shape[0], 0, 0
    while begin < end and level < depth_limit:
        # A bottom-up step looks at every vertex, so it must save at least that many edges.
        turn = direction == OPTIMIZING and frontier_edges > max(unexplored / alpha, n / beta)
        if direction == BOTTOM_UP or turn:
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
                barrier(sync, threads)  # next_front and the counters are complete
                if thread == 0:
                    record(trace, level, awake, counters[base + _INSPECTED], BOTTOM_UP)
                before, awake = awake, counters[base + _FOUND]
                front, next_front = next_front, front
                step += 1
                level += 1
                if awake == 0 or level == depth_limit:
                    break
                if direction == OPTIMIZING and awake < before and awake <= n / beta:
                    break
            base = _next_set(thread, step, counters)
            _bitmap_to_queue(thread, threads, offsets, front, queue, counters, base, found)
            barrier(sync, threads)  # the queue holds the frontier
            # What bottom-up steps found never went through the queue: it starts anew.
            begin, end = 0, counters[base + _FOUND]
        else:
            base = _next_set(thread, step, counters)
            inspected = frontier_edges
            unexplored -= frontier_edges
            if frontier_edges >= _LARGE:
                _expand_chunks(
                    threads, offsets, indices, level + 1, distance, predecessor,
                    queue, begin, end, counters, base, found,
                )  # fmt: skip
            elif threads > 1 and frontier_edges >= _SMALL:
                _expand_shares(
                    thread, threads, sync, offsets, indices, level + 1, distance, predecessor,
                    queue, begin, end, counters, base, found, parents, counts,
                )  # fmt: skip
            elif thread == 0:
                _expand_shares(
                    0, 1, sync, offsets, indices, level + 1, distance, predecessor,
                    queue, begin, end, counters, base, found, parents, counts,
                )  # fmt: skip
            barrier(sync, threads)  # the queue and the counters are complete
            if thread == 0:
                record(trace, level, end - begin, inspected, TOP_DOWN)
            begin, end = end, end + counters[base + _FOUND]
            level += 1
        frontier_edges = counters[base + _FOUND_EDGES]
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

    Takes 4 bytes a vertex for the queue and three eighths for the bitmaps, and half a
    megabyte a thread.
    """
    n = graph.num_vertices
    code = DIRECTIONS[direction]
    reverse = graph if code == TOP_DOWN else graph.reverse
    words = (n + 63) // 64
    trace, totals = new_trace(n), np.zeros(2, np.int64)
    team.run(
        _bfs, threads,
        unsigned(graph.row_offsets), unsigned(graph.column_indices),
        unsigned(reverse.row_offsets), unsigned(reverse.column_indices),
        unsigned(sources), code, float(alpha), float(beta), depth_limit,
        distance, predecessor, np.empty(n, np.uint32),
        np.empty(words, np.int64), np.empty(words, np.int64), np.empty(words, np.int64),
        np.zeros(3 * _SET, np.int64), np.zeros(threads * _LINE, np.int64), trace, totals,
    )  # fmt: skip
    return Report(trace=trace[: totals[0]], iterations=int(totals[0]), threads=int(totals[1]))
