"""What a round of delta-stepping does with the entries of a bucket: it relaxes their arcs.

See `warpath.cpu.delta_stepping`. What is in the encoding:

- Where few distances are left beyond some bucket, paths that lead there are not followed at all: their arcs are left
  to `warpath.cpu.delta_pull`. They are those that reach `Round.limit`.
- In graphs of few arcs per vertex a chunk is worked off in two passes (`relax_chunk_of_few`), without a limit.
"""

from typing import Any, NamedTuple

import numpy as np

from warpath.cpu.arcs import arc_range
from warpath.cpu.buckets import CHUNK_BITS, FREE, IN_CHUNK, USED, push
from warpath.cpu.counters import LINE
from warpath.cpu.relax import extend, lower
from warpath.cpu.unsigned import ONE, ZERO
from warpath.parallel.atomics import prefetch
from warpath.parallel.jit import inlined

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
FEW = np.uint64(4)
# Entries ahead of which the ends of arcs are asked for, which needs the arcs (4 to 8 take as long, 0
# a tenth longer); picked arcs ahead of which predecessors are (a guess).
_ENDS_AHEAD = np.uint64(6)
_PICKED_AHEAD = np.uint64(8)

# Shared: chunks of the pool ever used; flags; the next bucket (three, rotating); totals; arcs relaxed; arcs of the
# vertices beyond the limit; blocks of vertices that were taken there.
FULL, FAR, NEXT, LOWEST = USED + LINE, 2 * LINE, 3 * LINE, 6 * LINE
RELAXED, OUTER, TAKEN_BLOCKS = 7 * LINE, 8 * LINE, 9 * LINE
SHARED = 10 * LINE
LAST = 2.0**61  # all that is farther shares a bucket


class Round(NamedTuple):
    """What does not change in a round: the search, my lists, where buckets are, and the limit of paths."""

    search: Any
    lists: Any
    low: Any
    inverse: Any
    base: Any
    limit: Any


@inlined
def bucket(d, low, inverse):  # type: ignore[no-untyped-def]
    """The bucket of a distance."""
    return np.int64(np.minimum((np.float64(d) - low) * inverse, LAST))


@inlined
def prefetch_arcs(arcs, u):  # type: ignore[no-untyped-def]
    """Ask for the first of u's arcs."""
    first = np.uint64(arcs.offsets[u])
    for arc in (first, first + _FOURTH):  # past the end of the array too: it never faults
        prefetch(arcs.indices, arc)
        prefetch(arcs.weights, arc)


@inlined
def enter(now, v, d):  # type: ignore[no-untyped-def]
    """Put v, whose distance is now ``d``, into its bucket."""
    slot = np.uint64(bucket(d, now.low, now.inverse) - now.base)
    if slot >= FREE:
        now.lists.shared[FAR] = 1
    elif not push(now.lists, v, d, slot):
        now.lists.shared[FULL] = 1


@inlined
def relax_arc(threads, now, u, d, arc):  # type: ignore[no-untyped-def]
    """Relax an arc of u, whose distance is ``d``; 1 if that was an improvement, else 0."""
    search = now.search
    v = search.arcs.indices[arc]
    candidate = extend(search.algebra, d, search.arcs.weights[arc])
    if not candidate < search.distance[v]:
        return ZERO
    if candidate < d or candidate > search.cutoff:
        return ZERO  # an integer that wrapped; or too far
    if not lower(search.distance, search.predecessor, u, v, candidate, threads):
        return ZERO
    prefetch(search.arcs.offsets, v)
    enter(now, v, candidate)
    return ONE


@inlined
def relax_chunk(threads, now, begin, end):  # type: ignore[no-untyped-def]
    """Relax the arcs of the entries from ``begin`` on, of those within the limit.

    Returns how many vertices, arcs, improvements.
    """
    search, lists = now.search, now.lists
    vertices = arcs = improved = ZERO
    limited = now.limit < search.unreached  # else the loop over arcs is a twelfth shorter
    for entry in range(begin, np.minimum(begin + _AHEAD, end)):
        prefetch_arcs(search.arcs, lists.pool[entry])
    for entry in range(begin, end):
        if entry + _AHEAD < end:
            prefetch_arcs(search.arcs, lists.pool[entry + _AHEAD])
        u, d = lists.pool[entry], lists.distances[entry]
        if search.distance[u] != d:
            continue
        first, last = arc_range(search.arcs, u)
        vertices += ONE
        if limited:
            for arc in range(first, last):
                if extend(search.algebra, d, search.arcs.weights[arc]) < now.limit:
                    arcs += ONE
                    improved += relax_arc(threads, now, u, d, arc)
        else:
            arcs += last - first
            for arc in range(first, last):
                improved += relax_arc(threads, now, u, d, arc)
    return vertices, arcs, improved


@inlined
def _prefetch_ends(search, u):  # type: ignore[no-untyped-def]
    """Ask for the distances at the ends of u's first arcs, or of others where it has fewer."""
    indices = search.arcs.indices
    first = np.minimum(np.uint64(search.arcs.offsets[u]), np.uint64(indices.shape[0]) - FEW)
    for k in range(FEW):
        prefetch(search.distance, indices[first + k])


@inlined
def relax_chunk_of_few(threads, now, begin, end, then, then_end, picked):  # type: ignore[no-untyped-def]
    """The same where vertices have few arcs: pick those that improve something, then relax them.

    No branch predictor knows whether an entry is up to date, how many arcs its vertex has, and
    which of them improve something. So the first pass looks at `FEW` arcs of every entry, its own
    or not, and writes each down, over the one before if that improved nothing. An arc is written as
    arc · CHUNK + entry of the chunk. What the second pass finds is again compared with the
    distances: both ends may have better ones by then. Meanwhile the arcs of the chunk that comes
    ``then`` are asked for.
    """
    search, pool, distances = now.search, now.lists.pool, now.lists.distances
    indices, weights = search.arcs.indices, search.arcs.weights
    vertices = arcs = improved = ZERO
    count = ZERO
    last_few = np.uint64(indices.shape[0]) - FEW
    for entry in range(begin, end):
        if then < then_end:
            prefetch_arcs(search.arcs, pool[then])
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
        for k in range(FEW):
            picked[count] = code + (k << CHUNK_BITS)
            candidate = extend(search.algebra, d, weights[few + k])
            better = candidate < search.distance[indices[few + k]]
            count += np.uint64(better & (k - before < degree))
        for arc in range(first + FEW, first + degree):
            improved += relax_arc(threads, now, u, d, arc)
    for i in range(count):
        if i + _PICKED_AHEAD < count:
            prefetch(search.predecessor, indices[picked[i + _PICKED_AHEAD] >> CHUNK_BITS])
        entry = begin + (picked[i] & IN_CHUNK)
        arc = picked[i] >> CHUNK_BITS
        improved += relax_arc(threads, now, pool[entry], distances[entry], arc)
    return vertices, arcs, improved
