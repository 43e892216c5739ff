"""Dijkstra's algorithm with an indexed 4-ary heap: one thread, each vertex settled once.

Source: E. W. Dijkstra, Numerische Mathematik 1 (1959); the heap: `warpath.cpu.heap`.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.heap import sift_down, sift_up
from warpath.cpu.relax import ALGEBRAS, extend
from warpath.cpu.report import Report
from warpath.cpu.trace import new_trace
from warpath.cpu.unsigned import ONE, ZERO, arcs_of, unsigned
from warpath.graph.distance import unreachable
from warpath.graph.graph import Graph
from warpath.parallel.atomics import unowned
from warpath.parallel.jit import compiled
from warpath.parallel.team import interruptible, stopping_at


@compiled
def search(  # type: ignore[no-untyped-def]
    sync, algebra, offsets, indices, weights, sources, start, cutoff, unreached, target, most,
    distance, predecessor, heap, keys, place, totals,
):  # fmt: skip
    """`dijkstra` for kernels, on the caller's thread; whether it came to its end.

    It gives up where it would settle more than ``most`` vertices, or is to end.

    Fills ``distance`` and ``predecessor``, shape (n,), from all ``sources`` at once; ``heap``
    (uint32), ``keys`` (as distances) and ``place`` (int32), shape (n,), are space to work in.
    ``totals``, shape (3,), becomes (vertices settled, arcs, improvements). The vertices settled
    are left at the end of ``heap``, which shrinks as they come: the first one is the last. Sums that
    wrap are dropped: see `warpath.cpu.relax`.
    """
    distance, predecessor, heap, keys, place = unowned((distance, predecessor, heap, keys, place))
    distance[:] = unreached
    predecessor[:] = -1
    size = ZERO
    for i in range(sources.shape[0]):
        v = sources[i]
        if distance[v] == unreached:  # nor has it a place
            distance[v] = start
            sift_up(size, v, distance[v], heap, keys, place)
            size += ONE
    settled = ZERO
    arcs = ZERO
    improved = ZERO
    ended = True
    while size > ZERO:
        u = heap[ZERO]
        d = keys[ZERO]
        if d > cutoff:
            break
        if settled == np.uint64(most):
            ended = False
            break
        settled += ONE
        if stopping_at(sync, settled):
            ended = False
            break
        if np.int64(u) == target:
            cutoff = d  # arcs of weight 0 may still lead to others as near
        size -= ONE
        if size > ZERO:
            sift_down(size, heap[size], keys[size], heap, keys, place)
        heap[np.uint64(heap.shape[0]) - settled] = u
        first = np.uint64(offsets[u])
        last = np.uint64(offsets[u + ONE])
        arcs += last - first
        for arc in range(first, last):
            v = indices[arc]
            candidate = extend(algebra, d, weights[arc])
            before = distance[v]
            if not candidate < before:
                continue  # as for all that are settled
            if candidate < d or candidate > cutoff:
                continue  # an integer that wrapped; or too far
            improved += ONE
            distance[v] = candidate
            predecessor[v] = u
            hole = size
            if before == unreached:
                size += ONE
            else:
                hole = np.uint64(place[v])
            sift_up(hole, v, distance[v], heap, keys, place)
    totals[0] = settled
    totals[1] = arcs
    totals[2] = improved
    return ended


def dijkstra(
    graph: Graph,
    weights: NDArray[Any],
    sources: NDArray[np.int32],
    cutoff: Any,
    target: int,
    distance: NDArray[Any],
    predecessor: NDArray[np.int32],
    *,
    algebra: str = "shortest",
    start: Any = 0,
) -> Report:
    """Fill ``distance`` and ``predecessor`` from ``sources``; no arc makes a path better.

    Takes 8 bytes a vertex and one distance (the heap), on one thread. Parameters as in
    `warpath.cpu.delta_stepping.delta_stepping`.
    """
    n = graph.num_vertices
    dtype = distance.dtype.type
    totals = np.zeros(3, np.int64)
    with interruptible() as sync:
        search(
            sync, ALGEBRAS[algebra],
            *arcs_of(graph), weights, unsigned(sources),
            dtype(start), dtype(cutoff), unreachable(dtype), target, n, distance, predecessor,
            np.empty(n, np.uint32), np.empty(n, dtype), np.empty(n, np.int32), totals,
        )  # fmt: skip
    trace = new_trace(0)
    trace[0, :2] = totals[:2]
    return Report(trace=trace, iterations=1, threads=1, improvements=int(totals[2]))
