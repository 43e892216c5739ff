"""The methods of `warpath.sssp`: what each is, and a run of one, planned before it starts."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.negative import check_cycle
from warpath.algorithms.overflow import check_reached
from warpath.algorithms.sources import as_number
from warpath.cpu.bellman_ford import bellman_ford
from warpath.cpu.bfs import ALPHA, BETA, bfs
from warpath.cpu.delta_stepping import delta_stepping
from warpath.cpu.dijkstra import dijkstra
from warpath.cpu.queueless import queueless
from warpath.cpu.report import Report
from warpath.cpu.sequential_bellman_ford import sequential_bellman_ford
from warpath.graph.build import read_only
from warpath.graph.distance import fits, longest_path, unreachable
from warpath.graph.graph import Graph

METHODS = {
    "auto": "delta-stepping; bellman-ford where a weight is negative, bfs without weights",
    "delta-stepping": "buckets of distances, parallel (Meyer & Sanders)",
    "dijkstra": "an indexed 4-ary heap, one thread",
    "bellman-ford": "frontiers, parallel, negative weights (H-BF, algorithm 3)",
    "bellman-ford-queueless": "every arc in every iteration, parallel, negative weights",
    "sequential-bellman-ford": "a first-in-first-out queue, one thread, negative weights",
}
NON_NEGATIVE = ("delta-stepping", "dijkstra")

# Δ = _DELTA · (mean weight) / (degree): the survey's rule, with the degree that a search
# meets, `Graph.mean_arc_degree`. With the mean degree, all hubs of a power-law graph fall into
# the first bucket and relax each other 2.4 times as often (R-MAT 18, float weights, measured:
# 1.7 times slower). Nearly flat from half to double of this on G(2¹⁸, 2²²) and the 1000² grid.
_DELTA = 4.0
# Distances in units of Δ are 64-bit integers in the kernel.
_MOST_BUCKETS = 2.0**60


@dataclass(frozen=True)
class Plan:
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
        if self.method == "bfs":
            limit = min(int(self.cutoff), np.iinfo(np.int32).max)
            report = bfs(
                graph, sources, "optimizing", ALPHA, BETA, limit, distance, predecessor, threads
            )
            distance[distance < 0] = unreachable(self.dtype)
        elif self.method == "delta-stepping":
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


def plan(
    graph: Graph,
    method: str,
    signed: bool,
    delta: float | None,
    ceiling: float,
    target: int,
    wanted: np.dtype[Any],
) -> Plan:
    """Decide the dtype of the run, the weights, limits and bucket width that the method needs.

    Raises
    ------
    ValueError, OverflowError
        See `warpath.sssp`.
    """
    bound = longest_path(graph)
    if signed:
        # Before a negative cycle is found, a walk may go round it for 2n arcs.
        bound += 2 * graph.num_vertices * max(map(abs, graph.weight_range))
    # An integer dtype that may be too narrow: run in 64 bits, and see at the end.
    dtype = wanted if wanted.kind == "f" or fits(bound, wanted) else np.dtype(np.int64)
    weights = graph.weights
    if weights is None:
        arcs = 0 if method == "bfs" else graph.num_arcs
        weights = np.ones(arcs, np.int32 if dtype.kind == "i" else dtype)
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
    return Plan(
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
        with np.errstate(over="ignore"):
            width = _DELTA * graph.mean_weight / max(graph.mean_arc_degree, 1.0)
        if graph.weight_range[1] >= 1 and isinstance(graph.weight_range[1], int):
            width = max(width, 1.0)  # integers lie no closer
    longest = min(float(bound), float(np.finfo(np.float64).max))
    least = max(longest / _MOST_BUCKETS, float(np.finfo(np.float64).tiny))
    return max(width, least) if width > 0 else max(1.0, least)
