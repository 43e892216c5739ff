"""Single-source shortest paths on a CUDA device."""

from collections.abc import Callable
from functools import cache, cached_property
from typing import Any

import cupy
import numpy as np
from numpy.typing import NDArray

from warpath import devices
from warpath.balance import Technique
from warpath.cuda.balance_memory import memory_for
from warpath.cuda.bfs import blocks_for, is_sparse
from warpath.cuda.crowding import with_room
from warpath.cuda.cycles import Offers
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.instances import DRIFT_THREADS, THREADS, sssp_kernel
from warpath.cuda.launch import persistent, run
from warpath.cuda.marks import marks_of, settle
from warpath.cuda.optimizations import DEFAULT
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
_ALL, _NOBODY = 2**32 - 1, 2**32 - 1
_WIDE_ATOMICS_SINCE = (9, 0)  # compute capability: 128 bits
# Vertices and arcs that are worth another block as long as there are fewer than multiprocessors: small R-MATs
# take 5 to 15 % less time than with four times as many, and as long as with half (measured, H200).
_WORK_A_BLOCK = 2048
# Of relaxation.cuh and the frontier's headers.
_COUNTS_AT, _BUCKET_COUNTERS = 128, 128


class RelaxReport(Report):
    """Counts of one run.

    Attributes
    ----------
    endless : bool
        Whether it was stopped after more iterations than vertices: there is a negative cycle.
    """

    endless = False

    @cached_property
    def _counts(self) -> NDArray[np.uint64]:
        return self._fetch(_COUNTS_AT, _COUNTS_AT + 16).view(np.uint64)

    @property
    def improvements(self) -> int:
        """Relaxations that lowered a distance; counted if there is a trace."""
        return int(self._counts[0])

    @property
    def skipped(self) -> int:
        """Arcs that were looked at, but not relaxed, because of their class; likewise."""
        return int(self._counts[1])


@cache
def _kernel(
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
    device: int,
) -> tuple[Any, Any]:
    """The kernel, and how its grid is launched for a graph worth so many ``blocks``."""
    expression = sssp_kernel(
        offset_bytes, relaxing, weight, distance, balance, parents, drift, trace, algebra
    )
    children = balance.launches_children
    threads = DRIFT_THREADS if drift else THREADS
    return persistent(header, expression, threads, blocks, device, children=children)


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
    n, offset_bytes, plain = graph.num_vertices, graph.row_offsets.dtype.itemsize, graph
    dtype = distance.dtype
    never = unreachable(dtype)
    device = cupy.cuda.get_device_id()
    relaxing = _relaxing(method, dtype, optimizations, device)
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
    blocks = _blocks_for(graph, device)
    bucket = delta if method in _WITH_DELTA and delta is not None else never
    if "Duplicates" in relaxing:
        if balance.lists and "Compacted" not in relaxing:
            raise ValueError(
                f"balance={str(balance)!r} lists each vertex once: leave h-bf's duplicate-removal on"
            )
        graph, places = with_room(graph, blocks, device)
        offset_bytes = graph.row_offsets.dtype.itemsize
    else:
        places = n
    kernel, config = _kernel(
        header, offset_bytes, relaxing, weights.dtype.name, dtype.name, balance,
        parents is not None, trace, drift, algebra, blocks, device,
    )  # fmt: skip
    report = RelaxReport(min(n + 1, MAX_ROWS) if trace else 0)
    report.clear()

    room = memory_for(balance, graph)
    several = cupy.asarray(sources) if len(sources) > 1 else None
    rows, bits = -(-n // 4) * 16, -(-n // 128) * 16  # bytes of a word and a bit a vertex, by 16
    queue = -(-places // 4) * 16
    prefixes = queue * offset_bytes // 4
    packed = "Packed" in relaxing
    if packed:
        bits = 0  # all is near: see below
    stamps = rows * (dtype.itemsize // 2) if packed else rows
    piles = rows if "Compacted" in relaxing else 0
    if relaxing in ("NearFarList", "Buckets"):
        piles = 2 * rows + 4 * _BUCKET_COUNTERS
    space = cupy.empty(2 * (queue + prefixes) + stamps + bits + piles, np.uint8)
    queues = [int(space.data.ptr) + i * (queue + prefixes) for i in range(2)]
    stamp = int(space.data.ptr) + 2 * (queue + prefixes)
    # Every kernel clears the far pile's bits. One of packed words does nothing else with them, and
    # nothing with the distances until its end.
    far = distance.data.ptr if packed else stamp + stamps

    # Then floats stand as other bits while the kernel runs.
    may_be_negative = dtype.kind == "f" and (signed or algebra != "shortest")
    n_arg, _, offsets, columns = graph.arguments
    if marks is not None:
        columns = int(marks.column_indices.data.ptr)
    arguments = (
        n_arg, offsets, columns, weights.data.ptr,
        0 if several is None else several.data.ptr, np.uint32(sources[0]), np.uint32(len(sources)),
        positive(bucket, dtype), positive(bucket if widest is None else widest, dtype), dtype.type(cutoff),
        np.uint32(target if target >= 0 else _NOBODY), np.uint32(packed or may_be_negative),
    )  # fmt: skip
    memory = (
        distance.data.ptr, 0 if parents is None else parents.data.ptr,
        queues[0], queues[0] + queue, queues[1], queues[1] + queue, stamp, far,
        stamp + stamps + bits,
        report.control, report.trace_address, np.uint32(max(report.rows, 1)),
        *room.arguments,
    )  # fmt: skip

    source_edges = np.uint32(marks is not None and several is None and not marks.may_be_parallel)

    def step(iterations: int, resumes: bool) -> None:
        run(
            kernel, config, *arguments, np.uint32(iterations), np.uint32(resumes), source_edges,
            *memory,
        )  # fmt: skip

    def finished() -> RelaxReport:
        if marks is not None:
            settle(graph, marks, weights, distance)
        return report

    if loop == "device" and not signed:
        step(_ALL, False)
        return finished()
    if packed:
        words = space[stamp - int(space.data.ptr) :][: 2 * n * dtype.itemsize]
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
        report.clear(4)  # the grid barrier's count


def _blocks_for(graph: DeviceGraph, device: int) -> int:
    """How many blocks a graph is worth: more than to a breadth-first search, up to one a multiprocessor."""
    work = graph.num_vertices + graph.num_arcs
    return max(
        blocks_for(graph), min(work // _WORK_A_BLOCK, devices.device(device).multiprocessors)
    )


def _relaxing(
    method: str, dtype: np.dtype[Any], optimizations: frozenset[str] | None, device: int
) -> str:
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
        base = "Packed" if dtype.itemsize == 4 or _has_wide_atomics(device) else "NearFar"
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


@cache
def _has_wide_atomics(device: int) -> bool:
    return devices.device(device).compute_capability >= _WIDE_ATOMICS_SINCE
