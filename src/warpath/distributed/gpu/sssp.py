"""Shortest paths in a graph in parts on GPUs: delta-stepping, as `warpath.distributed.sssp` on CPUs.

Where a weight is negative, it is Bellman-Ford's algorithm (`warpath.distributed.gpu.signed`).

All ranks work on one bucket at a time. A GPU relaxes the arcs of its vertices, and goes on with what it
lowers in its own part, until none of its vertices is left in the bucket: one launch. Then ranks exchange:
for each ghost that was lowered its owner gets the least distance that this rank knows, once. Where all
ranks have nothing left in the bucket, the next one begins at the least distance that waits.

No list says what waits. ``done`` has the distance at which the arcs of a vertex were relaxed, and at which
the owner of a ghost was told of it: what has a smaller distance waits.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.distributed.bfs import NO_LIMIT
from warpath.distributed.gpu.bfs import levels_from
from warpath.distributed.gpu.operators import relax
from warpath.distributed.gpu.part import GpuPart
from warpath.distributed.gpu.signed import signed_from
from warpath.distributed.gpu.tree import predecessors
from warpath.distributed.graph import DistributedGraph
from warpath.distributed.sssp import (
    Found,
    as_limit,
    as_wanted,
    distance_of,
    heads_beyond,
    is_final,
    limit_at,
    next_limit,
    refuse_beyond,
)
from warpath.graph.distance import fits, summed_in, unreachable
from warpath.planning.bucket_width import width_in_parts


def shortest_from(
    graph: DistributedGraph,
    sources: NDArray[np.int32],
    dtype: np.dtype[Any],
    *,
    target: int | None = None,
    cutoff: Any = None,
    with_predecessors: bool = True,
) -> Found:
    """Distances from the nearest of some sources; vertices farther than the target or the cutoff are unreached.

    Raises
    ------
    OverflowError
        If a distance does not fit into the dtype.
    NegativeCycleError
        If a source reaches a cycle of negative weight.
    """
    held = summed_in(graph, dtype)
    if graph.weight_range[0] < 0:
        # Before a negative cycle is found, a sum may be far below all distances.
        held = np.dtype(np.int64) if dtype.kind == "i" else dtype
        found = signed_from(
            graph, sources, held, target=target, with_predecessors=with_predecessors
        )
    elif graph.weight_dtype is None:
        found = _by_levels(graph, sources, target, cutoff, with_predecessors)
    else:
        found = _by_weights(graph, sources, held, target, cutoff, with_predecessors)
    distance, lost = as_wanted(graph.part.xp, found.distance, dtype)
    if held != dtype:
        refuse_beyond(graph, graph.originals(lost + graph.part.bounds[graph.transport.rank]), dtype)
    return found._replace(distance=distance)


def _by_weights(
    graph: DistributedGraph,
    sources: NDArray[np.int32],
    dtype: np.dtype[Any],
    target: int | None,
    cutoff: Any,
    with_predecessors: bool,
) -> Found:
    """Likewise by delta-stepping, with distances in a dtype of `summed_in`."""
    part, transport = graph.part, graph.transport
    assert isinstance(part, GpuPart)
    part = part.with_weights_as(dtype)
    xp, own = part.xp, part.owned
    none = dtype.type(unreachable(dtype))
    distance, done = (xp.full(len(part.ids), none, dtype) for _ in range(2))
    starts = part.numbers_of(sources)
    distance[starts] = 0
    cutoff = as_limit(cutoff, dtype)
    width = dtype.type(width_in_parts(graph, dtype))
    limit = min(width, none)
    frontier: list[int] = []
    while True:
        near = part.owned_where((distance < done) & (distance < limit))
        relax(part.graph, near, distance, limit, none, once=False)
        done[own] = xp.where(distance[own] < limit, distance[own], done[own])
        part.tell_owners(transport, distance, done)
        waits = xp.where(distance[own] < done[own], distance[own], none)
        least = waits.min().item() if len(waits) else none
        said = np.array([(least, len(near))], [("least", dtype), ("expanded", np.int64)])
        of_all = np.concatenate(transport.gather(said))
        least = of_all["least"].min()
        frontier.append(int(of_all["expanded"].sum()))
        if least < limit:
            continue
        is_beyond = least == none or (cutoff is not None and least > cutoff)
        if is_beyond or is_final(graph, target, distance, limit):
            break
        limit = dtype.type(next_limit(least, width, none))
    if target is not None:
        cutoff = limit_at(distance_of(graph, target, distance), cutoff)
    if cutoff is not None and cutoff < none:  # farther vertices may not have been asked for
        distance[distance > cutoff] = none
    elif not fits(max(graph.num_vertices - 1, 1) * graph.weight_range[1], dtype):
        part.pull(transport, distance)  # else no sum was refused: no path is too long
        arcs = part.graph.sources, part.graph.column_indices
        refuse_beyond(graph, graph.originals(part.ids[heads_beyond(*arcs, distance, none)]), dtype)
    parents = None
    if with_predecessors:
        parents = predecessors(transport, part, starts, distance, none, weighted=True)[own].copy()
    return Found(distance[own].copy(), parents, frontier, [], [], cutoff)


def _by_levels(
    graph: DistributedGraph,
    sources: NDArray[np.int32],
    target: int | None,
    cutoff: Any,
    with_predecessors: bool,
) -> Found:
    """Likewise where each arc counts 1."""
    part, none = graph.part, np.int32(unreachable(np.int32))
    cutoff = as_limit(cutoff, none.dtype)
    limit = NO_LIMIT if cutoff is None else int(cutoff)
    found = levels_from(graph, sources, limit, with_predecessors=with_predecessors)
    distance = part.xp.where(found.distance < 0, none, found.distance)
    parents = found.predecessor
    if target is not None:
        everywhere = part.xp.full(len(part.ids), none, np.int32)
        everywhere[part.owned] = distance
        cutoff = limit_at(distance_of(graph, target, everywhere), cutoff)
        far = distance > cutoff
        distance[far] = none
        if parents is not None:
            parents[far] = -1
    return found._replace(distance=distance, predecessor=parents, limit=cutoff)
