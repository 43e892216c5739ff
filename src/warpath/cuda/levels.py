"""Breadth-first search on a CUDA device with the frontiers of the papers."""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.balance import Technique
from warpath.cuda import runtime
from warpath.cuda.arguments import (
    BALANCE_MEMORY,
    CSR,
    FIRST,
    NEXT,
    POINTER,
    RUN,
    SOURCES,
    TRACE_ROWS,
    U32,
    U64,
    WHOLE,
    Struct,
)
from warpath.cuda.balance_memory import memory_for
from warpath.cuda.bfs import blocks_for, memory_of, sources_of
from warpath.cuda.crowding import with_room
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.instances import THREADS, bfs_levels_kernel
from warpath.cuda.memory import Layout
from warpath.cuda.trace import MAX_ROWS, Report
from warpath.frontier import DUPLICATES, Policy

# Arcs of a frontier that one block expands, if the policy lets it: a guess. A block's queue has 704 places
# of up to 4 arcs (narrow.cuh).
BLOCK_ITEMS = 2048
_PROBLEM = Struct(graph=CSR, depth_limit=U32, narrow_items=U32)
_EDGE_QUEUE = Struct(targets=POINTER, sources=POINTER, places=U64)  # frontier/edge_queue.cuh
_SPACE = Struct(
    distance=POINTER, predecessor=POINTER, vertices=(POINTER, 2), prefix=(POINTER, 2),
    status=POINTER, stamp=POINTER, table=POINTER, edges=_EDGE_QUEUE, control=POINTER,
    balance=BALANCE_MEMORY,
)  # fmt: skip
# LevelArguments of bfs_levels.cuh, with LevelProblem and LevelSpace of level_search.cuh.
LEVEL_ARGUMENTS = Struct(problem=_PROBLEM, sources=SOURCES, run=RUN, space=_SPACE, trace=TRACE_ROWS)


@cache
def level_control(offset_bytes: int) -> Struct:
    """``LevelControl`` of level_search.cuh."""
    progress = Struct(level=U32, step=U32, size=U32, current=U32, items=f"u{offset_bytes}")
    return Struct(arrived=U32, unused=U32, progress=progress, tail=(U64, 3), inspected=(U64, 3))


def _edge_places(policy: Policy, graph: DeviceGraph) -> int:
    """Places of the edge queue; larger frontiers are expanded at once (level_search.cuh)."""
    return graph.num_arcs if policy.frontier == "edge-queue" else 0


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
    here, blocks = runtime.current(), blocks_for(graph)
    n, places = rows_of.num_vertices, rows_of.num_vertices
    duplicates = DUPLICATES[policy.duplicates]
    repeats = "queue" in policy.frontier and (duplicates.compacts or not duplicates.exact)
    if repeats:
        rows_of, places = with_room(rows_of, blocks, heavy_once=True)
    offset_bytes, threads = rows_of.offset_bytes, here.threads(THREADS)
    expression = bfs_levels_kernel(
        offset_bytes, policy.kernel(direction), balance, predecessor is not None, trace, threads
    )
    kernel = here.persistent("bfs_levels.cuh", expression, threads, blocks)
    report = Report(min(n + 1, MAX_ROWS) if trace else 0, level_control(offset_bytes))
    room = memory_for(balance, rows_of)

    has_two = "queue" in policy.frontier
    bits = 1 if policy.frontier == "bitmap" else duplicates.status_bits
    edge_places = _edge_places(policy, rows_of)
    second, offset = places * has_two, f"u{offset_bytes}"
    layout = Layout(
        queue=(U32, places), prefix=(offset, places),
        second_queue=(U32, second), second_prefix=(offset, second),
        status=(U32, -(-n * bits // 32)), stamp=(U32, n if repeats else 0),
        targets=(U32, edge_places), sources=(U32, 0 if predecessor is None else edge_places),
    )  # fmt: skip
    space = here.allocate(max(layout.nbytes, 1))
    report.memory = memory_of(n, predecessor is not None, layout.nbytes + room.nbytes, rows_of)
    at = layout.at(space.address)
    starts, _several = sources_of(sources)
    second_queue = (at["second_queue"], at["second_prefix"]) if has_two else (0, 0)
    space_of = _SPACE(
        distance=here.address(distance), predecessor=here.address(predecessor),
        vertices=(at["queue"], second_queue[0]), prefix=(at["prefix"], second_queue[1]),
        status=at["status"], stamp=at["stamp"], table=at["status"],
        edges=_EDGE_QUEUE(targets=at["targets"], sources=at["sources"], places=edge_places),
        control=report.address(), balance=room.of(),
    )  # fmt: skip

    problem = _PROBLEM(graph=rows_of.csr, depth_limit=depth_limit, narrow_items=BLOCK_ITEMS)

    def step(launched: bytes) -> None:
        kernel.launch(
            LEVEL_ARGUMENTS(
                problem=problem, sources=starts, run=launched, space=space_of, trace=report.trace
            )
        )

    if loop == "device":
        step(WHOLE)
        return report
    step(FIRST)
    while True:
        level, size = report.progress()
        if size == 0 or level >= depth_limit:
            return report
        report.clear_barrier()
        step(NEXT)
