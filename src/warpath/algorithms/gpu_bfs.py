"""Breadth-first search by the CUDA engine."""

from typing import Any

import numpy as np

from warpath import devices
from warpath.algorithms.search import Answer, Search
from warpath.algorithms.sources import distinct
from warpath.algorithms.stats import DeviceStats, Stopwatch
from warpath.frontier import DEFAULT
from warpath.graph.graph import Graph
from warpath.planning.fitted_balance import fitted

_VERTEX_BYTES = 21  # beyond the graph, with predecessors and 64-bit offsets


def run(search: Search, trace: bool, watch: Stopwatch) -> Answer:
    """Distances, predecessors (or None) and statistics by the CUDA engine; CuPy arrays.

    Raises
    ------
    DeviceUnavailableError
        If there is no GPU that can be used.
    MemoryError
        If the GPU's memory does not suffice.
    """
    model = devices.require().model
    import cupy

    from warpath.cuda import bfs as cuda
    from warpath.cuda.device_graph import on_device

    graph, sources, n = search.graph, search.sources, search.graph.num_vertices
    how = search.schedule
    balance = fitted(how.technique, graph)
    alpha = cuda.ALPHA if how.alpha is None else how.alpha
    beta = cuda.BETA if how.beta is None else how.beta

    def run(start: Any, distance: Any, predecessor: Any) -> Any:
        if how.policy != DEFAULT:
            from warpath.cuda.levels import bfs_levels

            return bfs_levels(
                on_device(graph), start, how.policy, search.direction, search.limit,
                distance, predecessor, balance, search.loop, trace,
            )  # fmt: skip
        return cuda.bfs(
            on_device(graph), start, search.direction, alpha, beta, search.limit,
            distance, predecessor, balance, search.loop, trace, blocks=search.blocks,
        )  # fmt: skip

    rows = None if search.one_answer else len(sources)
    shape = (n,) if rows is None else (rows, n)
    try:
        distance = cupy.empty(shape, np.int32)
        predecessor = cupy.empty(shape, np.int32) if search.predecessors else None
        if rows is None:
            start = sources if len(sources) == 1 else distinct(sources, n)
            reports = [run(start, distance, predecessor)]
        else:
            from warpath.cuda.batch import bfs_rows, pays

            device = on_device(graph)
            if _may_batch(search) and pays(device, rows, balance):
                reports = [bfs_rows(device, sources, search.limit, distance, predecessor, trace)]
            else:
                reports = [
                    run(
                        sources[i : i + 1],
                        distance[i],
                        None if predecessor is None else predecessor[i],
                    )
                    for i in range(rows)
                ]
    except MemoryError:
        with devices.memory_for(
            f"the graph of {n:,} vertices and {graph.num_arcs:,} arcs takes {graph_bytes(graph):,} bytes, "
            f"and each vertex up to {_VERTEX_BYTES} more"
        ):
            raise
    return (
        distance,
        predecessor,
        DeviceStats(search.method, search.why, watch.read(), model, reports),
    )


def _may_batch(search: Search) -> bool:
    """Whether nothing is asked for that searches at once, top-down, do not have."""
    return search.rows_at_once and search.loop == "device" and search.schedule.policy == DEFAULT


def graph_bytes(graph: Graph) -> int:
    """Of its copies on a device, the reverse included."""
    return 4 * (graph.num_vertices + graph.num_arcs) * (2 if graph.directed else 1)
