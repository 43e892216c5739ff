"""Distances made into what NetworkX's Dijkstra leaves behind: its order, its choice among ties.

NetworkX settles nodes by (distance, when it was pushed at that distance), so those of one distance
form a queue: first come, first served. Given the distances, by whatever method and device, the
order needs no heap. The vertices of each distance have a stretch of ``order`` of their own, which is gone
through from the front. A vertex u appends each v with a tight arc (d(u) + w = d(v)) to v's stretch,
unless it is there already, and becomes its predecessor. An arc of weight 0 appends to the current
stretch.

Integers are only added where the sum fits (`fits_after`): an arc may weigh as much as int64 holds.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpath.graph.build import read_only
from warpath.graph.distance import unreachable
from warpath.networkx.graph import Adjacency
from warpath.parallel.interruption import interruptible
from warpath.parallel.jit import compiled, inlined
from warpath.parallel.sync import stopping_at

Array = NDArray[Any]


class Found(NamedTuple):
    """Vertices in the order in which they were settled.

    Attributes
    ----------
    order : int32 array, shape (k,)
        Sources first.
    distance : array, shape (k,)
        Distances of each, ascending.
    predecessor : int32 array, shape (n,)
        By vertex; -1 for sources and what was not reached.
    """

    order: Array
    distance: Array
    predecessor: Array


@inlined
def fits_after(near, weight, most):  # type: ignore[no-untyped-def]
    """Whether ``near + weight`` is at most ``most``, the largest distance; for floats that is inf.

    It does not fall below the least integer where ``near`` is a distance below 0: an arc leads to
    no distance that is less than the one which its end has.
    """
    return near <= 0 or weight <= most - near


@compiled
def _settle(  # type: ignore[no-untyped-def]
    sync,
    offsets,
    neighbors,
    weights,
    most,
    distance,
    stretch,
    end,
    sources,
    met,
    order,
    predecessor,
):
    """``end[s]`` is where the next vertex of stretch s goes; ``stretch`` is -1 out of reach."""
    for v in sources:
        if not met[v]:
            met[v] = True
            order[end[stretch[v]]] = v
            end[stretch[v]] += 1
    for i in range(order.shape[0]):
        u = order[i]
        if u < 0 or stopping_at(sync, i):
            return False
        for arc in range(offsets[u], offsets[u + 1]):
            v = neighbors[arc]
            if met[v] or stretch[v] < 0 or not fits_after(distance[u], weights[arc], most):
                continue
            if distance[u] + weights[arc] != distance[v]:
                continue
            met[v] = True
            order[end[stretch[v]]] = v
            end[stretch[v]] += 1
            predecessor[v] = u
    return True


def settle(
    adjacency: Adjacency, weights: Array, sources: Array, distance: Array, reached: Array
) -> Found:
    """The order in which NetworkX settles vertices whose distances are known.

    Parameters
    ----------
    adjacency : Adjacency
    weights : int64 or float64 array, shape (m,)
        Not negative.
    sources : int32 array
        In NetworkX's order.
    distance : array, shape (n,)
        Sums from left to right, so that tight arcs are tight to the bit.
    reached : bool array, shape (n,)

    Raises
    ------
    ValueError
        If there are no such distances: no arc leads to one of them.
    """
    n = len(distance)
    distance = distance.astype(weights.dtype, copy=False)
    vertices = np.flatnonzero(reached)
    by_distance = vertices[np.argsort(distance[vertices], kind="stable")]
    sorted_distance = distance[by_distance]
    begins = np.ones(len(vertices), bool)
    np.not_equal(sorted_distance[1:], sorted_distance[:-1], out=begins[1:])
    stretch = np.full(n, -1, np.int32)
    stretch[by_distance] = np.cumsum(begins, dtype=np.int32) - 1
    order, predecessor = np.full(len(vertices), -1, np.int32), np.full(n, -1, np.int32)
    with interruptible() as sync:
        complete = _settle(
            sync, *adjacency, weights, largest_distance(weights.dtype), distance, stretch,
            np.flatnonzero(begins), sources, np.zeros(n, bool), order, predecessor,
        )  # fmt: skip
    if not complete:
        raise ValueError("the distances are not those of the arcs: one has no arc that leads to it")
    return Found(order, sorted_distance, predecessor)


def largest_distance(dtype: np.dtype[Any]) -> Any:
    """The largest distance; of floats inf."""
    none = unreachable(dtype)
    return dtype.type(none - 1 if dtype.kind == "i" else none)


@compiled
def _meet(  # type: ignore[no-untyped-def]
    sync, offsets, neighbors, weights, most, limit, sources, order, distance, met, found
):
    for size in range(sources):
        found[size] = order[size]
        met[order[size]] = True
    size = sources
    for i in range(order.shape[0]):
        if stopping_at(sync, i):
            break
        u = order[i]
        for arc in range(offsets[u], offsets[u + 1]):
            v = neighbors[arc]
            if met[v]:
                continue
            # Without a limit also along an arc whose sum does not fit.
            near_enough = limit == most
            if not near_enough and fits_after(distance[i], weights[arc], most):
                near_enough = distance[i] + weights[arc] <= limit
            if near_enough:
                met[v] = True
                found[size] = v
                size += 1
    return size


def by_first_sight(
    adjacency: Adjacency, weights: Array, found: Found, cutoff: Any = None, sources: int = 1
) -> NDArray[np.int32]:
    """The vertices that were settled, in the order in which one that was settled first saw them.

    Parameters
    ----------
    adjacency : Adjacency
    weights : array, shape (m,)
        Not negative.
    found : Found
    cutoff : number, optional
        Along an arc that leads farther nothing is seen.
    sources : int
        How many stand first, by themselves.

    Raises
    ------
    ValueError
        If these vertices are not found along the arcs.
    """
    limit = most = largest_distance(weights.dtype)
    if cutoff is not None and cutoff < most.item():
        limit = max(-1, math.floor(cutoff) if weights.dtype.kind == "i" else cutoff)
    met = np.ones(len(found.predecessor), bool)
    met[found.order] = False  # so no more are found than `order` has room for
    order = np.empty(len(found.order), np.int32)
    with interruptible() as sync:
        size = _meet(
            sync, *adjacency, weights, most, weights.dtype.type(limit), sources, found.order,
            found.distance.astype(weights.dtype, copy=False), met, order,
        )  # fmt: skip
    if size < len(order):
        raise ValueError("the vertices are not those that the arcs lead to")
    return order


@compiled
def _place_ties(  # type: ignore[no-untyped-def]
    sync, offsets, neighbors, weights, most, distance, reached, order, place, ties
):
    """Move ``place[v]`` on by each tight arc into v; unless ``ties`` is empty, store its source there."""
    for i in range(order.shape[0]):
        if stopping_at(sync, i):
            return
        u = order[i]
        for arc in range(offsets[u], offsets[u + 1]):
            v = neighbors[arc]
            if not reached[v] or not fits_after(distance[u], weights[arc], most):
                continue
            if distance[u] + weights[arc] == distance[v]:
                if ties.shape[0] > 0:
                    ties[place[v]] = u
                place[v] += 1


def tied_predecessors(
    adjacency: Adjacency, weights: Array, found: Found
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """All predecessors on shortest paths: (offsets, vertices), in the order in which they settled.

    Returns
    -------
    offsets : int64 array, shape (n + 1,)
        Vertex v's stand at ``offsets[v]:offsets[v + 1]``.
    vertices : int32 array
    """
    n = len(found.predecessor)
    distance, reached = np.zeros(n, weights.dtype), np.zeros(n, bool)
    distance[found.order], reached[found.order] = found.distance, True
    most = largest_distance(weights.dtype)
    arcs = (*adjacency, weights, most, distance, reached, read_only(found.order))
    offsets = np.zeros(n + 1, np.int64)
    with interruptible() as sync:
        _place_ties(sync, *arcs, offsets[1:], np.empty(0, np.int32))
    np.cumsum(offsets, out=offsets)
    ties = np.empty(offsets[-1], np.int32)
    with interruptible() as sync:
        _place_ties(sync, *arcs, offsets[:-1].copy(), ties)
    return offsets, ties
