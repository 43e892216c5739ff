"""Breadth-first search by the CPU engine."""

from typing import Any

from warpath.algorithms.common.cpu_runs import run_all, stats_of
from warpath.algorithms.common.problem import BfsProblem, Found
from warpath.algorithms.common.stats import Stopwatch
from warpath.cpu.bfs import bfs
from warpath.cpu.report import Report
from warpath.planning.breadth_first import ALPHA, BETA
from warpath.planning.plan import Plan


def run(problem: BfsProblem, plan: Plan, trace: bool, watch: Stopwatch) -> Found:
    """Distances, predecessors (or None) and statistics, in NumPy arrays."""
    graph, how = problem.graph, plan.schedule
    alpha, beta = how.alpha or ALPHA["cpu"], how.beta or BETA["cpu"]

    def run_one(start: Any, distance: Any, parents: Any, threads: int) -> Report:
        return bfs(
            graph, start, str(how.direction), alpha, beta, problem.limit, distance, parents, threads
        )

    distance, predecessor, report = run_all(run_one, problem, plan, graph, plan.dtype)
    stats = stats_of(report, plan, trace, watch)
    return Found(distance, predecessor if problem.predecessors else None, stats)
