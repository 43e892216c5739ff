"""Bellman-Ford with a first-in-first-out queue, on one thread.

Source: R. Sedgewick, K. Wayne, "Algorithms", 4th edition, section 4.4: only vertices
whose distance has changed are relaxed again. It is what H-BF (TPDS 2016) measures its
speed-ups against. Sums that wrap are dropped, or told, as in `warpath.cpu.bellman_ford`.
"""

from typing import Any, NamedTuple

import numpy as np

from warpath.cpu.arcs import arc_range
from warpath.cpu.method import Method, Search, finish, has_cycle, initialize, look_along
from warpath.cpu.relax import lower
from warpath.cpu.trace import TOP_DOWN, record
from warpath.cpu.unsigned import ONE, ZERO
from warpath.graph.graph import Graph
from warpath.parallel.atomics import unowned
from warpath.parallel.jit import compiled
from warpath.parallel.sync import stopping_at


class _Space(NamedTuple):
    """What a run works in. The queue is a ring: a vertex is in it at most once, so n places suffice."""

    queue: Any
    queued: Any
    seen: Any


@compiled
def _sequential(thread, threads, sync, search, space):  # type: ignore[no-untyped-def]
    search, space = unowned(search), unowned(space)
    queue, queued = space.queue, space.queued
    n = np.uint64(search.distance.shape[0])
    initialize(0, 1, sync, search)
    queued[:] = 0
    for i in range(search.sources.shape[0]):
        queue[i] = search.sources[i]
        queued[search.sources[i]] = 1
    begin = ZERO
    size = np.uint64(search.sources.shape[0])
    vertices = 0
    arcs = ZERO
    improved = 0
    unchecked = ZERO
    while size > ZERO:
        u = queue[begin]
        begin = begin + ONE if begin + ONE < n else ZERO
        size -= ONE
        queued[u] = 0
        first, last = arc_range(search.arcs, u)
        vertices += 1
        if stopping_at(sync, vertices):
            return
        arcs += last - first
        unchecked += last - first + ONE
        d = search.distance[u]
        for arc in range(first, last):
            v = search.arcs.indices[arc]
            candidate, better = look_along(search, d, arc)
            if not better:
                continue
            lower(search.distance, search.predecessor, u, v, candidate, 1)
            improved += 1
            if not queued[v]:
                queued[v] = 1
                end = begin + size
                queue[end if end < n else end - n] = v
                size += ONE
        if search.signed and (unchecked >= n or size == ZERO):  # floats may end with a cycle
            unchecked = ZERO
            if has_cycle(0, 1, sync, search, space.seen):
                break
    record(search.trace, 0, vertices, arcs, TOP_DOWN)
    finish(0, 1, search, 1, improved)


def _workspace(graph: Graph, search: Search, layout: Any) -> _Space:
    n = graph.num_vertices
    return _Space(
        queue=np.empty(n, np.uint32),
        queued=np.empty(n, np.uint8),
        seen=np.empty(n if search.signed else 0, np.int32),
    )


sequential_bellman_ford = Method(_sequential, _workspace, is_parallel=False)
"""Weights may be negative. Takes 9 bytes per vertex, 5 when no weight is negative."""
