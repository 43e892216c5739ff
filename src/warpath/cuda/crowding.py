"""Room for queues that a vertex may enter several times (``Crowding`` of ``frontier/queue.cuh``)."""

from dataclasses import replace

import numpy as np

from warpath.cuda import runtime
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.instances import THREADS

HEAVY = 1024  # arcs, beyond which a vertex enters once at most: `heavy_arcs` of ``queue.cuh``
_BATCH = 64  # vertices that a warp may queue after it has looked (``QueueWriter``)
_MOST_WARPS = 64  # of a multiprocessor


def with_room(graph: DeviceGraph, blocks: int, heavy_once: bool = False) -> tuple[DeviceGraph, int]:
    """The graph, with 64-bit offsets if its queues need them, and the places that these need.

    Parameters
    ----------
    blocks : int
        That may write a queue.
    heavy_once : bool
        Whether vertices of more than `HEAVY` arcs enter once at most (``HeavyOnce``).

    Raises
    ------
    ValueError
        If their vertices or arcs might be more than a queue counts.
    """
    if heavy_once:
        largest = HEAVY
    else:
        key = ("largest degree",)
        if key not in graph.derived:
            degrees = graph.row_offsets[1:] - graph.row_offsets[:-1]
            graph.derived[key] = int(degrees.max())
        largest = graph.derived[key]
    most_warps = runtime.current().multiprocessors * _MOST_WARPS
    warps = min(most_warps, max(1, blocks) * (THREADS // 32))
    places = 2 * graph.num_vertices + warps * _BATCH
    arcs = 2 * graph.num_arcs + warps * _BATCH * largest
    if graph.row_offsets.dtype == np.uint32 and arcs < 2**32:
        return graph, places
    if places < 2**28 and arcs < 2**36:
        key = ("64-bit offsets",)
        if key not in graph.derived:
            graph.derived[key] = replace(graph, row_offsets=graph.row_offsets.astype(np.uint64))
        return graph.derived[key], places
    raise ValueError(
        f"a queue with duplicates might hold {places:,} vertices of {arcs:,} arcs at once; it can "
        f"count {2**28:,} and {2**36:,}: drop them"
    )
