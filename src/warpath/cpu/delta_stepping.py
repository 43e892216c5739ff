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
- In graphs of few arcs per vertex a chunk is worked off in two passes (`_relax_chunk_of_few`).
- Only `BUCKETS` buckets exist at a time, from ``base`` on. What lies beyond is not stored
  at all, nor what finds the pool full; a flag says so. Then the buckets are refilled
  from the distances themselves: a vertex is unfinished exactly when its bucket is. So
  memory has a fixed bound and any spread of weights works.
"""

from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from warpath.cpu.arcs import arc_range
from warpath.cpu.buckets import (
    BUCKETS,
    CHUNK,
    CHUNK_BITS,
    FREE,
    IN_CHUNK,
    USED,
    Lists,
    give_back,
    is_short,
    push,
    take,
)
from warpath.cpu.method import Method, Search, finish, initialize
from warpath.cpu.relax import extend, lower
from warpath.cpu.trace import EDGES, VERTICES
from warpath.cpu.unsigned import ONE, ZERO
from warpath.graph.graph import Graph
from warpath.parallel.atomics import atomic_add, atomic_min, prefetch, unowned
from warpath.parallel.carve import carve
from warpath.parallel.jit import compiled, inlined, outlined
from warpath.parallel.sync import barrier, share, stopping
from warpath.planning.shortest_paths import Relaxation

_POOL_BYTES = 21  # a vertex: with all else below 40; G(2¹⁸, 2²²) wants 2.7 entries a vertex

# Entries between asking for the lines of a vertex's arcs and its turn: DRAM takes some 150 ns.
# A few arcs often straddle two lines, so the fourth one's is asked for as well. A vertex's
# offsets are asked for when it enters a bucket. Together a 1000² grid takes 0.8 of the time that it takes with
# offsets 8 and arcs 3 entries ahead; measured with one thread, Zen 5, 2026-11.
_AHEAD = np.uint64(24)
_FOURTH = np.uint64(3)
# Where vertices have at most this many arcs, averaged over the arcs, this many of each are looked at
# without a branch. One thread, Zen 5, 2026-11, against one branch per arc: 0.84 and 0.79 of the
# time on the 1000² grid (int32 and float64 weights), 0.85 on a hexagonal one (3 arcs per vertex), 1 on a
# Delaunay triangulation (6). On random graphs of 4 to 8 arcs per vertex, whose ends no cache holds, and on
# R-MAT graphs of as few, 1.1 to 1.2.
_FEW = np.uint64(4)
# Entries ahead of which the ends of arcs are asked for, which needs the arcs (4 to 8 take as long, 0
# a tenth longer); picked arcs ahead of which predecessors are (a guess).
_ENDS_AHEAD = np.uint64(6)
_PICKED_AHEAD = np.uint64(8)

_INT64 = np.dtype(np.int64)
_LINE = 8
# One line a thread: how many chunks it offers, how many of them were taken.
_OFFERED, _TAKEN, _PER_THREAD = 0, _LINE, 2 * _LINE
# Shared: chunks of the pool ever used; flags; the next bucket (three, rotating); totals.
_FULL, _FAR, _NEXT, _LOWEST = USED + _LINE, 2 * _LINE, 3 * _LINE, 6 * _LINE
_SHARED = 7 * _LINE
_NEVER = np.int64(2**62)
_LAST = 2.0**61  # all that is farther shares a bucket
_PICKED = int(_FEW) * CHUNK + 1
_MOST_CHUNKS = 2**32 // CHUNK - 1  # places in the pool are 32-bit numbers


class _Layout(NamedTuple):
    """Where in one array the arrays of a `_Space` begin, in words, and how many chunks there are."""

    chunks: Any
    offers: Any
    tails: Any
    link: Any
    count: Any
    work: Any
    pool: Any
    distances: Any
    picked: Any
    size: Any


class _Arena(NamedTuple):
    """The memory of a `_Space`."""

    words: Any
    layout: Any
    few: Any  # True where vertices have few arcs, else None: kernels are compiled for either
    inverse: Any  # 1 / Δ


class _Space(NamedTuple):
    """What a run works in."""

    lists: Any  # a row of tails for each thread
    work: Any  # the chunks that each thread offers, then those that each has fused
    offers: Any


class _Round(NamedTuple):
    """What does not change in a round: the search, my lists, where buckets are."""

    search: Any
    lists: Any
    low: Any
    inverse: Any
    base: Any


@inlined
def _bucket(d, low, inverse):  # type: ignore[no-untyped-def]
    return np.int64(np.minimum((np.float64(d) - low) * inverse, _LAST))


@inlined
def _prefetch_arcs(arcs, u):  # type: ignore[no-untyped-def]
    first = np.uint64(arcs.offsets[u])
    for arc in (first, first + _FOURTH):  # past the end of the array too: it never faults
        prefetch(arcs.indices, arc)
        prefetch(arcs.weights, arc)


@inlined
def _relax_arc(threads, now, u, d, arc):  # type: ignore[no-untyped-def]
    """Relax an arc of u, whose distance is ``d``; 1 if that was an improvement, else 0."""
    search, lists = now.search, now.lists
    v = search.arcs.indices[arc]
    candidate = extend(search.algebra, d, search.arcs.weights[arc])
    if not candidate < search.distance[v]:
        return ZERO
    if candidate < d or candidate > search.cutoff:
        return ZERO  # an integer that wrapped; or too far
    if not lower(search.distance, search.predecessor, u, v, candidate, threads):
        return ZERO
    prefetch(search.arcs.offsets, v)
    slot = np.uint64(_bucket(candidate, now.low, now.inverse) - now.base)
    if slot >= FREE:
        lists.shared[_FAR] = 1
    elif not push(lists, v, candidate, slot):
        lists.shared[_FULL] = 1
    return ONE


@inlined
def _relax_chunk(threads, now, begin, end):  # type: ignore[no-untyped-def]
    """Relax the arcs of the entries from ``begin`` on; how many vertices, arcs, improvements."""
    search, lists = now.search, now.lists
    vertices = arcs = improved = ZERO
    for entry in range(begin, np.minimum(begin + _AHEAD, end)):
        _prefetch_arcs(search.arcs, lists.pool[entry])
    for entry in range(begin, end):
        if entry + _AHEAD < end:
            _prefetch_arcs(search.arcs, lists.pool[entry + _AHEAD])
        u, d = lists.pool[entry], lists.distances[entry]
        if search.distance[u] != d:
            continue
        first, last = arc_range(search.arcs, u)
        vertices += ONE
        arcs += last - first
        for arc in range(first, last):
            improved += _relax_arc(threads, now, u, d, arc)
    return vertices, arcs, improved


@inlined
def _prefetch_ends(search, u):  # type: ignore[no-untyped-def]
    """Ask for the distances at the ends of u's first arcs, or of others where it has fewer."""
    indices = search.arcs.indices
    first = np.minimum(np.uint64(search.arcs.offsets[u]), np.uint64(indices.shape[0]) - _FEW)
    for k in range(_FEW):
        prefetch(search.distance, indices[first + k])


@inlined
def _relax_chunk_of_few(threads, now, begin, end, then, then_end, picked):  # type: ignore[no-untyped-def]
    """The same where vertices have few arcs: pick those that improve something, then relax them.

    No branch predictor knows whether an entry is up to date, how many arcs its vertex has, and
    which of them improve something. So the first pass looks at `_FEW` arcs of every entry, its own
    or not, and writes each down, over the one before if that improved nothing. An arc is written as
    arc · CHUNK + entry of the chunk. What the second pass finds is again compared with the
    distances: both ends may have better ones by then. Meanwhile the arcs of the chunk that comes
    ``then`` are asked for.
    """
    search, pool, distances = now.search, now.lists.pool, now.lists.distances
    indices, weights = search.arcs.indices, search.arcs.weights
    vertices = arcs = improved = ZERO
    count = ZERO
    last_few = np.uint64(indices.shape[0]) - _FEW
    for entry in range(begin, end):
        if then < then_end:
            _prefetch_arcs(search.arcs, pool[then])
            then += ONE
        if entry + _ENDS_AHEAD < end:
            _prefetch_ends(search, pool[entry + _ENDS_AHEAD])
        u, d = pool[entry], distances[entry]
        first, last = arc_range(search.arcs, u)
        stands = search.distance[u] == d
        degree = last - first
        degree = degree if stands else ZERO  # of what is loaded already: no branch
        vertices += np.uint64(stands)
        arcs += degree
        few = np.minimum(first, last_few)  # the last vertices' reach back, not beyond the arrays
        before = first - few
        code = (few << CHUNK_BITS) + (entry - begin)
        for k in range(_FEW):
            picked[count] = code + (k << CHUNK_BITS)
            candidate = extend(search.algebra, d, weights[few + k])
            better = candidate < search.distance[indices[few + k]]
            count += np.uint64(better & (k - before < degree))
        for arc in range(first + _FEW, first + degree):
            improved += _relax_arc(threads, now, u, d, arc)
    for i in range(count):
        if i + _PICKED_AHEAD < count:
            prefetch(search.predecessor, indices[picked[i + _PICKED_AHEAD] >> CHUNK_BITS])
        entry = begin + (picked[i] & IN_CHUNK)
        arc = picked[i] >> CHUNK_BITS
        improved += _relax_arc(threads, now, pool[entry], distances[entry], arc)
    return vertices, arcs, improved


@outlined
def _relax_round(thread, threads, sync, now, space, picked, current):  # type: ignore[no-untyped-def]
    """Relax the arcs of the offered chunks, and of my own ones that this adds to the bucket.

    Returns how many vertices, arcs, improvements.
    """
    now, space = unowned(now), unowned(space)
    lists = now.lists
    own = space.work[threads + thread]  # not offered: what bucket fusion takes
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
            offered = space.offers[owner, _OFFERED]
            i = atomic_add(space.offers[owner], _TAKEN, 1)
            if i >= offered:
                turn += 1
                continue
            chunk = space.work[owner, i]
            then = space.work[owner, np.minimum(i + 1, offered - 1)]
        elif lists.tails[current] != 0 and (threads == 1 or is_short(lists, current)):
            # Bucket fusion: continue with what I added to this bucket myself, unless it is so
            # much that the others should have a part of it.
            fused = take(lists, current, own)
            continue
        else:
            break
        begin = chunk << CHUNK_BITS
        end = begin + lists.count[chunk]
        if picked is not None:
            if chunk != asked:
                for entry in range(begin, end):
                    _prefetch_arcs(now.search.arcs, lists.pool[entry])
            asked = then  # another thread may take it, and even fill it again: only a hint
            at = then << CHUNK_BITS
            done = _relax_chunk_of_few(
                threads, now, begin, end, at, at + lists.count[then] if then != chunk else at,
                picked[thread],
            )  # fmt: skip
        else:
            done = _relax_chunk(threads, now, begin, end)
        vertices += done[0]
        arcs += done[1]
        improved += done[2]
        give_back(lists, chunk)
        if stopping(sync):
            break
    return vertices, arcs, improved


@outlined
def _refill(thread, threads, sync, now, unfinished):  # type: ignore[no-untyped-def]
    """Fill the buckets again from the distances; return the first one, or -1 if none is left."""
    now = unowned(now)
    search, lists = now.search, now.lists
    distance, shared = search.distance, lists.shared
    first, last = share(distance.shape[0], thread, threads)
    lowest = _NEVER
    for v in range(np.uint64(first), np.uint64(last)):
        if distance[v] != search.unreached:
            bucket = _bucket(distance[v], now.low, now.inverse)
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
    lists.tails[:] = 0
    for v in range(np.uint64(first), np.uint64(last)):
        d = distance[v]
        if d != search.unreached:
            slot = _bucket(d, now.low, now.inverse) - base
            if slot >= BUCKETS:
                shared[_FAR] = 1
            elif slot >= 0:
                push(lists, np.uint32(v), d, np.uint64(slot))  # as the sources: one `push` for both
    barrier(sync, threads)  # the buckets are full, and everybody has read the lowest
    if thread == 0:
        shared[_LOWEST] = _NEVER
    return base


@compiled
def _delta_stepping(thread, threads, sync, search, arena):  # type: ignore[no-untyped-def]
    search = unowned(search)
    space = _parts(arena.words, arena.layout, threads, search.distance)
    picked = _picked(arena.words, arena.layout.picked, threads, arena.few)
    distance, target = search.distance, search.target
    offers, every = space.offers, space.lists
    shared = every.shared
    lists = Lists(every.tails[thread], every.pool, every.distances, every.link, every.count, shared)
    lists.tails[:] = 0
    improved = ZERO
    base = np.int64(0)
    low, inverse = np.float64(search.start), arena.inverse
    if thread == 0:
        shared[:] = 0
        shared[_NEXT : _NEXT + 3 * _LINE] = BUCKETS
        shared[_LOWEST] = _NEVER
    initialize(thread, threads, sync, search)
    if thread == 0:
        for i in range(search.sources.shape[0]):
            push(lists, search.sources[i], distance[search.sources[i]], ZERO)

    current = np.int64(0)
    step = 0
    while True:
        offers[thread, _OFFERED] = take(lists, np.uint64(current), space.work[thread])
        offers[thread, _TAKEN] = 0
        if thread == 0:
            shared[_NEXT + _LINE * ((step + 1) % 3)] = BUCKETS
        barrier(sync, threads)  # all offers stand

        now = _Round(search, lists, low, inverse, base)
        vertices, arcs, better = _relax_round(
            thread, threads, sync, now, space, picked, np.uint64(current)
        )
        following = current
        while following < BUCKETS and lists.tails[following] == 0:
            following += 1
        atomic_min(shared, _NEXT + _LINE * (step % 3), following)
        row = search.trace[np.minimum(step, search.trace.shape[0] - 1)]
        atomic_add(row, VERTICES, np.int64(vertices))
        atomic_add(row, EDGES, np.int64(arcs))
        improved += better
        if barrier(sync, threads):  # the round is done, the next bucket known
            return
        done = current
        current = shared[_NEXT + _LINE * (step % 3)]
        full = shared[_FULL] != 0
        step += 1
        if target >= 0 and distance[target] != search.unreached:
            # Buckets before `done` are finished; `done` itself too unless it comes again.
            upto = base + (done if full else current)
            if _bucket(distance[target], low, inverse) < upto:
                break
        if full or current == BUCKETS:
            if not full and shared[_FAR] == 0:
                break
            unfinished = base + (done if full else np.int64(BUCKETS))
            barrier(sync, threads)  # everybody has read the flags
            base = _refill(thread, threads, sync, now, unfinished)
            if base < 0:
                break
            current = np.int64(0)
    finish(thread, threads, search, step, improved)


def _layout(graph: Graph, plan: Relaxation, threads: int) -> tuple[_Layout, bool | None, float]:
    """What an `_Arena` needs beyond its words."""
    assert plan.width is not None
    m, itemsize = graph.num_arcs, plan.dtype.itemsize
    # Entries for all vertices and for stale ones, and a chunk begun in each bucket that one may be in.
    entries = graph.num_vertices * _POOL_BYTES // (4 + itemsize)
    begun = threads * min(BUCKETS, entries)
    chunks = min(entries // CHUNK + begun, _MOST_CHUNKS)
    half = (chunks + 1) // 2
    few = m >= int(_FEW) and graph.mean_arc_degree <= int(_FEW)
    sizes = (
        _SHARED, threads * _PER_THREAD, threads * (BUCKETS + 2) // 2, half, half, threads * chunks,
        chunks * CHUNK // 2, chunks * CHUNK * itemsize // 8, threads * _PICKED if few else 0,
    )  # fmt: skip
    return _Layout._make((chunks, *accumulate(sizes))), few or None, 1.0 / plan.width.first


@compiled
def _parts(words, layout, threads, distance):  # type: ignore[no-untyped-def]
    """The space of a team; nothing of it is initialised."""
    chunks = layout.chunks
    lists = Lists(
        carve(words, layout.tails, np.uint32, (threads, BUCKETS + 1)),
        carve(words, layout.pool, np.uint32, (chunks * CHUNK,)),
        carve(words, layout.distances, distance.dtype, (chunks * CHUNK,)),
        carve(words, layout.link, np.uint32, (chunks,)),
        carve(words, layout.count, np.uint32, (chunks,)),
        carve(words, 0, np.int64, (layout.offers,)),
    )
    work = carve(words, layout.work, np.uint32, (2 * threads, chunks))
    return _Space(lists, work, carve(words, layout.offers, np.int64, (threads, _PER_THREAD)))


@compiled
def _picked(words, begin, threads, few):  # type: ignore[no-untyped-def]
    """The arcs that each thread picks at once, and a place where it writes the next one."""
    if few is None:
        return None
    return carve(words, begin, np.uint64, (threads, _PICKED))


def _workspace(graph: Graph, search: Search, layout: Any) -> _Arena:
    return _Arena(np.empty(layout[0].size, _INT64), *layout)


delta_stepping = Method(_delta_stepping, _workspace, _layout)
"""No arc makes a path better. Δ is widened where the largest distance would need more than 2⁶⁰ buckets.

Takes at most 24 bytes per vertex and 200 (400 for 64-bit distances) KiB a thread, of which short
frontiers touch little.
"""
