"""Single-source shortest paths on a CUDA device."""

from collections.abc import Callable
from functools import cache
from typing import Any

import cupy
import numpy as np
from numpy.typing import NDArray

from warpath.balance import Technique
from warpath.cuda.bfs import BLOCK_ITEMS, blocks_for, default_cluster, is_sparse
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.instances import THREADS, sssp_kernel
from warpath.cuda.launch import persistent, run
from warpath.cuda.trace import MAX_ROWS, Report
from warpath.graph.distance import unreachable

METHODS = ("workfront-sweep", "near-far", "delta-stepping", "h-bf", "bellman-ford-queueless")
_WITH_DELTA = ("near-far", "delta-stepping")
SIGNED_METHODS = ("workfront-sweep", "h-bf", "bellman-ford-queueless")
# Iterations before a negative cycle is looked for the first time; then twice as many, and so on.
FIRST_SLICE = 64
_ALL, _NOBODY = 2**32 - 1, 2**32 - 1


class RelaxReport(Report):
    """Counts of one run.

    Attributes
    ----------
    endless : bool
        Whether it was stopped after more iterations than vertices: there is a negative cycle.
    """

    endless = False


@cache
def _kernel(
    offset_bytes: int,
    relaxing: str,
    weight: str,
    distance: str,
    balance: Technique,
    parents: bool,
    trace: bool,
    blocks: int,
    cluster: int,
    device: int,
) -> tuple[Any, Any]:
    """The kernel, and how its grid is launched for a graph worth so many ``blocks``."""
    expression = sssp_kernel(
        offset_bytes, relaxing, weight, distance, balance, parents, cluster > 0, trace
    )
    return persistent("sssp.cuh", expression, THREADS, blocks, device, max(cluster, 1))


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
    check: Callable[[], object] | None = None,
    narrow_items: int = BLOCK_ITEMS,
    cluster: int | None = None,
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
        One launch for all iterations, or one for each.
    signed : bool
        Whether weights may be negative.
    parents : cupy array of int32, shape (n,), optional
        Filled with candidates for predecessors, -1 for sources and the unreached: each vertex's
        is one that offered it a shorter distance once, mostly the last.
    check : callable, optional
        Called every so many iterations as long as the run goes on, if ``signed``: to look for a
        negative cycle in ``parents``. What it raises ends the run.
    narrow_items : int
        Frontiers of at most so many arcs stay in one cluster of blocks.
    cluster : int
        How many blocks that are; at most 1 on devices without clusters; 0: the grid does all. By
        default as `warpath.cuda.bfs.bfs` has it for sparse graphs, and 0 for others: a kernel for
        both takes more registers. Only workfront-sweep and delta-stepping, and h-bf with
        distances of 64 bits, may have another.

    Returns
    -------
    RelaxReport
        ``endless`` if the frontier was not empty after more iterations than vertices; distances
        then mean nothing.

    Notes
    -----
    Takes 20 bytes a vertex for queues and stamps (28 with 64-bit offsets; h-bf 4 more) and a bit
    for the far pile (near-far: and 8 bytes), from CuPy's pool. Integers stop at the dtype's limits: a path that is too long leaves a
    vertex unreachable, one that is too negative leaves the dtype's least.
    """
    n, offset_bytes = graph.num_vertices, graph.row_offsets.dtype.itemsize
    dtype = distance.dtype
    never = unreachable(dtype)
    device = cupy.cuda.get_device_id()
    relaxing = _relaxing(method, dtype)
    if relaxing != "NearFar":
        cluster = 0
    elif cluster is None:
        cluster = default_cluster(graph, device) if is_sparse(graph) else 0
    kernel, config = _kernel(
        offset_bytes, relaxing, weights.dtype.name, dtype.name, balance, parents is not None, trace,
        blocks_for(graph), cluster, device,
    )  # fmt: skip
    report = RelaxReport(min(n + 1, MAX_ROWS) if trace else 0)
    report.clear()

    several = cupy.asarray(sources) if len(sources) > 1 else None
    rows, bits = -(-n // 4) * 16, -(-n // 128) * 16  # bytes of a word and a bit a vertex, by 16
    prefixes = rows * offset_bytes // 4
    stamps = 2 * rows if relaxing == "Packed" else rows
    piles = 2 * rows if relaxing == "NearFarList" else 0
    space = cupy.empty(2 * (rows + prefixes) + stamps + bits + piles, np.uint8)
    queues = [int(space.data.ptr) + i * (rows + prefixes) for i in range(2)]
    stamp = int(space.data.ptr) + 2 * (rows + prefixes)

    n_arg, _, *csr = graph.arguments
    arguments = (
        n_arg, *csr, weights.data.ptr,
        0 if several is None else several.data.ptr, np.uint32(sources[0]), np.uint32(len(sources)),
        _scalar(delta if method in _WITH_DELTA else never, dtype), dtype.type(cutoff),
        np.uint32(target if target >= 0 else _NOBODY), np.uint32(relaxing == "Packed" or (signed and dtype.kind == "f")),
        np.uint32(narrow_items),
    )  # fmt: skip
    memory = (
        distance.data.ptr, 0 if parents is None else parents.data.ptr,
        queues[0], queues[0] + rows, queues[1], queues[1] + rows, stamp, stamp + stamps,
        stamp + stamps + bits,
        report.control, report.trace_address, np.uint32(max(report.rows, 1)),
    )  # fmt: skip

    def step(iterations: int, resumes: bool) -> None:
        run(kernel, config, *arguments, np.uint32(iterations), np.uint32(resumes), *memory)

    if loop == "device" and not signed:
        step(_ALL, False)
        return report
    level, checked, slice = 0, 0, FIRST_SLICE
    while True:
        step(1 if loop == "host" else slice, level > 0)
        level, size = report.progress()
        if size == 0:
            return report
        if signed and level - checked >= slice:
            if check is not None:
                check()
            if level > n:
                report.endless = True
                return report
            checked, slice = level, 2 * slice
        report.clear(4)  # the grid barrier's count


def _relaxing(method: str, dtype: np.dtype[Any]) -> str:
    """How ``relaxing.cuh`` does it.

    A distance and an iteration make one word, if the distance has 32 bits; wider ones have stamps.
    """
    if method == "bellman-ford-queueless":
        return "Queueless"
    if method == "near-far":
        return "NearFarList"
    return "Packed" if method == "h-bf" and dtype.itemsize == 4 else "NearFar"


def _scalar(value: Any, dtype: np.dtype[Any]) -> Any:
    """``value`` in ``dtype``; integers at least 1, and at most "unreachable"."""
    if dtype.kind == "f":
        return dtype.type(value)
    return dtype.type(min(max(int(value), 1), np.iinfo(dtype).max))
