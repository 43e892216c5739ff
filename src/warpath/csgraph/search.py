"""Which engine answers: one source, many, the nearest, all pairs."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.all_pairs.apsp import apsp
from warpath.algorithms.all_pairs.rows import rows_of
from warpath.algorithms.common.result import roots
from warpath.algorithms.shortest_paths.sssp import sssp
from warpath.algorithms.traversal.bfs import bfs
from warpath.cpu.dijkstra import dijkstra
from warpath.cpu.dijkstra_rows import dijkstra_rows
from warpath.csgraph.call import NO_PREDECESSOR, Call
from warpath.csgraph.errors import raised_as_scipys
from warpath.errors import NegativeCycleError
from warpath.graph.build import read_only
from warpath.graph.distance import fits, longest_path, unreachable
from warpath.operators import ALGEBRAS
from warpath.planning.shortest_paths import relaxation

# Up to this number of vertices a search takes less than a kernel's call. Measured with Zen 5 at 2 threads,
# 2026-11, 4 and 16 arcs per vertex, 2 to 100 sources: six times to 1.4 times faster at 500 vertices,
# as fast at 1000.
_SMALL = 1000
_TINY = 64  # the same compared with the dense methods; measured likewise
# Building the reverse takes as long as some ten searches that do without it: a guess.
_FEW = 8


def rows(call: Call, sources: NDArray[np.int32], limit: float = np.inf) -> tuple[Any, Any]:
    """Distances in the call's dtype, and predecessors or None: one row for each source.

    They are sums from left to right, as SciPy's are, to the bit, and as there a sum beyond float64
    is no path.
    """
    graph, n = call.graph, call.graph.num_vertices
    shape = len(sources), n
    if 0 in shape:
        distance = np.full(shape, unreachable(call.dtype), call.dtype)
        return distance, np.empty(shape, np.int32) if call.predecessors else None
    if _is_plain(call) and (
        n <= _SMALL or (math.isfinite(limit) and len(sources) > 1) or _may_overflow(call)
    ):
        return _small(call, sources, limit)
    with raised_as_scipys():
        few = len(sources) < (_FEW if graph.weight_dtype is None else 2)
        if few or math.isfinite(limit) or call.engine == "cuda":
            return _paths(call, sources, limit)
        distance = np.empty(shape, call.dtype)
        predecessor = np.empty(shape, np.int32) if call.predecessors else None
        method = "bfs" if graph.weight_dtype is None else "johnson"
        try:
            makes = rows_of(method, graph, ALGEBRAS["shortest"], call.dtype, "cpu")
        except NegativeCycleError:
            return _paths(call, sources, limit)  # perhaps no source reaches it
        makes.fill(sources, distance, predecessor)
        return distance, predecessor


def nearest(call: Call, sources: NDArray[np.int32], limit: float) -> tuple[Any, Any]:
    """Distances from the nearest source, and predecessors or None."""
    n = call.graph.num_vertices
    if len(sources) == 0:
        distance = np.full(n, unreachable(call.dtype), call.dtype)
        return distance, np.full(n, -1, np.int32)
    if _is_plain(call) and (n <= _SMALL or _may_overflow(call)):
        distance, predecessor = np.empty(n), np.empty(n, np.int32)
        plan = relaxation(
            call.graph, ALGEBRAS["shortest"], "dijkstra", False, None, limit, distance.dtype, "cpu"
        )
        dijkstra.run(call.graph, plan, _weights(call), sources, distance, predecessor)
        return distance, predecessor
    with raised_as_scipys():
        return _paths(call, sources, limit, nearest=True)


def all_pairs(call: Call) -> tuple[Any, Any]:
    """Distances between all pairs, and predecessors or None."""
    n = call.graph.num_vertices
    if _is_plain(call) and (n <= _TINY or _may_overflow(call)):
        return rows(call, np.arange(n, dtype=np.int32))
    with raised_as_scipys():
        found = apsp(
            call.graph, dtype=call.run_dtype, predecessors=call.predecessors, device=call.device
        )
    distance = call.as_asked(found.distance, unreachable(found.distance.dtype))
    return distance, found.predecessor


def check_cycles(call: Call) -> None:
    """Raise a negative cycle wherever it is: every vertex is a source.

    Raises
    ------
    NegativeCycleError
    """
    if call.signed:
        everywhere = np.arange(call.graph.num_vertices)
        with raised_as_scipys():
            sssp(call.graph, everywhere, nearest=True, predecessors=False, device=call.device)


def origins(distance: Any, predecessor: Any) -> Any:
    """The source that each vertex's path begins at."""
    origin = roots(predecessor)
    origin[distance == unreachable(distance.dtype)] = NO_PREDECESSOR
    return origin


def _is_plain(call: Call) -> bool:
    return call.dtype == np.float64 and not call.signed and call.device != "cuda"


def _may_overflow(call: Call) -> bool:
    """Whether a path's length may exceed float64: other engines raise an error there."""
    return not fits(longest_path(call.graph), call.dtype)


def _small(call: Call, sources: NDArray[np.int32], limit: float) -> tuple[Any, Any]:
    shape = len(sources), call.graph.num_vertices
    distance = np.empty(shape, np.float64)
    predecessor = np.empty(shape, np.int32) if call.predecessors else None
    dijkstra_rows(call.graph, _weights(call), sources, limit, distance, predecessor)
    return distance, predecessor


def _weights(call: Call) -> NDArray[np.float64]:
    """The weights, ones where each arc counts 1."""
    weights = call.graph.weights
    if weights is None:
        weights = np.ones(call.graph.num_arcs)
    return read_only(weights.astype(np.float64, copy=False))


def _paths(
    call: Call, sources: NDArray[np.int32], limit: float, *, nearest: bool = False
) -> tuple[Any, Any]:
    """By `warpath.sssp` or `warpath.bfs`: they can stop early, and run on GPUs."""
    how: dict[str, Any] = {
        "predecessors": call.predecessors,
        "device": call.device,
        "nearest": nearest,
    }
    if call.graph.weight_dtype is None:
        if len(sources) < _FEW or nearest:
            how["schedule"] = "direction=top-down"
        depth = math.floor(limit) if math.isfinite(limit) else None
        found = bfs(call.graph, sources, depth_limit=depth, **how)
        none = np.int32(-1)
    else:
        if math.isfinite(limit) and not call.signed:
            how["cutoff"] = limit
        found = sssp(call.graph, sources, dtype=call.run_dtype, **how)
        none = unreachable(found.distance.dtype)
    distance, predecessor = call.as_asked(found.distance, none), found.predecessor
    if call.signed and math.isfinite(limit):
        beyond = distance > limit
        distance[beyond] = unreachable(call.dtype)
        if predecessor is not None:
            predecessor[beyond] = -1
    return distance, predecessor
