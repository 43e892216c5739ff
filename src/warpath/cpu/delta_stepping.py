"""Delta-stepping: vertices in buckets by distance, one bucket after the other.

Source: U. Meyer, P. Sanders, "Δ-stepping: a parallelizable shortest path algorithm",
J. Algorithms 49 (2003); bucket fusion: Y. Zhang et al., "Optimizing ordered graph
algorithms with GraphIt", CGO 2020. Light and heavy arcs are not told apart.

What is in the encoding:

- A vertex with tentative distance d belongs to bucket ⌊(d − start)/Δ⌋, computed as a product
  of floats for every dtype; it is monotone in d, which is all that correctness needs. Δ is at
  least a 2⁶⁰th of the farthest distance (`warpath.planning.bucket_width.bounded`), so the
  number fits in 64 bits.
- Sums that wrap are dropped: see `warpath.cpu.relax`.
- Each thread has its own bucket lists (`warpath.cpu.buckets`).
- An entry is (vertex, distance). When its turn comes and the vertex has another distance,
  a later entry stands for it, and this one is passed over. So no vertex is expanded
  twice at one distance, and nothing has to be looked for or removed.
- At the start of a round each thread offers its chunks of the current bucket in ``work``.
  A thread takes its own first (its core holds those vertices' lines), then others'.
- In graphs of few arcs a vertex a chunk is worked off in two passes (`_relax_chunk_of_few`).
- Only `BUCKETS` buckets exist at a time, from ``base`` on. What lies beyond is not stored
  at all, nor what finds the pool full; a flag says so. Then the buckets are refilled
  from the distances themselves: a vertex is unfinished exactly when its bucket is. So
  memory has a fixed bound and any spread of weights works.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.buckets import (
    BUCKETS,
    CHUNK,
    CHUNK_BITS,
    FREE,
    IN_CHUNK,
    USED,
    give_back,
    is_short,
    push,
    take,
)
from warpath.cpu.relax import ALGEBRAS, NONE, extend, lower
from warpath.cpu.report import Report
from warpath.cpu.trace import new_trace
from warpath.cpu.unsigned import ONE, ZERO, arcs_of, unsigned
from warpath.graph.distance import unreachable
from warpath.graph.graph import Graph
from warpath.parallel import team
from warpath.parallel.atomics import atomic_add, atomic_min, prefetch, unowned
from warpath.parallel.jit import compiled, inlined, outlined
from warpath.parallel.team import barrier, share, stopping

_POOL_BYTES = 21  # a vertex: with all else below 40; G(2¹⁸, 2²²) wants 2.7 entries a vertex

# Entries between asking for the lines of a vertex's arcs and its turn: DRAM takes some 150 ns.
# A few arcs often straddle two lines, so the fourth one's is asked for as well. With asking for
# a vertex's offsets when it enters a bucket, all this is a fifth off the time on a 1000² grid
# against asking for offsets 8 and arcs 3 entries ahead; measured with one thread, Zen 5, 2026-11.
_AHEAD = np.uint64(24)
_FOURTH = np.uint64(3)
# Where vertices have at most so many arcs, averaged over the arcs, so many of each are looked at
# without a branch. One thread, Zen 5, 2026-11, against the plain way: 0.84 and 0.79 of the
# time on the 1000² grid (int32 and float64 weights), 0.85 on a hexagonal one (3 arcs a vertex), as
# long on a Delaunay triangulation (6); 1.1 to 1.2 of it on random graphs of 4 to 8 arcs a vertex,
# whose ends no cache holds, and on R-MAT graphs of so few.
_FEW = np.uint64(4)
# Entries ahead of which the ends of arcs are asked for, which needs the arcs (4 to 8 are alike, 0
# takes a tenth longer); picked arcs ahead of which predecessors are (a guess).
_ENDS_AHEAD = np.uint64(6)
_PICKED_AHEAD = np.uint64(8)

_LINE = 8
# One line a thread: how many chunks it offers, how many of them were taken.
_OFFERED, _TAKEN, _PER_THREAD = 0, _LINE, 2 * _LINE
# Shared: chunks of the pool ever used; flags; the next bucket (three, rotating); totals.
_FULL, _FAR, _NEXT, _LOWEST = USED + _LINE, 2 * _LINE, 3 * _LINE, 6 * _LINE
_SHARED = 7 * _LINE
_IMPROVED, _ROUNDS, _THREADS = 0, 1, 2
_NEVER = np.int64(2**62)
_MOST_CHUNKS = 2**32 // CHUNK - 1  # places in the pool are 32-bit numbers


@inlined
def _bucket(d, low, inverse):  # type: ignore[no-untyped-def]
    return np.int64((np.float64(d) - low) * inverse)


@inlined
def _prefetch_arcs(u, arrays):  # type: ignore[no-untyped-def]
    offsets, indices, weights = arrays
    first = np.uint64(offsets[u])
    for arc in (first, first + _FOURTH):  # past the end of the array too: it never faults
        prefetch(indices, arc)
        prefetch(weights, arc)


@inlined
def _relax_arc(  # type: ignore[no-untyped-def]
    algebra, threads, u, d, arc, arrays, labels, cutoff, scale, lists, shared
):
    """Relax an arc of u, whose distance is ``d``; 1 if that was an improvement, else 0."""
    offsets, indices, weights = arrays
    distance, predecessor = labels
    low, inverse, base = scale
    v = indices[arc]
    candidate = extend(algebra, d, weights[arc])
    if not candidate < distance[v]:
        return ZERO
    if candidate < d or candidate > cutoff:
        return ZERO  # an integer that wrapped; or too far
    if not lower(distance, predecessor, u, v, candidate, threads):
        return ZERO
    prefetch(offsets, v)
    slot = np.uint64(_bucket(candidate, low, inverse) - base)
    if slot >= FREE:
        shared[_FAR] = 1
    elif not push(v, candidate, slot, lists, shared):
        shared[_FULL] = 1
    return ONE


@inlined
def _relax_chunk(  # type: ignore[no-untyped-def]
    algebra, threads, begin, end, arrays, labels, cutoff, scale, lists, shared
):
    """Relax the arcs of the entries from ``begin`` on; how many vertices, arcs, improvements."""
    offsets = arrays[0]
    distance = labels[0]
    _, pool, distances, _ = lists
    vertices = arcs = improved = ZERO
    for entry in range(begin, np.minimum(begin + _AHEAD, end)):
        _prefetch_arcs(pool[entry], arrays)
    for entry in range(begin, end):
        if entry + _AHEAD < end:
            _prefetch_arcs(pool[entry + _AHEAD], arrays)
        u, d = pool[entry], distances[entry]
        if distance[u] != d:
            continue
        first, last = np.uint64(offsets[u]), np.uint64(offsets[u + ONE])
        vertices += ONE
        arcs += last - first
        for arc in range(first, last):
            improved += _relax_arc(
                algebra, threads, u, d, arc, arrays, labels, cutoff, scale, lists, shared
            )
    return vertices, arcs, improved


@inlined
def _prefetch_ends(u, arrays, distance):  # type: ignore[no-untyped-def]
    """Ask for the distances at the ends of u's first arcs, or of others where it has fewer."""
    offsets, indices, _ = arrays
    first = np.minimum(np.uint64(offsets[u]), np.uint64(indices.shape[0]) - _FEW)
    for k in range(_FEW):
        prefetch(distance, indices[first + k])


@inlined
def _relax_chunk_of_few(  # type: ignore[no-untyped-def]
    algebra, threads, begin, end, then, then_end, arrays, labels, cutoff, scale, lists, picked,
    shared,
):  # fmt: skip
    """The same where vertices have few arcs: pick those that improve something, then relax them.

    Whether an entry stands, how many arcs a vertex has and which of them improve something, no
    branch predictor knows: so the first pass looks at `_FEW` arcs of every entry, its own or not,
    and writes each down, over the one before if that was not worth it. An arc is written as
    arc · CHUNK + entry of the chunk. What the second pass finds is again compared with the
    distances: both ends may have better ones by then. Meanwhile the arcs of the chunk that comes
    ``then`` are asked for.
    """
    offsets, indices, weights = arrays
    distance, predecessor = labels
    _, pool, distances, _ = lists
    vertices = arcs = improved = ZERO
    count = ZERO
    last_few = np.uint64(indices.shape[0]) - _FEW
    for entry in range(begin, end):
        if then < then_end:
            _prefetch_arcs(pool[then], arrays)
            then += ONE
        if entry + _ENDS_AHEAD < end:
            _prefetch_ends(pool[entry + _ENDS_AHEAD], arrays, distance)
        u, d = pool[entry], distances[entry]
        first = np.uint64(offsets[u])
        stands = distance[u] == d
        degree = np.uint64(offsets[u + ONE]) - first
        degree = degree if stands else ZERO  # of what is loaded already: no branch
        vertices += np.uint64(stands)
        arcs += degree
        few = np.minimum(first, last_few)  # the last vertices' reach back, not beyond the arrays
        before = first - few
        code = (few << CHUNK_BITS) + (entry - begin)
        for k in range(_FEW):
            picked[count] = code + (k << CHUNK_BITS)
            better = extend(algebra, d, weights[few + k]) < distance[indices[few + k]]
            count += np.uint64(better & (k - before < degree))
        for arc in range(first + _FEW, first + degree):
            improved += _relax_arc(
                algebra, threads, u, d, arc, arrays, labels, cutoff, scale, lists, shared
            )
    for i in range(count):
        if i + _PICKED_AHEAD < count:
            prefetch(predecessor, indices[picked[i + _PICKED_AHEAD] >> CHUNK_BITS])
        entry = begin + (picked[i] & IN_CHUNK)
        improved += _relax_arc(
            algebra, threads, pool[entry], distances[entry], picked[i] >> CHUNK_BITS, arrays,
            labels, cutoff, scale, lists, shared,
        )  # fmt: skip
    return vertices, arcs, improved


@outlined
def _relax_round(  # type: ignore[no-untyped-def]
    algebra, thread, threads, sync, current, offsets, indices, weights, cutoff, low, inverse, base,
    distance, predecessor, tails, pool, distances, link, count, work, own, picked, offers, shared,
):  # fmt: skip
    """Relax the arcs of the offered chunks, and of my own ones that this adds to the bucket.

    ``picked`` is None where vertices have many arcs. Returns how many vertices, arcs, improvements.
    """
    arrays, labels = unowned((offsets, indices, weights)), unowned((distance, predecessor))
    scale, lists = (low, inverse, base), unowned((tails, pool, distances, link))
    tails, pool, _, link = lists
    count, own, shared = unowned((count, own, shared))
    vertices = arcs = improved = ZERO
    turn = 0
    fused = 0
    asked = ~ZERO  # the chunk whose arcs have been asked for
    while True:
        if fused > 0:
            fused -= 1
            chunk = own[fused]
            then = own[np.maximum(fused - 1, 0)]
        elif turn < threads:
            owner = (thread + turn) % threads
            offered = offers[owner, _OFFERED]
            i = atomic_add(offers[owner], _TAKEN, 1)
            if i >= offered:
                turn += 1
                continue
            chunk = work[owner, i]
            then = work[owner, np.minimum(i + 1, offered - 1)]
        elif tails[current] != 0 and (threads == 1 or is_short(current, tails, link)):
            # Bucket fusion: go on with what I added to this bucket myself, unless it is so
            # much that the others should have a part of it.
            fused = take(current, tails, link, count, own)
            continue
        else:
            break
        begin = chunk << CHUNK_BITS
        end = begin + count[chunk]
        if picked is not None:
            if chunk != asked:
                for entry in range(begin, end):
                    _prefetch_arcs(pool[entry], arrays)
            asked = then  # somebody else may take it, and even fill it anew: a hint, no more
            at = then << CHUNK_BITS
            done = _relax_chunk_of_few(
                algebra, threads, begin, end, at, at + count[then] if then != chunk else at,
                arrays, labels, cutoff, scale, lists, picked[thread], shared,
            )  # fmt: skip
        else:
            done = _relax_chunk(
                algebra, threads, begin, end, arrays, labels, cutoff, scale, lists, shared
            )
        vertices += done[0]
        arcs += done[1]
        improved += done[2]
        give_back(chunk, tails, link)
        if stopping(sync):
            break
    return vertices, arcs, improved


@outlined
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
                lowest = np.minimum(lowest, bucket)
    if thread == 0:
        shared[USED] = 0
        shared[_FULL] = 0
        shared[_FAR] = 0
    atomic_min(shared, _LOWEST, lowest)
    barrier(sync, threads)  # the lowest bucket is known, the pool empty
    base = shared[_LOWEST]
    if base == _NEVER:
        return np.int64(-1)
    tails[:] = 0
    lists = (tails, pool, distances, link)
    for v in range(np.uint64(first), np.uint64(last)):
        d = distance[v]
        if d != unreached:
            slot = _bucket(d, low, inverse) - base
            if slot >= BUCKETS:
                shared[_FAR] = 1
            elif slot >= 0:
                push(v, d, np.uint64(slot), lists, shared)
    barrier(sync, threads)  # the buckets are full, and everybody has read the lowest
    if thread == 0:
        shared[_LOWEST] = _NEVER
    return base


@compiled
def _delta_stepping(  # type: ignore[no-untyped-def]
    thread, threads, sync,
    algebra, offsets, indices, weights, sources, start, inverse, cutoff, unreached, target,
    distance, predecessor, all_tails, pool, distances, link, count, work, picked, offers,
    shared, trace, totals,
):  # fmt: skip
    first, last = share(distance.shape[0], thread, threads)
    distance[first:last] = unreached
    predecessor[first:last] = NONE
    tails = all_tails[thread]
    tails[:] = 0
    mine = work[thread]
    own = work[threads + thread]  # not offered: what bucket fusion takes
    improved = np.int64(0)
    barrier(sync, threads)  # every vertex is unreached
    base = np.int64(0)
    low = np.float64(start)
    if thread == 0:
        for i in range(sources.shape[0]):
            distance[sources[i]] = start
            push(sources[i], distance[sources[i]], ZERO, (tails, pool, distances, link), shared)

    current = np.int64(0)
    step = 0
    while True:
        offers[thread, _OFFERED] = take(current, tails, link, count, mine)
        offers[thread, _TAKEN] = 0
        if thread == 0:
            shared[_NEXT + _LINE * ((step + 1) % 3)] = BUCKETS
        barrier(sync, threads)  # all offers stand

        vertices, arcs, better = _relax_round(
            algebra, thread, threads, sync, np.uint64(current), offsets, indices, weights, cutoff,
            low, inverse, base, distance, predecessor, tails, pool, distances, link, count, work,
            own, picked, offers, shared,
        )  # fmt: skip
        following = current
        while following < BUCKETS and tails[following] == 0:
            following += 1
        atomic_min(shared, _NEXT + _LINE * (step % 3), following)
        row = 3 * np.minimum(step, trace.shape[0] // 3 - 1)
        atomic_add(trace, row, np.int64(vertices))
        atomic_add(trace, row + 1, np.int64(arcs))
        improved += np.int64(better)
        if barrier(sync, threads):  # the round is done, the next bucket known
            return
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
    n, m = graph.num_vertices, graph.num_arcs
    inverse = 1.0 / delta
    # Entries for all vertices and for stale ones, and a chunk begun in each bucket.
    entries = n * _POOL_BYTES // (4 + distance.dtype.itemsize)
    chunks = min(entries // CHUNK + threads * BUCKETS, _MOST_CHUNKS)
    picked = None  # kernels are compiled for either
    if m >= _FEW and graph.mean_arc_degree <= _FEW:
        # The arcs that a thread picks at once, and a place where it writes the next one.
        picked = np.empty((threads, int(_FEW) * CHUNK + 1), np.uint64)
    shared, totals = np.zeros(_SHARED, np.int64), np.zeros(3, np.int64)
    shared[_NEXT : _NEXT + 3 * _LINE] = BUCKETS
    shared[_LOWEST] = 2**62
    trace = new_trace(n)
    dtype = distance.dtype.type
    team.run(
        _delta_stepping, threads,
        ALGEBRAS[algebra], *arcs_of(graph), weights,
        unsigned(sources), dtype(start), inverse, dtype(cutoff), unreachable(dtype), target,
        distance, predecessor, np.empty((threads, BUCKETS + 1), np.uint32),
        np.empty(chunks * CHUNK, np.uint32), np.empty(chunks * CHUNK, dtype),
        np.empty(chunks, np.uint32), np.empty(chunks, np.uint32),
        np.empty((2 * threads, chunks), np.uint32), picked,
        np.zeros((threads, _PER_THREAD), np.int64), shared, trace.reshape(-1), totals,
    )  # fmt: skip
    return Report(
        trace=trace[: totals[_ROUNDS]],
        iterations=int(totals[_ROUNDS]),
        threads=int(totals[_THREADS]),
        improvements=int(totals[_IMPROVED]),
    )
