"""Dijkstra's algorithm with an indexed 4-ary heap: one thread, each vertex settled once.

Source: E. W. Dijkstra, Numerische Mathematik 1 (1959); the 4-ary heap: D. B. Johnson,
"Efficient algorithms for shortest paths in sparse networks", J. ACM 24 (1977).

What is in the encoding:

- ``heap`` holds vertices, ``keys`` their distances beside them, so that comparing does
  not go through the vertex; ``place[v]`` is where v stands, -1 when it does not.
- Four children lie on one or two cache lines, and the tree is half as deep as a binary one.
- The hole moves, not the vertices: each step of a sift writes one entry.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from warpath.cpu.relax import extend
from warpath.cpu.report import Report
from warpath.cpu.trace import new_trace
from warpath.cpu.unsigned import ONE, ZERO, unsigned
from warpath.graph.distance import unreachable
from warpath.graph.graph import Graph
from warpath.parallel.atomics import unowned

_TWO = np.uint64(2)
_FOUR = np.uint64(4)


@njit(nogil=True, cache=True, forceinline=True)
def _sift_up(hole, v, key, heap, keys, place):  # type: ignore[no-untyped-def]
    while hole > ZERO:
        parent = (hole - ONE) >> _TWO
        if not key < keys[parent]:
            break
        heap[hole] = heap[parent]
        keys[hole] = keys[parent]
        place[heap[hole]] = hole
        hole = parent
    heap[hole] = v
    keys[hole] = key
    place[v] = hole


@njit(nogil=True, cache=True, forceinline=True)
def _sift_down(size, v, key, heap, keys, place):  # type: ignore[no-untyped-def]
    hole = ZERO
    while True:
        child = (hole << _TWO) + ONE
        if child >= size:
            break
        least: Any = child
        for other in range(child + ONE, min(child + _FOUR, size)):
            if keys[other] < keys[least]:
                least = other
        if not keys[least] < key:
            break
        heap[hole] = heap[least]
        keys[hole] = keys[least]
        place[heap[hole]] = hole
        hole = least
    heap[hole] = v
    keys[hole] = key
    place[v] = hole


@njit(nogil=True, cache=True)
def _dijkstra(  # type: ignore[no-untyped-def]
    offsets, indices, weights, sources, cutoff, unreached, target,
    distance, predecessor, heap, keys, place, totals,
):  # fmt: skip
    distance, predecessor, heap, keys, place = unowned((distance, predecessor, heap, keys, place))
    distance[:] = unreached
    predecessor[:] = -1
    place[:] = -1
    size = ZERO
    for i in range(sources.shape[0]):
        v = sources[i]
        if place[v] < 0:
            distance[v] = 0
            _sift_up(size, v, distance[v], heap, keys, place)
            size += ONE
    settled = ZERO
    arcs = ZERO
    improved = ZERO
    while size > ZERO:
        u = heap[ZERO]
        d = keys[ZERO]
        if d > cutoff:
            break
        settled += ONE
        if np.int64(u) == target:
            cutoff = d  # arcs of weight 0 may still lead to others as near
        size -= ONE
        place[u] = -1
        if size > ZERO:
            _sift_down(size, heap[size], keys[size], heap, keys, place)
        first = np.uint64(offsets[u])
        last = np.uint64(offsets[u + ONE])
        arcs += last - first
        for arc in range(first, last):
            v = indices[arc]
            candidate = extend(d, weights[arc])
            if not candidate < distance[v]:
                continue
            if candidate < d or candidate > cutoff:
                continue  # an integer that wrapped; or too far
            improved += ONE
            distance[v] = candidate
            predecessor[v] = u
            hole = size
            if place[v] < 0:
                size += ONE
            else:
                hole = np.uint64(place[v])
            _sift_up(hole, v, distance[v], heap, keys, place)
    totals[0] = settled
    totals[1] = arcs
    totals[2] = improved


def dijkstra(
    graph: Graph,
    weights: NDArray[Any],
    sources: NDArray[np.int32],
    cutoff: Any,
    target: int,
    distance: NDArray[Any],
    predecessor: NDArray[np.int32],
) -> Report:
    """Fill ``distance`` and ``predecessor`` from ``sources``; no weight is negative.

    Takes 8 bytes a vertex and one distance (the heap), on one thread. Parameters as in
    `warpath.cpu.delta_stepping.delta_stepping`.
    """
    n = graph.num_vertices
    dtype = distance.dtype.type
    totals = np.zeros(3, np.int64)
    _dijkstra(
        unsigned(graph.row_offsets), unsigned(graph.column_indices), weights, unsigned(sources),
        dtype(cutoff), unreachable(dtype), target, distance, predecessor,
        np.empty(n, np.uint32), np.empty(n, dtype), np.empty(n, np.int32), totals,
    )  # fmt: skip
    trace = new_trace(0)
    trace[0, :2] = totals[:2]
    return Report(trace=trace, iterations=1, threads=1, improvements=int(totals[2]))
