"""Delta-stepping: vertices in buckets by distance, one bucket after the other.

Source: U. Meyer, P. Sanders, "Δ-stepping: a parallelizable shortest path algorithm",
J. Algorithms 49 (2003); bucket fusion: Y. Zhang et al., "Optimizing ordered graph
algorithms with GraphIt", CGO 2020. Light and heavy arcs are not told apart.

What is in the encoding:

- A vertex with tentative distance d belongs to bucket ⌊(d − start)/Δ⌋, computed as a product
  of floats for every dtype; it is monotone in d, which is all that correctness needs.
- Each thread has its own bucket lists: chained chunks of `CHUNK` entries from one pool;
  ``tails[slot]`` is the place behind the last entry, and a multiple of `CHUNK` there asks
  for the next chunk (0: an empty list).
- An entry is (vertex, distance). When its turn comes and the vertex has another distance,
  a later entry stands for it, and this one is passed over. So no vertex is expanded
  twice at one distance, and nothing has to be looked for or removed.
- At the start of a round each thread offers its chunks of the current bucket in ``work``.
  A thread takes its own first (its core holds those vertices' lines), then others'.
- Only `BUCKETS` buckets exist at a time, from ``base`` on. What lies beyond is not stored
  at all, nor what finds the pool full; a flag says so. Then the buckets are refilled
  from the distances themselves: a vertex is unfinished exactly when its bucket is. So
  memory has a fixed bound and any spread of weights works.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from warpath.cpu.relax import ALGEBRAS, NONE, extend, lower
from warpath.cpu.report import Report
from warpath.cpu.trace import new_trace
from warpath.cpu.unsigned import ONE, ZERO, unsigned
from warpath.graph.distance import unreachable
from warpath.graph.graph import Graph
from warpath.parallel import team
from warpath.parallel.atomics import atomic_add, atomic_load, atomic_min, prefetch, unowned
from warpath.parallel.team import barrier, share

BUCKETS = 1024  # guess: no refill on a 1000² grid, 4 KiB of list tails a thread
CHUNK = 32  # entries: two to six cache lines; a guess

_POOL_BYTES = 21  # a vertex: with all else below 40; G(2¹⁸, 2²²) wants 2.7 entries a vertex
_CHUNK_BITS = np.uint64(5)
_IN_CHUNK = np.uint64(CHUNK - 1)
_FUSE = 8  # chunks of its own that a thread works off alone, at most: a guess
# Entries between asking for the lines of a vertex's arcs and its turn: DRAM takes some 150 ns.
# A few arcs often straddle two lines, so the fourth one's is asked for as well. With asking for
# a vertex's offsets when it enters a bucket, all this is a fifth off the time on a 1000² grid
# against asking for offsets 8 and arcs 3 entries ahead; measured with one thread, Zen 5, 2026-11.
_AHEAD = np.uint64(24)
_FOURTH = np.uint64(3)
_FREE = np.uint64(BUCKETS)  # where tails[] holds the list of free chunks

_LINE = 8
# One line a thread: how many chunks it offers, how many of them were taken.
_OFFERED, _TAKEN, _PER_THREAD = 0, _LINE, 2 * _LINE
# Shared: chunks of the pool ever used; flags; the next bucket (three, rotating); totals.
_POOL, _FULL, _FAR, _NEXT, _LOWEST = 0, _LINE, 2 * _LINE, 3 * _LINE, 6 * _LINE
_SHARED = 7 * _LINE
_IMPROVED, _ROUNDS, _THREADS = 0, 1, 2
_NEVER = np.int64(2**62)


@njit(nogil=True, cache=True, forceinline=True)
def _push(v, d, slot, tails, pool, distances, link, shared):  # type: ignore[no-untyped-def]
    """Put (v, d) into my list of bucket ``slot``; False when no chunk is free."""
    place = np.uint64(tails[slot])
    if place & _IN_CHUNK == ZERO:
        chunk = np.uint64(tails[_FREE])  # 1 more than the first of my free chunks, 0 for none
        if chunk > ZERO:
            chunk -= ONE
            tails[_FREE] = link[chunk]
        else:
            # Read first: a full pool must not count on and on.
            if atomic_load(shared, _POOL) >= link.shape[0]:
                return False
            chunk = np.uint64(atomic_add(shared, _POOL, 1))
            if chunk >= np.uint64(link.shape[0]):
                return False
        link[chunk] = place >> _CHUNK_BITS  # the chunk before this one, plus 1
        place = chunk << _CHUNK_BITS
    pool[place] = v
    distances[place] = d
    tails[slot] = place + ONE
    return True


@njit(nogil=True, cache=True)
def _take(slot, tails, link, count, chunks):  # type: ignore[no-untyped-def]
    """Move my list of bucket ``slot`` to ``chunks``, oldest last; return their number."""
    place = np.uint64(tails[slot])
    if place == ZERO:
        return 0
    tails[slot] = 0
    chunk = (place - ONE) >> _CHUNK_BITS
    count[chunk] = place - (chunk << _CHUNK_BITS)
    chunks[0] = chunk
    taken = 1
    while link[chunk] > ZERO:
        chunk = link[chunk] - ONE
        count[chunk] = CHUNK
        chunks[taken] = chunk
        taken += 1
    return taken


@njit(nogil=True, cache=True, forceinline=True)
def _bucket(d, low, inverse):  # type: ignore[no-untyped-def]
    return np.int64((np.float64(d) - low) * inverse)


@njit(nogil=True, cache=True, forceinline=True)
def _is_short(slot, tails, link):  # type: ignore[no-untyped-def]
    """Whether my list of bucket ``slot`` has less than `_FUSE` chunks."""
    chunks = 0
    place = np.uint64(tails[slot])
    while place != ZERO and chunks < _FUSE:
        place = link[(place - ONE) >> _CHUNK_BITS] << _CHUNK_BITS
        chunks += 1
    return chunks < _FUSE


@njit(nogil=True, cache=True, forceinline=True)
def _prefetch_arcs(u, offsets, indices, weights):  # type: ignore[no-untyped-def]
    first = np.uint64(offsets[u])
    for arc in (first, first + _FOURTH):  # past the end of the array too: it never faults
        prefetch(indices, arc)
        prefetch(weights, arc)


@njit(nogil=True, cache=True)
def _relax_round(  # type: ignore[no-untyped-def]
    algebra, thread, threads, current, offsets, indices, weights, cutoff, low, inverse, base,
    distance, predecessor, tails, pool, distances, link, count, work, own, offers, shared, tally,
):  # fmt: skip
    """Relax the arcs of the offered chunks, and of my own ones that this adds to the bucket."""
    distance, predecessor, tails, pool, distances, link, count, own, shared = unowned(
        (distance, predecessor, tails, pool, distances, link, count, own, shared)
    )
    vertices = ZERO
    arcs = ZERO
    improved = ZERO
    turn = 0
    fused = 0
    while True:
        if fused > 0:
            fused -= 1
            chunk = own[fused]
        elif turn < threads:
            owner = (thread + turn) % threads
            i = atomic_add(offers[owner], _TAKEN, 1)
            if i >= offers[owner, _OFFERED]:
                turn += 1
                continue
            chunk = work[owner, i]
        elif tails[current] != 0 and (threads == 1 or _is_short(current, tails, link)):
            # Bucket fusion: go on with what I added to this bucket myself, unless it is so
            # much that the others should have a part of it.
            fused = _take(current, tails, link, count, own)
            continue
        else:
            break
        begin = chunk << _CHUNK_BITS
        end = begin + count[chunk]
        for entry in range(begin, min(begin + _AHEAD, end)):
            _prefetch_arcs(pool[entry], offsets, indices, weights)
        for entry in range(begin, end):
            if entry + _AHEAD < end:
                _prefetch_arcs(pool[entry + _AHEAD], offsets, indices, weights)
            u = pool[entry]
            d = distances[entry]
            if distance[u] != d:
                continue
            first = np.uint64(offsets[u])
            last = np.uint64(offsets[u + ONE])
            vertices += ONE
            arcs += last - first
            for arc in range(first, last):
                v = indices[arc]
                candidate = extend(algebra, d, weights[arc])
                if not candidate < distance[v]:
                    continue
                if candidate < d or candidate > cutoff:
                    continue  # an integer that wrapped; or too far
                if not lower(distance, predecessor, u, v, candidate, threads):
                    continue
                improved += ONE
                prefetch(offsets, v)
                slot = np.uint64(_bucket(candidate, low, inverse) - base)
                if slot >= _FREE:
                    shared[_FAR] = 1
                elif not _push(v, candidate, slot, tails, pool, distances, link, shared):
                    shared[_FULL] = 1
        link[chunk] = tails[_FREE]
        tails[_FREE] = chunk + ONE
    tally[0] = vertices
    tally[1] = arcs
    tally[2] = improved


@njit(nogil=True, cache=True)
def _refill(  # type: ignore[no-untyped-def]
    thread, threads, sync, unfinished, low, inverse, unreached,
    distance, tails, pool, distances, link, shared,
):  # fmt: skip
    """Fill the buckets anew from the distances; return the first one, or -1 if none is left."""
    first, last = share(distance.shape[0], thread, threads)
    lowest = _NEVER
    for v in range(np.uint64(first), np.uint64(last)):
        if distance[v] != unreached:
            bucket = _bucket(distance[v], low, inverse)
            if bucket >= unfinished:
                lowest = min(lowest, bucket)
    if thread == 0:
        shared[_POOL] = 0
        shared[_FULL] = 0
        shared[_FAR] = 0
    atomic_min(shared, _LOWEST, lowest)
    barrier(sync, threads)  # the lowest bucket is known, the pool empty
    base = shared[_LOWEST]
    if base == _NEVER:
        return np.int64(-1)
    tails[:] = 0
    for v in range(np.uint64(first), np.uint64(last)):
        d = distance[v]
        if d != unreached:
            slot = _bucket(d, low, inverse) - base
            if slot >= BUCKETS:
                shared[_FAR] = 1
            elif slot >= 0:
                _push(v, d, np.uint64(slot), tails, pool, distances, link, shared)
    barrier(sync, threads)  # the buckets are full, and everybody has read the lowest
    if thread == 0:
        shared[_LOWEST] = _NEVER
    return base


@njit(nogil=True, cache=True)
def _delta_stepping(  # type: ignore[no-untyped-def]
    thread, threads, sync,
    algebra, offsets, indices, weights, sources, start, inverse, cutoff, unreached, target,
    distance, predecessor, all_tails, pool, distances, link, count, work, offers, shared,
    trace, totals,
):  # fmt: skip
    first, last = share(distance.shape[0], thread, threads)
    distance[first:last] = unreached
    predecessor[first:last] = NONE
    tails = all_tails[thread]
    tails[:] = 0
    mine = work[thread]
    own = work[threads + thread]  # not offered: what bucket fusion takes
    tally = np.zeros(3, np.uint64)
    improved = np.int64(0)
    barrier(sync, threads)  # every vertex is unreached
    base = np.int64(0)
    low = np.float64(start)
    if thread == 0:
        for i in range(sources.shape[0]):
            distance[sources[i]] = start
            _push(sources[i], distance[sources[i]], ZERO, tails, pool, distances, link, shared)

    current = np.int64(0)
    step = 0
    while True:
        offers[thread, _OFFERED] = _take(current, tails, link, count, mine)
        offers[thread, _TAKEN] = 0
        if thread == 0:
            shared[_NEXT + _LINE * ((step + 1) % 3)] = BUCKETS
        barrier(sync, threads)  # all offers stand

        _relax_round(
            algebra, thread, threads, np.uint64(current), offsets, indices, weights, cutoff, low,
            inverse, base, distance, predecessor, tails, pool, distances, link, count, work, own,
            offers, shared, tally,
        )  # fmt: skip
        following = current
        while following < BUCKETS and tails[following] == 0:
            following += 1
        atomic_min(shared, _NEXT + _LINE * (step % 3), following)
        row = 3 * min(step, trace.shape[0] // 3 - 1)
        atomic_add(trace, row, np.int64(tally[0]))
        atomic_add(trace, row + 1, np.int64(tally[1]))
        improved += np.int64(tally[2])
        barrier(sync, threads)  # the round is done, the next bucket known
        done = current
        current = shared[_NEXT + _LINE * (step % 3)]
        full = shared[_FULL] != 0
        step += 1
        if target >= 0 and distance[target] != unreached:
            # Buckets before `done` are finished; `done` itself too unless it comes again.
            upto = base + (done if full else current)
            if _bucket(distance[target], low, inverse) < upto:
                break
        if full or current == BUCKETS:
            if not full and shared[_FAR] == 0:
                break
            unfinished = base + (done if full else np.int64(BUCKETS))
            barrier(sync, threads)  # everybody has read the flags
            base = _refill(
                thread, threads, sync, unfinished, low, inverse, unreached,
                distance, tails, pool, distances, link, shared,
            )  # fmt: skip
            if base < 0:
                break
            current = np.int64(0)
    atomic_add(totals, _IMPROVED, improved)
    if thread == 0:
        totals[_ROUNDS] = step
        totals[_THREADS] = threads


def delta_stepping(
    graph: Graph,
    weights: NDArray[Any],
    sources: NDArray[np.int32],
    delta: float,
    cutoff: Any,
    target: int,
    distance: NDArray[Any],
    predecessor: NDArray[np.int32],
    threads: int,
    *,
    algebra: str = "shortest",
    start: Any = 0,
) -> Report:
    """Fill ``distance`` and ``predecessor`` from ``sources``; no arc makes a path better.

    Parameters
    ----------
    delta : float
        Width of a bucket, positive. It is widened where the largest distance would
        need more than 2⁶⁰ buckets.
    cutoff : number
        Farther vertices stay unreached.
    target : int
        Stop when its distance is final (-1: none). Farther ones may then be too large.
    algebra : str
        One of `warpath.cpu.relax.ALGEBRAS`; distances, limits and Δ are of its keys.
    start : number
        The sources' distance.

    Notes
    -----
    Takes at most 24 bytes a vertex and 200 (400 for 64-bit distances) KiB a thread, of which
    short frontiers touch little.
    """
    n = graph.num_vertices
    inverse = 1.0 / delta
    # Entries for all vertices and for stale ones, and a chunk begun in each bucket.
    entries = n * _POOL_BYTES // (4 + distance.dtype.itemsize)
    chunks = entries // CHUNK + threads * BUCKETS
    shared, totals = np.zeros(_SHARED, np.int64), np.zeros(3, np.int64)
    shared[_NEXT : _NEXT + 3 * _LINE] = BUCKETS
    shared[_LOWEST] = 2**62
    trace = new_trace(n)
    dtype = distance.dtype.type
    team.run(
        _delta_stepping, threads,
        ALGEBRAS[algebra], unsigned(graph.row_offsets), unsigned(graph.column_indices), weights,
        unsigned(sources), dtype(start), inverse, dtype(cutoff), unreachable(dtype), target,
        distance, predecessor, np.empty((threads, BUCKETS + 1), np.uint32),
        np.empty(chunks * CHUNK, np.uint32), np.empty(chunks * CHUNK, dtype),
        np.empty(chunks, np.uint32), np.empty(chunks, np.uint32),
        np.empty((2 * threads, chunks), np.uint32),
        np.zeros((threads, _PER_THREAD), np.int64), shared, trace.reshape(-1), totals,
    )  # fmt: skip
    return Report(
        trace=trace[: totals[_ROUNDS]],
        iterations=int(totals[_ROUNDS]),
        threads=int(totals[_THREADS]),
        improvements=int(totals[_IMPROVED]),
    )
