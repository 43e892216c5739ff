"""From a graph to the matrix that dense methods work on, on a device."""

from functools import cache
from typing import Any

import cupy
import numpy as np

from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.weights import weights_as
from warpath.graph.arrays import Csr

# Each thread owns one arc. Rows are sorted, so parallel arcs stand together: the first one's thread
# looks at all and writes. A self-loop matters only if it is a negative cycle.
_FILL = """
    const O arc = offsets[0] + i;
    O low = 0, high = rows - 1;  // the last row that begins at the arc or before
    while (low < high) {
        const O middle = high - (high - low) / 2;
        if (offsets[middle] <= arc) low = middle; else high = middle - 1;
    }
    const long long u = first + (long long)low;
    const int v = indices[i];
    if (arc == offsets[low] || indices[i - 1] != v) {
        const T without = v == u ? source : none;
        T best = weights[i];
        for (O other = arc + 1; other < offsets[low + 1] && indices[other - offsets[0]] == v; ++other) {
            const T weight = weights[other - offsets[0]];
            if (larger ? weight > best : weight < best) best = weight;
        }
        const long long place = (long long)low * pitch + v;
        if (larger ? best > without : best < without) {
            distance[place] = best;
            if (parents) predecessor[place] = u;
        }
    }
"""


@cache
def _fill_kernel() -> Any:
    return cupy.ElementwiseKernel(
        "raw O offsets, raw int32 indices, raw T weights, T source, T none, int64 rows, "
        "int64 first, int64 pitch, bool larger, bool parents",
        "raw T distance, raw int32 predecessor",
        _FILL,
        "warpath_dense_matrix",
    )


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
        These rows alone, as CuPy arrays; ``row_offsets`` need not begin with 0. Weights have
        the distances' dtype.
    distance, predecessor : cupy arrays, shape (rows, n or more)
    """
    rows, pitch = distance.shape
    if rows == 0:
        return
    distance.fill(none)
    diagonal = cupy.arange(rows)
    distance[diagonal, first + diagonal] = source
    if predecessor is not None:
        predecessor.fill(-1)
    if len(arcs.column_indices) == 0:
        return
    _fill_kernel()(
        *arcs, distance.dtype.type(source), distance.dtype.type(none), rows, first, pitch, larger,
        predecessor is not None, distance.ravel(),
        cupy.empty(1, np.int32) if predecessor is None else predecessor.ravel(),
        size=len(arcs.column_indices),
    )  # fmt: skip
