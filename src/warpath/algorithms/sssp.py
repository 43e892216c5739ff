"""Single-source shortest paths."""

import math
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from warpath.algorithms.methods import METHODS, NON_NEGATIVE, plan
from warpath.algorithms.negative import check_undirected
from warpath.algorithms.overflow import narrow
from warpath.algorithms.result import Paths
from warpath.algorithms.sources import as_number, as_sources, check_call, choose, run_each
from warpath.algorithms.stats import Stats
from warpath.cpu.threads import threads_for
from warpath.cpu.trace import EDGES, VERTICES
from warpath.graph.check import WEIGHT_DTYPES, as_vertex
from warpath.graph.distance import distance_dtype, unreachable
from warpath.graph.graph import Graph


def sssp(
    graph: Graph,
    source: int | Sequence[int] | NDArray[Any],
    *,
    method: str = "auto",
    delta: float | None = None,
    target: int | None = None,
    cutoff: float | None = None,
    dtype: DTypeLike | None = None,
    predecessors: bool = True,
    nearest: bool = False,
    device: str = "auto",
) -> Paths:
    """Shortest paths by weight from a source; negative weights too.

    Parameters
    ----------
    graph : Graph
        Without weights, each arc counts 1.
    source : int, or sequence of k ints
        Of several, each gets a row of its own; with ``nearest`` they share one answer.
    method : str
        One of `warpath.algorithms.methods.METHODS`. "auto" takes one that is right for
        the weights.
    delta : float, optional
        Width of delta-stepping's buckets; by default from the mean weight and degree.
    target : int, optional
        Stop when this vertex's distance is known. Then vertices farther than it read as
        unreachable. With negative weights nothing can stop early, and all is complete.
    cutoff : number, optional
        Vertices farther than this read as unreachable.
    dtype : dtype, optional
        Of the distances: int32, int64, float32 or float64. By default the weights' where
        no path can overflow it, (n − 1) · max |w|; for integers else int64.
    predecessors : bool
    nearest : bool
        Distances from the nearest source.
    device : {"auto", "cpu"}

    Returns
    -------
    Paths
        ``distance``: shape (n,) or (k, n); unreachable is ``inf``, or the largest integer.

    Raises
    ------
    NegativeCycleError
        If a source reaches a cycle of negative weight.
    ValueError
        A method that cannot take the graph's negative weights; ``cutoff`` with negative
        weights; a source or target out of range; integers asked for float weights.
    OverflowError
        If a distance does not fit in the dtype.
    """
    began = time.perf_counter()
    check_call(graph, device)
    choose("method", method, METHODS)
    n = graph.num_vertices
    sources, single = as_sources(source, n)
    goal = -1 if target is None else as_vertex(target, n, "target")
    wanted = _as_dtype(graph, dtype)
    signed = graph.weight_range[0] < 0
    ceiling = math.inf if cutoff is None else as_number(cutoff, "cutoff")
    if ceiling < 0:
        raise ValueError(f"cutoff must not be negative, not {cutoff!r}")
    if signed and cutoff is not None:
        raise ValueError(
            "cutoff needs non-negative weights: a path may leave its limit and come back"
        )
    if signed and method in NON_NEGATIVE:
        raise ValueError(
            f"method {method!r} cannot take negative weights (the smallest is "
            f"{graph.weight_range[0]}); use 'bellman-ford' or 'auto'"
        )
    why = "as asked"
    if method == "auto":
        method, why = _choose(graph, signed, delta, wanted)
    if signed:
        goal = -1  # nothing can stop early
    if signed and not graph.directed:
        check_undirected(graph, sources)
        signed = False  # the negative edges are out of reach
    chosen = plan(graph, method, signed, delta, ceiling, goal, wanted)

    one_answer = single or nearest
    shape = (n,) if one_answer else (len(sources), n)
    distance = np.empty(shape, chosen.dtype)
    predecessor = np.empty(shape, np.int32) if predecessors or one_answer else None
    if one_answer:
        start = np.unique(sources)
        reports = [chosen.run(start, distance, predecessor, threads_for(graph))]
    else:
        reports = run_each(chosen.run, graph, sources, distance, predecessor)
    limit = _limits(distance, goal, None if cutoff is None else chosen.cutoff)
    if limit is not None:
        _forget_beyond(limit, distance, predecessor)
    distance = narrow(distance, wanted)
    trace = np.concatenate([report.trace for report in reports])
    stats = Stats(
        method=method,
        why=why,
        seconds=time.perf_counter() - began,
        threads=max(report.threads for report in reports),
        iterations=sum(report.iterations for report in reports),
        frontier=trace[:, VERTICES],
        edges=trace[:, EDGES],
        improvements=sum(report.improvements for report in reports),
        delta=chosen.delta,
    )
    return Paths(
        graph=graph,
        source=int(sources[0]) if single else sources,
        distance=distance,
        predecessor=predecessor if predecessors else None,
        stats=stats,
        weighted=True,
        limit=limit,
        nearest=nearest,
    )


def _choose(graph: Graph, signed: bool, delta: Any, wanted: np.dtype[Any]) -> tuple[str, str]:
    """The method that "auto" takes, and why."""
    if signed:
        return "bellman-ford", "a weight is negative"
    if graph.weights is None and delta is None and wanted == np.int32:
        return "bfs", "each arc counts 1"
    return "delta-stepping", "no weight is negative"


def _as_dtype(graph: Graph, dtype: DTypeLike | None) -> np.dtype[Any]:
    if dtype is None:
        return distance_dtype(graph)
    try:
        wanted = np.dtype(dtype)
    except TypeError:
        wanted = np.dtype(object)
    if wanted not in WEIGHT_DTYPES:
        raise ValueError(f"distances are int32, int64, float32 or float64, not {dtype!r}")
    if wanted.kind == "i" and graph.weights is not None and graph.weights.dtype.kind == "f":
        raise ValueError(f"float weights make no {wanted} distances; round the weights first")
    return wanted


def _limits(distance: NDArray[Any], target: int, cutoff: Any) -> Any:
    """How far the answer goes: a number (an array of one each row), or None for all the way.

    Distances beyond the cutoff are unreachable already, so a target that is reached lies
    within it, and the smaller of the two is the limit.
    """
    if target < 0:
        if cutoff is None or distance.ndim == 1:
            return cutoff
        return np.full(len(distance), cutoff)
    known = distance[..., target]
    if cutoff is not None:
        known = np.minimum(known, cutoff)
    if distance.ndim == 1 and known == unreachable(distance.dtype):
        return None
    return known


def _forget_beyond(limit: Any, distance: Any, predecessor: Any) -> None:
    """Make unreachable what is farther than the limit."""
    beyond = distance > (limit[:, None] if distance.ndim == 2 else limit)
    distance[beyond] = unreachable(distance.dtype)
    if predecessor is not None:
        predecessor[beyond] = -1
