"""Shortest paths by the CPU engine."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.limits import limits
from warpath.algorithms.negative import check_cycle
from warpath.algorithms.overflow import check_reached, narrow
from warpath.algorithms.query import Found, Query
from warpath.algorithms.sources import run_each
from warpath.algorithms.stats import Stats
from warpath.cpu.bellman_ford import bellman_ford
from warpath.cpu.bfs import ALPHA, BETA, bfs
from warpath.cpu.delta_stepping import delta_stepping
from warpath.cpu.dijkstra import dijkstra
from warpath.cpu.queueless import queueless
from warpath.cpu.report import Report, joined
from warpath.cpu.sequential_bellman_ford import sequential_bellman_ford
from warpath.cpu.threads import threads_for
from warpath.cpu.trace import EDGES, VERTICES
from warpath.graph.build import read_only
from warpath.graph.distance import unreachable
from warpath.planning.shortest_paths import Plan


def run(query: Query, trace: bool = True) -> Found:
    """Distances, predecessors (or None) and statistics, in NumPy arrays.

    Parameters
    ----------
    query : Query
    trace : bool
        Whether to keep the rows of the statistics.

    Raises
    ------
    NegativeCycleError, OverflowError
        See `warpath.sssp`.
    """
    plan, graph, rows = query.plan, query.plan.graph, query.rows
    weights, n = weights_of(plan), graph.num_vertices

    def run_one(sources: Any, distance: Any, predecessor: Any, threads: int) -> Report:
        return run_plan(plan, weights, sources, distance, predecessor, threads)

    shape = (n,) if rows is None else (rows, n)
    distance = np.empty(shape, plan.dtype)
    kept = query.predecessors or rows is None
    predecessor = np.empty(shape, np.int32) if kept else None
    if rows is None:
        reports = [run_one(query.starts[0], distance, predecessor, threads_for(graph))]
    else:
        reports = run_each(run_one, graph, query.sources, distance, predecessor)
    known = distance[..., plan.target] if plan.target >= 0 else None
    limit = limits(known, plan.dtype, query.cutoff, rows)
    if limit is not None:
        _forget_beyond(limit, distance, predecessor)
    distance = narrow(distance, query.dtype)
    iterations = joined(reports, trace)
    stats = Stats(
        method=plan.method,
        why=plan.why,
        **query.watch.read(),
        threads=max(report.threads for report in reports),
        iterations=sum(report.iterations for report in reports),
        frontier=iterations[:, VERTICES],
        edges=iterations[:, EDGES],
        improvements=sum(report.improvements for report in reports),
        delta=None if plan.width is None else plan.width.first,
    )
    return Found(distance, predecessor if query.predecessors else None, stats, limit)


def weights_of(plan: Plan) -> NDArray[Any]:
    """The weights that the run adds up."""
    weights, dtype = plan.graph.weights, plan.weight_dtype
    if weights is None or plan.method == "bfs":
        weights = np.ones(0 if plan.method == "bfs" else plan.graph.num_arcs, dtype)
    # As the graph's own: kernels are compiled once for both.
    return read_only(weights.astype(dtype, copy=False))


def run_plan(
    plan: Plan, weights: Any, sources: Any, distance: Any, predecessor: Any, threads: int
) -> Report:
    """Run, and raise what the run found: a negative cycle, an overflow."""
    graph = plan.graph
    algebra: dict[str, Any] = {"algebra": plan.algebra.name, "start": plan.start}
    if plan.method == "bfs":
        limit = min(int(plan.cutoff), np.iinfo(np.int32).max)
        report = bfs(
            graph, sources, "optimizing", ALPHA, BETA, limit, distance, predecessor, threads
        )
        distance[distance < 0] = unreachable(plan.dtype)
    elif plan.method == "delta-stepping":
        assert plan.width is not None
        report = delta_stepping(
            graph, weights, sources, plan.width.first, plan.cutoff, plan.target,
            distance, predecessor, threads, **algebra,
        )  # fmt: skip
    elif plan.method == "dijkstra":
        report = dijkstra(
            graph, weights, sources, plan.cutoff, plan.target, distance, predecessor, **algebra
        )
    elif plan.method == "sequential-bellman-ford":
        report = sequential_bellman_ford(
            graph, weights, sources, plan.signed, distance, predecessor, **algebra
        )
    else:
        method = bellman_ford if plan.method == "bellman-ford" else queueless
        report = method(
            graph, weights, sources, plan.signed, distance, predecessor, threads, **algebra
        )
    if plan.algebra.selects:
        distance[sources] = plan.algebra.keys(plan.algebra.source(plan.dtype))
    check_cycle(report, predecessor)
    if plan.may_overflow:
        check_reached(
            graph, weights, distance, report.wrapped, plan.cutoff, plan.target, plan.algebra
        )
    return report


def _forget_beyond(limit: Any, distance: Any, predecessor: Any) -> None:
    """Make unreachable what is farther than the limit."""
    beyond = distance > (limit[:, None] if distance.ndim == 2 else limit)
    distance[beyond] = unreachable(distance.dtype)
    if predecessor is not None:
        predecessor[beyond] = -1
