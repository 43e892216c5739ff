"""Bellman-Ford without a queue: every arc in every iteration, until nothing changes.

Source: the classic algorithm, as Harish and Narayanan (HiPC 2007) carried it to GPUs and
as the papers compare against it. The baseline: simple, and far from work-efficient.

Each iteration reads the distances as they stand, also those which it has just lowered. Sums that
wrap are dropped, or told, as in `warpath.cpu.bellman_ford`; unreached vertices are passed over.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.parents import find_cycle
from warpath.cpu.relax import ALGEBRAS, NONE, extend, fell_short, lower
from warpath.cpu.report import Report
from warpath.cpu.trace import TOP_DOWN, new_trace, record
from warpath.cpu.unsigned import ONE, arcs_of, unsigned
from warpath.graph.distance import unreachable
from warpath.graph.graph import Graph
from warpath.parallel import team
from warpath.parallel.atomics import atomic_add, unowned
from warpath.parallel.jit import compiled
from warpath.parallel.team import barrier, share

_CHUNK = 1024  # vertices that a thread takes at once: a guess
_LINE = 8
_CURSOR, _LOWERED, _SET = 0, _LINE, 2 * _LINE
_CYCLE = 3 * _SET
_COUNTERS = _CYCLE + _LINE
_ITERATIONS, _THREADS, _IMPROVED, _WRAPPED = 0, 1, 2, 3


@compiled
def _relax_all(  # type: ignore[no-untyped-def]
    algebra, threads, offsets, indices, weights, unreached, distance, predecessor,
    counters, base, totals,
):  # fmt: skip
    """Relax the arcs out of chunks of vertices until none is left."""
    distance, predecessor = unowned((distance, predecessor))
    n = distance.shape[0]
    lowered = 0
    while True:
        first = atomic_add(counters, base + _CURSOR, _CHUNK)
        if first >= n:
            break
        for u in range(np.uint64(first), np.uint64(min(first + _CHUNK, n))):
            d = distance[u]
            if d == unreached:
                continue
            for arc in range(np.uint64(offsets[u]), np.uint64(offsets[u + ONE])):
                v = indices[arc]
                candidate = extend(algebra, d, weights[arc])
                if fell_short(algebra, d, weights[arc], candidate):
                    totals[_WRAPPED] = 1
                elif not candidate < distance[v]:
                    continue
                elif weights[arc] >= 0 and candidate < d:
                    continue  # an integer that wrapped: longer than any distance
                elif lower(distance, predecessor, u, v, candidate, threads):
                    lowered += 1
    atomic_add(counters, base + _LOWERED, lowered)


@compiled
def _queueless(  # type: ignore[no-untyped-def]
    thread, threads, sync, algebra, offsets, indices, weights, sources, start, unreached, signed,
    distance, predecessor, seen, counters, trace, totals,
):  # fmt: skip
    n = distance.shape[0]
    first, last = share(n, thread, threads)
    distance[first:last] = unreached
    predecessor[first:last] = NONE
    barrier(sync, threads)  # every vertex is unreached
    if thread == 0:
        for i in range(sources.shape[0]):
            distance[sources[i]] = start
    barrier(sync, threads)  # the sources are there

    iteration = 0
    lowered = 1
    while lowered > 0:
        if thread == 0:
            after = ((iteration + 1) % 3) * _SET
            counters[after : after + _SET] = 0
        base = (iteration % 3) * _SET
        _relax_all(
            algebra, threads, offsets, indices, weights, unreached, distance, predecessor,
            counters, base, totals,
        )  # fmt: skip
        if barrier(sync, threads):  # the iteration's distances and counters are complete
            return
        lowered = counters[base + _LOWERED]
        if thread == 0:
            record(trace, iteration, n, indices.shape[0], TOP_DOWN)
            totals[_IMPROVED] += lowered
        iteration += 1
        if signed:
            if thread == 0:
                counters[_CYCLE] = find_cycle(predecessor, seen)
            barrier(sync, threads)  # the cycle is known
            if counters[_CYCLE] >= 0:
                break
    if thread == 0:
        totals[_ITERATIONS] = iteration
        totals[_THREADS] = threads


def queueless(
    graph: Graph,
    weights: NDArray[Any],
    sources: NDArray[np.int32],
    signed: bool,
    distance: NDArray[Any],
    predecessor: NDArray[np.int32],
    threads: int,
    *,
    algebra: str = "shortest",
    start: Any = 0,
) -> Report:
    """Fill ``distance`` and ``predecessor`` from ``sources``; weights may be negative.

    Parameters and returned values as in `warpath.cpu.bellman_ford.bellman_ford`. Takes
    4 bytes a vertex when a weight is negative, else nothing.
    """
    n = graph.num_vertices
    counters, totals, trace = np.zeros(_COUNTERS, np.int64), np.zeros(4, np.int64), new_trace(n)
    counters[_CYCLE] = -1
    team.run(
        _queueless, threads,
        ALGEBRAS[algebra],
        *arcs_of(graph), weights, unsigned(sources),
        distance.dtype.type(start), unreachable(distance.dtype), signed, distance, predecessor,
        np.empty(n if signed else 0, np.int32), counters, trace, totals,
    )  # fmt: skip
    return Report(
        trace=trace[: totals[_ITERATIONS]],
        iterations=int(totals[_ITERATIONS]),
        threads=int(totals[_THREADS]),
        improvements=int(totals[_IMPROVED]),
        cycle=int(counters[_CYCLE]),
        wrapped=bool(totals[_WRAPPED]),
    )
