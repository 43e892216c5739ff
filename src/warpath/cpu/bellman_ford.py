"""Frontier-based Bellman-Ford: what was lowered in one iteration is relaxed in the next.

Source: F. Busato, N. Bombieri, "An efficient implementation of the Bellman-Ford
algorithm for Kepler GPU architectures" (H-BF), TPDS 2015: algorithm 3, with the edge
classification of section 4.1 and the duplicate removal of section 4.2.

What is in the encoding:

- ``frontier`` and ``following`` are F1 and F2, swapped after each iteration.
- Edge classes. A self-loop cannot lower its own vertex (a negative one is a negative
  cycle, found before the start). The source's arcs find every neighbour unreached: they
  need no special treatment here, for the comparison always succeeds. A vertex of
  in-degree 1 can only be lowered by one thread at a time, so its distance is written
  without the lock. A vertex without arcs out, or with a single one back to where it was
  found from in an undirected graph (a leaf), never enters the frontier; leaves are not
  relaxed at all before the end, when each takes its distance from its only neighbour.
- Duplicate removal. ``stamp[v]`` is the iteration for which v was last enqueued; who
  changes it enqueues v (the paper packs distance and iteration into one 64-bit word).
- Sums that wrap are dropped, and those below the dtype are told (``wrapped``): see
  `warpath.cpu.relax`. A vertex in the frontier is reached.
- Negative cycles are looked for in the predecessors whenever n relaxations have passed
  (`warpath.cpu.parents`); without any, at most n iterations do all.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.parents import find_cycle
from warpath.cpu.relax import ALGEBRAS, NONE, extend, fell_short, lower
from warpath.cpu.report import Report
from warpath.cpu.trace import TOP_DOWN, new_trace, record
from warpath.cpu.unsigned import ONE, ZERO, arcs_of, unsigned
from warpath.graph.distance import unreachable
from warpath.graph.graph import Graph
from warpath.parallel import team
from warpath.parallel.atomics import atomic_add, atomic_exchange, unowned
from warpath.parallel.jit import compiled
from warpath.parallel.team import barrier, share
from warpath.planning.threads import threads_for

_CHUNK = 64  # vertices that a thread takes from the frontier at once: as in BFS
_ALONE = 256  # frontier vertices below which thread 0 relaxes alone: a guess

# Classes of a vertex (bits), which class the arcs into it.
IN_DEGREE_1, SINK, LEAF = 1, 2, 4

_LINE = 8
_CURSOR, _FOUND, _ARCS, _SET = 0, _LINE, 2 * _LINE, 3 * _LINE
_CYCLE = 3 * _SET
_COUNTERS = _CYCLE + _LINE
_ITERATIONS, _THREADS, _IMPROVED, _WRAPPED = 0, 1, 2, 3


@compiled
def _classify(thread, threads, sync, offsets, indices, weights, directed, in_degree, classes):  # type: ignore[no-untyped-def]
    """Count the arcs into each vertex, then class the vertices of my share.

    Self-loops count only where they are negative, for others lower nothing.
    """
    n = classes.shape[0]
    first, last = share(n, thread, threads)
    for u in range(np.uint64(first), np.uint64(last)):
        out_degree = 0
        for arc in range(np.uint64(offsets[u]), np.uint64(offsets[u + ONE])):
            if indices[arc] != u or weights[arc] < 0:
                out_degree += 1
                if directed:
                    atomic_add(in_degree, indices[arc], 1)
        classes[u] = SINK if out_degree == 0 else ZERO
        if out_degree == 1 and not directed:
            classes[u] = LEAF
    barrier(sync, threads)  # all arcs are counted
    if directed:
        for v in range(np.uint64(first), np.uint64(last)):
            if in_degree[v] == 1:
                classes[v] |= IN_DEGREE_1


def classify(graph: Graph, weights: NDArray[Any]) -> NDArray[np.uint8]:
    """The class of each vertex: uint8 array of the bits `IN_DEGREE_1`, `SINK`, `LEAF`.

    One pass over the arcs when a graph comes for the first time; kept with the graph.
    """
    key = ("classes of vertices",)
    classes: NDArray[np.uint8] | None = graph.derived.get(key)
    if classes is None:
        n = graph.num_vertices
        classes = np.empty(n, np.uint8)
        in_degree = np.zeros(n if graph.directed else 0, np.int32)
        team.run(
            _classify, threads_for(graph),
            *arcs_of(graph), weights,
            graph.directed, in_degree, classes,
        )  # fmt: skip
        graph.derived[key] = classes
    return classes


@compiled
def _relax_frontier(  # type: ignore[no-untyped-def]
    algebra, alone, iteration, offsets, indices, weights, classes, distance, predecessor, stamp,
    frontier, size, following, counters, base, totals,
):  # fmt: skip
    """Relax the arcs out of chunks of the frontier until none is left."""
    distance, predecessor, stamp, following = unowned((distance, predecessor, stamp, following))
    one = 1 if alone else 2
    arcs = ZERO
    improved = 0
    while True:
        first = atomic_add(counters, base + _CURSOR, _CHUNK)
        if first >= size:
            break
        for i in range(np.uint64(first), np.uint64(min(first + _CHUNK, size))):
            u = frontier[i]
            d = distance[u]
            arcs += offsets[u + ONE] - offsets[u]
            for arc in range(np.uint64(offsets[u]), np.uint64(offsets[u + ONE])):
                v = indices[arc]
                candidate = extend(algebra, d, weights[arc])
                if fell_short(algebra, d, weights[arc], candidate):
                    totals[_WRAPPED] = 1
                    continue
                if not candidate < distance[v]:
                    continue
                if weights[arc] >= 0 and candidate < d:
                    continue  # an integer that wrapped: longer than any distance
                kind = classes[v]
                if kind & LEAF:
                    continue
                if kind & IN_DEGREE_1:
                    distance[v] = candidate
                    predecessor[v] = u
                elif not lower(distance, predecessor, u, v, candidate, one):
                    continue
                improved += 1
                if kind & SINK:
                    continue
                if alone:
                    if stamp[v] == iteration:
                        continue
                    stamp[v] = iteration
                elif atomic_exchange(stamp, v, iteration) == iteration:
                    continue
                following[np.uint64(atomic_add(counters, base + _FOUND, 1))] = v
    atomic_add(counters, base + _ARCS, np.int64(arcs))
    atomic_add(totals, _IMPROVED, improved)


@compiled
def _settle_leaves(  # type: ignore[no-untyped-def]
    algebra, thread, threads, offsets, indices, weights, classes, distance, predecessor, unreached
):
    """Give each leaf of my share the distance of its neighbour and the lightest arc there."""
    first, last = share(distance.shape[0], thread, threads)
    for v in range(np.uint64(first), np.uint64(last)):
        if not classes[v] & LEAF:
            continue
        for arc in range(np.uint64(offsets[v]), np.uint64(offsets[v + ONE])):
            u = indices[arc]
            if u == v or distance[u] == unreached:
                continue
            candidate = extend(algebra, distance[u], weights[arc])
            if distance[u] <= candidate < distance[v]:
                distance[v] = candidate
                predecessor[v] = u


@compiled
def _bellman_ford(  # type: ignore[no-untyped-def]
    thread, threads, sync,
    algebra, offsets, indices, weights, sources, start, classes, unreached, signed,
    distance, predecessor, stamp, frontier, following, seen, counters, trace, totals,
):  # fmt: skip
    n = distance.shape[0]
    first, last = share(n, thread, threads)
    distance[first:last] = unreached
    predecessor[first:last] = NONE
    stamp[first:last] = -1
    barrier(sync, threads)  # every vertex is unreached
    if thread == 0:
        for i in range(sources.shape[0]):
            distance[sources[i]] = start
            frontier[i] = sources[i]
    barrier(sync, threads)  # the first frontier is there

    size = sources.shape[0]
    iteration = 0
    unchecked = 0
    while size > 0:
        if thread == 0:
            after = ((iteration + 1) % 3) * _SET
            counters[after : after + _SET] = 0
        base = (iteration % 3) * _SET
        alone = threads == 1 or size < _ALONE
        if thread == 0 or not alone:
            _relax_frontier(
                algebra, alone, iteration, offsets, indices, weights, classes, distance, predecessor,
                stamp, frontier, size, following, counters, base, totals,
            )  # fmt: skip
        if barrier(sync, threads):  # F2 and the counters are complete
            return
        if thread == 0:
            record(trace, iteration, size, counters[base + _ARCS], TOP_DOWN)
        size = counters[base + _FOUND]
        unchecked += counters[base + _ARCS]
        frontier, following = following, frontier
        iteration += 1
        if signed and (unchecked >= n or iteration >= n):
            unchecked = 0
            if thread == 0:
                counters[_CYCLE] = find_cycle(predecessor, seen)
            barrier(sync, threads)  # the cycle is known
            if counters[_CYCLE] >= 0:
                break
    _settle_leaves(
        algebra, thread, threads, offsets, indices, weights, classes, distance, predecessor,
        unreached,
    )  # fmt: skip
    if thread == 0:
        totals[_ITERATIONS] = iteration
        totals[_THREADS] = threads


def bellman_ford(
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

    Parameters
    ----------
    signed : bool
        Whether a weight is negative: then negative cycles are looked for.
    algebra : str
        One of `warpath.cpu.relax.ALGEBRAS`; distances are its keys.
    start : number
        The sources' distance.

    Returns
    -------
    Report
        Its ``cycle`` or ``wrapped`` say when the distances are worth nothing.

    Notes
    -----
    Takes 17 bytes a vertex, 13 when no weight is negative.
    """
    n = graph.num_vertices
    counters, totals, trace = np.zeros(_COUNTERS, np.int64), np.zeros(4, np.int64), new_trace(n)
    counters[_CYCLE] = -1
    team.run(
        _bellman_ford, threads,
        ALGEBRAS[algebra],
        *arcs_of(graph), weights, unsigned(sources),
        distance.dtype.type(start), classify(graph, weights), unreachable(distance.dtype), signed, distance, predecessor,
        np.empty(n, np.int32), np.empty(n, np.uint32), np.empty(n, np.uint32),
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
