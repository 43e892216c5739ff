"""Breadth-first search by the CPU engine."""

from typing import Any

import numpy as np

from warpath.algorithms.common.problem import BfsProblem, Found
from warpath.algorithms.common.sources import run_each
from warpath.algorithms.common.stats import Stats, Stopwatch
from warpath.cpu.bfs import DIRECTIONS, bfs
from warpath.cpu.report import Report, joined
from warpath.cpu.trace import DIRECTION, EDGES, VERTICES
from warpath.planning.breadth_first import ALPHA, BETA
from warpath.planning.plan import Plan

_NAMES = {code: name for name, code in DIRECTIONS.items()}


def run(problem: BfsProblem, plan: Plan, trace: bool, watch: Stopwatch) -> Found:
    """Distances, predecessors (or None) and statistics, in NumPy arrays."""
    graph, how, rows = problem.graph, plan.schedule, problem.rows
    alpha, beta = how.alpha or ALPHA["cpu"], how.beta or BETA["cpu"]

    def run_one(start: Any, distance: Any, parents: Any, threads: int) -> Report:
        return bfs(
            graph, start, str(how.direction), alpha, beta, problem.limit, distance, parents, threads
        )

    n = graph.num_vertices
    shape = (n,) if rows is None else (rows, n)
    distance = np.empty(shape, np.int32)
    needed = problem.predecessors or rows is None
    predecessor = np.empty(shape, np.int32) if needed else None
    if rows is None:
        reports = [run_one(problem.starts[0], distance, predecessor, plan.threads)]
    else:
        reports = run_each(run_one, graph, problem.sources, distance, predecessor)
    iterations = joined(reports, trace)
    stats = Stats(
        method=plan.method,
        why=plan.why,
        **watch.read(),
        threads=max(report.threads for report in reports),
        iterations=sum(report.iterations for report in reports),
        frontier=iterations[:, VERTICES],
        edges=iterations[:, EDGES],
        direction=tuple(_NAMES[code] for code in iterations[:, DIRECTION].tolist()),
        plan=plan,
    )
    return Found(distance, predecessor if problem.predecessors else None, stats)
