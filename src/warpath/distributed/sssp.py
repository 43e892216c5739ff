"""Shortest paths in a graph in parts: delta-stepping, and Bellman-Ford where a weight is negative.

All ranks work on one bucket at a time. A rank relaxes the arcs of its vertices, and goes on with what
it lowers in its own part, until none of its vertices is left in the bucket. Then ranks exchange: for
each ghost that was lowered its owner gets the least distance that this rank knows, once. Where all
ranks have nothing left in the bucket, the next one begins at the least distance that waits.

With a negative weight there is one bucket, and ranks exchange after each round. After 8, 16, 32, … rounds they look
for a cycle among predecessors (`warpath.distributed.cycles`), which is a negative one. They look at the end, too: where
large floats swallow small ones, or a distance leaves its dtype, a cycle stops lowering its own vertices.

Distances are the same for any number of ranks: the fixed point of relaxations does not depend on
their order. So are predecessors, the smallest of all that make the distance, unless a weight is negative.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpath.distributed.cycles import cycles
from warpath.distributed.graph import DistributedGraph
from warpath.distributed.lowering import Searching
from warpath.distributed.tree import predecessors
from warpath.errors import NegativeCycleError
from warpath.graph.arrays import to_host
from warpath.graph.distance import fits, remedy, unreachable
from warpath.graph.names import VertexMessage
from warpath.planning.bucket_width import width_in_parts

Array = NDArray[Any]

_ROUNDS_BEFORE_LOOKING = 8  # for cycles; then twice as many, and so on: a guess


class Found(NamedTuple):
    """Distances and predecessors of owned vertices, and what each exchange ended.

    Attributes
    ----------
    distance, predecessor : arrays, shape (j,)
        The predecessor may be None: it was not asked for.
    frontier, edges : list of int
        Vertices expanded before each exchange and arcs relaxed, on all ranks.
    direction : list of str
        Empty: that of levels of a breadth-first search.
    limit : number or None
        Vertices farther than this were not asked for.
    """

    distance: Array
    predecessor: NDArray[np.int32] | None
    frontier: list[int]
    edges: list[int]
    direction: list[str]
    limit: Any


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
    part, transport = graph.part, graph.transport
    signed = graph.weight_range[0] < 0
    # With negative weights a sum may be far below all distances, before a cycle is found.
    held = np.dtype(np.int64) if signed and dtype.kind == "i" else dtype
    none = unreachable(held)
    cutoff = as_limit(cutoff, held)
    distance = np.full(len(part.ids), none, held)
    predecessor = np.full(len(part.ids), -1, np.int32)
    search = Searching(
        graph, distance, predecessor, part.graph.weights, cutoff=cutoff, signed=signed
    )
    starts = part.numbers_of(sources)
    distance[starts] = 0
    search.begin(starts)
    frontier: list[int] = []
    edges: list[int] = []
    width = width_in_parts(graph, held)
    limit = none if signed else np.minimum(width, none)
    look_at = _ROUNDS_BEFORE_LOOKING
    while True:
        step = search.step(limit)
        frontier.append(step.expanded)
        edges.append(step.relaxed)
        if signed and (len(frontier) == look_at or step.is_done):
            look_at *= 2
            found = cycles(transport, part.bounds, predecessor[part.owned])
            if found:
                raise NegativeCycleError(found[0])
        if step.is_done:
            if signed or step.least == none or is_final(graph, target, distance, limit):
                break
            limit = next_limit(step.least, width, none)
            search.split(limit)
    goal = None if target is None else distance_of(graph, target, distance)
    if goal is not None and not signed:
        cutoff = limit_at(goal, cutoff)
    # Behind a cutoff or a target that was reached, a sum that was refused is that of a farther vertex.
    farthest = np.inf if held.kind == "f" else none - 1
    asked_for_all = (cutoff is None or cutoff >= farthest) and (goal is None or goal == none)
    _check_overflow(graph, search, distance, none, dtype, asked_for_all)
    if cutoff is not None:
        far = distance > cutoff
        distance[far], predecessor[far] = none, -1
    if (
        with_predecessors
        and not signed
        and transport.reduce(np.array([search.has_level_arcs], np.int64))[0]
    ):
        predecessor = predecessors(graph, sources, distance, none)
    own = part.owned
    parents = predecessor[own].copy() if with_predecessors else None
    wanted, _ = as_wanted(np, distance[own].copy(), dtype)
    return Found(wanted, parents, frontier, edges, [], cutoff)


def as_wanted(xp: Any, distance: Array, wanted: np.dtype[Any]) -> tuple[Array, Any]:
    """Distances in the answer's dtype, and where they do not fit."""
    if distance.dtype == wanted:
        return distance, np.empty(0, np.int64)
    none = distance == unreachable(distance.dtype)
    whole = xp.where(none, wanted.type(unreachable(wanted)), distance.astype(wanted))
    if np.can_cast(distance.dtype, wanted):
        return whole, np.empty(0, np.int64)
    lost = ~none & (distance >= unreachable(wanted))
    if wanted.kind == "i":
        lost |= distance < np.iinfo(wanted).min
    return whole, lost.nonzero()[0]


def as_limit(cutoff: Any, dtype: np.dtype[Any]) -> Any:
    """A cutoff as distances are compared with it in one process: floats round it. None: no distance is larger."""
    if cutoff is None or not fits(cutoff, dtype):
        return None
    return cutoff if dtype.kind == "i" else dtype.type(cutoff)


def limit_at(goal: Any, cutoff: Any) -> Any:
    """How far an answer goes: to the target's distance, "no path" if it has none, and not beyond the cutoff."""
    return goal if cutoff is None else min(goal, cutoff)


def next_limit(least: Any, width: Any, none: Any) -> Any:
    """Where the bucket ends that begins at ``least``: above it, whatever rounding does."""
    farthest = np.finfo(none.dtype).max if np.isinf(none) else none
    if farthest - least <= width:
        return none
    limit = type(none)(least + width)
    return limit if limit > least else np.nextafter(least, none)


def distance_of(graph: DistributedGraph, vertex: int, distance: Array) -> Any:
    """The distance that a vertex has at its owner."""
    mine = to_host(distance[graph.part.numbers_of(np.array([vertex]))])
    return np.concatenate(graph.transport.gather(mine))[0]


def is_final(graph: DistributedGraph, target: int | None, distance: Array, limit: Any) -> bool:
    """Whether a target's distance is below the limit of the buckets that are done."""
    return target is not None and bool(distance_of(graph, target, distance) < limit)


def _check_overflow(
    graph: DistributedGraph,
    search: Searching,
    distance: Array,
    none: Any,
    dtype: np.dtype[Any],
    asked_for_all: bool,
) -> None:
    """Refuse the answer if a distance does not fit, or ``asked_for_all`` and one was refused as too large."""
    part, transport = graph.part, graph.transport
    refused, fell_short = transport.reduce(np.array([search.refused, search.fell_short], np.int64))
    if fell_short:
        raise OverflowError(
            f"a distance is below what {distance.dtype} holds; {remedy(distance.dtype)}"
        )
    lost = as_wanted(np, distance[part.owned], dtype)[1] + part.begin
    if refused and asked_for_all:
        part.pull(transport, distance)
        lost = np.concatenate([lost, heads_beyond(*part.graph.coo()[:2], distance, none)])
    refuse_beyond(graph, graph.originals(part.ids[lost]), dtype)


def heads_beyond(source: Array, target: Array, distance: Array, none: Any) -> Array:
    """Targets of arcs from reached vertices that are unreached."""
    beyond = (distance[source] != none) & (distance[target] == none)
    return target[beyond]  # type: ignore[no-any-return]


def refuse_beyond(graph: DistributedGraph, vertices: Array, dtype: np.dtype[Any]) -> None:
    """Raise the error of the first of some vertices, on all ranks, whose distances do not fit."""
    vertex = int(vertices.min()) if len(vertices) else graph.num_vertices
    vertex = int(graph.transport.reduce(np.array([vertex]), "min")[0])
    if vertex < graph.num_vertices:
        raise overflow(vertex, dtype)


def overflow(vertex: int, dtype: np.dtype[Any]) -> OverflowError:
    """The error of a vertex whose distance does not fit."""
    text = f"the distance of vertex {{}} does not fit in {dtype}; {remedy(dtype)}"
    return OverflowError(VertexMessage(text, vertex))
