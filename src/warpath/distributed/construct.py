"""Parts of a graph, from edges that lie anywhere."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.distributed.numbering import LocalNumbers
from warpath.distributed.part import Part, boundaries, sent_to_owners
from warpath.distributed.partition import balanced_bounds
from warpath.distributed.transport import Transport
from warpath.graph.build import Batch, csr_from_batches, merge_parallel
from warpath.graph.graph import Graph

Array = NDArray[Any]

_EDGES_AT_ONCE = 1 << 24  # that a rank sends: up to 0.3 GB on their way, a guess


def part_of_edges(
    transport: Transport,
    n: int,
    edges: list[Batch],
    *,
    directed: bool,
    drop_self_loops: bool = False,
    merge: str = "keep",
    bounds: NDArray[np.int64] | None = None,
) -> Part:
    """This rank's part of the graph that the edges of all ranks make.

    Parameters
    ----------
    n : int
        Vertices.
    edges : list of Batch
        Those that this rank has read or drawn; the list is emptied. Weights have the same dtype
        on all ranks.
    directed, drop_self_loops, merge
        As in `warpath.Graph.from_edges`.
    bounds : int64 array, shape (size + 1,), optional
        Which vertices each rank owns; by default ranges of the same load (`balanced_bounds`).
    """
    if drop_self_loops:
        edges[:] = [batch.rows(batch.source != batch.target) for batch in edges]
    if bounds is None:
        bounds = balanced_bounds(transport, n, [end for batch in edges for end in batch[:2]])
    first, last = (int(bound) for bound in bounds[transport.rank :][:2])
    forward, backward = _distributed(transport, bounds, edges, directed)
    known = LocalNumbers(n, first, last)
    for batch in (*forward, *backward):
        known.add(batch.target)
    ids = known.ids()
    begin = int(np.searchsorted(ids, first))
    end = begin + last - first
    ends, boundary = boundaries(transport, bounds, ids, begin)

    def graph_of(arcs: list[Batch]) -> Graph:
        numbered = []
        while arcs:
            source, target, weight = arcs.pop(0)
            numbered.append(Batch(source - np.int32(first - begin), known.numbers(target), weight))
        csr = csr_from_batches(numbered, len(ids))
        if merge != "keep":
            csr = merge_parallel(*csr, merge)
        return Graph._from_parts(*csr, True)

    graph = graph_of(forward)
    reverse = graph_of(backward) if directed else graph
    return Part(bounds, ids, ends, begin, end, boundary, graph, reverse)


def edges_in_order(graph: Graph, order: NDArray[np.int32] | None) -> Batch:
    """The edges of a graph, undirected ones once, with vertices known by where they stand in an order, if there is one."""
    source, target, weight = graph.coo() if graph.directed else graph.edges()
    if order is not None:
        place = np.argsort(order).astype(np.int32)
        source, target = place[source], place[target]
    return Batch(source, target, weight)


def part_of_graph(transport: Transport, graph: Graph, bounds: NDArray[np.int64]) -> Part:
    """This rank's part of a graph that all ranks have: some of its rows.

    Parameters
    ----------
    bounds : int64 array, shape (size + 1,)
        Which vertices each rank owns.
    """
    n = graph.num_vertices
    first, last = (int(bound) for bound in bounds[transport.rank :][:2])
    directions = (graph, graph.reverse) if graph.directed else (graph,)
    rows = [slice(int(one.row_offsets[first]), int(one.row_offsets[last])) for one in directions]
    known = LocalNumbers(n, first, last)
    for one, arcs in zip(directions, rows, strict=True):
        known.add(one.column_indices[arcs])
    ids = known.ids()
    begin = int(np.searchsorted(ids, first))
    end = begin + last - first
    ends_of, boundary = boundaries(transport, bounds, ids, begin)
    local = []
    for one, arcs in zip(directions, rows, strict=True):
        offsets = np.zeros(len(ids) + 1, one.row_offsets.dtype)
        offsets[begin : end + 1] = one.row_offsets[first : last + 1] - one.row_offsets[first]
        offsets[end + 1 :] = offsets[end]
        weights = None if one.weights is None else one.weights[arcs]
        numbers = known.numbers(one.column_indices[arcs])
        local.append(Graph._from_parts(offsets, numbers, weights, True))
    return Part(bounds, ids, ends_of, begin, end, boundary, local[0], local[-1])


def _distributed(
    transport: Transport, bounds: NDArray[np.int64], edges: list[Batch], directed: bool
) -> tuple[list[Batch], list[Batch]]:
    """The arcs out of this rank's vertices, and those into them turned round (none if undirected)."""
    pieces = [
        batch.rows(slice(begin, begin + _EDGES_AT_ONCE))
        for batch in edges
        for begin in range(0, len(batch.source), _EDGES_AT_ONCE)
    ]
    none = edges[0].rows(slice(0))
    edges.clear()
    forward: list[Batch] = []
    backward: list[Batch] = forward if not directed else []
    for _ in range(max(1, int(transport.reduce(len(pieces), "max")[0]))):
        piece = pieces.pop() if pieces else none
        forward.append(_arcs(transport, bounds, *piece))
        if not directed:  # a self-loop is one arc
            piece = piece.rows(piece.source != piece.target)
        backward.append(_arcs(transport, bounds, piece.target, piece.source, piece.weight))
    return forward, backward if directed else []


def _arcs(
    transport: Transport,
    bounds: NDArray[np.int64],
    source: Array,
    target: Array,
    weight: Array | None,
) -> Batch:
    """The arcs that come to the owners of their sources."""
    columns = (target,) if weight is None else (target, weight)
    arcs = sent_to_owners(transport, bounds, source, *columns)
    return Batch(arcs[0], arcs[1], arcs[2] if len(arcs) > 2 else None)
