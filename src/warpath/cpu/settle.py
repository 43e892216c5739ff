"""Distances as sums from left to right, from sums that were made in another order.

Sums of floats depend on the order: Floyd-Warshall's and Johnson's algorithms find the shortest
paths, but not the last bits of their lengths as Dijkstra's algorithm finds them. Those are the only
solution of d(v) = min over the arcs u → v of d(u) + w, rounded at each step. First come the sums
along the tree of predecessors, from left to right, which are nowhere too small; then sweeps over
all arcs until none lowers a sum. Most rows need one sweep. Only
floats are added here: a sum beyond the largest is infinite, which says "no path".
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.arcs import arc_range, arcs_of
from warpath.cpu.relax import ALGEBRAS, extend
from warpath.cpu.unsigned import ONE, ZERO, unsigned
from warpath.graph.graph import Graph
from warpath.parallel import team
from warpath.parallel.atomics import unowned
from warpath.parallel.jit import compiled, inlined
from warpath.parallel.sync import share, stopping, stopping_at

Array = NDArray[Any]


@inlined
def _least(algebra, arcs, u, v, d, none):  # type: ignore[no-untyped-def]
    """The best extension of u's distance ``d`` by an arc u → v."""
    low, high = arc_range(arcs, u)
    end = high
    while low < high:
        middle = (low + high) >> ONE
        if np.uint64(arcs.indices[middle]) < v:
            low = middle + ONE
        else:
            high = middle
    best = none
    while low < end and np.uint64(arcs.indices[low]) == v:
        candidate = extend(algebra, d, arcs.weights[low])
        best = candidate if candidate < best else best
        low += ONE
    return best


@compiled
def _sum_tree(sync, algebra, arcs, source, ends, distance, predecessor, done, stack):  # type: ignore[no-untyped-def]
    """Distances along the tree; what it does not reach is "no path"."""
    start, none = ends
    n = np.uint64(distance.shape[0])
    done[:] = 0
    distance[:] = none
    distance[source] = start
    done[source] = 1
    for first in range(n):
        if stopping_at(sync, first):
            return
        if predecessor[first] < 0:
            continue
        depth = ZERO
        v = np.uint64(first)
        while done[v] == 0:
            stack[depth] = v
            depth += ONE
            v = np.uint64(predecessor[v])
        while depth > ZERO:
            depth -= ONE
            u, v = v, np.uint64(stack[depth])
            distance[v] = _least(algebra, arcs, u, v, distance[u], none)
            done[v] = 1


@compiled
def _relax(sync, algebra, arcs, none, distance, predecessor):  # type: ignore[no-untyped-def]
    """Sweep over all arcs until nothing changes; whether that came within n sweeps."""
    n = np.uint64(distance.shape[0])
    for _ in range(n + ONE):
        changed = False
        for u in range(n):
            if stopping_at(sync, u):
                return False
            d = distance[u]
            if d == none:
                continue
            begin, end = arc_range(arcs, u)
            for arc in range(begin, end):
                v = arcs.indices[arc]
                candidate = extend(algebra, d, arcs.weights[arc])
                if candidate < distance[v]:
                    distance[v] = candidate
                    predecessor[v] = u
                    changed = True
        if not changed:
            return True
    return False


@compiled
def _settle(  # type: ignore[no-untyped-def]
    thread, threads, sync, algebra, arcs, sources, ends, D, P, done, stacks, settled
):
    arcs, D, P = unowned((arcs, D, P))
    first, last = share(D.shape[0], thread, threads)
    for row in range(first, last):
        if stopping(sync):
            return
        source = np.uint64(sources[row])
        _sum_tree(sync, algebra, arcs, source, ends, D[row], P[row], done[thread], stacks[thread])
        settled[row] = _relax(sync, algebra, arcs, ends[1], D[row], P[row])


def settle(
    algebra: str,
    graph: Graph,
    weights: Array,
    sources: Array,
    start: Any,
    none: Any,
    D: Array,
    P: Array,
    threads: int,
) -> Array:
    """Make of predecessors ``P`` the distances ``D`` which methods of one source find, to the bit.

    Parameters
    ----------
    algebra : str
    weights : float array, shape (m,)
    sources : int32 array, shape (rows,)
    start, none : scalars
        Keys of a source and of "no path".
    D : array, shape (rows, n)
        Is overwritten.
    P : int32 array, shape (rows, n)
        A tree in each row.
    threads : int

    Returns
    -------
    bool array, shape (rows,)
        False where it did not end: a cycle of weight zero whose sum rounds to below zero.
    """
    n, settled = graph.num_vertices, np.empty(len(D), bool)
    team.run(
        _settle, threads, ALGEBRAS[algebra], arcs_of(graph, weights), unsigned(sources), (start, none), D, P,
        np.empty((threads, n), np.uint8), np.empty((threads, n), np.uint32), settled,
    )  # fmt: skip
    return settled
