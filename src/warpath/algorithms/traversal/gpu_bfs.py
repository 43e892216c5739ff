"""Breadth-first search by the CUDA engine."""

from typing import Any

import numpy as np

from warpath import devices
from warpath.algorithms.common.problem import BfsProblem, Found
from warpath.algorithms.common.stats import ReportedStats, Stopwatch
from warpath.frontier import DEFAULT
from warpath.planning.breadth_first import ALPHA, BETA
from warpath.planning.plan import Plan


def run(problem: BfsProblem, plan: Plan, trace: bool, watch: Stopwatch) -> Found:
    """Distances, predecessors (or None) and statistics, in CuPy arrays.

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

    graph, n, rows, how = problem.graph, problem.graph.num_vertices, problem.rows, plan.schedule
    balance, direction, loop = how.technique, str(how.direction), str(how.loop)
    assert balance is not None  # the plan has one
    small = cuda.small_frontier_options(how.small_frontiers)
    alpha, beta = how.alpha or ALPHA["cuda"], how.beta or BETA["cuda"]

    def run(start: Any, distance: Any, predecessor: Any) -> Any:
        device = on_device(graph, plan.out_of_core)
        if how.policy != DEFAULT:
            from warpath.cuda.levels import bfs_levels

            return bfs_levels(
                device, start, how.policy, direction, problem.limit,
                distance, predecessor, balance, loop, trace, problem.grid,
            )  # fmt: skip
        return cuda.bfs(
            device, start, direction, alpha, beta, problem.limit,
            distance, predecessor, balance, loop, trace, **small,
        )  # fmt: skip

    shape = (n,) if rows is None else (rows, n)
    try:
        distance = cupy.empty(shape, np.int32)
        predecessor = cupy.empty(shape, np.int32) if problem.predecessors else None
        if rows is None:
            reports = [run(problem.starts[0], distance, predecessor)]
        else:
            from warpath.cuda.batch import batching_is_faster, bfs_rows

            device = on_device(graph, plan.out_of_core)
            free = problem.rows_at_once and loop == "device" and how.policy == DEFAULT
            if free and batching_is_faster(device, rows, balance):
                reports = [
                    bfs_rows(device, problem.sources, problem.limit, distance, predecessor, trace)
                ]
            else:
                reports = [
                    run(start, distance[i], None if predecessor is None else predecessor[i])
                    for i, start in enumerate(problem.starts)
                ]
    except MemoryError:
        with devices.memory_for(plan.needs()):
            raise
    stats = ReportedStats(plan.method, plan.why, watch.read(), model, reports, plan=plan)
    return Found(distance, predecessor, stats)
