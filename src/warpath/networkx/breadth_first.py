"""Breadth-first search as NetworkX does it: the same order, the same predecessors."""

import math
from collections.abc import Iterator
from typing import Any, TypedDict, Unpack

import numpy as np

from warpath.algorithms.traversal.bfs import bfs
from warpath.cpu.breadth_first_order import breadth_first_order, discover
from warpath.cpu.unsigned import unsigned
from warpath.networkx.device_keyword import on_the_cpu
from warpath.networkx.finalization_order import Found, settle
from warpath.networkx.graph import Adjacency, BackendGraph
from warpath.parallel import team, thread_count
from warpath.parallel.atomics import atomic_add
from warpath.parallel.jit import compiled
from warpath.parallel.sync import stopping
from warpath.schedule import ScheduleLike
from warpath.typing import DeviceName

_BATCH_BYTES = 2**25  # of searches at once: a guess
_EDGES_PER_THREAD = 16384  # of all searches together: a guess


class Where(TypedDict, total=False):
    """Further keywords of functions that count edges: `warpath.bfs` says what they mean."""

    device: DeviceName
    schedule: ScheduleLike


@compiled
def _levels(order, predecessor, level_of, level):  # type: ignore[no-untyped-def]
    """A vertex is a level below its predecessor, which stands before it."""
    level_of[order[0]] = level[0] = 0
    for i in range(1, order.shape[0]):
        v = order[i]
        level[i] = level_of[predecessor[v]] + 1
        level_of[v] = level[i]


@compiled
def _rows(  # type: ignore[no-untyped-def]
    thread, threads, sync, claimed, offsets, indices, none, no_indices, first, size, order, level,
    predecessor, keep,
):  # fmt: skip
    """One search after the other: row r is that of vertex first + r, its vertices size[r]."""
    n = offsets.shape[0] - 1
    met, level_of = np.empty(-(-n // 64), np.uint64), np.empty(n, np.int32)
    row = atomic_add(claimed, 0, 1)
    while row < size.shape[0] and not stopping(sync):
        met[:] = 0
        parents = predecessor[row if keep else thread]
        parents[:] = -1
        queue = order[row]
        size[row] = discover(
            sync, offsets, indices, none, no_indices, np.uint64(first + row), queue, parents, met
        )
        _levels(queue[: size[row]], parents, level_of, level[row])
        row = atomic_add(claimed, 0, 1)


def search_each(G: BackendGraph, depth: Any = None, parents: bool = True) -> Iterator[Found]:
    """`search` from each vertex, in parallel, a batch at a time.

    Without ``parents``, ``predecessor`` is of no search.
    """
    n = len(G)
    offsets, neighbors = G.adjacency
    batch = max(1, _BATCH_BYTES // (12 * max(n, 1)))
    none = unsigned(np.empty(0, offsets.dtype)), unsigned(np.empty(0, np.int32))
    for begin in range(0, n, batch):
        rows = min(batch, n - begin)
        threads = max(
            1, min(thread_count.num_threads(), rows, rows * len(neighbors) // _EDGES_PER_THREAD)
        )
        order, level = np.empty((rows, n), np.int32), np.empty((rows, n), np.int32)
        predecessor = np.empty((rows if parents else threads, n), np.int32)
        size = np.empty(rows, np.int64)
        team.run(
            _rows, threads, np.zeros(1, np.int64), unsigned(offsets), unsigned(neighbors), *none,
            begin, size, unsigned(order), level, predecessor, parents,
        )  # fmt: skip
        for row, end in enumerate(size.tolist()):
            # Copies, so that keeping one does not keep them all.
            found = Found(
                order[row, :end].copy(),
                level[row, :end].copy(),
                predecessor[row].copy() if parents else predecessor[0],
            )
            yield _down_to(depth, found) if parents else _first(depth, found)


def search(adjacency: Adjacency, source: int) -> Found:
    """Search from a vertex."""
    n = len(adjacency.offsets) - 1
    predecessor = np.full(n, -1, np.int32)
    order = breadth_first_order(*adjacency, None, source, predecessor)
    level = np.empty(len(order), np.int32)
    _levels(order, predecessor, np.empty(n, np.int32), level)
    return Found(order, level, predecessor)


def is_connected(G: BackendGraph) -> bool:
    """Whether all vertices reach each other, along arcs of any weight, hidden ones too."""
    ways = (G.adjacency, G.reverse_adjacency) if G.is_directed() else (G.adjacency,)
    return all(len(search(way, 0).order) == len(G) for way in ways)


def traverse(
    G: BackendGraph,
    source: int,
    depth: Any = None,
    *,
    reverse: bool = False,
    **where: Unpack[Where],
) -> Found:
    """`search` from a vertex of a graph, or with ``device`` or ``schedule`` `warpath.bfs`.

    In the latter, vertices of one distance come in the graph's order, and a predecessor is any
    vertex that may be one.
    """
    if on_the_cpu(where):
        return _down_to(depth, search(G.reverse_adjacency if reverse else G.adjacency, source))
    graph = G.to_graph()
    found = bfs(graph.reverse if reverse else graph, source, **where).to_numpy()
    assert found.predecessor is not None
    vertices = np.flatnonzero(found.distance >= 0).astype(np.int32)
    order = vertices[np.argsort(found.distance[vertices], kind="stable")]
    return _down_to(depth, Found(order, found.distance[order], found.predecessor.copy()))


def search_from_all(G: BackendGraph, sources: list[int], **where: Unpack[Where]) -> Found:
    """Distances from the nearest of several vertices, in the order of a search with one queue."""
    starts = np.array(sources, np.int32)
    found = bfs(G.to_graph(), starts, nearest=True, predecessors=False, **where).to_numpy()
    ones = np.ones(G.num_arcs, np.int64)
    return settle(G.adjacency, ones, starts, found.distance, found.reached)


def _down_to(depth: Any, found: Found) -> Found:
    near = _first(depth, found)
    found.predecessor[found.order[len(near.order) :]] = -1
    return near


def _first(depth: Any, found: Found) -> Found:
    """The vertices down to a depth; predecessors are left as they are."""
    order, level, predecessor = found
    if depth is None or not depth < len(predecessor):
        return found
    end = int(np.searchsorted(level, max(0, math.ceil(depth)), side="right"))
    return Found(order[:end], level[:end], predecessor)
