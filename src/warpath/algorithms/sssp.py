"""Single-source shortest paths."""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from warpath.algorithms.negative import check_cycle, check_undirected
from warpath.algorithms.overflow import check_reached, narrow
from warpath.algorithms.result import Paths
from warpath.algorithms.sources import as_number, as_sources, check_call, choose, run_each
from warpath.algorithms.stats import Stats
from warpath.cpu.bellman_ford import bellman_ford
from warpath.cpu.delta_stepping import delta_stepping
from warpath.cpu.dijkstra import dijkstra
from warpath.cpu.queueless import queueless
from warpath.cpu.report import Report
from warpath.cpu.sequential_bellman_ford import sequential_bellman_ford
from warpath.cpu.threads import threads_for
from warpath.cpu.trace import EDGES, VERTICES
from warpath.graph.build import read_only
from warpath.graph.check import WEIGHT_DTYPES, as_vertex
from warpath.graph.distance import distance_dtype, fits, longest_path, unreachable
from warpath.graph.graph import Graph

METHODS = {
    "auto": "delta-stepping, or bellman-ford where a weight is negative",
    "delta-stepping": "buckets of distances, parallel (Meyer & Sanders)",
    "dijkstra": "an indexed 4-ary heap, one thread",
    "bellman-ford": "frontiers, parallel, negative weights (H-BF, algorithm 3)",
    "bellman-ford-queueless": "every arc in every iteration, parallel, negative weights",
    "sequential-bellman-ford": "a first-in-first-out queue, one thread, negative weights",
}
_NON_NEGATIVE = ("delta-stepping", "dijkstra")

# Δ = _DELTA · (mean weight) / (mean degree), the survey's rule; 4 measured among 1 … 32 on
# R-MAT 18, G(2¹⁸, 2²²) and the 1000² grid, 2 cores, 2026-11.
_DELTA = 4.0
# Distances in units of Δ are 64-bit integers in the kernel.
_MOST_BUCKETS = 2.0**60


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
        One of `METHODS`. "auto" takes one that is right for the weights.
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
    if signed and method in _NON_NEGATIVE:
        raise ValueError(
            f"method {method!r} cannot take negative weights (the smallest is "
            f"{graph.weight_range[0]}); use 'bellman-ford' or 'auto'"
        )
    why = "as asked"
    if method == "auto":
        method = "bellman-ford" if signed else "delta-stepping"
        why = "a weight is negative" if signed else "no weight is negative"
    if signed:
        goal = -1  # nothing can stop early
    if signed and not graph.directed:
        check_undirected(graph, sources)
        signed = False  # the negative edges are out of reach
    plan = _plan(graph, method, signed, delta, ceiling, goal, wanted)

    one_answer = single or nearest
    shape = (n,) if one_answer else (len(sources), n)
    distance = np.empty(shape, plan.dtype)
    predecessor = np.empty(shape, np.int32) if predecessors or one_answer else None
    if one_answer:
        start = np.unique(sources)
        reports = [plan.run(start, distance, predecessor, threads_for(graph))]
    else:
        reports = run_each(plan.run, graph, sources, distance, predecessor)
    limit = _limits(distance, goal, None if cutoff is None else plan.cutoff)
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
        delta=plan.delta,
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


@dataclass(frozen=True)
class _Plan:
    """One method with everything it needs but the source."""

    graph: Graph
    method: str
    signed: bool
    weights: NDArray[Any]
    dtype: np.dtype[Any]
    cutoff: Any
    target: int
    delta: float | None
    may_overflow: bool

    def run(self, sources: Any, distance: Any, predecessor: Any, threads: int) -> Report:
        """Run, and raise what the run found: a negative cycle, an overflow."""
        graph, weights = self.graph, self.weights
        if self.method == "delta-stepping":
            assert self.delta is not None
            report = delta_stepping(
                graph, weights, sources, self.delta, self.cutoff, self.target,
                distance, predecessor, threads,
            )  # fmt: skip
        elif self.method == "dijkstra":
            report = dijkstra(
                graph, weights, sources, self.cutoff, self.target, distance, predecessor
            )
        elif self.method == "sequential-bellman-ford":
            report = sequential_bellman_ford(
                graph, weights, sources, self.signed, distance, predecessor
            )
        else:
            method = bellman_ford if self.method == "bellman-ford" else queueless
            report = method(graph, weights, sources, self.signed, distance, predecessor, threads)
        check_cycle(report, predecessor)
        if self.may_overflow:
            check_reached(graph, weights, distance, report, self.cutoff, self.target)
        return report


def _plan(
    graph: Graph,
    method: str,
    signed: bool,
    delta: float | None,
    ceiling: float,
    target: int,
    wanted: np.dtype[Any],
) -> _Plan:
    bound = longest_path(graph)
    if signed:
        # Before a negative cycle is found, a walk may go round it for 2n arcs.
        bound += 2 * graph.num_vertices * max(map(abs, graph.weight_range))
    # An integer dtype that may be too narrow: run in 64 bits, and see at the end.
    dtype = wanted if wanted.kind == "f" or fits(bound, wanted) else np.dtype(np.int64)
    weights = graph.weights
    if weights is None:
        weights = np.ones(graph.num_arcs, np.int32 if dtype.kind == "i" else dtype)
    elif dtype.kind == "f" and weights.dtype != dtype:
        weights = _as_floats(weights, dtype)
    elif dtype == np.int32 and weights.dtype == np.int64:
        weights = weights.astype(np.int32)
    weights = read_only(weights)  # as the graph's own: kernels are compiled once for both
    most = unreachable(dtype)
    if dtype.kind == "f":
        cutoff = dtype.type(ceiling if fits(ceiling, dtype) else math.inf)
    else:
        # No path is as long as the value for "no path"; a cutoff's fraction decides nothing.
        cutoff = int(most) - 1 if ceiling >= most else math.floor(ceiling)
    if method == "delta-stepping":
        delta = _delta(graph, delta, bound)
    elif delta is not None:
        raise ValueError(f"delta is a knob of 'delta-stepping', not of {method!r}")
    return _Plan(
        graph, method, signed, weights, dtype, cutoff, target, delta, not fits(bound, dtype)
    )


def _as_floats(weights: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    with np.errstate(over="ignore"):
        floats = weights.astype(dtype)
    if not np.isfinite(floats).all():
        where = int(np.flatnonzero(~np.isfinite(floats))[0])
        raise OverflowError(f"weight {weights[where]} of arc {where} does not fit in {dtype}")
    return floats


def _delta(graph: Graph, delta: float | None, bound: float) -> float:
    """The bucket width that was asked for, or the survey's; wide enough for 2⁶⁰ buckets."""
    if delta is not None:
        width = float(as_number(delta, "delta"))
        if not 0 < width < math.inf:
            raise ValueError(f"delta must be positive and finite, not {delta!r}")
    else:
        degree = graph.num_arcs / max(graph.num_vertices, 1)
        with np.errstate(over="ignore"):
            width = _DELTA * graph.mean_weight / max(degree, 1.0)
    longest = min(float(bound), float(np.finfo(np.float64).max))
    least = max(longest / _MOST_BUCKETS, float(np.finfo(np.float64).tiny))
    return max(width, least) if width > 0 else max(1.0, least)


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
