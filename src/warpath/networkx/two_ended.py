"""Searches from both ends, step by step as NetworkX does them: its path among those of one length.

`warpath.shortest_path` finds another one of them: which depends on the order of all steps.
"""

from heapq import heappop, heappush
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpath.graph.build import read_only
from warpath.networkx.finalization_order import fits_after, largest_distance
from warpath.networkx.graph import Adjacency, Arcs, counted
from warpath.networkx.versions import VERSION
from warpath.parallel.interruption import interruptible
from warpath.parallel.jit import compiled
from warpath.parallel.sync import barrier, stopping_at

Array = NDArray[Any]

_UNSEEN, _ROOT = -2, -1
_NO_PATH, _OVERFLOW = -1, -2


@compiled
def _by_edges(  # type: ignore[no-untyped-def]
    sync, offsets, neighbors, back_offsets, back_neighbors, source, target, before, after
):
    """Breadth-first search, the smaller frontier first: the vertex where both meet, or -1."""
    before[:], after[:] = _UNSEEN, _UNSEEN
    before[source], after[target] = _ROOT, _ROOT
    ahead, behind = np.empty_like(before), np.empty_like(after)
    ahead[0], behind[0] = source, target
    begin, end, back_begin, back_end = 0, 1, 0, 1
    while begin < end and back_begin < back_end and not barrier(sync, 1):
        if end - begin <= back_end - back_begin:
            begin, end, v = _level(offsets, neighbors, ahead, begin, end, before, after)
        else:
            back_begin, back_end, v = _level(
                back_offsets, back_neighbors, behind, back_begin, back_end, after, before
            )
        if v >= 0:
            return v
    return _NO_PATH


@compiled
def _level(offsets, neighbors, queue, begin, end, parent, other):  # type: ignore[no-untyped-def]
    """Go a level on: the next level's place in the queue, and a vertex of the other search or -1."""
    size = end
    for i in range(begin, end):
        u = queue[i]
        for arc in range(offsets[u], offsets[u + 1]):
            v = neighbors[arc]
            if parent[v] == _UNSEEN:
                parent[v] = u
                queue[size] = v
                size += 1
            if other[v] != _UNSEEN:
                return end, size, v
    return end, size, -1


@compiled
def _by_weight(  # type: ignore[no-untyped-def]
    sync, offsets, neighbors, weights, back_offsets, back_neighbors, back_weights, most, source, target,
    before, after, near, ends,
):  # fmt: skip
    """Dijkstra's algorithm, an arc of each search in turn; ``ends`` surround the meeting vertex.

    Returns the vertex where the searches meet, `_NO_PATH` or `_OVERFLOW`; ``near[0, 0]`` is then
    the length of the path.
    """
    before[:], after[:] = _UNSEEN, _UNSEEN
    before[source], after[target] = _ROOT, _ROOT
    settled = np.zeros(near.shape, np.bool_)
    near[0, source], near[1, target] = 0, 0
    nothing = near[0, source]
    ahead = [(nothing, 0, source)]
    behind = [(nothing, 1, target)]
    count, meeting, length, side = 2, _NO_PATH, nothing, 1
    step = 0
    while len(ahead) > 0 and len(behind) > 0:
        step += 1
        if stopping_at(sync, step):
            break
        side = 1 - side
        if side == 0:
            fringe, rows, columns, values, parent = ahead, offsets, neighbors, weights, before
        else:
            fringe, rows, columns, values, parent = (
                behind, back_offsets, back_neighbors, back_weights, after,
            )  # fmt: skip
        far, _, u = heappop(fringe)
        if settled[side, u]:
            continue
        settled[side, u] = True
        if settled[1 - side, u]:
            near[0, 0] = length
            return meeting
        other = after if side == 0 else before
        for arc in range(rows[u], rows[u + 1]):
            v = columns[arc]
            if settled[side, v]:
                continue
            if not fits_after(far, values[arc], most):
                return _OVERFLOW
            there = far + values[arc]
            if parent[v] != _UNSEEN and there >= near[side, v]:
                continue
            near[side, v], parent[v] = there, u
            heappush(fringe, (there, count, v))
            count += 1
            if other[v] == _UNSEEN:
                continue
            if not fits_after(there, near[1 - side, v], most):
                return _OVERFLOW
            whole = there + near[1 - side, v]
            if meeting < 0 or length > whole:
                length, meeting = whole, v
                ends[0], ends[1] = before[v], after[v]
    return _NO_PATH


def path_by_edges(
    ahead: Adjacency, behind: Adjacency, source: int, target: int
) -> list[int] | None:
    """A path of the fewest edges, the one that NetworkX finds; None if there is none.

    Parameters
    ----------
    ahead, behind : Adjacency
        The arcs by their sources, and by their targets.
    source, target : int
    """
    if source == target:
        return [source]
    before, after = (np.empty(len(ahead.offsets) - 1, np.int32) for _ in range(2))
    ends = np.int32(source), np.int32(target)
    with interruptible() as sync:
        v = _by_edges(sync, *ahead, *behind, *ends, before, after)
    return None if v < 0 else [*_walk(before, v)[::-1], *_walk(after, after[v])]


class Path(NamedTuple):
    """A path and its length."""

    length: int | float
    vertices: list[int]


def path_by_weight(ahead: Arcs, behind: Arcs, source: int, target: int) -> Path | None:
    """A shortest path, as `path_by_edges`.

    Raises
    ------
    OverflowError
        If a length that the search looks at does not fit in 64 bits.
    """
    n = len(ahead.adjacency.offsets) - 1
    weights, back_weights = counted(ahead), counted(behind)
    before, after = (np.empty(n, np.int32) for _ in range(2))
    near, ends = np.empty((2, n), weights.dtype), np.empty(2, np.int32)
    with interruptible() as sync:
        v = _by_weight(
            sync, *ahead.adjacency, read_only(weights), *behind.adjacency, read_only(back_weights),
            largest_distance(near.dtype), np.int32(source), np.int32(target), before, after, near, ends,
        )  # fmt: skip
    if v == _OVERFLOW:
        raise OverflowError("a path's length goes beyond 64 bits")
    if v == _NO_PATH:
        return None
    if VERSION >= (3, 6):  # which looks for the path at the end
        ends[:] = before[v], after[v]
    path = [*_walk(before, ends[0])[::-1], v, *_walk(after, ends[1])]
    return Path(near[0, 0].item(), path)


def _walk(parent: Array, v: int) -> list[int]:
    path = []
    while v >= 0:
        path.append(int(v))
        v = parent[v]
    return path
