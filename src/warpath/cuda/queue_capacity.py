"""Capacity of queues that a vertex may enter several times (``OverflowLimit`` of ``frontier/queue.cuh``)."""

from dataclasses import replace

import numpy as np

from warpath.cuda import runtime
from warpath.cuda.device_graph import MOST_QUEUED, MOST_QUEUED_ARCS, DeviceGraph
from warpath.cuda.instances import THREADS

HIGH_DEGREE = (
    1024  # arcs, beyond which a vertex enters once at most: `high_degree_edges` of ``queue.cuh``
)
_BATCH = {
    4: 64,
    8: 32,
}  # vertices that a warp may queue after it has looked, by an offset's bytes (``QueueWriter``)
_BLOCK_BATCH = 192  # likewise, of a block's queue (``BlockWriter``)
_MAX_WARPS = 64  # of a multiprocessor


def with_queue_capacity(
    graph: DeviceGraph, blocks: int | None, dedup_high_degree: bool = False, by_blocks: bool = False
) -> tuple[DeviceGraph, int]:
    """The graph, with 64-bit offsets if its queues need them, and the capacity that these need.

    Parameters
    ----------
    blocks : int or None
        That may write a queue at once; None: as many as the device has room for, as where there are child grids.
    dedup_high_degree : bool
        Whether vertices of more than `HIGH_DEGREE` arcs enter once at most (``DedupHighDegree``).
    by_blocks : bool
        Whether vertices wait in queues of blocks.

    Raises
    ------
    ValueError
        If their vertices or arcs might be more than a queue counts.
    """
    if dedup_high_degree:
        largest = HIGH_DEGREE
    else:
        key = ("largest degree",)
        if key not in graph.derived:
            degrees = graph.row_offsets[1:] - graph.row_offsets[:-1]
            graph.derived[key] = int(degrees.max())
        largest = graph.derived[key]
    max_warps = runtime.current().multiprocessors * _MAX_WARPS
    warps = max_warps if blocks is None else min(max_warps, max(1, blocks) * (THREADS // 32))

    def needed(offset_bytes: int) -> tuple[int, int]:
        late = warps * (_BLOCK_BATCH if by_blocks else _BATCH[offset_bytes])
        return 2 * graph.num_vertices + late, 2 * graph.num_arcs + late * largest

    capacity, arcs = needed(4)
    if graph.row_offsets.dtype == np.uint32 and arcs < 2**32:
        return graph, capacity
    capacity, arcs = needed(8)
    if capacity < MOST_QUEUED and arcs < MOST_QUEUED_ARCS:
        key = ("64-bit offsets",)
        if key not in graph.derived:
            graph.derived[key] = replace(graph, row_offsets=graph.row_offsets.astype(np.uint64))
        return graph.derived[key], capacity
    raise ValueError(
        f"a queue with duplicates might hold {capacity:,} vertices of {arcs:,} arcs at once; it can "
        f"count {MOST_QUEUED:,} and {MOST_QUEUED_ARCS:,}: drop them"
    )
