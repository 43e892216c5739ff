"""Breadth-first search on a CUDA device."""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpath.balance import Technique
from warpath.cuda import runtime
from warpath.cuda.arguments import (
    AMOUNT,
    BALANCE_MEMORY,
    BOOL,
    CSR,
    F32,
    POINTER,
    RUN,
    SOURCES,
    TRACE_ROWS,
    U32,
    U64,
    Struct,
)
from warpath.cuda.balance_memory import BalanceMemory, memory_for
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.execute import (
    CLUSTER,
    Execution,
    kernel,
    memory_of,
    sources_of,
    suggested_grid_size,
)
from warpath.cuda.instances import bfs_async_kernel, bfs_kernel
from warpath.cuda.memory import Layout, words_of_bits
from warpath.cuda.runtime import Kernel
from warpath.cuda.trace import Report
from warpath.planning.memory import trace_rows

DIRECTIONS = {"top-down": 0, "bottom-up": 1, "optimizing": 2}
# Arcs of a frontier that one cluster expands faster than the grid: measured on an H200,
# 2048² grid: 8.7 ms with 16384 or more, 9.8 with 8192.
SMALL_FRONTIER_MAX_EDGES = 32768
# Levels of small frontiers in a row, after which blocks run asynchronously (algorithms/bfs_async.cuh): random graphs have fewer
# levels. A guess.
MAX_SMALL_LEVELS = 64
BUCKET = 64  # levels between two barriers of theirs
_VERTICES_PER_UNQUEUED = 24  # the queue holds all but one of that many
# A write at random takes 60 ps, where L2 does not hold distances (2²⁷ vertices, H200); to read a vertex's bits twice, 0.1.
ORDERED_MIN_VERTICES = 2**24
_VERTICES_PER_ORDERED_EDGE = 32
# A bitmap of that many vertices is not held by L2. A summary takes R-MAT 28 from 11.0 to 9.4 ms and R-MAT 29 with 8 edges from 25 to 19;
# R-MAT 27 takes as long with it, and R-MAT 23 1.1 times as long; on two GPUs R-MAT 29 takes 10.5 ms instead of 16 from some sources
# (H200, 2026-11). Of 2²² to 2²⁵ bits these are the best.
_SUMMARY_MIN_VERTICES = 2**28
_SUMMARY_BITS = 2**23
MAX_LEVELS = 2**31 - 1


LEVEL_COUNTERS = Struct(tail=U64, inspected=U64)  # LevelCounters of traverse.cuh


@cache
def control_block(offset_bytes: int, several_gpus: bool = False) -> Struct:
    """``TraversalControl`` of traverse.cuh; of several GPUs with the sum of all counters."""
    offset = f"u{offset_bytes}"
    progress = Struct(
        level=U32, step=U32, size=U32, begin=U32, end=U32, queued=U32, current=U32, done=U32,
        items=offset, unexplored=offset,
    )  # fmt: skip
    total = {"total": LEVEL_COUNTERS} if several_gpus else {}
    return Struct(arrived=U32, flag=U32, progress=progress, counters=(LEVEL_COUNTERS, 3), **total)


BITMAP_SUMMARY = Struct(words=POINTER, shift=U32, max_vertices=U32)  # of frontier/bitmap.cuh

WORKSPACE = Struct(
    vertices=POINTER, prefix=POINTER, capacity=U32, reached=POINTER, reached_next=POINTER,
    summary=BITMAP_SUMMARY, control=POINTER, balance=BALANCE_MEMORY,
)  # fmt: skip


@cache
def bfs_problem(offset_bytes: int) -> Struct:
    """``TraversalProblem`` of traverse.cuh."""
    return Struct(
        graph=CSR, reverse=CSR, symmetric=BOOL, arcs=f"u{offset_bytes}", direction=U32, alpha=F32,
        top_down_max_vertices=F32, depth_limit=U32, small_frontier_max_edges=U32, max_small_levels=U32,
        ordered_min_edges=U32,
    )  # fmt: skip


@cache
def bfs_arguments(offset_bytes: int) -> Struct:
    """``BfsArguments`` of bfs.cuh."""
    return Struct(
        problem=bfs_problem(offset_bytes), sources=SOURCES, run=RUN, workspace=WORKSPACE,
        distance=POINTER, predecessor=POINTER, trace=TRACE_ROWS,
    )  # fmt: skip


ASYNC_CONTROL = Struct(  # AsyncBfsControl of algorithms/bfs_async.cuh
    arrived=U32, flag=U32,
    progress=Struct(level=U32, step=U32, size=U32, threshold=U32, before=U32),
    counters=(Struct(expanded=AMOUNT, size=U32, overflowed=U32), 3),
)  # fmt: skip
ASYNC_ARGUMENTS = Struct(
    graph=CSR, reverse=CSR, bucket=U32, distance=POINTER, predecessor=POINTER, queue=POINTER,
    far=POINTER, control=POINTER, own=POINTER, trace=TRACE_ROWS,
)  # fmt: skip


def levels_options(name: str | None) -> dict[str, int]:
    """What `warpath.Schedule.small_frontiers` is to a search by levels."""
    max_edges = 0 if name == "off" else SMALL_FRONTIER_MAX_EDGES
    cluster = CLUSTER if name in ("cluster", "async") else 1
    return {"small_frontier_max_edges": max_edges, "cluster": cluster}


def small_frontier_options(name: str | None) -> dict[str, int]:
    """And to `bfs`."""
    max_levels = MAX_SMALL_LEVELS if name == "async" else MAX_LEVELS
    return levels_options(name) | {"max_small_levels": max_levels}


def _queue_capacity(n: int, direction: str) -> int:
    """How many vertices the queue holds.

    A level that overflows it is followed bottom-up (traverse.cuh): so distances, predecessors and
    the workspace are less than 16 bytes per vertex.
    """
    return n if direction == "top-down" else n - n // _VERTICES_PER_UNQUEUED


def ordered_min_edges(n: int) -> int:
    """How many arcs a top-down level has at least that writes distances afterwards, in the vertices' order."""
    return n // _VERTICES_PER_ORDERED_EDGE if n >= ORDERED_MIN_VERTICES else 2**32 - 1


def summary_of(n: int) -> dict[str, int]:
    """When and how a bitmap is summed up."""
    if n < _SUMMARY_MIN_VERTICES:
        return {"shift": 0, "max_vertices": 0}
    shift = max(0, (n - 1).bit_length() - (_SUMMARY_BITS - 1).bit_length())
    return {"shift": shift, "max_vertices": _SUMMARY_BITS // 4}


def summary_words(n: int) -> int:
    """How many words it has at most; 0: there is none."""
    return _SUMMARY_BITS // 32 if summary_of(n)["max_vertices"] else 0


def summary_at(address: int, n: int) -> bytes:
    """``BitmapSummary`` of frontier/bitmap.cuh, whose words are there."""
    return BITMAP_SUMMARY(words=address, **summary_of(n))


def _as_float32(value: float) -> np.float32:
    """The nearest positive number, not infinity, that the kernel's float32 holds."""
    limits = np.finfo(np.float32)
    return np.float32(min(max(float(value), float(limits.tiny)), float(limits.max)))


class _Launch(NamedTuple):
    """What all searches of a graph with the same options share."""

    kernel: Kernel
    asynchronous: Kernel | None  # of the second launch
    graphs: tuple[bytes, bytes]  # the graph and its reverse, as kernels take them
    problem: bytes
    layout: Layout
    capacity: int  # of the queue
    prefix: int  # where its prefix sums begin, in bytes behind it
    rows: int  # of the trace
    balance: BalanceMemory | None  # None: each run has its own
    memory: dict[str, int]  # `Report.memory`


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
    small_frontier_max_edges: int,
    cluster: int,
    max_small_levels: int,
) -> _Launch:
    n, offset_bytes = graph.num_vertices, graph.offset_bytes
    reverse = graph if direction == "top-down" else graph.reverse
    blocks = suggested_grid_size(graph)
    search = kernel(
        "bfs.cuh", bfs_kernel, offset_bytes, balance, predecessors, trace, blocks=blocks,
        cluster=cluster, children=balance.launches_children,
    )  # fmt: skip
    asynchronous = None
    if loop == "device" and max_small_levels < MAX_LEVELS:
        header = "algorithms/bfs_async.cuh"
        asynchronous = kernel(header, bfs_async_kernel, offset_bytes, trace, blocks=blocks)

    words, capacity = words_of_bits(n), _queue_capacity(n, direction)
    # The queue and its prefix sums are one array, for the second kernel takes both as a queue of n
    # vertices (algorithms/bfs_async.cuh).
    prefix = -(-capacity // 4) * 4  # in words
    layout = Layout(
        queue=(U32, prefix + capacity * offset_bytes // 4),
        reached=(U32, words), reached_next=(U32, words),
        summary=(U32, summary_words(n)),
    )  # fmt: skip
    graphs = graph.csr, reverse.csr
    problem = bfs_problem(offset_bytes)(
        graph=graphs[0], reverse=graphs[1], symmetric=not graph.directed, arcs=graph.num_arcs,
        direction=DIRECTIONS[direction], alpha=_as_float32(alpha), top_down_max_vertices=_as_float32(n / beta),
        depth_limit=depth_limit, small_frontier_max_edges=small_frontier_max_edges, max_small_levels=max_small_levels,
        ordered_min_edges=ordered_min_edges(n),
    )  # fmt: skip
    balance_memory = memory_for(balance, graph)
    arrays = (graph,) if reverse is graph else (graph, reverse)
    return _Launch(
        search, asynchronous, graphs, problem, layout, capacity, 4 * prefix,
        rows=trace_rows(n) if trace else 0,
        balance=balance_memory if balance_memory.workspace == 0 else None,
        memory=memory_of(n, predecessors, layout.nbytes + balance_memory.nbytes, *arrays),
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
    small_frontier_max_edges: int = SMALL_FRONTIER_MAX_EDGES,
    cluster: int = 1,
    max_small_levels: int = MAX_LEVELS,
) -> Report:
    """Fill ``distance``, and ``predecessor`` unless it is None, from ``sources``.

    Everything is queued on the current stream; with ``loop="device"`` nothing is waited for.

    Parameters
    ----------
    graph : DeviceGraph
        It has a vertex.
    sources : int32 array, shape (k,)
    distance, predecessor : cupy array of int32, shape (n,)
    loop : {"device", "host"}
        One launch for all iterations, or one for each. Where ``balance`` launches child grids, one that ends with an
        iteration of the grid.
    small_frontier_max_edges : int
        Frontiers of at most that many arcs stay in one cluster of blocks.
    cluster : int
        How many blocks that cluster has; 1 on devices without clusters.
    max_small_levels : int
        Levels of small frontiers in a row, after which blocks run asynchronously (algorithms/bfs_async.cuh), and
        rows of the trace are no longer levels; for ``direction="optimizing"``, ``loop="device"`` and no depth
        limit. By default there is no limit.

    Notes
    -----
    Takes 8 bytes per vertex for the queue (12 with 64-bit offsets), less a 24th unless ``direction``
    is "top-down", and a quarter byte for the bitmaps, from CuPy's pool.
    """
    if balance.launches_children:
        loop = "host"
    here = runtime.current()
    how = (
        "launch", here.device, direction, alpha, beta, depth_limit, predecessor is not None,
        balance, loop, trace, small_frontier_max_edges, cluster, max_small_levels,
    )  # fmt: skip
    launch = graph.derived.get(how)
    if launch is None:
        launch = graph.derived[how] = _launch(graph, *how[1:])

    report = Report(launch.rows, control_block(graph.offset_bytes), asynchronous=ASYNC_CONTROL)
    report.memory = dict(launch.memory)
    balance_memory = launch.balance or memory_for(balance, graph)
    space = here.allocate(launch.layout.nbytes)
    at = launch.layout.at(space.address)
    starts, several = sources_of(sources)

    workspace = WORKSPACE(
        vertices=at["queue"], prefix=at["queue"] + launch.prefix, capacity=launch.capacity, reached=at["reached"],
        reached_next=at["reached_next"],
        summary=summary_at(at["summary"], graph.num_vertices), control=report.address(), balance=balance_memory.of(),
    )  # fmt: skip
    outputs = {
        "distance": here.address(distance), "predecessor": here.address(predecessor),
        "trace": report.trace,
    }  # fmt: skip
    Execution(
        launch.kernel, bfs_arguments(graph.offset_bytes), report, space, balance_memory, several,
        problem=launch.problem, sources=starts, workspace=workspace, **outputs,
    ).run(loop, balance.launches_children)  # fmt: skip
    if launch.asynchronous is not None:
        launch.asynchronous.launch(
            ASYNC_ARGUMENTS(
                graph=launch.graphs[0], reverse=launch.graphs[1], bucket=BUCKET,
                queue=at["queue"], far=at["reached"],
                control=report.address(), own=report.address("asynchronous"), **outputs,
            )
        )  # fmt: skip
    return report
