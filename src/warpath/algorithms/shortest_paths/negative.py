"""Negative cycles: from what an engine saw to the exception."""

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.common.sources import distinct
from warpath.cpu.bfs import bfs
from warpath.cpu.parents import cycle_through
from warpath.cpu.report import Report
from warpath.errors import NegativeCycleError, VerificationError
from warpath.graph.graph import Graph
from warpath.planning.breadth_first import ALPHA, BETA
from warpath.planning.threads import threads_for


def check_cycle(report: Report, predecessor: NDArray[np.int32]) -> None:
    """Raise the negative cycle that an engine stopped at."""
    if report.cycle >= 0:
        raise NegativeCycleError(cycle_through(predecessor, report.cycle))


def check_parents(
    graph: Graph, predecessor: NDArray[np.int32], vertices: NDArray[np.int32]
) -> None:
    """Raise the first cycle of predecessors through ``vertices`` whose weight is negative.

    Predecessors that several threads wrote without a lock may make other cycles too, so
    each is held to its certificate: the exact sum of its lightest arcs.
    """
    from warpath import verify

    seen: set[int] = set()
    for v in vertices.tolist():
        if v in seen:
            continue
        cycle = cycle_through(predecessor, v)
        seen.update(cycle)
        try:
            verify.negative_cycle(graph, cycle)
        except VerificationError:
            continue
        raise NegativeCycleError(cycle)


def check_undirected(graph: Graph, sources: NDArray[np.int32]) -> None:
    """Raise if a source reaches a negative edge: to and fro along it is a negative cycle."""
    n = graph.num_vertices
    distance, predecessor = np.empty(n, np.int32), np.empty(n, np.int32)
    bfs(
        graph, distinct(sources, n), "optimizing", ALPHA["cpu"], BETA["cpu"], n,
        distance, predecessor, threads_for(graph, relaxes=False),
    )  # fmt: skip
    source, target, weight = graph.coo()
    assert weight is not None
    bad = np.flatnonzero((weight < 0) & (distance[source] >= 0))
    if len(bad):
        u, v = int(source[bad[0]]), int(target[bad[0]])
        raise NegativeCycleError([u] if u == v else [u, v])
