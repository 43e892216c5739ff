"""What `warpath.bfs`, `warpath.sssp` and `warpath.connected_components` do with a `DistributedGraph`."""

from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.distributed import components
from warpath.distributed.bfs import Levels, levels_from
from warpath.distributed.graph import DistributedGraph
from warpath.distributed.paths import DistributedPaths
from warpath.distributed.sssp import Found, shortest_from
from warpath.graph.check import as_depth_limit, as_vertex, choose
from warpath.graph.distance import unreachable
from warpath.typing import DEVICES, DeviceName

Array = NDArray[Any]

_NO_LIMIT = int(np.iinfo(np.int32).max)


def bfs(
    graph: DistributedGraph,
    source: Any,
    *,
    depth_limit: int | None = None,
    device: DeviceName = "auto",
) -> DistributedPaths:
    """See `warpath.bfs`."""
    began = perf_counter()
    with graph.transport.together(
        "bfs", graph=graph.number, source=source, depth_limit=depth_limit
    ):
        _check_device(device)
        start = as_vertex(source, graph.num_vertices, "source")
        limit = _NO_LIMIT if depth_limit is None else as_depth_limit(depth_limit)
        found = levels_from(graph, start, limit)
    return _paths(graph, start, found, found.distance, False, depth_limit, began)


def sssp(graph: DistributedGraph, source: Any, *, device: DeviceName = "auto") -> DistributedPaths:
    """See `warpath.sssp`."""
    began = perf_counter()
    with graph.transport.together("sssp", graph=graph.number, source=source):
        _check_device(device)
        start = as_vertex(source, graph.num_vertices, "source")
        if graph.weight_range[0] < 0:
            raise ValueError(
                f"a weight is {graph.weight_range[0]}: on a distributed graph sssp takes no negative weights"
            )
        if graph.weight_dtype is None:
            levels = levels_from(graph, start, _NO_LIMIT)
            distance = np.where(levels.distance < 0, unreachable(np.int32), levels.distance)
            return _paths(graph, start, levels, distance, True, None, began)
        found = shortest_from(graph, start)
        return _paths(graph, start, found, found.distance, True, None, began)


def connected_components(
    graph: DistributedGraph, *, device: DeviceName = "auto"
) -> tuple[NDArray[np.int32], int]:
    """See `warpath.connected_components`: the labels of the vertices that this rank owns."""
    with graph.transport.together("connected_components", graph=graph.number):
        _check_device(device)
        return components.labels(graph)


def _check_device(device: str) -> None:
    choose("device", device, DEVICES)
    if device == "cuda":
        raise ValueError(
            "device='cuda': the parts of a distributed graph are searched on device='cpu'"
        )


def _paths(
    graph: DistributedGraph,
    source: int,
    found: Levels | Found,
    distance: Array,
    weighted: bool,
    limit: int | None,
    began: float,
) -> DistributedPaths:
    """What this rank's vertices have of what was found."""
    own = graph.part.owned
    direction = found.direction if isinstance(found, Levels) else []
    return DistributedPaths(
        graph, source, distance[own].copy(), found.predecessor[own].copy(), weighted, limit,
        perf_counter() - began, found.frontier, found.edges, direction,
    )  # fmt: skip
