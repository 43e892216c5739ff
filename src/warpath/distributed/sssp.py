"""Shortest paths in a graph in parts: delta-stepping.

All ranks work on one bucket at a time. A rank relaxes the arcs of its vertices, and goes on with what
it lowers in its own part, until none of its vertices is left in the bucket. Then ranks exchange: for
each ghost that was lowered its owner gets the least distance that this rank knows, once. Where all
ranks have nothing left in the bucket, the next one begins at the least distance that waits.

Distances are the same for any number of ranks: the fixed point of relaxations does not depend on
their order. So are predecessors, which come from the distances at the end (`warpath.distributed.tree`).
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.relax import add
from warpath.cpu.unsigned import ONE
from warpath.distributed.graph import DistributedGraph
from warpath.distributed.tree import predecessors
from warpath.graph.distance import fits, unreachable
from warpath.parallel import team
from warpath.parallel.jit import compiled, inlined

Array = NDArray[Any]

# Width of a bucket, in mean weights over the mean degree: wide ones save exchanges, and relax in vain. On 4
# ranks, 2026-11, exchanges and relaxations per arc:
#     width               1           4          16          64
#     R-MAT 15     103, 1.1    41, 1.3     22, 2.5    13, 4.0
#     G(2¹⁵, 2¹⁸)   84, 1.0    43, 1.1     27, 1.7    20, 6.4
#     grid 300²  1,116, 1.0   379, 1.0    128, 1.2    47, 1.9
_WIDTH, _SPARSE_WIDTH = 4.0, 16.0
_SPARSE = 8  # the mean degree below which a graph has the second width: a guess between those
_FREE, _NEAR, _FAR = 0, 1, 2
# What a rank counts of an iteration.
_NEAR_COUNT, _FAR_COUNT, _GHOSTS, _EXPANDED, _RELAXED, _REFUSED = range(6)


class Found(NamedTuple):
    """Distances and predecessors of the part's vertices, and what each exchange ended.

    Attributes
    ----------
    distance, predecessor : arrays, shape (k,)
    frontier, edges : list of int
        Vertices expanded before each exchange and arcs relaxed, on all ranks.
    """

    distance: Array
    predecessor: NDArray[np.int32]
    frontier: list[int]
    edges: list[int]


def distance_dtype(graph: DistributedGraph) -> np.dtype[Any]:
    """As of a graph in one piece: the weights' dtype where no path can overflow it, for integers else int64."""
    dtype = graph.weight_dtype
    assert dtype is not None
    heaviest = max(map(abs, graph.weight_range))
    if dtype.kind == "i" and not fits(max(graph.num_vertices - 1, 1) * heaviest, dtype):
        return np.dtype(np.int64)
    return dtype


def shortest_from(graph: DistributedGraph, source: int) -> Found:
    """Distances from a source; no weight is negative.

    Raises
    ------
    OverflowError
        If a distance does not fit into 64 bits.
    """
    part, transport = graph.part, graph.transport
    dtype = distance_dtype(graph)
    none = unreachable(dtype)
    distance = np.full(len(part.ids), none, dtype)
    state = np.zeros(len(part.ids), np.uint8)
    owned = part.end - part.begin
    near, far = (np.empty(max(owned, 1), np.int32) for _ in range(2))
    ghosts = np.empty(len(part.ids) - owned, np.int32)
    counts = np.zeros(6, np.int64)
    start = part.number_of(source)
    if start is not None:
        distance[start], state[start], near[0], counts[_NEAR_COUNT] = 0, _NEAR, start, 1
    width = _width(graph)
    limit = np.minimum(width, none)
    arcs = part.graph.row_offsets, part.graph.column_indices, part.graph.weights
    frontier: list[int] = []
    edges: list[int] = []
    while True:
        team.run(
            _relax_near, 1, *arcs, distance, state, none, limit, part.begin, part.end, near, far, ghosts, counts
        )  # fmt: skip
        lowered = np.sort(ghosts[: counts[_GHOSTS]])
        state[lowered] = _FREE
        told, values = part.push_values(transport, lowered, distance[lowered])
        expanded, relaxed = counts[_EXPANDED], counts[_RELAXED]
        team.run(_accept, 1, told, values, distance, state, limit, near, far, counts)
        everywhere = transport.reduce(np.array([counts[_NEAR_COUNT], expanded, relaxed]))
        frontier.append(int(everywhere[1]))
        edges.append(int(everywhere[2]))
        if everywhere[0] > 0:
            continue
        waiting = far[: counts[_FAR_COUNT]]
        least = np.min(distance[waiting], where=state[waiting] == _FAR, initial=none)
        least = transport.reduce(least, "min")[0]
        if least == none:
            break
        limit = _next_limit(least, width, none)
        team.run(_split, 1, distance, state, limit, near, far, counts)
    _check_overflow(graph, distance, none, int(counts[_REFUSED]))
    return Found(distance, predecessors(graph, source, distance, none), frontier, edges)


def _width(graph: DistributedGraph) -> Any:
    """A bucket's."""
    degree = max(graph.num_arcs / max(graph.num_vertices, 1), 1.0)
    dtype = distance_dtype(graph)
    width = (_SPARSE_WIDTH if degree < _SPARSE else _WIDTH) * graph.mean_weight / degree
    if dtype.kind == "i":
        return dtype.type(min(max(int(width), 1), np.iinfo(dtype).max // 2))
    return dtype.type(width if width > 0 else 1.0)


def _next_limit(least: Any, width: Any, none: Any) -> Any:
    """Where the bucket ends that begins at ``least``: above it, whatever rounding does."""
    if none - least <= width:
        return none
    limit = type(none)(least + width)
    return limit if limit > least else np.nextafter(least, none)


def _check_overflow(graph: DistributedGraph, distance: Array, none: Any, refused: int) -> None:
    """Where sums were refused, refuse the answer if one of them would have reached a vertex."""
    part, transport = graph.part, graph.transport
    if not transport.reduce(np.array([refused]))[0]:
        return
    part.pull(transport, distance)
    source, target, _ = part.graph.coo()
    lost = np.flatnonzero((distance[source] != none) & (distance[target] == none))
    vertex = int(part.ids[target[lost]].min()) if len(lost) else graph.num_vertices
    vertex = int(transport.reduce(np.array([vertex]), "min")[0])
    if vertex < graph.num_vertices:
        raise OverflowError(f"the distance of vertex {vertex} does not fit in {distance.dtype}")


@inlined
def _put(v, near_now, state, near, far, counts):  # type: ignore[no-untyped-def]
    """Queue an owned vertex that was lowered, for this bucket or for later."""
    if near_now:
        if state[v] != _NEAR:
            state[v] = _NEAR
            near[counts[_NEAR_COUNT] % near.shape[0]] = v
            counts[_NEAR_COUNT] += 1
    elif state[v] == _FREE:
        state[v] = _FAR
        far[counts[_FAR_COUNT]] = v
        counts[_FAR_COUNT] += 1


@compiled
def _relax_near(  # type: ignore[no-untyped-def]
    thread, threads, sync, offsets, indices, weights, distance, state, none, limit, begin, end, near, far,
    ghosts, counts,
):  # fmt: skip
    """Relax the arcs of near vertices until there is none; list the ghosts that are lowered.

    ``near`` is a ring: no vertex is in it twice.
    """
    taken = expanded = relaxed = others = refused = 0
    while taken < counts[_NEAR_COUNT]:
        u = np.uint64(near[taken % near.shape[0]])
        taken += 1
        state[u] = _FREE
        du = distance[u]
        expanded += 1
        for arc in range(np.uint64(offsets[u]), np.uint64(offsets[u + ONE])):
            v = np.uint64(indices[arc])
            total = add(du, weights[arc])
            relaxed += 1
            if (
                total < du or total >= none
            ):  # a sum that wrapped, or none that is told from "no path"
                refused += 1
                continue
            if total >= distance[v]:
                continue
            distance[v] = total
            if np.uint64(begin) <= v < np.uint64(end):
                _put(v, total < limit, state, near, far, counts)
            elif state[v] == _FREE:
                state[v] = _NEAR
                ghosts[others] = v
                others += 1
    counts[_NEAR_COUNT] = 0
    counts[_GHOSTS], counts[_EXPANDED], counts[_RELAXED] = others, expanded, relaxed
    counts[_REFUSED] += refused


@compiled
def _accept(thread, threads, sync, told, values, distance, state, limit, near, far, counts):  # type: ignore[no-untyped-def]
    """Lower owned vertices to what other ranks tell."""
    for i in range(told.shape[0]):
        v = np.uint64(told[i])
        if values[i] < distance[v]:
            distance[v] = values[i]
            _put(v, values[i] < limit, state, near, far, counts)


@compiled
def _split(thread, threads, sync, distance, state, limit, near, far, counts):  # type: ignore[no-untyped-def]
    """Move what is below the limit from far to near; drop what was near meanwhile."""
    left = 0
    count = counts[_FAR_COUNT]
    counts[_NEAR_COUNT] = 0
    for i in range(count):
        v = np.uint64(far[i])
        if state[v] != _FAR:
            continue
        if distance[v] < limit:
            state[v] = _NEAR
            near[counts[_NEAR_COUNT]] = v
            counts[_NEAR_COUNT] += 1
        else:
            far[left] = v
            left += 1
    counts[_FAR_COUNT] = left
