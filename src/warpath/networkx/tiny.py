"""Searches from the nodes of a tiny graph: one call of one kernel, on NetworkX's own adjacency.

On graphs of some ten nodes all that counts is what a call does beside its searches. Nothing is
built here, no threads are woken, and the vertices come as NetworkX settles them: by distance, then
by when they were last seen nearer. The next one is found by looking at all: of so few, that is
faster than a heap. No sum wraps: `takes` asks for n² times the largest weight to fit, which bounds
walks of n² arcs and the totals of n distances; a hidden arc's weight does not pass.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.all_pairs.rows import Summary
from warpath.cpu.dijkstra import search as dijkstra
from warpath.cpu.relax import ALGEBRAS
from warpath.cpu.unsigned import unsigned
from warpath.graph.build import read_only
from warpath.graph.distance import fits, unreachable
from warpath.networkx.graph import Adjacency, BackendGraph, Weight
from warpath.networkx.settled import Found, settle
from warpath.parallel.jit import compiled
from warpath.parallel.team import interruptible

Array = NDArray[Any]

# Vertices and arcs that all searches look at, up to which nothing else is faster: of sums of their
# distances, and of all that they find. Measured with Zen 5, 2026-11, 2 to 20 edges a node: as fast
# at 2^15 to 2^17, and of all, at 2^15 or with weights 2^23.
SUMS, ROWS = 2**16, 2**20
# The same of a graph, for one search with weights; and vertices up to which it needs no heap.
# Measured likewise: as fast at 2^17 as two threads, and with a heap at 300.
ONE, _NO_HEAP = 2**16, 2**8
_UNSEEN, _SETTLED = -1, -2
_ONES = read_only(np.empty(0, np.int64))  # in place of weights: each arc counts 1


@compiled
def _by_arcs(  # type: ignore[no-untyped-def]
    offsets, neighbors, sources, depth, order, distance, predecessor
):
    """Breadth-first search from all sources; how many vertices were found, in ``order``."""
    predecessor[:] = _UNSEEN
    size = sources.shape[0]
    for i in range(size):
        order[i], distance[i], predecessor[sources[i]] = sources[i], 0, _SETTLED
    for i in range(order.shape[0]):
        if i == size or distance[i] >= depth:
            break
        u = order[i]
        for arc in range(offsets[u], offsets[u + 1]):
            v = neighbors[arc]
            if predecessor[v] == _UNSEEN:
                order[size], distance[size], predecessor[v] = v, distance[i] + 1, u
                size += 1
    for i in range(sources.shape[0]):
        predecessor[sources[i]] = -1
    return size


@compiled
def _by_weight(  # type: ignore[no-untyped-def]
    offsets, neighbors, weights, sources, order, distance, predecessor, near, turn
):
    """The same by Dijkstra's algorithm; ``turn[v]`` is when v was seen at ``near[v]``."""
    predecessor[:], turn[:] = -1, _UNSEEN
    for seen in range(sources.shape[0]):
        near[sources[seen]], turn[sources[seen]] = 0, seen
    seen = sources.shape[0]
    for size in range(order.shape[0]):
        u = -1
        for v in range(order.shape[0]):
            if turn[v] >= 0 and (
                u < 0 or near[v] < near[u] or (near[v] == near[u] and turn[v] < turn[u])
            ):
                u = v
        if u < 0:
            return size
        order[size], distance[size], turn[u] = u, near[u], _SETTLED
        for arc in range(offsets[u], offsets[u + 1]):
            v, there = neighbors[arc], near[u] + weights[arc]
            if turn[v] == _UNSEEN or (turn[v] >= 0 and there < near[v]):
                near[v], turn[v], predecessor[v] = there, seen, u
                seen += 1
    return order.shape[0]


@compiled
def _search(  # type: ignore[no-untyped-def]
    offsets, neighbors, weights, sources, order, distance, predecessor, near, turn
):
    """Without weights each arc counts 1."""
    if weights.shape[0] == 0:
        return _by_arcs(offsets, neighbors, sources, np.inf, order, distance, predecessor)
    return _by_weight(
        offsets, neighbors, weights, sources, order, distance, predecessor, near, turn
    )


@compiled
def _by_rounds(offsets, neighbors, weights, source, near, predecessor):  # type: ignore[no-untyped-def]
    """Bellman and Ford's algorithm; False where a cycle keeps it from ending in a tree."""
    n = predecessor.shape[0]
    predecessor[:] = _UNSEEN
    near[source], predecessor[source] = 0, source
    for _ in range(n):
        better = False
        for u in range(n):
            if predecessor[u] == _UNSEEN:
                continue
            for arc in range(offsets[u], offsets[u + 1]):
                v, there = neighbors[arc], near[u] + weights[arc]
                if predecessor[v] == _UNSEEN or there < near[v]:
                    near[v], predecessor[v], better = there, u, True
        if not better:
            break
    if better or predecessor[source] != source:
        return False
    predecessor[source] = -1
    for v in range(n):
        u, steps = v, 0
        while u >= 0 and steps <= n:
            u, steps = predecessor[u], steps + 1
        if u >= 0:  # rounding made a cycle of weight 0 look like progress
            return False
    return True


@compiled
def _search_each(  # type: ignore[no-untyped-def]
    offsets, neighbors, weights, sources, order, distance, predecessor, size
):
    """Fill a row for each source, or one row for all of them."""
    n, rows = order.shape[1], order.shape[0]
    near, turn = np.empty(n, weights.dtype), np.empty(n, np.int64)
    for row in range(rows):
        mine = sources[row : row + 1] if rows == sources.shape[0] else sources
        size[row] = _search(
            offsets, neighbors, weights, mine, order[row], distance[row], predecessor[row],
            near, turn,
        )  # fmt: skip


@compiled
def _summarise_each(  # type: ignore[no-untyped-def]
    offsets, neighbors, weights, sources, farthest, total, reached, inverse
):
    """The same, each row summed up."""
    n = offsets.shape[0] - 1
    distance, near, turn = (
        np.empty(n, weights.dtype),
        np.empty(n, weights.dtype),
        np.empty(n, np.int64),
    )
    order, predecessor = np.empty(n, np.int32), np.empty(n, np.int32)
    for row in range(sources.shape[0]):
        mine = sources[row : row + 1]
        size = _search(offsets, neighbors, weights, mine, order, distance, predecessor, near, turn)
        farthest[row], reached[row] = distance[size - 1], size
        for i in range(size):
            total[row] += distance[i]
            if distance[i] > 0:
                inverse[row] += 1 / distance[i]


def is_tiny(G: BackendGraph, searches: int, weight: Weight, most: int) -> bool:
    """Whether so many searches take no more than ``most``, `SUMS` or `ROWS`."""
    n = len(G)
    return searches * (G.num_arcs + (n if weight is None else n * n)) <= most


def is_small(G: BackendGraph) -> bool:
    """Whether this is the fastest way for one search with weights."""
    return len(G) + G.num_arcs <= ONE


def takes(G: BackendGraph, weights: Array | None, signed: bool = False) -> bool:
    """Whether sums of distances fit, and no weight is negative, or they may be ``signed``."""
    if weights is None or len(weights) == 0:
        return True
    low, high = weights.min().item(), weights.max().item()
    # All distances from a vertex; and along a negative cycle n rounds go n arcs each.
    bound = max(high, -low) * len(G) ** 2
    return (signed or low >= 0) and fits(bound, weights.dtype)


def search_each(adjacency: Adjacency, weights: Array | None, sources: Array) -> Iterator[Found]:
    """What NetworkX settles from each source.

    Parameters
    ----------
    adjacency : Adjacency
    weights : int64 or float64 array, shape (m,), or None
        None: each arc counts 1, and distances are int64.
    sources : int32 array, shape (k,)
    """
    order, distance, predecessor, size = _rows(adjacency, weights, sources, len(sources))
    for row, end in enumerate(size.tolist()):
        yield Found(order[row, :end], distance[row, :end], predecessor[row])


def search_down_to(adjacency: Adjacency, source: int, depth: float) -> Found:
    """What is near in a graph of any size: vertices at less than this depth are left."""
    n = len(adjacency.offsets) - 1
    order, distance, predecessor = (np.empty(n, np.int32) for _ in range(3))
    start = read_only(np.array([source], np.int32))
    size = _by_arcs(*adjacency, start, float(depth), order, distance, predecessor)
    return Found(order[:size], distance[:size], predecessor)


def lengths_each(
    G: BackendGraph, adjacency: Adjacency, weights: Array | None
) -> Iterator[tuple[Any, dict[Any, Any]]]:
    """``(node, {node: distance})`` of each node, whose own is the integer 0; see `search_each`."""
    every = np.arange(len(G), dtype=np.int32)
    order, distance, _, size = _rows(adjacency, weights, every, len(G))
    names = G.names
    rows = zip(names, order.tolist(), distance.tolist(), size.tolist(), strict=True)
    for node, vertices, values, end in rows:
        values[0] = 0
        yield node, {names[v]: far for v, far in zip(vertices[:end], values, strict=False)}


def search_nearest(adjacency: Adjacency, weights: Array, sources: Array) -> Found:
    """What NetworkX settles from the nearest source; see `search_each`."""
    n = len(adjacency.offsets) - 1
    if n <= _NO_HEAP:
        order, distance, predecessor, size = _rows(adjacency, weights, sources, 1)
        return Found(order[0, : size[0]], distance[0, : size[0]], predecessor[0])
    far = unreachable(weights.dtype)
    most = far - 1 if weights.dtype.kind == "i" else far
    kind, given = weights.dtype.type, read_only(weights)
    near = np.empty(n, weights.dtype)
    with interruptible() as sync:
        dijkstra(
            sync, ALGEBRAS["shortest"], *map(unsigned, adjacency), given,
            unsigned(read_only(sources)), kind(0), kind(most), far, -1, n, near,
            np.empty(n, np.int32), np.empty(n, np.uint32), np.empty(n, weights.dtype),
            np.empty(n, np.int32), np.zeros(3, np.int64),
        )  # fmt: skip
    return settle(adjacency, given, sources, near, near != far)


def search_signed(adjacency: Adjacency, weights: Array, source: int) -> Found | None:
    """What can be reached from a vertex, by distance; None if there may be a negative cycle."""
    n = len(adjacency.offsets) - 1
    near, predecessor = np.empty(n, weights.dtype), np.empty(n, np.int32)
    if not _by_rounds(*adjacency, read_only(weights), source, near, predecessor):
        return None
    reached = predecessor >= 0
    reached[source] = True
    vertices = np.flatnonzero(reached).astype(np.int32)
    order = vertices[np.argsort(near[vertices], kind="stable")]
    return Found(order, near[order], predecessor)


def _rows(
    adjacency: Adjacency, weights: Array | None, sources: Array, rows: int
) -> tuple[Array, Array, Array, Array]:
    shape = rows, len(adjacency.offsets) - 1
    given = _ONES if weights is None else read_only(weights)
    answer = (
        np.empty(shape, np.int32),
        np.empty(shape, given.dtype),
        np.empty(shape, np.int32),
        np.empty(rows, np.int64),
    )
    _search_each(*adjacency, given, read_only(sources), *answer)
    return answer


def summarise(adjacency: Adjacency, weights: Array | None, sources: Array) -> Summary:
    """How far, how near, and to how many; see `search_each`."""
    given = _ONES if weights is None else read_only(weights)
    farthest, total = np.empty(len(sources), given.dtype), np.zeros(len(sources), given.dtype)
    reached, inverse = np.empty(len(sources), np.int64), np.zeros(len(sources))
    _summarise_each(*adjacency, given, read_only(sources), farthest, total, reached, inverse)
    return Summary(farthest, total, reached, inverse)
