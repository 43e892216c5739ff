"""Breadth-first search on a CUDA device with the frontiers of the papers."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.balance import Technique
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.execute import kernel, memory_of, suggested_grid_size
from warpath.cuda.instances import THREADS, bfs_levels_kernel
from warpath.cuda.program import ProgramReport, Search
from warpath.cuda.queue_capacity import with_queue_capacity
from warpath.frontier import Policy

# Arcs of a frontier that one block expands, if the policy lets it: a guess. A block's queue holds 704
# chunks of up to 4 arcs (engine/small_frontier.cuh).
SMALL_FRONTIER_MAX_EDGES = 2048


def _edge_capacity(policy: Policy, graph: DeviceGraph) -> int:
    """Places of the edge queue; larger frontiers are expanded at once (engine/program.cuh)."""
    if policy.frontier in ("contract-expand", "hybrid"):
        return graph.num_arcs * (1 + policy.may_repeat)
    return graph.num_arcs * (policy.frontier == "edge-queue")


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
    grid: tuple[int, int] | None = None,
) -> ProgramReport:
    """Fill ``distance``, and ``predecessor`` unless it is None, from ``sources``.

    Everything is queued on the current stream; with ``loop="device"`` nothing is waited for.

    Parameters
    ----------
    graph : DeviceGraph
        It has a vertex.
    sources : int32 array, shape (k,)
        Each once.
    policy : Policy
        One that `warpath.frontier.allowed` allows.
    direction : {"top-down", "bottom-up"}
    distance, predecessor : cupy array of int32, shape (n,)
    loop : {"device", "host"}
        One launch for all levels, or one for each. Where ``balance`` launches child grids, one that ends with a level
        of the grid.
    grid : pair of int, optional
        Blocks, at most, and threads of each; by default as many as the graph has work for.

    Raises
    ------
    ValueError
        If vertices may be queued several times, and the graph is too large to count them.

    Notes
    -----
    From CuPy's pool it takes a queue and its prefix sums, 8 bytes per vertex (12 with 64-bit
    offsets). Where a vertex may enter queues several times there is a second one, both have twice the
    capacity, and 4 bytes more per vertex. An edge queue takes 4 bytes per
    arc, 8 with predecessors; contract-expand and hybrid have two, of twice the size where a vertex may come several times. The status for duplicates is as large as its
    technique says.
    """
    rows_of = graph.reverse if direction == "bottom-up" else graph
    blocks, threads = grid or (suggested_grid_size(graph), THREADS)
    n, capacity = rows_of.num_vertices, rows_of.num_vertices
    algorithm = policy.algorithm(direction)
    if "WithDuplicates" in algorithm:
        writing = None if balance.launches_children else blocks
        rows_of, capacity = with_queue_capacity(
            rows_of, writing, dedup_high_degree=True, by_blocks=policy.by_blocks
        )
    instance = rows_of.offset_bytes, algorithm, balance, predecessor is not None, trace
    search = Search(
        kernel(
            "algorithms/bfs_levels.cuh", bfs_levels_kernel, *instance, blocks=blocks, threads=threads,
            children=balance.launches_children,
        ),
        algorithm, rows_of, balance, sources, distance, predecessor, capacity, trace,
        _edge_capacity(policy, rows_of), max_level=depth_limit,
        small_frontier_max_edges=SMALL_FRONTIER_MAX_EDGES,
    )  # fmt: skip
    search.report.memory = memory_of(n, predecessor is not None, search.nbytes, rows_of)
    search.run(loop, balance.launches_children)
    return search.report
