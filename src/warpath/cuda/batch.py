"""Searches from several sources at once on a CUDA device, one a block."""

from functools import cache, cached_property
from typing import Any

import cupy
import numpy as np
from numpy.typing import NDArray

from warpath.balance import DEFAULT, VISITING, Technique, lookup
from warpath.cuda.bfs import is_sparse
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.instances import (
    BATCH_THREADS,
    batch_bfs_kernel,
    batch_sssp_kernel,
    batch_tree_kernel,
)
from warpath.cuda.launch import persistent, run
from warpath.cuda.trace import Report
from warpath.cuda.tree import Weights
from warpath.graph.distance import positive, unreachable

# Of breadth-first searches, for which to be at once pays last, measured (benchmarks/gpu_st.py, H200,
# 4,096 to 65,536 vertices). One by all blocks takes 30 to 80 µs, on grids 180 to 700: for launching and
# for levels that do not fill the device. One by a block follows 400 to 600 arcs a µs, on grids 100.
_ALONE, _SPARSE_ALONE, _BLOCK_ARCS = 35.0, 200.0, 400.0
_DEVICE_ARCS = 50_000.0  # a guess; 76,000 are what large frontiers get
# Vertices up to which what all blocks look up at random, 4 or 8 bytes a vertex each, is about as
# large as L2.
_MOST_VERTICES = 2**16
_MANY = 2**31 - 1  # more blocks than any device runs at once
_BALANCES = (lookup(DEFAULT), lookup(VISITING))  # lone_search.cuh's: here both are the same
_NOBODY = 2**32 - 1


class BatchReport(Report):
    """Counts of searches that ran at once: a row each, with all their iterations."""

    @cached_property
    def iterations(self) -> int:
        """Of all searches."""
        return int(self._fetch(4, 8).view(np.uint32)[0])

    @property
    def _written(self) -> int:
        return self.rows


def pays(graph: DeviceGraph, searches: int, balance: Technique) -> bool:
    """Whether so many searches of ``graph`` are faster at once than one after another.

    A block runs a search slower than all blocks together, but so many run at once, and
    none waits for a launch or a barrier of the grid. They have no balance but the default, and
    32-bit offsets.
    """
    n, m = graph.num_vertices, graph.num_arcs
    if searches < 2 or n > _MOST_VERTICES or balance not in _BALANCES:
        return False
    if graph.row_offsets.dtype != np.uint32:
        return False
    blocks = _most_blocks(cupy.cuda.get_device_id())
    at_once = min(searches, blocks)
    rounds = -(-searches // blocks)
    alone = _SPARSE_ALONE if is_sparse(graph) else _ALONE
    together = alone + rounds * (n + m) / min(_BLOCK_ARCS, _DEVICE_ARCS / at_once)
    return together < searches * (alone + (n + m) / _DEVICE_ARCS)


def bfs_rows(
    graph: DeviceGraph,
    sources: NDArray[np.int32],
    depth_limit: int,
    distance: Any,
    predecessor: Any,
    trace: bool = True,
) -> BatchReport:
    """Fill row i of ``distance``, and of ``predecessor`` unless it is None, from source i.

    Everything is queued on the current stream. Top-down; else as `warpath.cuda.bfs.bfs`.

    Parameters
    ----------
    graph : DeviceGraph
        With 32-bit offsets.
    sources : int32 array, shape (k,)
    distance, predecessor : cupy array of int32, shape (k, n)
        Rows may be farther apart than they are long.

    Notes
    -----
    Takes 16 bytes a vertex and a bit for each search that runs at once.
    """
    kernel, config, blocks = _launch(batch_bfs_kernel(predecessor is not None), len(sources))
    n = graph.num_vertices
    words = -(-n // 32)
    space = cupy.empty(blocks * (4 * n + words), np.uint32)
    queue = int(space.data.ptr)
    prefix = queue + 8 * blocks * n
    starts, report = cupy.asarray(sources), _report(len(sources), trace)
    n_arg, _, *csr = graph.arguments
    run(
        kernel, config, n_arg, *csr, starts.data.ptr, np.uint32(len(sources)),
        np.uint32(depth_limit), distance.data.ptr,
        0 if predecessor is None else predecessor.data.ptr, _stride(distance),
        queue, prefix, prefix + 8 * blocks * n, report.control, _rows(report),
    )  # fmt: skip
    return report


def sssp_rows(
    graph: DeviceGraph,
    weights: Any,
    sources: NDArray[np.int32],
    delta: float | None,
    cutoff: Any,
    target: int,
    distance: Any,
    trace: bool = True,
    algebra: str = "shortest",
) -> BatchReport:
    """Fill row i of ``distance`` from source i; no weight betters a path.

    Everything is queued on the current stream. Parameters as of `bfs_rows` and of
    `warpath.cuda.sssp.sssp`; without ``delta`` all vertices are near. Every search ends where it
    has found the target, whatever the others do.

    Notes
    -----
    Takes 20 bytes a vertex and a bit for each search that runs at once.
    """
    dtype, n = distance.dtype, graph.num_vertices
    kernel, config, blocks = _launch(
        batch_sssp_kernel(weights.dtype.name, dtype.name, algebra), len(sources)
    )
    words = -(-n // 32)
    space = cupy.empty(blocks * (5 * n + words), np.uint32)
    queue = int(space.data.ptr)
    prefix = queue + 8 * blocks * n
    stamp = prefix + 8 * blocks * n
    starts, report = cupy.asarray(sources), _report(len(sources), trace)
    n_arg, _, *csr = graph.arguments
    width = positive(unreachable(dtype) if delta is None else delta, dtype)
    run(
        kernel, config, n_arg, *csr, weights.data.ptr, starts.data.ptr, np.uint32(len(sources)),
        width, dtype.type(cutoff), np.uint32(target if target >= 0 else _NOBODY),
        distance.data.ptr, _stride(distance),
        queue, prefix, stamp, stamp + 4 * blocks * n, report.control, _rows(report),
    )  # fmt: skip
    return report


def fill_predecessor_rows(
    graph: DeviceGraph,
    weights: Any,
    sources: NDArray[np.int32],
    distance: Any,
    predecessor: Any,
    weights_are: Weights,
    algebra: str = "shortest",
) -> None:
    """`warpath.cuda.tree.fill_predecessors` for all rows, of weights that better no path.

    Notes
    -----
    Takes 16 bytes a vertex and a bit for each row that is made at once.
    """
    n = graph.num_vertices
    expression = batch_tree_kernel(
        weights.dtype.name, distance.dtype.name, not graph.directed, algebra
    )
    kernel, config, blocks = _launch(expression, len(sources))
    words = -(-n // 32)
    space = cupy.empty(blocks * (4 * n + words), np.uint32)
    queue = int(space.data.ptr)
    prefix = queue + 8 * blocks * n
    starts, report = cupy.asarray(sources), _report(len(sources), False)
    run(
        kernel, config, *graph.arguments, weights.data.ptr, starts.data.ptr,
        np.uint32(len(sources)), np.uint32(weights_are != "positive"),
        distance.data.ptr, _stride(distance), predecessor.data.ptr, _stride(predecessor),
        queue, prefix, prefix + 8 * blocks * n, report.control,
    )  # fmt: skip


def _launch(expression: str, searches: int) -> tuple[Any, Any, int]:
    """The kernel, how it is launched, and its number of blocks."""
    device = cupy.cuda.get_device_id()
    kernel, config = persistent("batch.cuh", expression, BATCH_THREADS, searches, device)
    return kernel, config, int(config.grid[0])


@cache
def _most_blocks(device: int) -> int:
    expression = batch_bfs_kernel(True)
    return int(persistent("batch.cuh", expression, BATCH_THREADS, _MANY, device)[1].grid[0])


def _report(searches: int, trace: bool) -> BatchReport:
    report = BatchReport(searches if trace else 0)
    report.clear()
    return report


def _rows(report: BatchReport) -> int:
    """Where the trace goes; 0 for nowhere."""
    return report.trace_address if report.rows else 0


def _stride(rows: Any) -> np.uint64:
    return np.uint64(rows.strides[0] // rows.itemsize)
