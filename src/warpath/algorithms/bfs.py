"""Breadth-first search."""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.result import Paths
from warpath.algorithms.sources import as_number, as_sources, check_call, choose, run_each
from warpath.algorithms.stats import Stats
from warpath.cpu import bfs as cpu
from warpath.cpu.report import Report
from warpath.cpu.threads import threads_for
from warpath.cpu.trace import DIRECTION, EDGES, VERTICES
from warpath.graph.graph import Graph

_NO_LIMIT = 2**31 - 1
_WAYS = {code: name for name, code in cpu.DIRECTIONS.items()}


def bfs(
    graph: Graph,
    source: int | Sequence[int] | NDArray[Any],
    *,
    direction: str = "optimizing",
    alpha: float = cpu.ALPHA,
    beta: float = cpu.BETA,
    depth_limit: int | None = None,
    predecessors: bool = True,
    nearest: bool = False,
    device: str = "auto",
) -> Paths:
    """Distances in arcs from a source, by breadth-first search.

    Parameters
    ----------
    graph : Graph
        Weights are ignored.
    source : int, or sequence of k ints
        Of several, each gets a row of its own; with ``nearest`` they share one answer.
    direction : {"optimizing", "top-down", "bottom-up"}
        Whether frontier vertices look for unreached neighbours, unreached vertices for
        a neighbour in the frontier, or whatever is cheaper now (Beamer et al., SC 2012).
        The latter two use `Graph.reverse`, which a directed graph builds at the first call.
    alpha, beta : float
        When "optimizing" turns: bottom-up once the frontier has more than 1/α of the
        arcs that are left, top-down again once it has less than n/β vertices.
    depth_limit : int, optional
        Vertices farther than this read as unreachable.
    predecessors : bool
    nearest : bool
        Distances from the nearest source.
    device : {"auto", "cpu"}

    Returns
    -------
    Paths
        ``distance``: int32, shape (n,) or (k, n), -1 where unreachable.

    Raises
    ------
    ValueError
        A source out of range or no integer, an unknown direction or device, a negative
        limit, α or β not positive.
    """
    began = time.perf_counter()
    check_call(graph, device)
    choose("direction", direction, cpu.DIRECTIONS)
    for name, value in (("alpha", alpha), ("beta", beta)):
        if not as_number(value, name) > 0:
            raise ValueError(f"{name} must be positive, not {value!r}")
    limit = _NO_LIMIT
    if depth_limit is not None:
        whole = hasattr(depth_limit, "__index__") and not isinstance(depth_limit, bool)
        if not whole or depth_limit < 0:
            raise ValueError(f"depth_limit must be a non-negative integer, not {depth_limit!r}")
        limit = min(depth_limit.__index__(), _NO_LIMIT)
    n = graph.num_vertices
    sources, single = as_sources(source, n)
    one_answer = single or nearest

    def run(start: Any, distance: Any, parents: Any, threads: int) -> Report:
        return cpu.bfs(graph, start, direction, alpha, beta, limit, distance, parents, threads)

    shape = (n,) if one_answer else (len(sources), n)
    distance = np.empty(shape, np.int32)
    predecessor = np.empty(shape, np.int32) if predecessors or one_answer else None
    if one_answer:
        reports = [run(np.unique(sources), distance, predecessor, threads_for(graph))]
    else:
        reports = run_each(run, graph, sources, distance, predecessor)
    trace = np.concatenate([report.trace for report in reports])
    stats = Stats(
        method=f"bfs {direction}",
        why="the default" if direction == "optimizing" else "as asked",
        seconds=time.perf_counter() - began,
        threads=max(report.threads for report in reports),
        iterations=sum(report.iterations for report in reports),
        frontier=trace[:, VERTICES],
        edges=trace[:, EDGES],
        direction=tuple(_WAYS[code] for code in trace[:, DIRECTION].tolist()),
    )
    return Paths(
        graph=graph,
        source=int(sources[0]) if single else sources,
        distance=distance,
        predecessor=predecessor if predecessors else None,
        stats=stats,
        weighted=False,
        limit=_rows(depth_limit, one_answer, len(sources)),
        nearest=nearest,
    )


def _rows(limit: int | None, one_answer: bool, rows: int) -> Any:
    """The limit, once for each row where rows have their own."""
    return limit if limit is None or one_answer else np.full(rows, limit)
