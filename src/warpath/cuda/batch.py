"""Searches from several sources at once on a CUDA device, one a block."""

from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.balance import DEFAULT, VISITING, Technique, lookup
from warpath.cuda import runtime
from warpath.cuda.arguments import (
    BOOL,
    CSR,
    INVALID_VERTEX,
    POINTER,
    U32,
    U64,
    Struct,
)
from warpath.cuda.bfs import is_sparse
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.instances import (
    BATCH_THREADS,
    batch_bfs_kernel,
    batch_sssp_kernel,
    batch_tree_kernel,
)
from warpath.cuda.memory import Layout
from warpath.cuda.runtime import Kernel
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

CONTROL = Struct(taken=U32, iterations=U32)
_BATCH = Struct(sources=POINTER, size=U32, control=POINTER, rows=POINTER)
_QUEUES = Struct(vertices=POINTER, prefix=POINTER)  # LoneQueues of lone_search.cuh
_ROWS = Struct(first=POINTER, stride=U64)
# BatchBfsArguments, BatchSsspArguments and BatchTreeArguments of batch.cuh.
BATCH_BFS_ARGUMENTS = Struct(
    graph=CSR, batch=_BATCH, queues=_QUEUES, reached=POINTER, distance=_ROWS, predecessor=_ROWS,
    depth_limit=U32,
)  # fmt: skip
BATCH_TREE_ARGUMENTS = Struct(
    graph=CSR, arcs=U32, weights=POINTER, batch=_BATCH, queues=_QUEUES, reached=POINTER,
    distance=_ROWS, predecessor=_ROWS, any_weights=BOOL,
)  # fmt: skip


@cache
def batch_sssp_arguments(distance: np.dtype[Any]) -> Struct:
    """``BatchSsspArguments`` of batch.cuh."""
    return Struct(
        graph=CSR, weights=POINTER, batch=_BATCH, queues=_QUEUES, stamp=POINTER, far=POINTER,
        distance=_ROWS, delta=distance, cutoff=distance, target=U32,
    )  # fmt: skip


class BatchReport(Report):
    """Counts of searches that ran at once: a row each, with all their iterations."""

    @cached_property
    def iterations(self) -> int:
        """Of all searches."""
        return int(self.control()["iterations"])

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
    blocks = _most_blocks()
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
    here = runtime.current()
    threads = here.threads(BATCH_THREADS)
    kernel = _kernel(batch_bfs_kernel(predecessor is not None, threads), len(sources))
    n, blocks = graph.num_vertices, kernel.blocks
    layout = _queues(n, blocks, reached=(U32, blocks * -(-n // 32)))
    space = here.allocate(layout.nbytes)
    at, report = layout.at(space.address), _report(len(sources), trace)
    starts = here.xp.asarray(sources)
    kernel.launch(
        BATCH_BFS_ARGUMENTS(graph=graph.csr, batch=_batch(starts, report),
            queues=_QUEUES(vertices=at["queue"], prefix=at["prefix"]), reached=at["reached"], distance=_rows(distance),
            predecessor=_rows(predecessor),
            depth_limit=depth_limit,
        )
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
    here, dtype = runtime.current(), distance.dtype
    threads = here.threads(BATCH_THREADS)
    kernel = _kernel(
        batch_sssp_kernel(weights.dtype.name, dtype.name, algebra, threads), len(sources)
    )
    n, blocks = graph.num_vertices, kernel.blocks
    layout = _queues(n, blocks, stamp=(U32, blocks * n), far=(U32, blocks * -(-n // 32)))
    space = here.allocate(layout.nbytes)
    at, report = layout.at(space.address), _report(len(sources), trace)
    starts = here.xp.asarray(sources)
    kernel.launch(
        batch_sssp_arguments(dtype)(graph=graph.csr, weights=here.address(weights),
            batch=_batch(starts, report), queues=_QUEUES(vertices=at["queue"], prefix=at["prefix"]), stamp=at["stamp"],
            far=at["far"], distance=_rows(distance),
            delta=positive(unreachable(dtype) if delta is None else delta, dtype),
            cutoff=dtype.type(cutoff), target=target if target >= 0 else INVALID_VERTEX,
        )
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
    here = runtime.current()
    threads = here.threads(BATCH_THREADS)
    expression = batch_tree_kernel(
        weights.dtype.name, distance.dtype.name, not graph.directed, algebra, threads
    )
    kernel = _kernel(expression, len(sources))
    n, blocks = graph.num_vertices, kernel.blocks
    layout = _queues(n, blocks, reached=(U32, blocks * -(-n // 32)))
    space = here.allocate(layout.nbytes)
    at, report = layout.at(space.address), _report(len(sources), False)
    starts = here.xp.asarray(sources)
    kernel.launch(
        BATCH_TREE_ARGUMENTS(graph=graph.csr, arcs=graph.num_arcs,
            weights=here.address(weights), batch=_batch(starts, report),
            queues=_QUEUES(vertices=at["queue"], prefix=at["prefix"]), reached=at["reached"], distance=_rows(distance),
            predecessor=_rows(predecessor), any_weights=weights_are != "positive",
        )
    )  # fmt: skip


def _kernel(expression: str, searches: int) -> Kernel:
    here = runtime.current()
    return here.persistent("batch.cuh", expression, here.threads(BATCH_THREADS), searches)


def _most_blocks() -> int:
    return _kernel(batch_bfs_kernel(True, runtime.current().threads(BATCH_THREADS)), _MANY).blocks


def _queues(n: int, blocks: int, **more: tuple[Any, int]) -> Layout:
    """Two queues of n places for each block, and their prefix sums; and other arrays."""
    return Layout(queue=(U32, 2 * n * blocks), prefix=(U32, 2 * n * blocks), **more)


def _report(searches: int, trace: bool) -> BatchReport:
    return BatchReport(searches if trace else 0, CONTROL)


def _batch(sources: Any, report: BatchReport) -> bytes:
    """``Batch`` of batch.cuh: its rows are null without a trace."""
    return _BATCH(
        sources=runtime.current().address(sources),
        size=len(sources),
        control=report.address(),
        rows=report.address("trace") if report.rows else 0,
    )


def _rows(matrix: Any) -> bytes:
    """``Rows`` of batch.cuh: the first element, and how many lie between those of two rows."""
    if matrix is None:
        return _ROWS(first=0, stride=0)
    stride = matrix.strides[0] // matrix.itemsize
    return _ROWS(first=runtime.current().address(matrix), stride=stride)
