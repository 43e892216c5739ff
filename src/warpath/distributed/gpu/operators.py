"""What an arc does in a search of parts: operators, and how they are called for a `GpuPart`."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from warpath.balance import DEFAULT, lookup
from warpath.cuda import operators, runtime
from warpath.cuda.device_graph import DeviceGraph
from warpath.graph.distance import unreachable
from warpath.language import Operator, atomic_min, operator
from warpath.language.types import ArrayOf, Type
from warpath.planning.degrees import is_sparse

Array = Any  # of the runtime's module

NO_PARENT = np.iinfo(np.int32).max
_ALL = 2**31 - 2  # iterations


@operator
def _relax(u, v, w, distance, limit, none):  # type: ignore[no-untyped-def]
    """Lower v; it is expanded next if it is below the limit. No sum wraps, or becomes "no path"."""
    own = distance[u]
    total = own + w
    if total < own or total >= none or total >= distance[v]:
        return False
    return atomic_min(distance, v, total) and total < limit


@operator
def _parent(u, v, w, ids, distance, rooted, strict, none):  # type: ignore[no-untyped-def]
    """The id of u if the arc makes v's distance.

    ``strict``: of arcs from a smaller distance; else of those from a vertex that is rooted.
    """
    own = distance[u]
    if own == none or own + w != distance[v]:
        return NO_PARENT
    if (strict and own < distance[v]) or (not strict and rooted[u] != 0):
        return ids[u]
    return NO_PARENT


@operator
def _relax_signed(u, v, w, distance, none, lowest):  # type: ignore[no-untyped-def]
    """Lower v, by a weight that may be negative. A sum that would wrap is none, or the lowest."""
    own = distance[u]
    total = own + w
    if w < 0 and total > own:
        total = lowest
    if (w >= 0 and total < own) or total >= none or total >= distance[v]:
        return False
    return atomic_min(distance, v, total)


@operator
def _offer(u, v, w, distance, none, lowest):  # type: ignore[no-untyped-def]
    """What the arc offers v, likewise."""
    own = distance[u]
    total = own + w
    if w < 0 and total > own:
        total = lowest
    if own == none or (w >= 0 and total < own) or total >= none:
        total = none
    return total


@operator
def _least_offer_from(u, v, w, ids, distance, least, none, lowest):  # type: ignore[no-untyped-def]
    """The id of u if that is the least that v is offered."""
    own = distance[u]
    total = own + w
    if w < 0 and total > own:
        total = lowest
    if own == none or (w >= 0 and total < own) or total != least[v]:
        return NO_PARENT
    return ids[u]


@operator
def _weight_from(u, v, w, ids, parent, heaviest):  # type: ignore[no-untyped-def]
    """The arc's weight if it comes from v's parent."""
    if ids[u] == parent[v]:
        return w
    return heaviest


def relax(
    graph: DeviceGraph, frontier: Array, distance: Array, limit: Any, none: Any, *, once: bool
) -> None:
    """Relax the arcs of a frontier, and of what is lowered below ``limit``, until none is left; nothing is waited for.

    Parameters
    ----------
    graph : DeviceGraph
        A part's arcs.
    frontier : int32 array, shape (k,)
        Numbers, each once; k may be 0.
    distance : array, shape (n,)
    limit, none : NumPy scalars of its dtype
        Where the bucket ends; the distance of what is unreached.
    once : bool
        True: only the arcs of the frontier.
    """
    given = {"distance": distance, "limit": limit, "none": none}
    _expand(graph, frontier, _relax, given, 1 if once else _ALL)


def relax_signed(
    graph: DeviceGraph, frontier: Array, distance: Array, none: Any, lowest: Any, iterations: int
) -> None:
    """Likewise with weights that may be negative: for some iterations, and below any limit.

    Parameters
    ----------
    lowest : NumPy scalar
        What a distance becomes that is below its dtype.
    """
    given = {"distance": distance, "none": none, "lowest": lowest}
    _expand(graph, frontier, _relax_signed, given, iterations)


def least_offers(
    reverse: DeviceGraph, ids: Array, distance: Array, none: Any, lowest: Any
) -> tuple[Array, Array]:
    """For each number the least that an arc offers it, and the smallest id that does: ``none`` and `NO_PARENT` of none."""
    xp = runtime.current().xp
    given = {"distance": distance, "none": none, "lowest": lowest}
    least = xp.full(len(ids), none, distance.dtype)
    _reduce(reverse, _offer, given, least)
    parent = xp.full(len(ids), NO_PARENT, np.int32)
    _reduce(reverse, _least_offer_from, {"ids": ids, **given, "least": least}, parent)
    return least, parent


def lightest_arcs(reverse: DeviceGraph, ids: Array, parent: Array) -> Array:
    """For each number the least weight of an arc from its parent, an id; the dtype's greatest of none."""
    heaviest = reverse.weights.dtype.type(unreachable(reverse.weights.dtype))
    weight = runtime.current().xp.full(len(ids), heaviest, heaviest.dtype)
    _reduce(reverse, _weight_from, {"ids": ids, "parent": parent, "heaviest": heaviest}, weight)
    return weight


def _expand(
    graph: DeviceGraph,
    frontier: Array,
    operator: Operator,
    given: Mapping[str, Any],
    iterations: int,
) -> None:
    if len(frontier) == 0 or graph.num_arcs == 0:
        return
    operators.expand(
        graph, frontier, _typed(operator, given, graph, "call"), given, lookup(DEFAULT), iterations,
        small_frontiers="off" if iterations == 1 or not is_sparse(graph) else "cluster",
    )  # fmt: skip


def _reduce(reverse: DeviceGraph, operator: Operator, given: Mapping[str, Any], out: Array) -> None:
    """The least that an operator returns for the arcs into each vertex."""
    function = _typed(operator, given, reverse, "value")
    operators.prepare_aggregate(reverse, function, given, "min", out, lookup(DEFAULT)).run()


def smallest_parents(
    reverse: DeviceGraph, ids: Array, distance: Array, rooted: Array, none: Any, *, strict: bool
) -> Array:
    """For each number the smallest id at an arc that makes its distance, `NO_PARENT` where there is none."""
    given = {"ids": ids, "distance": distance, "rooted": rooted, "strict": strict, "none": none}
    found = runtime.current().xp.full(len(ids), NO_PARENT, np.int32)
    _reduce(reverse, _parent, given, found)
    return found


def _typed(operator: Operator, given: Mapping[str, Any], graph: DeviceGraph, use: Any) -> Any:
    types: dict[str, Type] = {
        name: "bool" if isinstance(one, bool) else one.dtype.name if isinstance(one, np.generic)
        else ArrayOf(one.dtype.name)
        for name, one in given.items()
    }  # fmt: skip
    weights = graph.weights
    return operator.typed(types, "int32" if weights is None else weights.dtype.name, use)
