"""Dijkstra's algorithm with an indexed 4-ary heap: one thread, each vertex settled once.

Source: E. W. Dijkstra, Numerische Mathematik 1 (1959); the heap: `warpath.cpu.heap`.
"""

from typing import Any

import numpy as np

from warpath.cpu.arcs import arc_range
from warpath.cpu.heap import Heap, drop_first, new_heap, offer, put
from warpath.cpu.method import Method, Search, finish, forget
from warpath.cpu.relax import extend
from warpath.cpu.trace import TOP_DOWN, record
from warpath.cpu.unsigned import ONE, ZERO
from warpath.graph.graph import Graph
from warpath.parallel.atomics import unowned
from warpath.parallel.jit import compiled
from warpath.parallel.sync import stopping_at


@compiled
def settle(sync, search, heap, max_settled):  # type: ignore[no-untyped-def]
    """Search on the caller's thread; how many vertices are settled, one too many where it gave up.

    They are left at the end of ``heap.items``, which shrinks as they come: the first one is the last.
    Sums that wrap are dropped: see `warpath.cpu.relax`.
    """
    search, heap = unowned(search), unowned(heap)
    distance, unreached = search.distance, search.unreached
    forget(0, 1, search)
    size = ZERO
    for i in range(search.sources.shape[0]):
        v = search.sources[i]
        if distance[v] == unreached:  # nor has it a place
            distance[v] = search.start
            put(heap, size, v, distance[v])
            size += ONE
    cutoff = search.cutoff
    settled = ZERO
    arcs = ZERO
    improved = ZERO
    while size > ZERO:
        u = heap.items[ZERO]
        d = heap.keys[ZERO]
        if d > cutoff:
            break
        settled += ONE
        if settled > max_settled or stopping_at(sync, settled):
            break
        if np.int64(u) == search.target:
            cutoff = d  # arcs of weight 0 may still lead to others as near
        size = drop_first(heap, size)
        heap.items[np.uint64(distance.shape[0]) - settled] = u
        first, last = arc_range(search.arcs, u)
        arcs += last - first
        for arc in range(first, last):
            v = search.arcs.indices[arc]
            candidate = extend(search.algebra, d, search.arcs.weights[arc])
            before = distance[v]
            if not candidate < before:
                continue  # as for all that are settled
            if candidate < d or candidate > cutoff:
                continue  # an integer that wrapped; or too far
            improved += ONE
            distance[v] = candidate
            search.predecessor[v] = u
            size = offer(heap, size, v, distance[v], before == unreached)
    record(search.trace, 0, settled, arcs, TOP_DOWN)
    finish(0, 1, search, 1, improved)
    return settled


@compiled
def _dijkstra(thread, threads, sync, search, heap):  # type: ignore[no-untyped-def]
    settle(sync, search, heap, np.uint64(search.distance.shape[0]))


def _workspace(graph: Graph, search: Search, layout: Any) -> Heap:
    return new_heap(graph.num_vertices, search.distance.dtype)


dijkstra = Method(_dijkstra, _workspace, is_parallel=False)
"""No arc makes a path better. Takes 8 bytes and one distance per vertex."""
