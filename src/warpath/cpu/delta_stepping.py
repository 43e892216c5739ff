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
- What is done with a chunk is in `warpath.cpu.delta_round`, what with paths beyond a limit in `warpath.cpu.delta_pull`.
- Only `BUCKETS` buckets exist at a time, from ``base`` on. What lies beyond is not stored
  at all, nor what finds the pool full; a flag says so. Then the buckets are refilled
  from the distances themselves: a vertex is unfinished exactly when its bucket is. So
  memory has a fixed bound and any spread of weights works.
"""

import math
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from warpath.cpu.buckets import (
    BUCKETS,
    CHUNK,
    CHUNK_BITS,
    USED,
    Lists,
    give_back,
    is_short,
    push,
    take,
)
from warpath.cpu.counters import LINE
from warpath.cpu.delta_pull import MET, finish_limit, limit_behind
from warpath.cpu.delta_round import (
    FAR,
    FEW,
    FULL,
    LOWEST,
    NEXT,
    RELAXED,
    SHARED,
    Round,
    bucket,
    prefetch_arcs,
    relax_chunk,
    relax_chunk_of_few,
)
from warpath.cpu.method import Method, Search, finish, initialize
from warpath.cpu.trace import EDGES, VERTICES
from warpath.cpu.unsigned import ZERO
from warpath.graph.graph import Graph
from warpath.parallel.atomics import atomic_add, atomic_min, unowned
from warpath.parallel.carve import carve
from warpath.parallel.jit import compiled, inlined, outlined
from warpath.parallel.sync import barrier, share, stopping
from warpath.planning.shortest_paths import Relaxation

_POOL_BYTES = 21  # a vertex: with all else below 40; G(2¹⁸, 2²²) wants 2.7 entries a vertex

_INT64 = np.dtype(np.int64)
# One line a thread: how many chunks it offers, how many of them were taken.
_OFFERED, _TAKEN, _PER_THREAD = 0, LINE, 2 * LINE
_NEVER = np.int64(2**62)
_PICKED = int(FEW) * CHUNK + 1
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
    reach: Any  # buckets from where a limit is set to it; 0: none is
    unit: Any  # see `limit_behind`


class _Space(NamedTuple):
    """What a run works in."""

    lists: Any  # a row of tails for each thread
    work: Any  # the chunks that each thread offers, then those that each has fused
    offers: Any


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
                    prefetch_arcs(now.search.arcs, lists.pool[entry])
            asked = then  # another thread may take it, and even fill it again: only a hint
            at = then << CHUNK_BITS
            done = relax_chunk_of_few(
                threads, now, begin, end, at, at + lists.count[then] if then != chunk else at,
                picked[thread],
            )  # fmt: skip
        else:
            done = relax_chunk(threads, now, begin, end)
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
            its = bucket(distance[v], now.low, now.inverse)
            if its >= unfinished:
                lowest = np.minimum(lowest, its)
    if thread == 0:
        shared[USED] = 0
        shared[FULL] = 0
        shared[FAR] = 0
    atomic_min(shared, LOWEST, lowest)
    barrier(sync, threads)  # the lowest bucket is known, the pool empty
    base = shared[LOWEST]
    if base == _NEVER:
        return np.int64(-1)
    lists.tails[:] = 0
    for v in range(np.uint64(first), np.uint64(last)):
        d = distance[v]
        if d != search.unreached:
            slot = bucket(d, now.low, now.inverse) - base
            if slot >= BUCKETS:
                shared[FAR] = 1
            elif slot >= 0:
                push(lists, np.uint32(v), d, np.uint64(slot))  # as the sources: one `push` for both
    barrier(sync, threads)  # the buckets are full, and all threads have read the lowest
    if thread == 0:
        shared[LOWEST] = _NEVER
    return base


@inlined
def _count(trace, step, vertices, arcs):  # type: ignore[no-untyped-def]
    row = trace[np.minimum(step, trace.shape[0] - 1)]
    atomic_add(row, VERTICES, np.int64(vertices))
    atomic_add(row, EDGES, np.int64(arcs))


@compiled
def _delta_stepping(thread, threads, sync, search, arena):  # type: ignore[no-untyped-def]
    search = unowned(search)
    space = _parts(arena.words, arena.layout, threads, search.distance)
    picked = _picked(arena.words, arena.layout.picked, threads, arena.few)
    distance, target = search.distance, search.target
    every_arc = search.arcs.indices.shape[0]
    offers, every = space.offers, space.lists
    shared = every.shared
    lists = Lists(every.tails[thread], every.pool, every.distances, every.link, every.count, shared)
    lists.tails[:] = 0
    improved = ZERO
    base = np.int64(0)
    low, inverse = np.float64(search.start), arena.inverse
    if thread == 0:
        shared[:] = 0
        shared[NEXT : NEXT + 3 * LINE] = BUCKETS
        shared[LOWEST] = _NEVER
    initialize(thread, threads, sync, search)
    if thread == 0:
        for i in range(search.sources.shape[0]):
            push(lists, search.sources[i], distance[search.sources[i]], ZERO)

    current = np.int64(0)
    step = 0
    pulls = 0  # rows of the trace that are no rounds
    may_limit = arena.reach > 0 and target < 0
    limit, since, stop = search.unreached, _NEVER, _NEVER
    while True:
        offers[thread, _OFFERED] = take(lists, np.uint64(current), space.work[thread])
        offers[thread, _TAKEN] = 0
        if thread == 0:
            shared[NEXT + LINE * ((step + 1) % 3)] = BUCKETS
        barrier(sync, threads)  # all offers stand

        now = Round(search, lists, low, inverse, base, limit)
        vertices, arcs, better = _relax_round(
            thread, threads, sync, now, space, picked, np.uint64(current)
        )
        following = current
        while following < BUCKETS and lists.tails[following] == 0:
            following += 1
        atomic_min(shared, NEXT + LINE * (step % 3), following)
        _count(search.trace, step + pulls, vertices, arcs)
        atomic_add(shared, RELAXED, np.int64(arcs))
        improved += better
        if barrier(sync, threads):  # the round is done, the next bucket known
            return
        done = current
        current = shared[NEXT + LINE * (step % 3)]
        full = shared[FULL] != 0
        step += 1
        if target >= 0 and distance[target] != search.unreached:
            # Buckets before `done` are finished; `done` itself too unless it comes again.
            upto = base + (done if full else current)
            if bucket(distance[target], low, inverse) < upto:
                break
        if may_limit and not full and current < BUCKETS and shared[RELAXED] * MET >= every_arc:
            may_limit = False
            since = base + current
            stop = np.minimum(since + arena.reach, base + BUCKETS)
            limit = limit_behind(search, low, inverse, stop, arena.unit)
            if limit == search.unreached:
                stop = _NEVER
        elif base + current >= stop and not full:
            # The buckets before `stop` are done.
            now = Round(search, lists, low, inverse, base, limit)
            vertices, arcs, better = finish_limit(thread, threads, sync, now, since, stop)
            pulls += 1
            _count(search.trace, step - 1 + pulls, vertices, arcs)
            improved += better
            current = stop - base
            limit, stop = search.unreached, _NEVER
            barrier(sync, threads)  # all paths have been followed
            full = shared[FULL] != 0
            done = current
        if full or current == BUCKETS:
            if not full and shared[FAR] == 0:
                break
            unfinished = base + (done if full else np.int64(BUCKETS))
            barrier(sync, threads)  # all threads have read the flags
            base = _refill(thread, threads, sync, now, unfinished)
            if base < 0:
                break
            current = np.int64(0)
    finish(thread, threads, search, step + pulls, improved)


def _layout(
    graph: Graph, plan: Relaxation, threads: int
) -> tuple[_Layout, bool | None, float, int, Any]:
    """What an `_Arena` needs beyond its words."""
    assert plan.width is not None
    m, itemsize = graph.num_arcs, plan.dtype.itemsize
    # Entries for all vertices and for stale ones, and a chunk begun in each bucket that one may be in.
    entries = graph.num_vertices * _POOL_BYTES // (4 + itemsize)
    begun = threads * min(BUCKETS, entries)
    chunks = min(entries // CHUNK + begun, _MOST_CHUNKS)
    half = (chunks + 1) // 2
    few = m >= int(FEW) and graph.mean_arc_degree <= int(FEW)
    sizes = (
        SHARED, threads * _PER_THREAD, threads * (BUCKETS + 2) // 2, half, half, threads * chunks,
        chunks * CHUNK // 2, chunks * CHUNK * itemsize // 8, threads * _PICKED if few else 0,
    )  # fmt: skip
    width = plan.width
    reach = 0 if few else math.ceil(width.reach / width.first)
    unit = plan.dtype.type(plan.dtype.kind == "i")
    return _Layout._make((chunks, *accumulate(sizes))), few or None, 1.0 / width.first, reach, unit


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
