"""Frontier-based Bellman-Ford: what was lowered in one iteration is relaxed in the next.

Source: F. Busato, N. Bombieri, "An efficient implementation of the Bellman-Ford
algorithm for Kepler GPU architectures" (H-BF), TPDS 2016: algorithm 3, with the edge
classification of section 4.1 and the duplicate removal of section 4.2.

What is in the encoding:

- ``frontier`` and ``following`` are F1 and F2, swapped after each iteration.
- Edge classes. A self-loop cannot lower its own vertex (a negative one is a negative
  cycle, found before the start). The source's arcs find every neighbour unreached: they
  need no special treatment here, for the comparison always succeeds. Only one thread
  at a time can lower a vertex of in-degree 1, so its distance is written without the lock. A vertex without arcs out never enters the frontier, nor does a leaf of an
  undirected graph, whose single arc leads back. Leaves are not relaxed before the end, when
  each takes its distance from its only neighbour.
- Duplicate removal. ``stamp[v]`` is the iteration for which v was last enqueued; the
  thread that changes it enqueues v (the paper packs distance and iteration into one 64-bit word).
- Sums that wrap are dropped, and those below the dtype are told (``wrapped``): see
  `warpath.cpu.relax`. A vertex in the frontier is reached.
- Negative cycles are looked for in the predecessors whenever n relaxations have passed
  (`warpath.cpu.parents`); without any, at most n iterations do all. They are looked for at the end too:
  large floats swallow small ones, so a cycle may stop lowering its own vertices.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.arcs import arc_range, arcs_of
from warpath.cpu.counters import LINE, counters_of, new_counters
from warpath.cpu.method import Method, Search, finish, has_cycle, initialize, look_along
from warpath.cpu.relax import extend, lower
from warpath.cpu.trace import TOP_DOWN, record
from warpath.cpu.unsigned import ZERO
from warpath.graph.graph import Graph
from warpath.parallel import team
from warpath.parallel.atomics import atomic_add, atomic_exchange, unowned
from warpath.parallel.jit import compiled
from warpath.parallel.sync import barrier, share
from warpath.planning.threads import threads_for

_CHUNK = 64  # vertices that a thread takes from the frontier at once: as in BFS
_ALONE = 256  # frontier vertices below which thread 0 relaxes alone: a guess

# Classes of a vertex (bits), which class the arcs into it.
IN_DEGREE_1, SINK, LEAF = 1, 2, 4

_CURSOR, _FOUND, _ARCS = 0, LINE, 2 * LINE


class _Space(NamedTuple):
    """What a run works in."""

    classes: Any
    stamp: Any
    frontier: Any
    following: Any
    seen: Any
    counters: Any


@compiled
def _classify(thread, threads, sync, arcs, directed, in_degree, classes):  # type: ignore[no-untyped-def]
    """Count the arcs into each vertex, then class the vertices of my share.

    Self-loops count only where they are negative, for others lower nothing.
    """
    n = classes.shape[0]
    first, last = share(n, thread, threads)
    for u in range(np.uint64(first), np.uint64(last)):
        out_degree = 0
        begin, end = arc_range(arcs, u)
        for arc in range(begin, end):
            if arcs.indices[arc] != u or arcs.weights[arc] < 0:
                out_degree += 1
                if directed:
                    atomic_add(in_degree, arcs.indices[arc], 1)
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
            _classify,
            threads_for(graph),
            arcs_of(graph, weights),
            graph.directed,
            in_degree,
            classes,
        )
        graph.derived[key] = classes
    return classes


@compiled
def _relax_frontier(search, space, alone, iteration, size):  # type: ignore[no-untyped-def]
    """Relax the arcs out of chunks of the frontier until none is left; how often that improved."""
    search, space = unowned(search), unowned(space)
    counters = space.counters[iteration % 3]
    threads = 1 if alone else 2
    arcs = ZERO
    improved = 0
    while True:
        first = atomic_add(counters, _CURSOR, _CHUNK)
        if first >= size:
            break
        for i in range(np.uint64(first), np.uint64(min(first + _CHUNK, size))):
            u = space.frontier[i]
            d = search.distance[u]
            begin, end = arc_range(search.arcs, u)
            arcs += end - begin
            for arc in range(begin, end):
                v = search.arcs.indices[arc]
                candidate, better = look_along(search, d, arc)
                if not better:
                    continue
                kind = space.classes[v]
                if kind & LEAF:
                    continue
                if kind & IN_DEGREE_1:
                    search.distance[v] = candidate
                    search.predecessor[v] = u
                elif not lower(search.distance, search.predecessor, u, v, candidate, threads):
                    continue
                improved += 1
                if kind & SINK:
                    continue
                if alone:
                    if space.stamp[v] == iteration:
                        continue
                    space.stamp[v] = iteration
                elif atomic_exchange(space.stamp, v, iteration) == iteration:
                    continue
                space.following[np.uint64(atomic_add(counters, _FOUND, 1))] = v
    atomic_add(counters, _ARCS, np.int64(arcs))
    return improved


@compiled
def _settle_leaves(thread, threads, search, classes):  # type: ignore[no-untyped-def]
    """Give each leaf of my share the distance of its neighbour and the lightest arc there."""
    distance, arcs = search.distance, search.arcs
    first, last = share(distance.shape[0], thread, threads)
    for v in range(np.uint64(first), np.uint64(last)):
        if not classes[v] & LEAF:
            continue
        begin, end = arc_range(arcs, v)
        for arc in range(begin, end):
            u = arcs.indices[arc]
            if u == v or distance[u] == search.unreached:
                continue
            candidate = extend(search.algebra, distance[u], arcs.weights[arc])
            if distance[u] <= candidate < distance[v]:
                distance[v] = candidate
                search.predecessor[v] = u


@compiled
def _bellman_ford(thread, threads, sync, search, space):  # type: ignore[no-untyped-def]
    search, space = unowned(search), unowned(space)
    n, size = search.distance.shape[0], search.sources.shape[0]
    first, last = share(n, thread, threads)
    space.stamp[first:last] = -1
    if thread == 0:
        space.frontier[:size] = search.sources
    initialize(thread, threads, sync, search)

    iteration = unchecked = improved = 0
    while size > 0:
        counters = counters_of(thread, iteration, space.counters)
        alone = threads == 1 or size < _ALONE
        if thread == 0 or not alone:
            improved += _relax_frontier(search, space, alone, iteration, size)
        if barrier(sync, threads):  # F2 and the counters are complete
            return
        if thread == 0:
            record(search.trace, iteration, size, counters[_ARCS], TOP_DOWN)
        size = counters[_FOUND]
        unchecked += counters[_ARCS]
        space = _Space(
            space.classes, space.stamp, space.following, space.frontier, space.seen, space.counters
        )
        iteration += 1
        if search.signed and (unchecked >= n or iteration >= n or size == 0):
            unchecked = 0
            if has_cycle(thread, threads, sync, search, space.seen):
                break
    _settle_leaves(thread, threads, search, space.classes)
    finish(thread, threads, search, iteration, improved)


def _workspace(graph: Graph, search: Search, layout: Any) -> _Space:
    n = graph.num_vertices
    return _Space(
        classes=classify(graph, search.arcs.weights),
        stamp=np.empty(n, np.int32),
        frontier=np.empty(n, np.uint32),
        following=np.empty(n, np.uint32),
        seen=np.empty(n if search.signed else 0, np.int32),
        counters=new_counters(3),
    )


bellman_ford = Method(_bellman_ford, _workspace)
"""Weights may be negative. Takes 17 bytes per vertex, 13 when no weight is negative."""
