"""Negative cycles: from what an engine saw to the exception."""

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.bfs import ALPHA, BETA, bfs
from warpath.cpu.parents import cycle_through
from warpath.cpu.report import Report
from warpath.cpu.threads import threads_for
from warpath.errors import NegativeCycleError
from warpath.graph.graph import Graph


def check_cycle(report: Report, predecessor: NDArray[np.int32]) -> None:
    """Raise the negative cycle that an engine stopped at."""
    if report.cycle >= 0:
        raise NegativeCycleError(cycle_through(predecessor, report.cycle))


def check_undirected(graph: Graph, sources: NDArray[np.int32]) -> None:
    """Raise if a source reaches a negative edge: to and fro along it is a negative cycle."""
    n = graph.num_vertices
    distance, predecessor = np.empty(n, np.int32), np.empty(n, np.int32)
    bfs(
        graph, np.unique(sources), "optimizing", ALPHA, BETA, n,
        distance, predecessor, threads_for(graph),
    )  # fmt: skip
    source, target, weight = graph.coo()
    assert weight is not None
    bad = np.flatnonzero((weight < 0) & (distance[source] >= 0))
    if len(bad):
        u, v = int(source[bad[0]]), int(target[bad[0]])
        raise NegativeCycleError([u] if u == v else [u, v])
