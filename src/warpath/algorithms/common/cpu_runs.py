"""The CPU engine's searches for a call: one, or one for each source."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.common.problem import Problem
from warpath.algorithms.common.stats import ReportedStats, Stats, Stopwatch
from warpath.cpu.report import Report, joined
from warpath.graph.graph import Graph
from warpath.parallel import thread_count
from warpath.parallel.pool import Pool
from warpath.planning.plan import Plan

_INT32 = np.dtype(np.int32)
Run = Callable[[NDArray[np.int32], NDArray[Any], NDArray[np.int32], int], Report]
"""Fills (sources, distance, predecessor, threads), of one search."""


def run_all(
    run: Run, problem: Problem, plan: Plan, graph: Graph, dtype: Any
) -> tuple[NDArray[Any], NDArray[np.int32] | None, Report]:
    """Distances, predecessors where several searches need them or the call asks, and how it went.

    As many searches as threads or more: one thread each, with no barrier at all. Fewer:
    one after the other, each on the whole team. Without predecessors each writes
    its own to an array that is dropped.
    """
    n, rows = graph.num_vertices, problem.rows
    if rows is None:
        distance, predecessor = np.empty(n, dtype), np.empty(n, _INT32)
        report = run(problem.starts[0], distance, predecessor, plan.threads)
        return distance, predecessor, report
    distance = np.empty((rows, n), dtype)
    predecessors = np.empty((rows, n), np.int32) if problem.predecessors else None
    many = rows >= thread_count.num_threads() > 1
    threads = 1 if many else plan.threads

    def row(i: int) -> Report:
        mine = np.empty(n, np.int32) if predecessors is None else predecessors[i]
        return run(problem.sources[i : i + 1], distance[i], mine, threads)

    if many:
        with Pool(thread_count.num_threads()) as pool:
            return distance, predecessors, joined(list(pool.map(row, range(rows))))
    return distance, predecessors, joined([row(i) for i in range(rows)])


def stats_of(
    report: Report, plan: Plan, trace: bool, watch: Stopwatch, delta: float | None = None
) -> Stats:
    """What `Stats` says of a report; without ``trace`` it has no rows."""
    kept = report if trace else report.without_rows()
    return ReportedStats(
        plan.method, plan.why, watch.read(), "cpu", (kept,), delta, plan, report.threads
    )
