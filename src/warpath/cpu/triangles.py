"""Triangles on the CPU: a vertex marks its neighbours, and looks up theirs.

Each edge is directed to its end of more neighbours, so a vertex keeps at most √(2m) of them (T. Schank, D. Wagner, WEA 2005:
"forward"). Vertices are numbered by their degree, hubs first. So most look-ups are in few bytes of the marks: R-MAT 18 takes
0.6 of the time, R-MAT 20 0.4 (one core of a Xeon). And no branch depends on a mark, as it could not be predicted: 0.6.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.arcs import Arcs, arc_range, arcs_of
from warpath.cpu.unsigned import ONE, ZERO
from warpath.graph.graph import Graph
from warpath.parallel import team
from warpath.parallel.atomics import atomic_add, unowned
from warpath.parallel.jit import compiled
from warpath.parallel.sync import stopping_at

_CHUNK = 64  # vertices that a thread takes at a time: a guess
_BYTES = 5  # of a mark and a tally
_MOST_BYTES_PER_ARC = (
    16  # of all threads' marks and tallies; with what else there is, less than a plan says
)


class Order(NamedTuple):
    """Vertices by degree: ``vertex[p]`` stands at place p, vertex v at ``place[v]``."""

    vertex: Any
    place: Any


class Scratch(NamedTuple):
    """What a thread has, a row each: ``mark`` and ``tally`` by places, zeros between two vertices; ``found``, places."""

    mark: Any
    tally: Any
    found: Any


@compiled
def look_ahead(thread, threads, sync, arcs, order, offsets, indices, taken):  # type: ignore[no-untyped-def]
    """List each place's neighbours that stand before it; or count those of p, as ``offsets[p + 1]``, without ``indices``."""
    arcs, order = unowned(arcs), unowned(order)
    n = np.uint64(order.vertex.shape[0])
    while True:
        first = np.uint64(atomic_add(taken, ZERO, np.int64(_CHUNK)))
        if first >= n or stopping_at(sync, first):
            return
        for p in range(first, np.minimum(first + np.uint64(_CHUNK), n)):
            begin, end = arc_range(arcs, order.vertex[p])
            at = ZERO if indices is None else np.uint64(offsets[p])
            for arc in range(begin, end):
                q = order.place[arcs.indices[arc]]
                if indices is None:
                    at += np.uint64(q < p)
                elif q < p:
                    indices[at] = q
                    at += ONE
            if indices is None:
                offsets[p + ONE] = at


@compiled
def count_triangles(thread, threads, sync, up, scratch, count, taken):  # type: ignore[no-untyped-def]
    """Add each triangle to its three corners, by places; a thread finds those whose last corner it takes."""
    up, scratch = unowned(up), unowned(scratch)
    mark, tally, found = scratch.mark[thread], scratch.tally[thread], scratch.found[thread]
    n = np.uint64(up.offsets.shape[0]) - ONE
    while True:
        first = np.uint64(atomic_add(taken, ZERO, np.int64(_CHUNK)))
        if first >= n or stopping_at(sync, first):
            return
        for p in range(first, np.minimum(first + np.uint64(_CHUNK), n)):
            begin, end = arc_range(up, p)
            if end < begin + np.uint64(2):
                continue
            for arc in range(begin, end):
                mark[up.indices[arc]] = 1
            own = np.int64(0)
            for arc in range(begin, end):
                q = up.indices[arc]
                theirs, last = arc_range(up, q)
                some = ZERO
                for other in range(theirs, last):
                    r = up.indices[other]
                    found[some] = r
                    some += np.uint64(mark[r])
                for i in range(some):
                    tally[found[i]] += np.uint32(1)
                tally[q] += np.uint32(some)
                own += np.int64(some)
            if own > 0:
                atomic_add(count, p, own)
            for arc in range(begin, end):
                q = up.indices[arc]
                mark[q] = 0
                if tally[q] > 0:
                    atomic_add(count, np.uint64(q), np.int64(tally[q]))
                    tally[q] = 0


def triangles(graph: Graph, degree: NDArray[np.int64], threads: int) -> NDArray[np.int64]:
    """How many triangles each vertex is a corner of.

    Parameters
    ----------
    graph : Graph
        Simple: each edge as two arcs, no parallel ones, no self-loops.
    degree : int64 array, shape (n,)
        Its degrees.
    threads : int
        At most.

    Returns
    -------
    int64 array, shape (n,)

    Notes
    -----
    Takes 2 bytes per arc, 24 per vertex, and 5 per vertex and thread: of fewer threads where that is more than 16 per arc.
    """
    n, arcs = graph.num_vertices, arcs_of(graph)
    if graph.num_arcs == 0:
        return np.zeros(n, np.int64)
    vertex = np.argsort(-degree, kind="stable").astype(np.uint32)
    place = np.empty_like(vertex)
    place[vertex] = np.arange(n, dtype=np.uint32)
    order = Order(vertex, place)
    offsets = np.zeros(n + 1, np.uint64)
    team.run(look_ahead, threads, arcs, order, offsets, None, np.zeros(1, np.int64))
    most = int(offsets.max())
    np.cumsum(offsets, out=offsets)
    up = Arcs(offsets, np.empty(int(offsets[-1]), np.uint32), None)
    team.run(look_ahead, threads, arcs, order, offsets, up.indices, np.zeros(1, np.int64))
    threads = max(1, min(threads, _MOST_BYTES_PER_ARC * graph.num_arcs // (_BYTES * n)))
    scratch = Scratch(
        np.zeros((threads, n), np.uint8), np.zeros((threads, n), np.uint32),
        np.empty((threads, most + 1), np.uint32),
    )  # fmt: skip
    count = np.zeros(n, np.int64)
    team.run(count_triangles, threads, up, scratch, count, np.zeros(1, np.int64))
    return count[place]
