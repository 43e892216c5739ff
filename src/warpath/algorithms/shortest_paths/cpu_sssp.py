"""Shortest paths by the CPU engine."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.common.cpu_runs import run_all, stats_of
from warpath.algorithms.common.limits import limits
from warpath.algorithms.common.problem import Found, SsspProblem
from warpath.algorithms.common.stats import Stopwatch
from warpath.algorithms.shortest_paths.negative import check_cycle
from warpath.algorithms.shortest_paths.overflow import check_reached, in_dtype
from warpath.cpu.bellman_ford import bellman_ford
from warpath.cpu.bfs import bfs
from warpath.cpu.delta_stepping import delta_stepping
from warpath.cpu.dijkstra import dijkstra
from warpath.cpu.queueless import queueless
from warpath.cpu.report import Report
from warpath.cpu.sequential_bellman_ford import sequential_bellman_ford
from warpath.graph.build import read_only
from warpath.graph.distance import unreachable
from warpath.graph.graph import Graph
from warpath.planning.breadth_first import ALPHA, BETA
from warpath.planning.placement import Placement
from warpath.planning.shortest_paths import Relaxation


def run(problem: SsspProblem, place: Placement, trace: bool, watch: Stopwatch) -> Found:
    """Distances, predecessors (or None) and statistics, in NumPy arrays.

    Raises
    ------
    NegativeCycleError, OverflowError
        See `warpath.sssp`.
    """
    one = problem.relaxation(place)
    plan = problem.plan_of(one, place)
    graph = problem.arcs
    weights, cutoff = weights_of(graph, one), None if problem.cutoff is None else one.cutoff

    def run_one(sources: Any, distance: Any, predecessor: Any, threads: int) -> Report:
        return relax(graph, one, weights, sources, distance, predecessor, threads, problem.target)

    distance, predecessor, report = run_all(run_one, problem, plan, graph, one.dtype)
    known = distance[..., problem.target] if problem.target >= 0 else None
    limit = limits(known, one.dtype, cutoff, problem.rows)
    if limit is not None:
        _forget_beyond(limit, distance, predecessor)
    distance = in_dtype(distance, plan.dtype)
    delta = None if one.width is None else one.width.first
    stats = stats_of(report, plan, trace, watch, delta=delta)
    return Found(distance, predecessor if problem.predecessors else None, stats, limit)


def weights_of(graph: Graph, plan: Relaxation) -> NDArray[Any]:
    """The weights that the run adds up."""
    weights, dtype = graph.weights, plan.weight_dtype
    if weights is None or plan.method == "bfs":
        weights = np.ones(0 if plan.method == "bfs" else graph.num_arcs, dtype)
    elif weights.dtype == dtype:
        return weights
    # As the graph's own: kernels are compiled once for both.
    return read_only(weights.astype(dtype, copy=False))


def _count_arcs(
    graph: Graph,
    plan: Relaxation,
    weights: Any,
    sources: Any,
    distance: Any,
    predecessor: Any,
    threads: int,
    target: int,
) -> Report:
    """Breadth-first search, as `warpath.cpu.method.Method.run`, but for the target."""
    limit = min(int(plan.cutoff), np.iinfo(np.int32).max)
    report = bfs(
        graph,
        sources,
        "optimizing",
        ALPHA["cpu"],
        BETA["cpu"],
        limit,
        distance,
        predecessor,
        threads,
    )
    distance[distance < 0] = unreachable(distance.dtype)
    return report


_RUN: dict[str, Callable[..., Report]] = {
    "bfs": _count_arcs,
    "delta-stepping": delta_stepping.run,
    "dijkstra": dijkstra.run,
    "bellman-ford": bellman_ford.run,
    "bellman-ford-queueless": queueless.run,
    "sequential-bellman-ford": sequential_bellman_ford.run,
}


def relax(
    graph: Graph,
    plan: Relaxation,
    weights: Any,
    sources: Any,
    distance: Any,
    predecessor: Any,
    threads: int,
    target: int = -1,
) -> Report:
    """Run, and raise what the run found: a negative cycle, an overflow."""
    run = _RUN[plan.method]
    report = run(graph, plan, weights, sources, distance, predecessor, threads, target)
    if plan.algebra.selects:
        distance[sources] = plan.algebra.keys(plan.algebra.source(plan.dtype))
    check_cycle(report, predecessor)
    if plan.may_overflow:
        check_reached(graph, weights, distance, report.wrapped, plan.cutoff, target, plan.algebra)
    return report


def _forget_beyond(limit: Any, distance: Any, predecessor: Any) -> None:
    """Make unreachable what is farther than the limit."""
    beyond = distance > (limit[:, None] if distance.ndim == 2 else limit)
    distance[beyond] = unreachable(distance.dtype)
    if predecessor is not None:
        predecessor[beyond] = -1
