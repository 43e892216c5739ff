"""Where delta-stepping reaches most vertices within some buckets, the others pull their paths.

Source: V. T. Chakaravarthy, F. Checconi, F. Petrini, Y. Sabharwal, "Scalable single source shortest path algorithms for
massively parallel systems", IPDPS 2014: push and pull of long edges. There each bucket has its long edges; here there
is one limit, ahead of the bucket in which the search has met a good part of the arcs.

What is in the encoding:

- The limit is behind the last bucket before ``stop``. Until that bucket's turn, an arc that leads to a distance from the limit
  on is not looked at further, so that neither its end's distance is loaded nor a place in a bucket taken.
- Then all distances before ``stop`` are final, and what was left out concerns vertices beyond alone. They look
  along their own arcs, each of which has a reverse: the graph is undirected. That they are few is what the limit hopes for. If
  it is wrong, the arcs that were left out are relaxed after all, each once.
- A vertex that pulls is written by one thread, and no thread reads distances beyond the limit but to compare them with it.
"""

import numpy as np

from warpath.cpu.arcs import arc_range
from warpath.cpu.delta_round import OUTER, TAKEN_BLOCKS, bucket, enter, relax_arc
from warpath.cpu.relax import extend
from warpath.cpu.unsigned import ONE, ZERO
from warpath.parallel.atomics import atomic_add, unowned
from warpath.parallel.jit import inlined, outlined
from warpath.parallel.sync import barrier, share

# The arcs that a search has relaxed before it sets its limit, as a part of all: a 16th.
MET = 16
# They pull if they have at most this part of the arcs.
_FEW_LEFT = np.uint64(4)
_BLOCK_BITS = np.uint64(10)  # vertices that a thread takes at once: a guess


@inlined
def limit_behind(search, low, inverse, stop, unit):  # type: ignore[no-untyped-def]
    """A key of bucket ``stop`` or of one behind it; that of no path where there is none.

    ``unit`` is what a conversion to the keys' dtype may take away.
    """
    key = low + (stop + 1) / inverse  # a bucket further, for what was rounded
    if not key < search.unreached:
        return search.unreached
    limit = search.distance.dtype.type(key) + unit
    return limit if bucket(limit, low, inverse) >= stop else search.unreached


@inlined
def _pull(now, v, d, first, last):  # type: ignore[no-untyped-def]
    """The best path to v, whose distance is ``d``, over a vertex within the limit; whether it is better."""
    search = now.search
    best, parent = d, ZERO
    for arc in range(first, last):
        u = search.arcs.indices[arc]
        before = search.distance[u]
        if before < now.limit:
            candidate = extend(search.algebra, before, search.arcs.weights[arc])
            if candidate < best and not candidate < before:
                best, parent = candidate, np.uint64(u)
    if not best < d or best > search.cutoff:
        return False
    search.distance[v] = best
    search.predecessor[v] = np.int32(parent)
    enter(now, np.uint32(v), best)
    return True


@inlined
def _arcs_beyond(thread, threads, sync, now, stop):  # type: ignore[no-untyped-def]
    """How many arcs the vertices from bucket ``stop`` on have."""
    distance = now.search.distance
    mine = ZERO
    first, last = share(distance.shape[0], thread, threads)
    for v in range(np.uint64(first), np.uint64(last)):
        if bucket(distance[v], now.low, now.inverse) >= stop:
            begin, end = arc_range(now.search.arcs, v)
            mine += end - begin
    atomic_add(now.lists.shared, OUTER, np.int64(mine))
    barrier(sync, threads)  # all are counted
    return np.uint64(now.lists.shared[OUTER])


@outlined
def finish_limit(thread, threads, sync, now, since, stop):  # type: ignore[no-untyped-def]
    """Follow the paths that the limit left out, from the vertices of the buckets from ``since`` to ``stop``.

    Returns how many vertices, arcs, improvements.
    """
    now = unowned(now)
    search = now.search
    n, arcs = np.uint64(search.distance.shape[0]), np.uint64(search.arcs.indices.shape[0])
    pulls = _arcs_beyond(thread, threads, sync, now, stop) * _FEW_LEFT <= arcs
    vertices = relaxed = improved = ZERO
    while True:
        begin = np.uint64(atomic_add(now.lists.shared, TAKEN_BLOCKS, 1)) << _BLOCK_BITS
        if begin >= n:
            break
        for v in range(begin, np.minimum(begin + (ONE << _BLOCK_BITS), n)):
            d = search.distance[v]
            its = bucket(d, now.low, now.inverse)
            first, last = arc_range(search.arcs, v)
            if pulls and its >= stop:
                vertices += ONE
                relaxed += last - first
                improved += np.uint64(_pull(now, v, d, first, last))
            elif not pulls and since <= its < stop:
                vertices += ONE
                for arc in range(first, last):
                    if not extend(search.algebra, d, search.arcs.weights[arc]) < now.limit:
                        relaxed += ONE
                        improved += relax_arc(threads, now, np.uint32(v), d, arc)
    return vertices, relaxed, improved
