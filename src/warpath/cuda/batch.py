"""Searches from several sources at once on a CUDA device, one per block."""

from collections.abc import Callable
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.balance import DEFAULT, VISITING, Technique, lookup
from warpath.cuda import runtime
from warpath.cuda.arguments import (
    BOOL,
    INVALID_VERTEX,
    POINTER,
    U32,
    U64,
    Struct,
)
from warpath.cuda.custom_algebra import header_for
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.execute import kernel
from warpath.cuda.instances import (
    BATCH_THREADS,
    batch_bfs_kernel,
    batch_sssp_kernel,
    batch_tree_kernel,
)
from warpath.cuda.memory import Layout
from warpath.cuda.program import pack_problem, program_problem
from warpath.cuda.runtime import Kernel
from warpath.cuda.trace import Report
from warpath.cuda.tree import Weights
from warpath.graph.distance import positive, unreachable
from warpath.operators import PathAlgebra
from warpath.operators import lookup as lookup_algebra
from warpath.planning.degrees import is_sparse

# Breadth-first searches gain the least from running at once, so these are theirs: measured (benchmarks/gpu_st.py, H200,
# 4,096 to 65,536 vertices). One by all blocks takes 30 to 80 µs, on grids 180 to 700: for launching and
# for levels that do not fill the device. One by a block follows 400 to 600 arcs a µs, on grids 100.
_ALONE, _SPARSE_ALONE, _BLOCK_ARCS = 35.0, 200.0, 400.0
_DEVICE_ARCS = 50_000.0  # a guess; 76,000 are what large frontiers get
# Vertices up to which what all blocks look up at random, 4 or 8 bytes per vertex each, is about as
# large as L2.
_MAX_VERTICES = 2**16
_MANY = 2**31 - 1  # more blocks than any device runs at once
_BALANCES = (lookup(DEFAULT), lookup(VISITING))  # batch.cuh's: here both are the same

CONTROL = Struct(taken=U32, iterations=U32)
_BATCH = Struct(sources=POINTER, size=U32, control=POINTER, rows=POINTER)
_QUEUES = Struct(vertices=POINTER, prefix=POINTER)  # BatchQueues of batch.cuh
_ROWS = Struct(first=POINTER, stride=U64)


@cache
def batch_arguments(distance: np.dtype[Any]) -> Struct:
    """``BatchArguments`` of batch.cuh."""
    return Struct(
        problem=program_problem(distance), batch=_BATCH, queues=_QUEUES, stamp=POINTER,
        far=POINTER, distance=_ROWS, predecessor=_ROWS,
    )  # fmt: skip


@cache
def batch_tree_arguments(distance: np.dtype[Any]) -> Struct:
    """``BatchTreeArguments`` of batch.cuh."""
    return Struct(of=batch_arguments(distance), arcs=U32, any_weights=BOOL)


class BatchReport(Report):
    """Counts of searches that ran at once: a row each, with all their iterations."""

    @cached_property
    def iterations(self) -> int:
        """The iterations of all searches together."""
        return int(self.control()["iterations"])

    @property
    def _written(self) -> int:
        return self.rows


def batching_is_faster(graph: DeviceGraph, searches: int, balance: Technique) -> bool:
    """Whether ``searches`` of ``graph`` are faster at once than one after another.

    A block runs a search slower than all blocks together, but many run at once, and
    none waits for a launch or a barrier of the grid. They have no balance but the default, and
    32-bit offsets.
    """
    n, m = graph.num_vertices, graph.num_arcs
    if searches < 2 or n > _MAX_VERTICES or balance not in _BALANCES:
        return False
    if graph.row_offsets.dtype != np.uint32:
        return False
    blocks = _max_blocks()
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
    Takes 8 bytes per vertex and a bit for each search that runs at once.
    """
    program = _kernel(len(sources), batch_bfs_kernel, predecessor is not None, trace)
    return _launch(program, graph, sources, distance, predecessor, trace, max_level=depth_limit)


def sssp_rows(
    graph: DeviceGraph,
    weights: Any,
    sources: NDArray[np.int32],
    delta: float | None,
    cutoff: Any,
    target: int,
    distance: Any,
    trace: bool = True,
    algebra: str | PathAlgebra = "shortest",
) -> BatchReport:
    """Fill row i of ``distance`` from source i; no weight betters a path.

    Everything is queued on the current stream. Parameters are those of `bfs_rows`
    and `warpath.cuda.sssp.sssp`; without ``delta`` all vertices are near. Every search ends where it
    has found the target, whatever the others do.

    Notes
    -----
    Takes 20 bytes per vertex and a bit for each search that runs at once.
    """
    dtype = distance.dtype
    width = positive(unreachable(dtype) if delta is None else delta, dtype)
    types, measure = (weights.dtype.name, dtype.name), lookup_algebra(algebra)
    header = header_for("batch.cuh", measure, dtype, weights.dtype)
    program = _kernel(len(sources), batch_sssp_kernel, *types, trace, measure.name, header=header)
    return _launch(
        program, graph, sources, distance, None, trace, requeues=True,
        weights=runtime.current().address(weights), delta=width, max_delta=width,
        cutoff=dtype.type(cutoff), target=target if target >= 0 else INVALID_VERTEX,
        finishes=dtype.kind == "f" and measure.has_negative_keys(dtype),
    )  # fmt: skip


def fill_predecessor_rows(
    graph: DeviceGraph,
    weights: Any,
    sources: NDArray[np.int32],
    distance: Any,
    predecessor: Any,
    weights_are: Weights,
    algebra: str | PathAlgebra = "shortest",
) -> None:
    """`warpath.cuda.tree.fill_predecessors` for all rows, of weights that better no path.

    Notes
    -----
    Takes 8 bytes per vertex and a bit for each row that is made at once.
    """
    types, measure = (weights.dtype.name, distance.dtype.name), lookup_algebra(algebra)
    header = header_for("batch.cuh", measure, distance.dtype, weights.dtype)
    program = _kernel(
        len(sources), batch_tree_kernel, *types, not graph.directed, measure.name, header=header
    )

    def whole(of: bytes) -> bytes:
        return batch_tree_arguments(distance.dtype)(
            of=of, arcs=graph.num_arcs, any_weights=weights_are != "positive"
        )

    _launch(
        program, graph, sources, distance, predecessor, False, whole,
        weights=runtime.current().address(weights),
    )  # fmt: skip


def _launch(
    program: Kernel,
    graph: DeviceGraph,
    sources: NDArray[np.int32],
    distance: Any,
    predecessor: Any,
    trace: bool,
    whole: Callable[[bytes], bytes] = bytes,
    requeues: bool = False,
    **problem: Any,
) -> BatchReport:
    """Launch a kernel of batch.cuh: ``whole`` makes its argument of ``BatchArguments``.

    Parameters
    ----------
    requeues : bool
        Whether a vertex may enter a queue again: then there are two queues, and a stamp per vertex.
    **problem
        As `warpath.cuda.program.pack_problem` takes it.
    """
    here, n, dtype = runtime.current(), graph.num_vertices, distance.dtype
    blocks = program.blocks
    queued = n * blocks * (1 + requeues)
    layout = Layout(
        vertices=(U32, queued), prefix=(U32, queued), stamp=(U32, n * blocks * requeues), far=(U32, -(-n // 32) * blocks),
    )  # fmt: skip
    space, report = here.allocate(layout.nbytes), BatchReport(len(sources) if trace else 0, CONTROL)
    at, starts = layout.at(space.address), here.xp.asarray(sources)
    arguments = batch_arguments(dtype)(
        problem=pack_problem(dtype, graph.csr, **problem),
        batch=_BATCH(
            sources=here.address(starts), size=len(sources), control=report.address(),
            rows=report.address("trace"),
        ),
        queues=_QUEUES(vertices=at["vertices"], prefix=at["prefix"]), stamp=at["stamp"],
        far=at["far"], distance=_rows(distance), predecessor=_rows(predecessor),
    )  # fmt: skip
    program.launch(whole(arguments))
    return report


def _kernel(
    searches: int, instance: Callable[..., str], *arguments: Any, header: str = "batch.cuh"
) -> Kernel:
    return kernel(header, instance, *arguments, blocks=searches, threads=BATCH_THREADS)


def _max_blocks() -> int:
    return _kernel(_MANY, batch_bfs_kernel, True, False).blocks


def _rows(matrix: Any) -> bytes:
    """``Rows`` of batch.cuh: the first element, and how many lie between those of two rows."""
    if matrix is None:
        return _ROWS(first=0, stride=0)
    stride = matrix.strides[0] // matrix.itemsize
    return _ROWS(first=runtime.current().address(matrix), stride=stride)
