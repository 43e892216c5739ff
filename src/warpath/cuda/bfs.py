"""Breadth-first search on a CUDA device."""

from dataclasses import dataclass
from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

import cupy
import numpy as np
from numpy.typing import NDArray

from warpath import devices
from warpath.balance import Technique
from warpath.cuda.balance_memory import BalanceMemory, memory_for
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.instances import SPARSE, THREADS, bfs_drift_kernel, bfs_kernel
from warpath.cuda.launch import persistent, run
from warpath.cuda.trace import MAX_ROWS, Report

DIRECTIONS = {"top-down": 0, "bottom-up": 1, "optimizing": 2}
LOOPS = ("device", "host")
ALPHA, BETA = 14.0, 24.0  # Beamer's
# Arcs of a frontier that one cluster expands faster than the grid: measured on an H200,
# 2048² grid: 8.7 ms with 16384 or more, 9.8 with 8192.
BLOCK_ITEMS = 32768
# Narrow levels in a row, after which blocks go adrift (bfs_drift.cuh): random graphs have fewer
# levels. A guess.
PATIENCE = 64
BUCKET = 64  # levels between two barriers of theirs
CLUSTER = 8  # blocks; the largest that is portable (narrow.cuh)
_LARGE = 4096  # vertices that are worth the launch of another kernel: a guess
_NO_ROOM = 24  # of so many vertices the queue has no place for one
_WORK_A_BLOCK = 8192  # vertices and arcs that are worth another block: a guess

_CLUSTERS_SINCE = (9, 0)  # compute capability
_HOP_CONTROL = 128  # where HopControl stands behind Control, in bytes
_MOST_LEVELS = 2**31 - 1
_ALL, _ONE, _NO, _YES = np.uint32(2**32 - 1), np.uint32(1), np.uint32(0), np.uint32(1)


@cache
def _kernel(
    offset_bytes: int,
    balance: Technique,
    predecessors: bool,
    trace: bool,
    blocks: int,
    cluster: int,
    device: int,
) -> tuple[Any, Any]:
    """The kernel, and how its grid is launched for a graph worth so many ``blocks``."""
    expression = bfs_kernel(offset_bytes, balance, predecessors, trace)
    children = balance.launches_children
    return persistent("bfs.cuh", expression, THREADS, blocks, device, cluster, children)


@cache
def _drift_kernel(offset_bytes: int, trace: bool, blocks: int, device: int) -> tuple[Any, Any]:
    return persistent(
        "bfs_drift.cuh", bfs_drift_kernel(offset_bytes, trace), THREADS, blocks, device
    )


def is_sparse(graph: DeviceGraph) -> bool:
    """Whether a graph is taken to have a large diameter, which clusters are for.

    A grid in clusters takes longer to start: R-MAT 20, 31 arcs a vertex: 0.11 ms against 0.08.
    """
    return graph.num_arcs < SPARSE * graph.num_vertices


def blocks_for(graph: DeviceGraph) -> int:
    """How many blocks a graph is worth."""
    return (graph.num_vertices + graph.num_arcs) // _WORK_A_BLOCK


def default_cluster(graph: DeviceGraph, device: int) -> int:
    """Blocks of the cluster that expands small frontiers of ``graph``."""
    return CLUSTER if is_sparse(graph) and _has_clusters(device) else 1


@cache
def _has_clusters(device: int) -> bool:
    return devices.device(device).compute_capability >= _CLUSTERS_SINCE


def memory_of(n: int, predecessors: bool, workspace: int, *graphs: DeviceGraph) -> dict[str, int]:
    """`Report.memory` of a search that reads these graphs, for n distances."""
    return {
        "graph": sum(one.row_offsets.nbytes + one.column_indices.nbytes for one in graphs),
        "answer": 4 * n * (1 + predecessors),
        "workspace": workspace,
    }


def _as_float32(value: float) -> np.float32:
    """The nearest positive number, not infinity, that the kernel's float32 holds."""
    limits = np.finfo(np.float32)
    return np.float32(min(max(float(value), float(limits.tiny)), float(limits.max)))


@dataclass(frozen=True, eq=False)
class _Launch:
    """What all searches of a graph with the same options share.

    Attributes
    ----------
    kernel, config, drift
        See `_kernel`; of the second launch likewise, None if there is none.
    graph, options : tuple
        Arguments, before the sources and behind them; of ``drift`` also its own.
    places : int
        Of the queue.
    bytes, prefix, reached, words : int
        Of the workspace, where its parts begin, and of a bitmap.
    rows : int
        Of the trace.
    room : BalanceMemory or None
        None: each run has its own.
    memory : dict
        `Report.memory`.
    """

    kernel: Any
    config: Any
    drift: tuple[Any, ...] | None
    graph: tuple[Any, ...]
    options: tuple[Any, ...]
    places: np.uint32
    bytes: int
    prefix: int
    reached: int
    words: int
    rows: int
    room: BalanceMemory | None
    memory: dict[str, int]


_launches: WeakKeyDictionary[DeviceGraph, dict[Any, _Launch]] = WeakKeyDictionary()


def _launch(
    graph: DeviceGraph,
    device: int,
    direction: str,
    alpha: float,
    beta: float,
    depth_limit: int,
    predecessors: bool,
    balance: Technique,
    loop: str,
    trace: bool,
    block_items: int,
    cluster: int | None,
    patience: int | None,
    blocks: int | None,
) -> _Launch:
    n, offset_bytes = graph.num_vertices, graph.row_offsets.dtype.itemsize
    reverse = graph if direction == "top-down" else graph.reverse
    blocks = blocks or blocks_for(graph)
    kernel, config = _kernel(
        offset_bytes, balance, predecessors, trace,
        blocks, cluster or default_cluster(graph, device), device,
    )  # fmt: skip
    if patience is None:
        free = direction == "optimizing" and loop == "device" and depth_limit >= _MOST_LEVELS
        drifts = free and n >= _LARGE and is_sparse(graph)
        patience = PATIENCE if drifts else _MOST_LEVELS
    drift = None
    if loop == "device" and patience < _MOST_LEVELS:
        of_graph = (graph.arguments[0], *graph.arguments[2:], *reverse.arguments[2:])
        drift = *_drift_kernel(offset_bytes, trace, blocks, device), *of_graph, np.uint32(BUCKET)

    words = -(-n // 128) * 16  # bytes of a bitmap, in whole units of 16
    # A level that has no room is followed bottom-up (traverse.cuh): so distances, predecessors and
    # all that is allocated here are less than 16 bytes a vertex.
    places = n if direction == "top-down" else n - n // _NO_ROOM
    rows = -(-places // 4) * 16  # bytes of one word a place, likewise
    reached = rows + rows * offset_bytes // 4
    room = memory_for(balance, graph)
    arrays = (graph,) if reverse is graph else (graph, reverse)
    return _Launch(
        kernel, config, drift,
        graph=(*graph.arguments, *reverse.arguments[2:], _NO if graph.directed else _YES),
        options=(
            np.uint32(DIRECTIONS[direction]), _as_float32(alpha), _as_float32(n / beta),
            np.uint32(depth_limit), np.uint32(block_items), np.uint32(patience),
        ),
        places=np.uint32(places),
        bytes=reached + 2 * words,
        prefix=rows,
        reached=reached,
        words=words,
        rows=min(n + 1, MAX_ROWS) if trace else 0,
        room=room if room.workspace == 0 else None,
        memory=memory_of(n, predecessors, reached + 2 * words + room.bytes, *arrays),
    )  # fmt: skip


def bfs(
    graph: DeviceGraph,
    sources: NDArray[np.int32],
    direction: str,
    alpha: float,
    beta: float,
    depth_limit: int,
    distance: Any,
    predecessor: Any,
    balance: Technique,
    loop: str = "device",
    trace: bool = True,
    block_items: int = BLOCK_ITEMS,
    cluster: int | None = None,
    patience: int | None = None,
    blocks: int | None = None,
) -> Report:
    """Fill ``distance``, and ``predecessor`` unless it is None, from ``sources``.

    Everything is queued on the current stream; with ``loop="device"`` nothing is waited for.

    Parameters
    ----------
    graph : DeviceGraph
        Of at least one vertex.
    sources : int32 array, shape (k,)
    distance, predecessor : cupy array of int32, shape (n,)
    loop : {"device", "host"}
        One launch for all iterations, or one for each, as it is where ``balance`` launches child
        grids.
    block_items : int
        Frontiers of at most so many arcs stay in one cluster of blocks.
    cluster : int
        How many blocks that are; 1 on devices without clusters. By default `CLUSTER` for
        sparse graphs, 1 for others.
    patience : int
        Narrow levels in a row, after which blocks go each its own way (bfs_drift.cuh), and rows
        of the trace are no longer levels. By default `PATIENCE` for sparse graphs that are not
        small, if ``direction`` is "optimizing", ``loop`` "device" and there is no depth limit;
        else there is no end to it.
    blocks : int
        Of the grid, at most; by default what the graph is worth (`blocks_for`).

    Notes
    -----
    Takes 8 bytes a vertex for the queue (12 with 64-bit offsets), less a 24th unless ``direction``
    is "top-down", and a quarter byte for the bitmaps, from CuPy's pool.
    """
    if balance.launches_children:
        loop = "host"
    how = (
        cupy.cuda.get_device_id(), direction, alpha, beta, depth_limit, predecessor is not None,
        balance, loop, trace, block_items, cluster, patience, blocks,
    )  # fmt: skip
    of_graph = _launches.get(graph)
    if of_graph is None:
        of_graph = _launches.setdefault(graph, {})
    launch = of_graph.get(how)
    if launch is None:
        launch = of_graph[how] = _launch(graph, *how)

    report = Report(launch.rows)
    report.clear()
    report.memory = dict(launch.memory)
    room = launch.room or memory_for(balance, graph)
    several = cupy.asarray(sources) if len(sources) > 1 else None
    space = cupy.cuda.alloc(launch.bytes)
    queue = int(space.ptr)
    reached = queue + launch.reached

    arguments = (
        *launch.graph, 0 if several is None else several.data.ptr, np.uint32(sources[0]),
        np.uint32(len(sources)), *launch.options,
    )  # fmt: skip
    rows_at = (report.trace_address, np.uint32(max(report.rows, 1)))
    memory = (
        distance.data.ptr, 0 if predecessor is None else predecessor.data.ptr,
        queue, queue + launch.prefix, launch.places, reached, reached + launch.words,
        report.control, *rows_at, *room.arguments,
    )  # fmt: skip

    def step(iterations: np.uint32, resumes: np.uint32) -> None:
        run(launch.kernel, launch.config, *arguments, iterations, resumes, *memory)

    if loop == "device":
        step(_ALL, _NO)
        if launch.drift is not None:
            run(*launch.drift, *memory[:3], *memory[5:8], report.control + _HOP_CONTROL, *rows_at)
        return report
    level = -1
    step(_ONE, _NO)
    while True:
        before, (level, size) = level, report.progress()
        # Behind a level with child grids comes one more launch, which finds how many they found.
        ends = level == before if balance.launches_children else level >= depth_limit
        if size == 0 or ends:
            return report
        report.clear(4)  # the grid barrier's count
        step(_ONE, _YES)
