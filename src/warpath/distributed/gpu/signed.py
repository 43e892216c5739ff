"""Shortest paths with negative weights in a graph in parts on GPUs: Bellman-Ford, as `warpath.distributed.sssp` on CPUs.

A launch relaxes the arcs of all that waits in a part, and goes on with what that lowers, for some iterations: a
negative cycle has no end. Which of these it has expanded no list says. So all that was lowered waits for the next
launch, and what was expanded already lowers nothing then. Between launches ranks exchange what they lowered of ghosts.

Launches write no predecessors. After 8, 16, 32, … of them, and at the end, each vertex is given one. A vertex that
some arc would lower takes that of the least offer. The others were lowered by an arc that still makes their distance.
They take such arcs as lead back, by arcs of this kind, to a vertex that an arc would lower, or to a source. So a cycle
of predecessors has an arc that would lower its end, and none whose offer is more than its end has: its sum is
negative. Without a cycle each distance is at least that of a path that visits a vertex once. So where a source reaches
a negative cycle, one is found.
"""

from itertools import islice
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.distributed.cycles import cycles
from warpath.distributed.gpu.operators import NO_PARENT, least_offers, lightest_arcs, relax_signed
from warpath.distributed.gpu.part import GpuPart
from warpath.distributed.gpu.tree import Trees
from warpath.distributed.graph import DistributedGraph
from warpath.distributed.part import values_at
from warpath.distributed.sssp import Found, distance_of, heads_beyond, refuse_beyond
from warpath.errors import NegativeCycleError
from warpath.graph.arrays import to_host
from warpath.graph.distance import fits, unreachable

Array = Any  # of the runtime's module

_ITERATIONS = 32  # of a launch: a guess
_LAUNCHES_BEFORE_LOOKING = 8  # for cycles; then twice as many, and so on: a guess


def signed_from(
    graph: DistributedGraph,
    sources: NDArray[np.int32],
    dtype: np.dtype[Any],
    *,
    target: int | None = None,
    with_predecessors: bool = True,
) -> Found:
    """Distances from the nearest of some sources, added up in ``dtype``: int64, float32 or float64.

    Parameters
    ----------
    target : int, optional
        If it is reached, other vertices' distances may be too long for the dtype; they are unreached then.

    Raises
    ------
    NegativeCycleError
        If a source reaches a cycle of negative weight.
    OverflowError
        If a distance does not fit into the dtype.
    """
    part, transport = graph.part, graph.transport
    assert isinstance(part, GpuPart)
    part = part.with_weights_as(dtype)
    xp, own = part.xp, part.owned
    none = dtype.type(unreachable(dtype))
    lowest = dtype.type(-np.inf if dtype.kind == "f" else np.iinfo(dtype).min)
    distance, done = (xp.full(len(part.ids), none, dtype) for _ in range(2))
    starts = part.numbers_of(sources)
    distance[starts] = 0
    frontier: list[int] = []
    look_at = _LAUNCHES_BEFORE_LOOKING
    while True:
        near = part.owned_where(distance < done)
        done[near] = distance[near]
        relax_signed(part.graph, near, distance, none, lowest, _ITERATIONS)
        part.tell_owners(transport, distance, done)
        waits = int((distance[own] < done[own]).sum())
        expanded, left = transport.reduce([len(near), waits]).tolist()
        frontier.append(expanded)
        # Each launch has a round of Bellman-Ford's at least.
        is_long = len(frontier) > graph.num_vertices
        if left == 0 or len(frontier) == look_at or is_long:
            look_at = 2 * len(frontier)
            parents = _tree(
                graph, part, starts, distance, none, lowest, gives_up=left == 0 or is_long
            )
            done[: own.start], done[own.stop :] = distance[: own.start], distance[own.stop :]
        if left == 0:
            break
    if transport.reduce([int((distance[own] == lowest).sum())])[0]:
        raise OverflowError(f"a distance is below what {dtype} holds; scale the weights down")
    is_reached = target is not None and distance_of(graph, target, distance) < none
    if not is_reached and not fits(max(graph.num_vertices - 1, 1) * graph.weight_range[1], dtype):
        arcs = part.graph.sources, part.graph.column_indices
        refuse_beyond(graph, graph.originals(part.ids[heads_beyond(*arcs, distance, none)]), dtype)
    tree = parents if with_predecessors else None
    return Found(distance[own].copy(), tree, frontier, [], [], None)


def _tree(
    graph: DistributedGraph,
    part: GpuPart,
    starts: Array,
    distance: Array,
    none: Any,
    lowest: Any,
    *,
    gives_up: bool,
) -> Array:
    """A predecessor of each owned vertex that is reached, -1 of others; ghosts get their distances.

    Raises
    ------
    NegativeCycleError
        If predecessors make a cycle of negative weight; if ``gives_up``, one that floats add up to such.
    """
    transport, bounds, own = graph.transport, part.bounds, part.owned
    xp = part.xp
    part.pull(transport, distance)
    least, parent = least_offers(part.reverse, part.ids, distance, none, lowest)
    lowers = xp.zeros(len(part.ids), bool)
    lowers[own] = least[own] < distance[own]
    ends = lowers.copy()
    ends[starts] |= distance[starts] == 0  # a path may lead from one source to another
    trees = Trees(part, ends.nonzero()[0], distance, none, weighted=True)
    trees.finish(transport, trees.take_rooted(transport))
    # What waits has no such arc: a sum was rounded, or would wrap.
    parent = xp.where((lowers | trees.waits) & (parent != NO_PARENT), parent, trees.parent)
    found = cycles(transport, bounds, to_host(parent[own]))
    there = np.array([v for cycle in found for v in cycle], np.int32)
    weight = to_host(lightest_arcs(part.reverse, part.ids, parent)[own])
    weights = iter(values_at(transport, bounds, weight, there).tolist())
    floats = distance.dtype.kind == "f"
    add = fsum if floats else sum  # neither rounds to 0
    negative = [cycle for cycle in found if add(islice(weights, len(cycle))) < 0]
    if not negative and gives_up and floats:
        negative = found
    if negative:
        raise NegativeCycleError(negative[0])
    return parent[own].copy()
