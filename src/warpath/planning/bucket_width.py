"""How wide the buckets of delta-stepping and similar methods are: Δ."""

import math
from dataclasses import astuple, dataclass, replace
from typing import Any, Protocol

import numpy as np

from warpath.operators import PathAlgebra, lookup
from warpath.planning.cache import Keeps, kept
from warpath.planning.degrees import HUBS, SPARSE, Arcs, mean_degree, skew

# Δ = _DELTA · (mean weight) / (degree): Davidson et al.'s form (survey 3.1), with a factor of our own, and the degree that a search
# meets, `Graph.mean_arc_degree`. With the mean degree, all hubs of a power-law graph fall into
# the first bucket and relax each other 2.4 times as often (R-MAT 18, float weights, measured:
# 1.7 times slower). Nearly flat from half to double of this on G(2¹⁸, 2²²) and the 1000² grid.
_DELTA = 4.0

# The same for a GPU, with the mean degree m / n. All measured on an H200, weights 1 … 255, 2026-11.
# As good as any on G(2²², 2²⁶), and in graphs of few arcs per vertex, where more of them share a bucket.
_DEVICE_DELTA, _SPARSE_DEVICE_DELTA = 6.0, 10.0
# Where Δ may grow and it is known whether a graph is a mesh: there the fewer buckets the better, elsewhere the fewer
# relaxations. Milliseconds with a fourth, half, once, twice and four times 10: ER23 3.3, 3.2, 3.8, 5.1, 5.9, rmat.3Mv.20Me
# 1.18, 1.18, 1.32, 2.4, 2.9, delaunay_n20 (growing fourfold) 1.8, 1.7, 1.64, 1.61, 1.62, kkt_power 1.8, 1.6, 1.46, 1.37,
# 1.54. Denser meshes: cage15 takes 5.0, 4.2 and 3.9 with 2.8, 5.6 and 11.2, audikw1 2.1, 2.0 and 2.1 with 5, 10 and 20, msdoor
# 2.3, 2.1 and 2.6 with 6.5, 13 and 26.
_SPARSE_MESH_DELTA, _SPARSE_OTHER_DELTA, _MESH_DELTA = 20.0, 5.0, 13.0
# On smaller graphs an iteration is less work, so there should be fewer: buckets are wider by the cube root.
_DEVICE_VERTICES, _LEAST_FACTOR = 2.0**22, 0.5  # G(2²², 2²⁶)'s, and R-MAT 23's factor
# Where hubs hold most arcs and Δ does not grow, hubs relax all others about once in each bucket, however wide:
# buckets are wider by the whole factor, and not the cube root. Then 6 holds from 24 arcs per vertex on, the last value below
# 10. flickr's stand-in, 12 arcs, takes 25 % longer with the first, R-MAT 22 with 4 arcs 32 % longer with four times the last.
_MOST_HUB_WIDTH, _SPARSE_HUB_DELTA = 0.25, 2.5
# Where it grows (kernels/engine/refill.cuh), it begins narrow, as hubs in one bucket relax each other again and
# again. The fewer arcs, the wider, up to what it is without growth: in mean weights over the degree, R-MAT 19 and 20 are
# best from 1 to 2, from R-MAT 23 on at 0.5, R-MAT 18 is the same from 2 to 96, and R-MAT 16 best at 384.
_HUB_ARCS, _HUB_EXPONENT, _LEAST_HUB_DELTA = 2.0**25.5, 1.5, 0.5
# Where frontiers stay small, buckets grow, to _WIDER / degree² times what they are where it is not known whether a graph is a
# mesh, at least 4 and at most 20. From 7 to 20 times a grid of 2048² (3.6 arcs per vertex) takes the same, roads (2.4) 6 % longer
# with 20 than with 7; best are 4 on a triangulation (6), 2 on kkt_power (6), and anything up to 7 on other meshes (19 to 83).
# Where it is not known they grow more: breadth-first search of the grid on two GPUs takes 4.9 ms with 20 times, 5.1 with 11.
_WIDER, _UNKNOWN_WIDER, _LEAST_WIDER, _MOST_WIDER = 144.0, 256.0, 4.0, 20.0
# Searches that run at once, one in each block, do not wait for others: only the work counts.
_BATCH_DELTA, _SPARSE_BATCH_DELTA = 6.0, 28.0

# How far above a bucket the limit of the prefilter is (kernels/operators/prefiltered.cuh), in mean weights. R-MAT 27 takes
# 68.0, 67.5, 71.0 and 81.7 ms with a 16th, an 8th, a fourth and a half; G(2²⁷, 2³¹) 145.7 and 145.3 with the 8th and the
# fourth, 154 with the half.
_PREFILTER = 1 / 8

# How far above the nearest vertex each of several GPUs goes on alone (kernels/engine/gpu_local.cuh), in the widest buckets: where arcs are
# of the same length, and where they are not. Milliseconds on two H200, 2026-11, with 2, 8 and 32, of BFS on a grid of
# 2048² 5.0, 4.8, 6.0 (6.2 without), of 4700² 13.4, 12.3, 13.1 (16.4); with 1, 2, 8 and 32 of weights 1 … 255 on 4700²
# 21.3, 23.2, 32.1, 45.2 (21.6).
_EQUAL_HORIZON, _HORIZON = 8, 1

# In parts of a graph, in mean weights over the mean degree: wide ones save exchanges, and relax in vain. On 4
# ranks, 2026-11, exchanges and relaxations per arc:
#     width               1           4          16          64
#     R-MAT 15     103, 1.1    41, 1.3     22, 2.5    13, 4.0
#     G(2¹⁵, 2¹⁸)   84, 1.0    43, 1.1     27, 1.7    20, 6.4
#     grid 300²  1,116, 1.0   379, 1.0    128, 1.2    47, 1.9
_PARTS_DELTA, _SPARSE_PARTS_DELTA = 4.0, 16.0
_SPARSE_PARTS = 8  # the mean degree below which a graph has the second width: a guess between those

# Davidson et al.'s factor: the lanes of a warp.
_DAVIDSON = 32.0

# How far ahead of a bucket the CPU's limit of paths is (warpath/cpu/delta_pull.py), in mean weights over the mean degree,
# from this degree on. Times with it over those without, on one thread and on two of a Xeon, 2026-11: R-MAT 20 0.86, 0.81,
# R-MAT 17 1.00, 0.86, G(2²⁰, 2²⁴) 0.87, 0.84, G(2¹⁶, 2²²) 0.86, 0.91; of degree 16 G(2¹⁷, 2²⁰) 1.21, 0.96. With 6 and
# with 10 instead R-MAT 20 takes 0.84 and 0.87, G(2²⁰, 2²⁴) 0.96 and 0.86, R-MAT 17 0.97 and 1.02.
# On an EPYC with 32 MB of L3, 2026-12, likewise: R-MAT 14 1.27, 1.13, R-MAT 16 1.23, 1.13, R-MAT 18 1.24, 1.10, R-MAT 20 1.12,
# 0.92, on two threads R-MAT 21 0.89, G(2¹⁶, 2²²) 1.08, G(2¹⁸, 2²⁴) 1.32. So it is for distances that an L2 does not hold.
_REACH, _REACH_DEGREE, _REACH_VERTICES = 8.0, 24, 2**20
# The same for a GPU (kernels/engine/path_limit.cuh), whose limit is set earlier; with hubs and without. Milliseconds with 2, 4, 8
# and 14, H200, 2026-11: R-MAT 27 41.6, 38.8, 41.6, 48.8, R-MAT 24 6.2, 5.9, 5.9, 6.3, R-MAT 23 2.25, 2.13, 2.16, 2.27 (with 5 and
# 10 R-MAT 22 of 64 edges per vertex 2.39, 2.23, R-MAT 24 with a = 0.45 7.7, 7.1);
# G(2²², 2²⁶) 2.36, 1.92, 1.82, 1.87. With 8, 11 and 14 G(2²⁷, 2³¹) takes 94.9, 73.7, 72.1, and G(2²⁴, 2²⁸) with 8 and 14
# 9.9 and 7.7. A limit that is too near costs more than one that is too far. In these a bucket had ended when the limit was set.
# Within a bucket it is counted from a lower threshold: with 19 G(2²⁷, 2³¹) takes 70.9, G(2²⁴, 2²⁸) 7.6 and G(2²², 2²⁶) 1.78, and
# with 7 R-MAT 27 takes 41.0, R-MAT 23 2.06.
_HUB_DEVICE_REACH, _DEVICE_REACH = 7.0, 19.0

# Buckets for all the keys that a path can have, where these are not sums. On the CPU 256 is within
# 10 % of the best of 1 to 1024 for widest and minimax on R-MAT 16, G(2¹⁶, 2²⁰) and the 500² grid
# (two threads, Zen 5). The exception is minimax on the grid, 7 ms against 5. Products there fall
# so fast that no width matters. On an H200, weights 1 … 255: between what is best on R-MAT 20 (4 or
# fewer, twice as fast) and on G(2²⁰, 2²⁴) (64, a tenth faster).
_SPREAD = {"cpu": 256, "cuda": 32}
# Distances in units of Δ are 64-bit integers in the kernel.
_MOST_BUCKETS = 2.0**60


@dataclass(frozen=True)
class BucketWidth:
    """Δ, as keys of an algebra.

    Attributes
    ----------
    first : float
    widest : float
        What it becomes on a GPU where frontiers stay small. Larger than ``first``: it also grows behind hubs.
    steady : float
        On a GPU, of methods whose buckets do not grow.
    batch : float
        Δ of searches that a GPU runs at once.
    prefilter : float
        How far above a bucket the limit of a GPU's prefilter is.
    reach : float
        How far ahead of a bucket the limit is from which on paths are left out until the vertices there look for them;
        0: on a CPU there is none.
    horizon_buckets : int
        How far above the nearest vertex each of several GPUs goes on alone, in the widest buckets.
    """

    first: float
    widest: float
    steady: float
    batch: float
    prefilter: float
    reach: float = 0.0
    horizon_buckets: int = 1


def as_width(delta: float, reach: float = 0.0) -> BucketWidth:
    """The width that a caller asks for, whatever runs."""
    width = float(delta)
    return BucketWidth(width, width, width, width, width, reach)


class Weighed(Arcs, Keeps, Protocol):
    """What of a graph, in one piece or in parts, decides how wide buckets are."""

    @property
    def directed(self) -> bool:
        """Whether an arc's reverse may be missing."""

    @property
    def mean_weight(self) -> float:
        """Average weight of an arc."""

    @property
    def weight_range(self) -> tuple[Any, Any]:
        """The least and the largest weight."""


def davidsons(graph: Weighed, algebra: PathAlgebra) -> float:
    """Davidson et al.'s Δ, 32 · (mean weight) / (mean degree), as the survey's section 3.1 has it; at least 1 for integers."""
    if not algebra.adds:
        raise ValueError(
            f"delta=davidson is a rule for sums of weights, not for algebra {algebra.name!r}"
        )
    width = _DAVIDSON * graph.mean_weight / mean_degree(graph)
    return max(width, 1.0) if isinstance(graph.weight_range[1], int) else width


def default_reach(
    graph: Weighed, algebra: PathAlgebra, device: str, step: float | None = None
) -> float:
    """`BucketWidth.reach`; 0 where no path can be left out. ``step`` as of `default_width`."""
    if algebra.adds:
        step = graph.mean_weight
    elif device == "cpu":
        step = None
    if not step or graph.directed:
        return 0.0
    unit = step / max(mean_degree(graph), 1.0)
    if device == "cpu":
        gains = mean_degree(graph) >= _REACH_DEGREE and graph.num_vertices >= _REACH_VERTICES
        return _REACH * unit if gains else 0.0
    return unit * (_HUB_DEVICE_REACH if skew(graph) >= HUBS else _DEVICE_REACH)


def default_width(
    graph: Weighed,
    algebra: PathAlgebra,
    longest: float,
    device: str,
    step: float | None = None,
    mesh: bool | None = None,
) -> BucketWidth:
    """A rule's width, by the weights and degrees of a graph.

    Parameters
    ----------
    longest : float
        A bound of how far a path leads from its start.
    device : {"cpu", "cuda"}
    step : float, optional
        How much worse one more arc makes a path, if that is not its weight, and there is no such bound.
    mesh : bool, optional
        Whether the graph is a mesh (`warpath.planning.meshes`), if that is known.
    """
    degree = mean_degree(graph)
    with np.errstate(over="ignore"):
        if algebra.adds:
            step = graph.mean_weight
        if step is None:
            first = steady = grown = batch = prefilter = longest / _SPREAD[device]
        elif device == "cpu":
            first = steady = grown = batch = prefilter = (
                _DELTA * step / max(graph.mean_arc_degree, 1.0)
            )
        else:
            first, steady, grown = (means * step for means in _on_device(graph, degree, mesh))
            factor = _BATCH_DELTA if degree >= SPARSE else _SPARSE_BATCH_DELTA
            batch = factor * step / degree
            prefilter = _PREFILTER * step
    if not algebra.multiplies and isinstance(graph.weight_range[1], int):
        first, steady, grown, batch, prefilter = (
            max(one, 1.0) for one in (first, steady, grown, batch, prefilter)
        )  # integers lie no closer
    wider = (_UNKNOWN_WIDER if mesh is None else _WIDER) / degree**2
    wider = min(max(wider, _LEAST_WIDER), _MOST_WIDER)
    # What cannot grow on a map begins wider: near-far there takes 20 to 30 % less than with the first width.
    if degree < SPARSE and skew(graph) < HUBS:
        steady = max(steady, batch)
    equal = graph.weight_range[0] == graph.weight_range[1]
    return BucketWidth(
        first, max(first, grown * wider), steady, batch, prefilter, default_reach(graph, algebra, device, step),
        _EQUAL_HORIZON if equal else _HORIZON,
    )  # fmt: skip


def _on_device(graph: Weighed, degree: float, mesh: bool | None) -> tuple[float, float, float]:
    """Where Δ may grow, and where it may not, and from what it grows; in mean weights."""
    smaller = max(_DEVICE_VERTICES / max(graph.num_vertices, 1), _LEAST_FACTOR)
    if skew(graph) >= HUBS:
        most = max(_MOST_HUB_WIDTH, _SPARSE_HUB_DELTA / degree)
        steady = smaller * min(_DEVICE_DELTA / degree, most)
        narrow = max((_HUB_ARCS / graph.num_arcs) ** _HUB_EXPONENT, _LEAST_HUB_DELTA)
        first = min(narrow / degree, steady)
        return first, steady, first
    if degree < SPARSE:
        steady = _SPARSE_DEVICE_DELTA / degree
        if mesh is None:
            return steady, steady, steady
        return (_SPARSE_MESH_DELTA if mesh else _SPARSE_OTHER_DELTA) / degree, steady, steady
    steady = math.cbrt(smaller) * _DEVICE_DELTA / degree
    first = max(_MESH_DELTA / degree, steady) if mesh else steady
    return first, steady, first


def bounded(width: BucketWidth, longest: float) -> BucketWidth:
    """The same, wide enough for 2⁶⁰ buckets; ``longest`` as of `default_width`."""
    longest = min(float(longest), float(np.finfo(np.float64).max))
    least = max(longest / _MOST_BUCKETS, float(np.finfo(np.float64).tiny))

    def enough(one: float) -> float:
        return max(one, least) if one > 0 else max(1.0, least)

    kept = {"reach": width.reach, "horizon_buckets": width.horizon_buckets}
    return replace(BucketWidth(*map(enough, astuple(width))), **kept)  # type: ignore[arg-type]


class _EachOne:
    """A graph whose arcs each count 1."""

    mean_weight, weight_range = 1.0, (1, 1)

    def __init__(self, graph: Weighed) -> None:
        self._graph = graph

    def __getattr__(self, name: str) -> Any:
        return getattr(self._graph, name)


@kept
def width_at_once(graph: Weighed, weighted: bool = True) -> BucketWidth:
    """Δ of shortest paths on several GPUs by one launch on each: one GPU's; kept with the graph.

    Parameters
    ----------
    weighted : bool
        False: each arc counts 1.
    """
    graph = graph if weighted else _EachOne(graph)
    farthest = max(graph.num_vertices - 1, 1) * graph.weight_range[1]
    return bounded(default_width(graph, lookup("shortest"), farthest, "cuda"), farthest)


def width_in_parts(graph: Weighed, dtype: "np.dtype[Any]") -> Any:
    """Δ of distances of a dtype in a graph in parts, where each bucket ends with an exchange."""
    degree = max(graph.num_arcs / max(graph.num_vertices, 1), 1.0)
    factor = _SPARSE_PARTS_DELTA if degree < _SPARSE_PARTS else _PARTS_DELTA
    width = factor * graph.mean_weight / degree
    if dtype.kind == "i":
        return dtype.type(min(max(int(width), 1), np.iinfo(dtype).max // 2))
    return dtype.type(min(width, float(np.finfo(dtype).max)) if width > 0 else 1.0)
