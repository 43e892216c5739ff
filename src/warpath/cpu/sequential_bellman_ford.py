"""Bellman-Ford with a first-in-first-out queue, on one thread.

Source: R. Sedgewick, K. Wayne, "Algorithms", 4th edition, section 4.4: only vertices
whose distance has changed are relaxed again. It is what H-BF (TPDS 2015) measures its
speed-ups against. Sums that wrap are dropped, or told, as in `warpath.cpu.bellman_ford`.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.parents import find_cycle
from warpath.cpu.relax import ALGEBRAS, NONE, extend, fell_short, lower
from warpath.cpu.report import Report
from warpath.cpu.trace import new_trace
from warpath.cpu.unsigned import ONE, ZERO, arcs_of, unsigned
from warpath.graph.distance import unreachable
from warpath.graph.graph import Graph
from warpath.parallel.atomics import unowned
from warpath.parallel.jit import compiled
from warpath.parallel.team import interruptible, stopping_at

_VERTICES, _ARCS, _IMPROVED, _WRAPPED, _CYCLE = 0, 1, 2, 3, 4


@compiled
def _sequential(  # type: ignore[no-untyped-def]
    sync, algebra, offsets, indices, weights, sources, start, unreached, signed,
    distance, predecessor, queue, queued, seen, totals,
):  # fmt: skip
    """``queue`` is a ring: a vertex is in it at most once, so n places suffice."""
    distance, predecessor, queue, queued = unowned((distance, predecessor, queue, queued))
    n = np.uint64(distance.shape[0])
    distance[:] = unreached
    predecessor[:] = NONE
    queued[:] = 0
    for i in range(sources.shape[0]):
        distance[sources[i]] = start
        queue[i] = sources[i]
        queued[sources[i]] = 1
    begin = ZERO
    size = np.uint64(sources.shape[0])
    vertices = 0
    arcs = ZERO
    improved = 0
    unchecked = ZERO
    while size > ZERO:
        u = queue[begin]
        begin = begin + ONE if begin + ONE < n else ZERO
        size -= ONE
        queued[u] = 0
        first = np.uint64(offsets[u])
        last = np.uint64(offsets[u + ONE])
        vertices += 1
        if stopping_at(sync, vertices):
            return
        arcs += last - first
        unchecked += last - first + ONE
        d = distance[u]
        for arc in range(first, last):
            v = indices[arc]
            candidate = extend(algebra, d, weights[arc])
            if fell_short(algebra, d, weights[arc], candidate):
                totals[_WRAPPED] = 1
                continue
            if not candidate < distance[v]:
                continue
            if weights[arc] >= 0 and candidate < d:
                continue  # an integer that wrapped: longer than any distance
            lower(distance, predecessor, u, v, candidate, 1)
            improved += 1
            if not queued[v]:
                queued[v] = 1
                end = begin + size
                queue[end if end < n else end - n] = v
                size += ONE
        if signed and unchecked >= n:
            unchecked = ZERO
            totals[_CYCLE] = find_cycle(predecessor, seen)
            if totals[_CYCLE] >= 0:
                break
    totals[_VERTICES] = vertices
    totals[_ARCS] = np.int64(arcs)
    totals[_IMPROVED] = improved


def sequential_bellman_ford(
    graph: Graph,
    weights: NDArray[Any],
    sources: NDArray[np.int32],
    signed: bool,
    distance: NDArray[Any],
    predecessor: NDArray[np.int32],
    *,
    algebra: str = "shortest",
    start: Any = 0,
) -> Report:
    """Fill ``distance`` and ``predecessor`` from ``sources``; weights may be negative.

    Parameters and returned values as in `warpath.cpu.bellman_ford.bellman_ford`; the
    whole run counts as one iteration. Takes 9 bytes a vertex, 5 when no weight is negative.
    """
    n = graph.num_vertices
    totals, trace = np.zeros(5, np.int64), new_trace(0)
    totals[_CYCLE] = -1
    with interruptible() as sync:
        _sequential(
            sync, ALGEBRAS[algebra],
            *arcs_of(graph), weights, unsigned(sources),
            distance.dtype.type(start), unreachable(distance.dtype), signed, distance, predecessor,
            np.empty(n, np.uint32), np.empty(n, np.uint8),
            np.empty(n if signed else 0, np.int32), totals,
        )  # fmt: skip
    trace[0, :2] = totals[:2]
    return Report(
        trace=trace,
        iterations=1,
        threads=1,
        improvements=int(totals[_IMPROVED]),
        cycle=int(totals[_CYCLE]),
        wrapped=bool(totals[_WRAPPED]),
    )
