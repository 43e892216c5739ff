"""From a graph to the matrix that dense methods work on, on a device."""

from functools import cache
from typing import Any

import numpy as np

from warpath.cuda import runtime
from warpath.cuda.arguments import BOOL, POINTER, U32, U64, Struct
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.instances import THREADS, fill_arcs_kernel
from warpath.cuda.weights import weights_as
from warpath.graph.arrays import Csr


@cache
def fill_arguments(distance: np.dtype[Any]) -> Struct:
    """``FillArguments`` of dense.cuh."""
    return Struct(
        row_offsets=POINTER, column_indices=POINTER, weights=POINTER, arcs=U64, rows=U32, first=U32,
        pitch=U64, distance=POINTER, predecessor=POINTER, source=distance, none=distance, larger=BOOL,
    )  # fmt: skip


def fill(
    graph: DeviceGraph, source: Any, none: Any, larger: bool, distance: Any, predecessor: Any
) -> None:
    """Fill ``distance`` with the best arcs' weights, queued on the current stream.

    Parameters
    ----------
    graph : DeviceGraph
    source, none : scalars
        What stands on the diagonal, and where there is no arc.
    larger : bool
        Whether the larger weight is the better one.
    distance : cupy array, shape (n, n)
        C-contiguous, of a dtype that holds the weights.
    predecessor : cupy array of int32, shape (n, n), or None
        At (u, v) becomes u where there is an arc, else -1.
    """
    weights = weights_as(graph, np.dtype(distance.dtype)) if graph.num_arcs else None
    arcs = Csr(graph.row_offsets, graph.column_indices, weights)
    fill_rows(arcs, 0, source, none, larger, distance, predecessor)


def fill_rows(
    arcs: Csr, first: int, source: Any, none: Any, larger: bool, distance: Any, predecessor: Any
) -> None:
    """Fill rows ``first`` … of a matrix, as `fill` does.

    Parameters
    ----------
    arcs : Csr
        These rows alone, on the device; ``row_offsets`` need not begin with 0. Weights have the
        distances' dtype.
    distance, predecessor : cupy arrays, shape (rows, n or more)
    """
    (rows, pitch), arcs_count = distance.shape, len(arcs.column_indices)
    if rows == 0:
        return
    here = runtime.current()
    distance.fill(none)
    diagonal = here.xp.arange(rows)
    distance[diagonal, first + diagonal] = source
    if predecessor is not None:
        predecessor.fill(-1)
    if arcs_count == 0:
        return
    threads = here.threads(THREADS)
    name = fill_arcs_kernel(arcs.row_offsets.dtype.itemsize, distance.dtype.name, threads)
    here.grid("dense.cuh", name, threads).launch(
        fill_arguments(distance.dtype)(
            row_offsets=here.address(arcs.row_offsets), column_indices=here.address(arcs.column_indices),
            weights=here.address(arcs.weights), arcs=arcs_count, rows=rows, first=first, pitch=pitch,
            distance=here.address(distance), predecessor=here.address(predecessor),
            source=distance.dtype.type(source), none=distance.dtype.type(none), larger=larger,
        ),
        -(-arcs_count // threads),
    )  # fmt: skip
