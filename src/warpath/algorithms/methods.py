"""The methods of `warpath.sssp`: what each is, and a run of one, planned before it starts."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from warpath.algorithms.sources import as_number
from warpath.cuda.instances import SPARSE
from warpath.graph.distance import fits, longest_path, unreachable
from warpath.graph.graph import Graph


@dataclass(frozen=True)
class Method:
    """What a method is, and what it can do.

    Attributes
    ----------
    about : str
    devices : tuple of str
        The engines that have it: ``"cpu"``, ``"cuda"``.
    negative : bool
        Whether it takes negative weights.
    has_delta : bool
        Whether ``delta`` is one of its knobs.
    """

    about: str
    devices: tuple[str, ...]
    negative: bool = False
    has_delta: bool = False


_CPU, _CUDA, _BOTH = ("cpu",), ("cuda",), ("cpu", "cuda")

METHODS = {
    "auto": Method("the best for the weights and the device", _BOTH, negative=True, has_delta=True),
    "delta-stepping": Method(
        "buckets of distances, parallel (Meyer & Sanders)", _BOTH, has_delta=True
    ),
    "dijkstra": Method("an indexed 4-ary heap, one thread", _CPU),
    "bellman-ford": Method("frontiers, parallel (H-BF, algorithm 3)", _CPU, negative=True),
    "near-far": Method("a near queue and a far pile (Davidson et al.)", _CUDA, has_delta=True),
    "workfront-sweep": Method("frontiers, parallel (Davidson et al.)", _CUDA, negative=True),
    "h-bf": Method(
        "frontiers, distance and iteration in one word (Busato & Bombieri)", _CUDA, negative=True
    ),
    "bellman-ford-queueless": Method(
        "every arc in every iteration, parallel", _BOTH, negative=True
    ),
    "sequential-bellman-ford": Method(
        "a first-in-first-out queue, one thread", _CPU, negative=True
    ),
}
"""Those of the CUDA engine are `warpath.cuda.sssp.METHODS`."""


_SIGNED = {"cpu": "bellman-ford", "cuda": "workfront-sweep"}  # the latter is a guess


def choose(graph: Graph, delta: Any, wanted: np.dtype[Any], device: str) -> tuple[str, str]:
    """The method that "auto" takes on a device, and why."""
    if graph.weight_range[0] < 0:
        return _SIGNED[device], "a weight is negative"
    if graph.weight_dtype is None and delta is None and wanted == np.int32:
        return "bfs", "each arc counts 1"
    return "delta-stepping", "no weight is negative"


# Δ = _DELTA · (mean weight) / (degree): the survey's rule, with the degree that a search
# meets, `Graph.mean_arc_degree`. With the mean degree, all hubs of a power-law graph fall into
# the first bucket and relax each other 2.4 times as often (R-MAT 18, float weights, measured:
# 1.7 times slower). Nearly flat from half to double of this on G(2¹⁸, 2²²) and the 1000² grid.
_DELTA = 4.0
# The same for a GPU, with the mean degree m / n. Measured on an H200, weights 1 … 255: between what
# is best on R-MAT 20 (8 or more) and R-MAT 23 (2), and as good as any on G(2²², 2²⁶). In graphs of
# few arcs a vertex more of them should share a bucket: 28 is within 5 % of the best on G(2²², 2²³),
# where twice as much takes twice as long; a 2048² grid would be 1.3 times faster with eight times
# as much.
_DEVICE_DELTA, _SPARSE_DEVICE_DELTA = 6.0, 28.0
# Distances in units of Δ are 64-bit integers in the kernel.
_MOST_BUCKETS = 2.0**60


@dataclass(frozen=True)
class Plan:
    """One method with everything it needs but the source.

    Attributes
    ----------
    method, why : str
        ``"bfs"`` or one of `METHODS`, and why it was taken.
    signed : bool
        Whether a weight that a source may reach is negative.
    dtype, weight_dtype : dtype
        Of the run's distances, and of its weights.
    cutoff : scalar of ``dtype``
        The greatest distance.
    target : int
        -1: none.
    delta : float or None
    may_overflow : bool
        Whether a path may be longer than the dtype holds.
    """

    graph: Graph
    method: str
    why: str
    signed: bool
    dtype: np.dtype[Any]
    weight_dtype: np.dtype[Any]
    cutoff: Any
    target: int
    delta: float | None
    may_overflow: bool


def plan(
    graph: Graph,
    method: str,
    signed: bool,
    delta: float | None,
    ceiling: float,
    target: int,
    wanted: np.dtype[Any],
    device: str,
) -> Plan:
    """Decide the method, the dtypes, limits and bucket width of a run.

    Raises
    ------
    ValueError, OverflowError
        See `warpath.sssp`.
    """
    why = "as asked"
    if method == "auto":
        method, why = choose(graph, delta, wanted, device)
    bound = longest_path(graph)
    if signed:
        # Before a negative cycle is found, a walk may go round it for 2n arcs.
        bound += 2 * graph.num_vertices * max(map(abs, graph.weight_range))
    # An integer dtype that may be too narrow: run in 64 bits, and see at the end.
    dtype = wanted if wanted.kind == "f" or fits(bound, wanted) else np.dtype(np.int64)
    most = unreachable(dtype)
    if dtype.kind == "f":
        cutoff = dtype.type(ceiling if fits(ceiling, dtype) else math.inf)
    else:
        # No path is as long as the value for "no path"; a cutoff's fraction decides nothing.
        cutoff = int(most) - 1 if ceiling >= most else math.floor(ceiling)
    if method != "bfs" and METHODS[method].has_delta:
        delta = _delta(graph, delta, bound, device)
    elif delta is not None:
        those = ", ".join(name for name, one in METHODS.items() if one.has_delta and name != "auto")
        raise ValueError(f"delta is a knob of {those}, not of {method!r}")
    return Plan(
        graph=graph,
        method=method,
        why=why,
        signed=signed,
        dtype=dtype,
        weight_dtype=_weight_dtype(graph, dtype),
        cutoff=cutoff,
        target=target,
        delta=delta,
        may_overflow=not fits(bound, dtype),
    )


def _weight_dtype(graph: Graph, dtype: np.dtype[Any]) -> np.dtype[Any]:
    """That of the distances; but int32 weights serve int64 distances as they are."""
    own = graph.weight_dtype
    if dtype.kind == "i":
        return np.dtype(np.int32) if own in (None, np.int32) else dtype
    if own is not None:
        with np.errstate(over="ignore"):
            ends = np.array(graph.weight_range).astype(dtype)
        if not np.isfinite(ends).all():
            _refuse(graph, dtype)
    return dtype


def _refuse(graph: Graph, dtype: np.dtype[Any]) -> None:
    """Raise the first weight that is too large for a float dtype."""
    weights = graph.weights
    assert weights is not None
    with np.errstate(over="ignore"):
        where = int(np.flatnonzero(~np.isfinite(weights.astype(dtype)))[0])
    raise OverflowError(f"weight {weights[where]} of arc {where} does not fit in {dtype}")


def _delta(graph: Graph, delta: float | None, bound: float, device: str) -> float:
    """The bucket width that was asked for, or the survey's; wide enough for 2⁶⁰ buckets."""
    if delta is not None:
        width = float(as_number(delta, "delta"))
        if not 0 < width < math.inf:
            raise ValueError(f"delta must be positive and finite, not {delta!r}")
    else:
        with np.errstate(over="ignore"):
            if device == "cpu":
                width = _DELTA * graph.mean_weight / max(graph.mean_arc_degree, 1.0)
            else:
                degree = graph.num_arcs / max(graph.num_vertices, 1)
                factor = _DEVICE_DELTA if degree >= SPARSE else _SPARSE_DEVICE_DELTA
                width = factor * graph.mean_weight / max(degree, 1.0)
        if graph.weight_range[1] >= 1 and isinstance(graph.weight_range[1], int):
            width = max(width, 1.0)  # integers lie no closer
    longest = min(float(bound), float(np.finfo(np.float64).max))
    least = max(longest / _MOST_BUCKETS, float(np.finfo(np.float64).tiny))
    return max(width, least) if width > 0 else max(1.0, least)
