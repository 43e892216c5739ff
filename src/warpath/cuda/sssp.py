"""Single-source shortest paths on a CUDA device."""

from collections.abc import Callable
from functools import cache, cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.balance import Technique
from warpath.cuda import runtime
from warpath.cuda.arguments import (
    AMOUNT,
    BALANCE_MEMORY,
    BOOL,
    CSR,
    INVALID_VERTEX,
    POINTER,
    RUN,
    SOURCES,
    TRACE_ROWS,
    U32,
    U64,
    Struct,
)
from warpath.cuda.balance_memory import memory_for
from warpath.cuda.bfs import blocks_for, is_sparse, sources_of
from warpath.cuda.crowding import with_room
from warpath.cuda.cycles import Offers
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.instances import DRIFT_THREADS, THREADS, sssp_kernel
from warpath.cuda.marks import marks_of, settle
from warpath.cuda.memory import Layout, words_of_bits
from warpath.cuda.optimizations import DEFAULT
from warpath.cuda.runtime import Kernel, Runtime
from warpath.cuda.trace import MAX_ROWS, Report
from warpath.graph.distance import positive, unreachable

METHODS = (
    "workfront-sweep", "near-far", "bucketing", "delta-stepping", "h-bf", "bellman-ford-queueless",
)  # fmt: skip
_DRIFTING = ("delta-stepping", "workfront-sweep")
_WITH_DELTA = ("near-far", "bucketing", "delta-stepping")
SIGNED_METHODS = ("workfront-sweep", "h-bf", "bellman-ford-queueless")
# Iterations before a negative cycle is looked for the first time; then twice as many, and so on.
# Drifts have up to 64 rounds (relaxation.cuh).
FIRST_SLICE, _FIRST_DRIFTS = 64, 8
_ALL = 2**32 - 1  # iterations
_WIDE_ATOMICS_SINCE = (9, 0)  # compute capability: 128 bits
# Vertices and arcs that are worth another block as long as there are fewer than multiprocessors: small R-MATs
# take 5 to 15 % less time than with four times as many, and as long as with half (measured, H200).
_WORK_A_BLOCK = 2048
_BUCKET_COUNTERS = 128  # words: `bucket_counters` of frontier/buckets.cuh

_SPACE = Struct(  # RelaxSpace of relaxation_state.cuh
    distance=POINTER, parents=POINTER, vertices=(POINTER, 2), prefix=(POINTER, 2), stamp=POINTER,
    far=POINTER, piles=POINTER, n=U32, control=POINTER, balance=BALANCE_MEMORY,
)  # fmt: skip


@cache
def relax_control(offset_bytes: int, distance_bytes: int) -> Struct:
    """``RelaxControl`` of relaxation_state.cuh."""
    key = f"i{distance_bytes}"
    progress = Struct(
        level=U32, step=U32, size=U32, current=U32, queue=U32, items=f"u{offset_bytes}",
        threshold=key, base=key, splits=U32, calm=U32, crowded=BOOL,
    )  # fmt: skip
    return Struct(
        arrived=U32, marked=U32, progress=progress, tail=(U64, 3), least=(key, 3), piled=(U32, 3),
        crowded=(U32, 3), drifted=(AMOUNT, 3), lowered=U64, skipped=U64,
    )  # fmt: skip


@cache
def relax_problem(distance: np.dtype[Any]) -> Struct:
    """``RelaxProblem`` of relaxation_state.cuh."""
    return Struct(
        graph=CSR, weights=POINTER, delta=distance, most_delta=distance, cutoff=distance,
        target=U32, finishes=BOOL, source_edges=BOOL,
    )  # fmt: skip


@cache
def sssp_arguments(distance: np.dtype[Any]) -> Struct:
    """``SsspArguments`` of sssp.cuh."""
    return Struct(
        problem=relax_problem(distance), sources=SOURCES, run=RUN, space=_SPACE, trace=TRACE_ROWS
    )


class RelaxReport(Report):
    """Counts of one run.

    Attributes
    ----------
    endless : bool
        Whether it was stopped after more iterations than vertices: there is a negative cycle.
    """

    endless = False

    @cached_property
    def _counts(self) -> tuple[int, int]:
        control = self.control()
        return int(control["lowered"]), int(control["skipped"])

    @property
    def improvements(self) -> int:
        """Relaxations that lowered a distance; counted if there is a trace."""
        return self._counts[0]

    @property
    def skipped(self) -> int:
        """Arcs that were looked at, but not relaxed, because of their class; likewise."""
        return self._counts[1]


@cache
def _kernel(
    here: Runtime,
    device: int,
    header: str,
    offset_bytes: int,
    relaxing: str,
    weight: str,
    distance: str,
    balance: Technique,
    parents: bool,
    trace: bool,
    drift: bool,
    algebra: str,
    blocks: int,
) -> Kernel:
    """The kernel, with its grid for a graph worth ``blocks`` blocks."""
    threads = here.threads(DRIFT_THREADS if drift else THREADS)
    expression = sssp_kernel(
        offset_bytes, relaxing, weight, distance, balance, parents, drift, trace, algebra, threads
    )
    return here.persistent(header, expression, threads, blocks, children=balance.launches_children)


@lru_cache(maxsize=64)
def _layout(n: int, places: int, offset_bytes: int, distance_bytes: int, relaxing: str) -> Layout:
    """What a search takes."""
    packed, offset = "Packed" in relaxing, f"u{offset_bytes}"
    piles = n if "Compacted" in relaxing else 0
    if relaxing in ("NearFarList", "Buckets"):
        piles = 2 * n + _BUCKET_COUNTERS
    return Layout(
        queue=(U32, places), prefix=(offset, places),
        second_queue=(U32, places), second_prefix=(offset, places),
        # Two words of a packed distance, or a stamp. All is near where they are packed: no bits.
        stamp=(f"u{distance_bytes}", 2 * n) if packed else (U32, n),
        far=(U32, 0 if packed else words_of_bits(n)), piles=(U32, piles),
    )  # fmt: skip


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
    check: Callable[[Offers], object] | None = None,
    optimizations: frozenset[str] | None = None,
    drift: bool | None = None,
    widest: float | None = None,
    algebra: str = "shortest",
) -> RelaxReport:
    """Fill ``distance`` from ``sources``.

    Everything is queued on the current stream; without ``signed``, and with ``loop="device"``,
    nothing is waited for.

    Parameters
    ----------
    graph : DeviceGraph
        Of at least one vertex.
    weights : cupy array, shape (m,)
        Of the dtype of ``distance``, or int32 for distances of int64.
    sources : int32 array, shape (k,)
    method : str
        One of `METHODS`; if ``signed``, of `SIGNED_METHODS`.
    delta : float or None
        Width of buckets; None for methods that have none.
    cutoff : number
        Distances beyond it need not be right, but are never less; in the dtype of ``distance``.
    target : int
        Likewise beyond this vertex's distance; negative for none.
    distance : cupy array of int32, int64, float32 or float64, shape (n,)
    loop : {"device", "host"}
        One launch for all iterations, or one for each, as it is where ``balance`` launches child
        grids.
    signed : bool
        Whether weights may be negative.
    parents : cupy array of int32, shape (n,), optional
        Filled with candidates for predecessors, -1 for sources and the unreached: each vertex's
        is one that offered it a shorter distance once, mostly the last.
    check : callable, optional
        Called every so many iterations as long as the run goes on, if ``signed``: to look for a
        negative cycle in ``parents``, with what these offer. What it raises ends the run.
    optimizations : frozenset of str, optional
        Of h-bf: of `warpath.cuda.optimizations.OPTIMIZATIONS` and ``IN_PLACE_OF_REMOVAL`` there,
        those that are a kernel's matter.
        By default as `DEFAULT` there, but with stamps for distances of 64 bits.
    drift : bool
        Whether the blocks go each its own way between two splits of the far pile (relaxation.cuh).
        By default for delta-stepping and workfront-sweep on sparse graphs. Only methods whose
        ``_relaxing`` is "NearFar" can; never with ``loop="host"``.
    widest : float, optional
        What ``delta`` may become where frontiers stay narrow; by default it stays.
    algebra : str
        Of which distances, ``cutoff`` and ``delta`` are keys: one of
        `warpath.cuda.instances.ALGEBRAS`.

    Returns
    -------
    RelaxReport
        ``endless`` if the frontier was not empty after more iterations than vertices; distances
        then mean nothing.

    Notes
    -----
    Takes 20 bytes a vertex for queues and stamps (28 with 64-bit offsets) and a bit for the far
    pile (near-far and bucketing: and 8 bytes), from CuPy's pool. h-bf with duplicate removal takes
    4 bytes more and no bit, with 128-bit words 12; without, up to 60; marks are 4 bytes an arc, kept with the graph.
    Integers stop at the dtype's limits: a path that is too long leaves a vertex unreachable, one
    that is too negative leaves the dtype's least.
    """
    n, plain = graph.num_vertices, graph
    dtype = distance.dtype
    never = unreachable(dtype)
    here = runtime.current()
    relaxing = _relaxing(method, dtype, optimizations)
    optimizations = DEFAULT if optimizations is None else optimizations
    is_classified = method == "h-bf" and "edge-classification" in optimizations
    marks = marks_of(graph) if is_classified else None
    modified = method == "h-bf" and "cache-modifiers" in optimizations
    header = "sssp_cache_modifiers.cuh" if modified else "sssp.cuh"
    if balance.launches_children:
        loop = "host"
    if drift is None:
        drift = method in _DRIFTING and is_sparse(graph)
    drift = drift and loop == "device"
    blocks = _blocks_for(graph)
    bucket = delta if method in _WITH_DELTA and delta is not None else never
    places = n
    if "Duplicates" in relaxing:
        if balance.lists and "Compacted" not in relaxing:
            raise ValueError(
                f"balance={str(balance)!r} lists each vertex once: leave h-bf's duplicate-removal on"
            )
        graph, places = with_room(graph, blocks)
    offset_bytes = graph.offset_bytes
    kernel = _kernel(
        here, here.device, header, offset_bytes, relaxing, weights.dtype.name, dtype.name, balance,
        parents is not None, trace, drift, algebra, blocks,
    )  # fmt: skip
    control = relax_control(offset_bytes, dtype.itemsize)
    report = RelaxReport(min(n + 1, MAX_ROWS) if trace else 0, control)

    room = memory_for(balance, graph)
    starts, _several = sources_of(sources)
    packed = "Packed" in relaxing
    layout = _layout(n, places, offset_bytes, dtype.itemsize, relaxing)
    space = here.xp.empty(layout.nbytes, np.uint8)
    at = layout.at(here.address(space))

    # Then floats stand as other bits while the kernel runs.
    may_be_negative = dtype.kind == "f" and (signed or algebra != "shortest")
    arguments = sssp_arguments(dtype)
    problem = relax_problem(dtype)(
        graph=graph.csr if marks is None else graph.csr_with(marks.column_indices),
        weights=here.address(weights), delta=positive(bucket, dtype),
        most_delta=positive(bucket if widest is None else widest, dtype),
        cutoff=dtype.type(cutoff), target=target if target >= 0 else INVALID_VERTEX,
        finishes=packed or may_be_negative,
        source_edges=marks is not None and len(sources) == 1 and not marks.may_be_parallel,
    )  # fmt: skip
    space_of = _SPACE(
        distance=here.address(distance), parents=here.address(parents),
        vertices=(at["queue"], at["second_queue"]), prefix=(at["prefix"], at["second_prefix"]),
        stamp=at["stamp"],
        # Every kernel clears the far pile's bits. One of packed words does nothing else with
        # them, and nothing with the distances until its end.
        far=here.address(distance) if packed else at["far"], piles=at["piles"], n=n,
        control=report.address(), balance=room.of(),
    )  # fmt: skip

    def step(iterations: int, resumes: bool) -> None:
        launched = RUN(iterations=iterations, resumes=resumes)
        kernel.launch(
            arguments(
                problem=problem, sources=starts, run=launched, space=space_of, trace=report.trace
            )
        )

    def finished() -> RelaxReport:
        if marks is not None:
            settle(graph, marks, weights, distance)
        return report

    if loop == "device" and not signed:
        step(_ALL, False)
        return finished()
    if packed:
        words = space[layout.begin["stamp"] :][: 2 * n * dtype.itemsize]
        keys_now = words.view(f"i{dtype.itemsize}")[int(dtype.itemsize == 4) :: 2]
    else:
        keys_now = distance.view(f"i{dtype.itemsize}")
    level, checked, slice = 0, 0, _FIRST_DRIFTS if drift else FIRST_SLICE
    while True:
        step(1 if loop == "host" else slice, level > 0)
        level, size = report.progress()
        if size == 0:
            return finished()
        if signed and level - checked >= slice:
            if check is not None:
                check(Offers(plain, weights, keys_now, dtype))
            if level > n:
                report.endless = True
                return report
            checked, slice = level, 2 * slice
        report.clear_barrier()


def _blocks_for(graph: DeviceGraph) -> int:
    """How many blocks a graph is worth: more than to a breadth-first search, up to one a multiprocessor."""
    work = graph.num_vertices + graph.num_arcs
    return max(blocks_for(graph), min(work // _WORK_A_BLOCK, runtime.current().multiprocessors))


def _relaxing(method: str, dtype: np.dtype[Any], optimizations: frozenset[str] | None) -> str:
    """How ``relaxing.cuh`` does it, as `sssp_kernel` takes it."""
    if method != "h-bf":
        return _OF_METHODS[method]
    if optimizations is None:
        return "Packed" if dtype.itemsize == 4 else "NearFar"
    base = "Compacted Duplicates" if "lookup-compaction" in optimizations else "Duplicates"
    if "bitmap-frontier" in optimizations:
        base = "Bitmap"
    if "duplicate-removal" in optimizations:
        # Without atomics of 128 bits, distances of 64 have stamps.
        base = "Packed" if dtype.itemsize == 4 or _has_wide_atomics() else "NearFar"
    changes = (
        "Hashed " * ("hash-duplicates" in optimizations),
        "Culled " * ("warp-culling" in optimizations),
        "Classified " * ("edge-classification" in optimizations),
        "Scattered " * ("coalesced-enqueue" not in optimizations),
    )
    return "".join(changes) + base


_OF_METHODS = {
    "workfront-sweep": "NearFar",
    "delta-stepping": "NearFar",
    "near-far": "NearFarList",
    "bucketing": "Buckets",
    "bellman-ford-queueless": "Queueless",
}


def _has_wide_atomics() -> bool:
    return runtime.current().compute_capability >= _WIDE_ATOMICS_SINCE
