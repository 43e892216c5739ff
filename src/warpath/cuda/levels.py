"""Breadth-first search on a CUDA device with the frontiers of the papers."""

from functools import cache
from typing import Any

import cupy
import numpy as np
from numpy.typing import NDArray

from warpath.balance import Technique
from warpath.cuda.balance_memory import memory_for
from warpath.cuda.bfs import blocks_for, memory_of
from warpath.cuda.crowding import with_room
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.instances import THREADS, bfs_levels_kernel
from warpath.cuda.launch import persistent, run
from warpath.cuda.trace import MAX_ROWS, Report
from warpath.frontier import DUPLICATES, Policy

# Arcs of a frontier that one block expands, if the policy lets it: a guess. A block's queue has 704 places
# of up to 4 arcs (narrow.cuh).
BLOCK_ITEMS = 2048
_ALL, _ONE, _NO, _YES = np.uint32(2**32 - 1), np.uint32(1), np.uint32(0), np.uint32(1)


@cache
def _kernel(
    offset_bytes: int,
    policy: str,
    balance: Technique,
    predecessors: bool,
    trace: bool,
    blocks: int,
    device: int,
) -> tuple[Any, Any]:
    """The kernel, and how its grid is launched for a graph worth so many ``blocks``."""
    expression = bfs_levels_kernel(offset_bytes, policy, balance, predecessors, trace)
    return persistent("bfs_levels.cuh", expression, THREADS, blocks, device)


class _Memory:
    """Device memory that is taken piece by piece, then at once."""

    def __init__(self) -> None:
        self.size = 0

    def take(self, bytes: int) -> int:
        """Where a piece begins, at a multiple of 16 bytes."""
        begin = self.size
        self.size += -(-bytes // 16) * 16
        return begin


def bfs_levels(
    graph: DeviceGraph,
    sources: NDArray[np.int32],
    policy: Policy,
    direction: str,
    depth_limit: int,
    distance: Any,
    predecessor: Any,
    balance: Technique,
    loop: str = "device",
    trace: bool = True,
) -> Report:
    """Fill ``distance``, and ``predecessor`` unless it is None, from ``sources``.

    Everything is queued on the current stream; with ``loop="device"`` nothing is waited for.

    Parameters
    ----------
    graph : DeviceGraph
        Of at least one vertex.
    sources : int32 array, shape (k,)
        Each once.
    policy : Policy
        One that `warpath.frontier.allowed` allows.
    direction : {"top-down", "bottom-up"}
    distance, predecessor : cupy array of int32, shape (n,)
    loop : {"device", "host"}
        One launch for all levels, or one for each.

    Raises
    ------
    ValueError
        If vertices may be queued several times, and the graph is too large to count them.

    Notes
    -----
    Takes a queue and its prefix sums, 8 bytes a vertex (12 with 64-bit offsets), a second one for
    frontiers that are queues, both of twice as many places (and 4 bytes a vertex) where a vertex may
    come several times; 4 bytes an arc for an edge queue, 8 with predecessors; and what the
    duplicates' status is, all from CuPy's pool.
    """
    rows_of = graph.reverse if direction == "bottom-up" else graph
    device, blocks = cupy.cuda.get_device_id(), blocks_for(graph)
    n, places = rows_of.num_vertices, rows_of.num_vertices
    duplicates = DUPLICATES[policy.duplicates]
    repeats = "queue" in policy.frontier and (duplicates.compacts or not duplicates.exact)
    if repeats:
        rows_of, places = with_room(rows_of, blocks, device, heavy_once=True)
    offset_bytes = rows_of.row_offsets.dtype.itemsize
    kernel, config = _kernel(
        offset_bytes, policy.kernel(direction), balance, predecessor is not None, trace, blocks,
        device,
    )  # fmt: skip
    report = Report(min(n + 1, MAX_ROWS) if trace else 0)
    report.clear()
    room = memory_for(balance, rows_of)

    memory = _Memory()
    two = "queue" in policy.frontier
    queues = [(memory.take(4 * places), memory.take(offset_bytes * places)) for _ in range(1 + two)]
    bits = 1 if policy.frontier == "bitmap" else duplicates.status_bits
    status = memory.take(4 * -(-n * bits // 32))
    stamp = memory.take(4 * n if repeats else 0)
    edge_places = rows_of.num_arcs if policy.frontier == "edge-queue" else 0
    targets = memory.take(4 * edge_places)
    edge_sources = memory.take(0 if predecessor is None else 4 * edge_places)
    space = cupy.cuda.alloc(max(memory.size, 1))
    report.memory = memory_of(n, predecessor is not None, memory.size + room.bytes, rows_of)

    def at(place: int) -> int:
        return int(space.ptr) + place

    several = cupy.asarray(sources) if len(sources) > 1 else None
    n_arg, _, offsets, columns = rows_of.arguments
    problem = (
        n_arg, offsets, columns,
        0 if several is None else several.data.ptr, np.uint32(sources[0]), np.uint32(len(sources)),
        np.uint32(depth_limit), np.uint32(BLOCK_ITEMS),
    )  # fmt: skip
    other = queues[-1] if two else (0, 0)
    arguments = (
        distance.data.ptr, 0 if predecessor is None else predecessor.data.ptr,
        at(queues[0][0]), at(queues[0][1]), at(other[0]), at(other[1]),
        at(status), at(stamp), at(status), at(targets), at(edge_sources), np.uint64(edge_places),
        report.control, report.trace_address, np.uint32(max(report.rows, 1)), *room.arguments,
    )  # fmt: skip

    def step(iterations: np.uint32, resumes: np.uint32) -> None:
        run(kernel, config, *problem, iterations, resumes, *arguments)

    if loop == "device":
        step(_ALL, _NO)
        return report
    step(_ONE, _NO)
    while True:
        level, size = report.progress()
        if size == 0 or level >= depth_limit:
            return report
        report.clear(4)  # the grid barrier's count
        step(_ONE, _YES)
