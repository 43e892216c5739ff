"""Bellman-Ford without a queue: every arc in every iteration, until nothing changes.

Source: the classic algorithm, as Harish and Narayanan (HiPC 2007) carried it to GPUs and
as the papers compare against it. The baseline: simple, and far from work-efficient.

Each iteration reads the distances as they stand, also those which it has just lowered. Sums that
wrap are dropped, or told, as in `warpath.cpu.bellman_ford`; unreached vertices are passed over.
"""

from typing import Any, NamedTuple

import numpy as np

from warpath.cpu.arcs import arc_range
from warpath.cpu.counters import LINE, counters_of, new_counters
from warpath.cpu.method import Method, Search, finish, has_cycle, initialize, look_along
from warpath.cpu.relax import lower
from warpath.cpu.trace import TOP_DOWN, record
from warpath.graph.graph import Graph
from warpath.parallel.atomics import atomic_add, unowned
from warpath.parallel.jit import compiled
from warpath.parallel.sync import barrier

_CHUNK = 1024  # vertices that a thread takes at once: a guess
_CURSOR, _LOWERED = 0, LINE


class _Space(NamedTuple):
    """What a run works in."""

    seen: Any
    counters: Any


@compiled
def _relax_all(threads, search, counters):  # type: ignore[no-untyped-def]
    """Relax the arcs out of chunks of vertices until none is left; how often that improved."""
    search = unowned(search)
    n = search.distance.shape[0]
    lowered = 0
    while True:
        first = atomic_add(counters, _CURSOR, _CHUNK)
        if first >= n:
            break
        for u in range(np.uint64(first), np.uint64(min(first + _CHUNK, n))):
            d = search.distance[u]
            if d == search.unreached:
                continue
            begin, end = arc_range(search.arcs, u)
            for arc in range(begin, end):
                v = search.arcs.indices[arc]
                candidate, better = look_along(search, d, arc)
                if better and lower(search.distance, search.predecessor, u, v, candidate, threads):
                    lowered += 1
    atomic_add(counters, _LOWERED, lowered)
    return lowered


@compiled
def _queueless(thread, threads, sync, search, space):  # type: ignore[no-untyped-def]
    search, space = unowned(search), unowned(space)
    n = search.distance.shape[0]
    initialize(thread, threads, sync, search)
    iteration = improved = 0
    lowered = 1
    while lowered > 0:
        counters = counters_of(thread, iteration, space.counters)
        improved += _relax_all(threads, search, counters)
        if barrier(sync, threads):  # the iteration's distances and counters are complete
            return
        lowered = counters[_LOWERED]
        if thread == 0:
            record(search.trace, iteration, n, search.arcs.indices.shape[0], TOP_DOWN)
        iteration += 1
        if search.signed and has_cycle(thread, threads, sync, search, space.seen):
            break
    finish(thread, threads, search, iteration, improved)


def _workspace(graph: Graph, search: Search, layout: Any) -> _Space:
    seen = np.empty(graph.num_vertices if search.signed else 0, np.int32)
    return _Space(seen, new_counters(2))


queueless = Method(_queueless, _workspace)
"""Weights may be negative. Takes 4 bytes per vertex when one is, else nothing."""
