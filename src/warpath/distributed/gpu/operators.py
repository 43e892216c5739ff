"""What an arc does in a search of parts: two operators, and how they are called for a `GpuPart`."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from warpath.balance import DEFAULT, lookup
from warpath.cuda import operators, runtime
from warpath.cuda.device_graph import DeviceGraph
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
    if len(frontier) == 0 or graph.num_arcs == 0:
        return
    given = {"distance": distance, "limit": limit, "none": none}
    operators.expand(
        graph, frontier, _typed(_relax, given, graph, "call"), given, lookup(DEFAULT), 1 if once else _ALL,
        small_frontiers="off" if once or not is_sparse(graph) else "cluster",
    )  # fmt: skip


def smallest_parents(
    reverse: DeviceGraph, ids: Array, distance: Array, rooted: Array, none: Any, *, strict: bool
) -> Array:
    """For each number the smallest id at an arc that makes its distance, `NO_PARENT` where there is none."""
    given = {"ids": ids, "distance": distance, "rooted": rooted, "strict": strict, "none": none}
    found = runtime.current().xp.full(len(ids), NO_PARENT, np.int32)
    function = _typed(_parent, given, reverse, "value")
    operators.aggregate(reverse, function, given, "min", found, lookup(DEFAULT))
    return found


def _typed(operator: Operator, given: Mapping[str, Any], graph: DeviceGraph, use: Any) -> Any:
    types: dict[str, Type] = {
        name: "bool" if isinstance(one, bool) else one.dtype.name if isinstance(one, np.generic)
        else ArrayOf(one.dtype.name)
        for name, one in given.items()
    }  # fmt: skip
    weights = graph.weights
    return operator.typed(types, "int32" if weights is None else weights.dtype.name, use)
