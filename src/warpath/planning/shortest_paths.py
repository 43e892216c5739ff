"""Which method finds shortest paths, and all that it needs."""

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.graph.distance import fits, likely_fits_32_bits, summed_in, unreachable
from warpath.graph.graph import Graph
from warpath.operators import PathAlgebra, laws
from warpath.planning import path_limit, prefilter
from warpath.planning.breadth_first import SCHEDULE_IN_PARTS, fitted_bfs
from warpath.planning.bucket_width import (
    BucketWidth,
    as_width,
    bounded,
    davidsons,
    default_reach,
    default_width,
    width_at_once,
    width_in_parts,
)
from warpath.planning.cache import kept
from warpath.planning.degrees import HUBS, is_sparse, skew
from warpath.planning.fitted_balance import fitted
from warpath.planning.meshes import is_mesh
from warpath.planning.methods import METHODS
from warpath.planning.parts import is_one_launch, plan_in_parts
from warpath.planning.placement import Placement
from warpath.planning.plan import Plan, memory_of_search, plan_for
from warpath.planning.predecessors import pack_with_distances
from warpath.planning.small_frontiers import ASYNCHRONOUS_METHODS, of_relaxation
from warpath.planning.threads import threads_for
from warpath.schedule import Schedule
from warpath.schedule.optimizations import default
from warpath.typing import DeltaRule

# On an H200 the sweep takes as long as h-bf on R-MAT 22 and G(2²¹, 2²⁵), and half of it on a grid.
_SIGNED = {"cpu": "bellman-ford", "cuda": "workfront-sweep"}
# Where hubs hold most arcs, as in R-MAT graphs of any size, and these are few, nearly all vertices are best in one bucket.
# The sweep is that: it has no buckets. With predecessors it takes 0.76 to 1.02 of the time of delta-stepping on 14 such graphs,
# and 0.82 to 1.03 of h-bf's. On larger graphs it relaxes too much in vain: R-MAT 20 of 34 M arcs takes 1.75 times as long.
# So it is taken where arcs are at most this many, and the skew is at least the cube root of the vertices. R-MAT 12 to
# 23 have 1.1 to 1.2 of that; stand-ins of flickr, which have 0.6 and 0.7, are better off with buckets (H200, 2026-11).
_FEW_ARCS = 10**7


def choose(
    graph: Graph,
    algebra: PathAlgebra,
    delta: Any,
    wanted: np.dtype[Any],
    dtype: np.dtype[Any],
    device: str,
    whole: bool,
    least_step: Any,
) -> tuple[str, str]:
    """The method that "auto" takes on a device, and why.

    Parameters
    ----------
    wanted, dtype : dtype
        Those of the distances that are asked for, and of the run's.
    whole : bool
        Whether it is one search, of all that can be reached, and nothing is asked for that only delta-stepping has.
    least_step : number
        See `Relaxation`.
    """
    if algebra.is_boolean:
        return "bfs", "weights do not matter"
    if algebra.adds and graph.weight_range[0] < 0:
        return _SIGNED[device], "a weight is negative"
    if algebra.adds and graph.weight_dtype is None and delta is None and wanted == np.int32:
        return "bfs", "each arc counts 1"
    sums = algebra.adds or least_step > 0
    if device == "cuda" and whole and sums and delta is None and dtype.itemsize == 4:
        n, m = graph.num_vertices, graph.num_arcs
        if not is_sparse(graph) and m <= _FEW_ARCS and skew(graph) ** 3 >= n > 0:
            return "workfront-sweep", "hubs hold most arcs, and these are few"
    if not algebra.adds:
        return "delta-stepping", "no arc makes a path better"
    if device == "cpu" and delta is None and graph.largest_degree <= 2 - graph.directed:
        return "dijkstra", "paths and cycles: there is one vertex at a time"
    return "delta-stepping", "no weight is negative"


@dataclass(frozen=True, eq=False)
class Relaxation:
    """One method with everything it needs but the ends. Each is equal to itself only, as a key.

    Distances, cutoff and Δ are keys of the algebra: the less, the better.

    Attributes
    ----------
    algebra : PathAlgebra
    method, why : str
        ``"bfs"`` or one of `METHODS`, and why it was taken.
    signed : bool
        Whether a weight that a source may reach is negative, and betters a path.
    dtype, weight_dtype : dtype
        Those of the run's distances, and of its weights.
    start : number
        The distance that sources have in the run: see `PathAlgebra.start`.
    cutoff : scalar of ``dtype``
        The greatest distance.
    width : BucketWidth or None
    may_overflow : bool
        Whether a path may be longer than the dtype holds, or too unreliable.
    least_step : number
        How much worse an edge makes a path at least, where that is known to be more than 0; else 0.
    is_narrowed : bool
        Whether it is tried: see `narrowed`.
    """

    algebra: PathAlgebra
    method: str
    why: str
    signed: bool
    dtype: np.dtype[Any]
    weight_dtype: np.dtype[Any]
    start: Any
    cutoff: Any
    width: BucketWidth | None
    may_overflow: bool
    least_step: Any
    is_narrowed: bool = False


@kept
def relaxation(
    graph: Graph,
    algebra: PathAlgebra,
    method: str,
    signed: bool,
    delta: float | DeltaRule | None,
    cutoff: float | None,
    wanted: np.dtype[Any],
    device: str,
    whole: bool = False,
) -> Relaxation:
    """Decide the method, the dtypes, limits and bucket width of a run; kept with the graph.

    Parameters
    ----------
    whole : bool
        Whether it is one search, of all that can be reached.

    Raises
    ------
    ValueError, OverflowError
        See `warpath.sssp`.
    """
    dtype, bound = wanted, algebra.spread(graph)
    if signed:
        # Before a negative cycle is found, a walk may go round it for 2n arcs.
        bound += 2 * graph.num_vertices * max(map(abs, graph.weight_range))
    if algebra.is_boolean:
        dtype = np.dtype(np.int32)  # of numbers of arcs
    elif algebra.adds and wanted.kind == "i" and not fits(bound, wanted):
        dtype = np.dtype(np.int64)  # that may be too narrow as well: see at the end
    elif algebra.selects and wanted.kind == "i" and not algebra.tells(graph, wanted):
        _refuse(graph, wanted, lambda weights: ~algebra.is_told(weights, wanted))
    weight_dtype = _weight_dtype(graph, algebra, dtype)
    step = (
        None if algebra.extension is None else _check_extension(graph, algebra, dtype, weight_dtype)
    )
    grows = algebra.growth(graph, dtype, weight_dtype)
    least = algebra.least_step(graph, grows)
    none = int(unreachable(dtype)) if dtype.kind == "i" else 0
    stays = grows is not None and grows.stays_within(
        int(algebra.source(dtype)), graph.num_vertices - 1, (-none, none - 1)
    )
    why = "as asked"
    if method == "auto":
        method, why = choose(graph, algebra, delta, wanted, dtype, device, whole, least)
    width = None
    if method != "bfs" and METHODS[method].has_delta:
        if delta is None:
            adds_up = algebra.adds or step
            may_be_mesh = device == "cuda" and adds_up and skew(graph) < HUBS
            mesh = is_mesh(graph) if may_be_mesh else None
            width = default_width(graph, algebra, bound, device, step, mesh)
        else:
            reach = default_reach(graph, algebra, device, step) if device == "cuda" else 0.0
            width = as_width(davidsons(graph, algebra) if delta == "davidson" else delta, reach)
        width = bounded(width, bound)
    elif delta is not None:
        those = ", ".join(name for name, one in METHODS.items() if one.has_delta and name != "auto")
        raise ValueError(f"delta is a knob of {those}, not of {method!r}")
    return Relaxation(
        algebra=algebra,
        method=method,
        why=why,
        signed=signed,
        dtype=dtype,
        weight_dtype=weight_dtype,
        start=algebra.start_key(graph, dtype),
        cutoff=_cutoff(algebra, cutoff, dtype),
        width=width,
        may_overflow=algebra.multiplies
        or (algebra.adds and not fits(bound, dtype))
        or (algebra.extension is not None and dtype.kind == "i" and not stays),
        least_step=least,
    )


@kept
def narrowed(graph: Graph, run: Relaxation) -> Relaxation | None:
    """The same run with sums of int32, if the longest path might not fit, but all that are shortest are likely to.

    Then the answer may have to be thrown away (`warpath.algorithms.shortest_paths.overflow.may_leave`).
    """
    narrow = np.dtype(np.int32)
    sums = run.algebra.adds and run.algebra.extension is None and not run.signed
    if run.method == "bfs" or not sums or not likely_fits_32_bits(graph, run.dtype):
        return None
    cutoff = _cutoff(run.algebra, None, narrow)
    return replace(run, dtype=narrow, cutoff=cutoff, may_overflow=False, is_narrowed=True)


def _check_extension(
    graph: Graph, algebra: PathAlgebra, dtype: np.dtype[Any], weight_dtype: np.dtype[Any]
) -> float:
    """Refuse a function that breaks a law; how much worse one more edge makes a path, on average."""
    extension = algebra.extension
    assert extension is not None
    if not extension.fits(dtype.name, weight_dtype.name):
        result = extension.typed(dtype.name, weight_dtype.name).result
        raise ValueError(
            f"{extension.source.place_of_line(extension.source.line(extension.source.tree))}: extend returns {result}, "
            f"and distances are {dtype}: write np.{dtype}(…), or ask for dtype={result!r}"
        )
    some = laws.sample(algebra, graph, dtype, weight_dtype)
    laws.check_laws(algebra, some, dtype)
    return laws.mean_step(algebra, some, dtype)


def _cutoff(algebra: PathAlgebra, cutoff: float | None, dtype: np.dtype[Any]) -> Any:
    """The largest key of a path that is as good as the cutoff."""
    none = unreachable(dtype)
    if cutoff is None or cutoff == algebra.unreached:
        return none if dtype.kind == "f" else int(none) - 1
    if dtype.kind == "f":
        inf = math.inf if cutoff > 0 else -math.inf
        return algebra.keys(dtype.type(cutoff if fits(abs(cutoff), dtype) else inf))
    # A fraction decides nothing, and no path is as long as the value for "no path".
    least, most = int(np.iinfo(dtype).min), int(none) - 1
    key = -cutoff if algebra.larger_is_better else cutoff
    if not least < key <= most:
        return least if key < 0 else most
    return math.floor(key) - algebra.larger_is_better


def _weight_dtype(graph: Graph, algebra: PathAlgebra, dtype: np.dtype[Any]) -> np.dtype[Any]:
    """That of the distances; but int32 weights serve int64 distances as they are."""
    own = graph.weight_dtype
    if dtype.kind == "i":
        if algebra.extension is not None and own == np.int64 and dtype == np.int32:
            _refuse(graph, dtype, lambda weights: weights != weights.astype(dtype))
        return np.dtype(np.int32) if own in (None, np.int32) else dtype
    if own is not None:
        with np.errstate(over="ignore"):
            ends = np.array(graph.weight_range).astype(dtype)
        if not np.isfinite(ends).all():
            _refuse(graph, dtype, lambda weights: ~np.isfinite(weights.astype(dtype)))
        if algebra.multiplies and dtype != own and not np.can_cast(own, dtype):
            _refuse(graph, dtype, lambda weights: (weights > 0) & (weights.astype(dtype) == 0))
    return dtype


def _refuse(graph: Graph, dtype: np.dtype[Any], is_bad: Callable[[NDArray[Any]], Any]) -> None:
    """Raise the first weight that is bad for a dtype, if there is one."""
    weights = graph.weights
    if weights is None:
        return
    with np.errstate(over="ignore", under="ignore"):
        bad = np.flatnonzero(is_bad(weights))
    if len(bad):
        raise OverflowError(f"weight {weights[bad[0]]} of arc {bad[0]} does not fit in {dtype}")


def plan_sssp(
    graph: Graph,
    run: Relaxation,
    schedule: Schedule,
    place: Placement,
    dtype: np.dtype[Any],
    rows: int | None,
    predecessors: bool,
) -> Plan:
    """The plan of a search for shortest paths.

    Parameters
    ----------
    graph : Graph
    run : Relaxation
    schedule : Schedule
        What was asked for.
    dtype : dtype
        The answer's dtype.
    rows : int or None
        How many searches there are, each with its answer; None: one.
    """
    if place.devices:
        return _plan_in_parts(graph, place, dtype, rows, predecessors)
    threads = 0
    if place.device == "cpu":
        threads = threads_for(graph, rows, relaxes=run.method != "bfs")
    return _plan(graph, run, schedule, place, dtype, rows, predecessors, threads)


def _is_limited(run: Relaxation) -> bool:
    """Whether a search that counts arcs may not go to the end."""
    return run.method == "bfs" and bool(run.cutoff < unreachable(run.dtype) - 1)


@kept
def _plan_in_parts(
    graph: Graph, place: Placement, dtype: np.dtype[Any], rows: int | None, predecessors: bool
) -> Plan:
    how, method, why = SCHEDULE_IN_PARTS, "bfs", "each arc counts 1"
    signed = graph.weight_range[0] < 0
    if signed:
        method, why = "workfront-sweep", "a weight is negative"
    elif graph.weight_dtype is not None:
        at_once = is_one_launch(place.devices)
        delta = float(width_in_parts(graph, dtype))
        if at_once:
            delta = min(width_at_once(graph).first, sys.float_info.max)
        how = Schedule(balance=SCHEDULE_IN_PARTS.balance, delta=delta)
        method, why = "delta-stepping", "no weight is negative"
    return plan_in_parts(
        graph, "sssp", place, method, why, dtype,
        rows=rows, answer_per_vertex=dtype.itemsize + 4 * predecessors, schedule=how,
        summed=np.dtype(np.int64) if signed and dtype.kind == "i" else summed_in(graph, dtype),
        by_copies=signed,
    )  # fmt: skip


@kept
def _plan(
    graph: Graph,
    run: Relaxation,
    schedule: Schedule,
    place: Placement,
    dtype: np.dtype[Any],
    rows: int | None,
    predecessors: bool,
    threads: int,
) -> Plan:
    counts = run.method == "bfs"
    own = run.dtype if run.algebra.is_boolean else dtype
    if counts:
        asked = replace(schedule, delta=None, optimizations=None)
        how = fitted_bfs(graph, asked, place, limited=_is_limited(run))
    else:
        how = _filled(graph, run, schedule, place, predecessors and rows is None)
    return plan_for(
        graph,
        "sssp",
        place,
        run.method,
        run.why,
        own,
        **memory_of_search(graph, "sssp", place.device, own, rows, predecessors, threads),
        threads=threads,
        schedule=how,
        reads_reverse=counts,
        reads_weights=not counts,
    )


def _filled(
    graph: Graph, run: Relaxation, schedule: Schedule, place: Placement, one_tree: bool
) -> Schedule:
    """What of a schedule a device has, without gaps; ``one_tree``: for one search with predecessors."""
    delta = None if run.width is None else min(run.width.first, sys.float_info.max)
    if place.device == "cpu":
        return Schedule(delta=delta)
    balance = fitted(schedule.technique, graph, relaxes=run.method, out_of_core=place.out_of_core)
    if run.method == "h-bf" and schedule.optimizations is None:
        schedule = replace(schedule, optimizations=default(run.dtype))
    how = replace(schedule, balance=balance, delta=delta).with_loop()
    small = schedule.small_frontiers
    if small == "async" and (run.method not in ASYNCHRONOUS_METHODS or how.loop == "host"):
        raise ValueError(
            f"small_frontiers='async' is for methods {', '.join(ASYNCHRONOUS_METHODS)} with loop='device', "
            f"not for {run.method!r} with loop={how.loop!r}"
        )
    packs = one_tree and pack_with_distances(run.dtype, run.least_step)
    small = small or of_relaxation(
        graph, run.method, how.loop, schedule.technique, packs_tree=packs
    )
    if schedule.prefilter == "on" and run.method not in prefilter.METHODS:
        raise ValueError(
            f"prefilter='on' is for method {', '.join(prefilter.METHODS)}, not for {run.method!r}"
        )
    why_not = path_limit.refused(graph, run.method, run.algebra, run.width)
    if schedule.path_limit == "on" and why_not is not None:
        raise ValueError(f"path_limit='on' {why_not}")
    limits = schedule.path_limit or path_limit.of_relaxation(graph, why_not)
    filters = schedule.prefilter or (
        "off"  # the limit leaves few edges whose ends are looked up
        if limits == "on"
        else prefilter.of_relaxation(graph, run.method, run.dtype, asynchronous=small == "async")
    )
    return replace(how, small_frontiers=small, prefilter=filters, path_limit=limits)
