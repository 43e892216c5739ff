"""Single-source shortest paths on a CUDA device."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.balance import Technique
from warpath.cuda import runtime
from warpath.cuda.arguments import INVALID_VERTEX, POINTER
from warpath.cuda.custom_algebra import header_for
from warpath.cuda.cycles import CandidateParents
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.edge_classes import edge_classes, relax_deferred
from warpath.cuda.execute import kernel, suggested_grid_size
from warpath.cuda.instances import ASYNC_THREADS, THREADS, sssp_kernel
from warpath.cuda.program import ProgramReport, Search
from warpath.cuda.queue_capacity import with_queue_capacity
from warpath.graph.distance import positive, unreachable
from warpath.operators import PathAlgebra, lookup

_WITH_DELTA = ("near-far", "bucketing", "delta-stepping")
# Iterations before a negative cycle is looked for the first time; then twice as many, and so on.
# Asynchronous ones have up to 64 rounds (engine/program.cuh).
FIRST_SLICE, _FIRST_ASYNC = 64, 8
_WIDE_ATOMICS_SINCE = (9, 0)  # compute capability: 128 bits
# Vertices and arcs per block, as long as there are fewer than multiprocessors: small R-MATs
# take 5 to 15 % less time than with four times as many, and as long as with half (measured, H200).
_WORK_PER_BLOCK = 2048


def sssp(
    graph: DeviceGraph,
    weights: Any,
    sources: NDArray[np.int32],
    method: str,
    delta: float | None,
    cutoff: Any,
    target: int,
    distance: Any,
    balance: Technique,
    loop: str = "device",
    trace: bool = True,
    signed: bool = False,
    parents: Any = None,
    tree: bool = False,
    check: Callable[[CandidateParents], object] | None = None,
    optimizations: frozenset[str] | None = None,
    asynchronous: bool = False,
    max_delta: float | None = None,
    prefilter_width: float | None = None,
    path_limit_width: float | None = None,
    algebra: str | PathAlgebra = "shortest",
) -> ProgramReport:
    """Fill ``distance`` from ``sources``.

    Everything is queued on the current stream; without ``signed``, and with ``loop="device"``,
    nothing is waited for.

    Parameters
    ----------
    graph : DeviceGraph
        It has a vertex.
    weights : cupy array, shape (m,)
        In the dtype of ``distance``, or int32 for distances of int64.
    sources : int32 array, shape (k,)
    method : str
        One of `warpath.planning.methods.METHODS` for CUDA; if ``signed``, one for negative weights.
    delta : float or None
        Width of buckets; None for methods that have none.
    cutoff : number
        Distances beyond it need not be right, but are never less; in the dtype of ``distance``.
    target : int
        Likewise beyond this vertex's distance; negative for none.
    distance : cupy array of int32, int64, float32 or float64, shape (n,)
    loop : {"device", "host"}
        One launch for all iterations, or one for each. Where ``balance`` launches child grids, one that ends with an
        iteration of the grid.
    signed : bool
        Whether weights may be negative.
    parents : cupy array of int32, shape (n,), optional
        Filled with candidates for predecessors, -1 for sources and the unreached: each vertex's
        is one that offered it a shorter distance once, usually the last.
    tree : bool
        Whether ``parents`` are the vertices before each on a shortest path (``operators/relax_tree.cuh``): for integers
        of 32 bits, where each edge makes a path worse, never if ``asynchronous``.
    check : callable, optional
        Called after slices of iterations as long as the run continues, if ``signed``: to look for a
        negative cycle in ``parents``, with what these offer. What it raises ends the run.
    optimizations : frozenset of str, optional
        For h-bf: those of `warpath.schedule.optimizations.OPTIMIZATIONS`, ``IN_PLACE_OF_REMOVAL`` and ``QUEUES``
        that are a kernel's matter. None for other methods.
    asynchronous : bool
        Whether blocks run asynchronously between two splits of the far pile (engine/program.cuh).
        By default for delta-stepping and workfront-sweep on sparse graphs. Only methods whose
        ``_relaxing`` is "NearFarRelaxing" can; never with ``loop="host"``.
    max_delta : float, optional
        What ``delta`` may grow to where frontiers stay small; by default it does not.
    prefilter_width : float, optional
        With a prefilter (``operators/prefiltered.cuh``): how far above a bucket its limit is. For delta-stepping.
    path_limit_width : float, optional
        With a limit of paths (``engine/path_limit.cuh``): how far above a bucket it is. For delta-stepping on undirected graphs.
    algebra : str or PathAlgebra
        Distances, ``cutoff`` and ``delta`` are its keys.

    Returns
    -------
    ProgramReport
        ``endless`` if the frontier was not empty after more iterations than vertices; distances
        then mean nothing.

    Notes
    -----
    Takes 20 bytes per vertex for queues and stamps (28 with 64-bit offsets) and a bit for the far
    pile (near-far, bucketing and parallel-dijkstra: and 8 bytes, or 16), from CuPy's pool. A prefilter takes another bit, a tree 8 bytes. h-bf with duplicate removal takes
    4 bytes more and no bit, with 128-bit words 12; without, up to 60. Marks are 4 bytes per arc,
    kept with the graph. An edge queue is 12 to 24 bytes per arc.
    Integers stop at the dtype's limits: a path that is too long leaves a vertex unreachable, one
    that is too negative leaves the dtype's least.
    """
    n, plain = graph.num_vertices, graph
    dtype = distance.dtype
    never = unreachable(dtype)
    here = runtime.current()
    relaxing = variant(
        _relaxing(method, dtype, optimizations),
        tree=tree, limited=path_limit_width is not None, prefiltered=prefilter_width is not None,
    )  # fmt: skip
    optimizations = optimizations or frozenset()
    is_classified = "edge-classification" in optimizations
    marks = edge_classes(graph) if is_classified else None
    modified = "cache-modifiers" in optimizations
    algebra = lookup(algebra)
    header = header_for(
        f"algorithms/sssp{'_cache_modifiers' * modified}.cuh", algebra, dtype, weights.dtype
    )
    if balance.launches_children:
        loop = "host"
    asynchronous = asynchronous and loop == "device"
    blocks = _suggested_grid_size(graph)
    bucket = delta if method in _WITH_DELTA and delta is not None else never
    given: dict[str, Any] = {}
    more, lightest = problem_of(method), None
    if method == "parallel-dijkstra":
        bucket, lightest = 0, here.xp.empty(n, weights.dtype)
        given["lightest"] = here.address(lightest)
    capacity = n
    if "Duplicates" in relaxing:
        if balance.lists and "Compacted" not in relaxing:
            raise ValueError(
                f"balance={str(balance)!r} lists each vertex once: leave h-bf's duplicate-removal on"
            )
        writing = None if balance.launches_children else blocks
        graph, capacity = with_queue_capacity(graph, writing)
    program = kernel(
        header, sssp_kernel, graph.offset_bytes, relaxing, weights.dtype.name, dtype.name, balance,
        parents is not None and not tree, asynchronous, trace, algebra.name, blocks=blocks,
        threads=ASYNC_THREADS if asynchronous else THREADS, children=balance.launches_children,
    )  # fmt: skip
    packed = "Packed" in relaxing
    # Then floats stand as other bits while the kernel runs.
    may_be_negative = dtype.kind == "f" and (signed or algebra.has_negative_keys(dtype))
    search = Search(
        program, relaxing, graph, balance, sources, distance, parents, capacity, trace,
        graph.num_arcs * ("ThroughEdgeQueue" in relaxing),
        csr=None if marks is None else graph.csr_with(marks.column_indices),
        more=more, **given, weights=here.address(weights), delta=positive(bucket, dtype),
        prefilter_width=positive(never if prefilter_width is None else prefilter_width, dtype),
        path_limit_width=positive(never if path_limit_width is None else path_limit_width, dtype),
        max_delta=positive(bucket if max_delta is None else max_delta, dtype),
        cutoff=dtype.type(cutoff), target=target if target >= 0 else INVALID_VERTEX,
        finishes=packed or tree or may_be_negative,
        source_edges=marks is not None and len(sources) == 1 and not marks.may_be_parallel,
    )  # fmt: skip
    report = search.report

    def finished() -> ProgramReport:
        if marks is not None:
            relax_deferred(graph, marks, weights, distance)
        return report

    if not signed:
        search.run(loop, balance.launches_children)
        return finished()
    if packed:
        words = search.space[search.layout.begin["stamp"] :][: 2 * n * dtype.itemsize]
        keys_now = words.view(f"i{dtype.itemsize}")[int(dtype.itemsize == 4) :: 2]
    else:
        keys_now = distance.view(f"i{dtype.itemsize}")
    checked, slice = 0, _FIRST_ASYNC if asynchronous else FIRST_SLICE
    while True:
        level, size = search.step(1 if loop == "host" else slice)
        if size == 0:
            return finished()
        if level - checked >= slice:
            if check is not None:
                check(CandidateParents(plain, weights, keys_now, dtype))
            if level > n:
                report.endless = True
                return report
            checked, slice = level, 2 * slice


def variant(
    relaxing: str, *, tree: bool = False, limited: bool = False, prefiltered: bool = False
) -> str:
    """The same algorithm with predecessors, a limit of paths or a prefilter."""
    if tree:
        relaxing = relaxing.replace("NearFarRelaxing", "NearFarTreeRelaxing")
    return "PrefilteredRelaxing " * prefiltered + "LimitedRelaxing " * limited + relaxing


def problem_of(method: str) -> dict[str, str]:
    """What a method's problem has beyond `warpath.cuda.program.program_problem`."""
    return {"lightest": POINTER} if method == "parallel-dijkstra" else {}


def _suggested_grid_size(graph: DeviceGraph) -> int:
    """Blocks of the grid: more than for a breadth-first search, up to one per multiprocessor."""
    work = graph.num_vertices + graph.num_arcs
    return max(
        suggested_grid_size(graph), min(work // _WORK_PER_BLOCK, runtime.current().multiprocessors)
    )


def _relaxing(method: str, dtype: np.dtype[Any], optimizations: frozenset[str] | None) -> str:
    """The algorithm of ``algorithms/sssp.cuh``, as `sssp_kernel` takes it."""
    if method != "h-bf":
        return _OF_METHODS[method]
    assert optimizations is not None
    base = "DuplicatesRelaxing"
    if "lookup-compaction" in optimizations:
        base = "Compacted DuplicatesRelaxing"
    if "bitmap-frontier" in optimizations:
        base = "ThroughBitmap Relaxing"
    if "duplicate-removal" in optimizations:
        if dtype.itemsize == 8 and runtime.current().compute_capability < _WIDE_ATOMICS_SINCE:
            major, minor = _WIDE_ATOMICS_SINCE
            raise ValueError(
                "optimization 'duplicate-removal' of distances of 64 bits needs atomics of 128 bits, which "
                f"GPUs have from compute capability {major}.{minor} on: take 'stamps'"
            )
        base = "PackedRelaxing"
    if "stamps" in optimizations:
        base = "NearFarRelaxing"
    changes = (
        "Filtered:HashTable " * ("hash-duplicates" in optimizations),
        "Filtered:WarpCulling " * ("warp-culling" in optimizations),
        "ClassifiedRelaxing " * ("edge-classification" in optimizations),
        "Scattered " * ("coalesced-enqueue" not in optimizations),
        "ThroughEdgeQueue " * ("edge-queue" in optimizations),
    )
    return "".join(changes) + base


_OF_METHODS = {
    "workfront-sweep": "NearFarRelaxing",
    "delta-stepping": "NearFarRelaxing",
    "near-far": "NearFarListRelaxing",
    "bucketing": "BucketsRelaxing",
    "bellman-ford-queueless": "QueuelessRelaxing",
    "parallel-dijkstra": "DijkstraRelaxing",
}
