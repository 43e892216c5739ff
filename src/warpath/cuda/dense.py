"""From a graph to the matrix that dense methods work on, on a device."""

from functools import cache
from typing import Any

import cupy
import numpy as np

from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.weights import weights_as

# One thread an arc; rows are sorted, so that parallel arcs stand together: the first thread of
# them looks at all and writes. A self-loop is worth something only if it is a negative cycle.
_FILL = """
    O low = 0, high = vertices - 1;  // the last row that begins at i or before
    while (low < high) {
        const O middle = high - (high - low) / 2;
        if (offsets[middle] <= i) low = middle; else high = middle - 1;
    }
    const int v = indices[i];
    const bool first = i == offsets[low] || indices[i - 1] != v;
    if (first) {
        const T without = v == int(low) ? source : none;
        T best = weights[i];
        for (O other = i + 1; other < offsets[low + 1] && indices[other] == v; ++other) {
            const T weight = weights[other];
            if (larger ? weight > best : weight < best) best = weight;
        }
        const long long place = (long long)low * vertices + v;
        if (larger ? best > without : best < without) {
            distance[place] = best;
            if (parents) predecessor[place] = low;
        }
    }
"""


@cache
def _fill_kernel() -> Any:
    return cupy.ElementwiseKernel(
        "raw O offsets, raw int32 indices, raw T weights, T source, T none, int64 vertices, "
        "bool larger, bool parents",
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
    n = graph.num_vertices
    if n == 0:
        return
    distance.fill(none)
    cupy.fill_diagonal(distance, source)
    if predecessor is not None:
        predecessor.fill(-1)
    if graph.num_arcs == 0:
        return
    weights = weights_as(graph, np.dtype(distance.dtype))
    _fill_kernel()(
        graph.row_offsets, graph.column_indices, weights,
        distance.dtype.type(source), distance.dtype.type(none), n, larger,
        predecessor is not None, distance.ravel(),
        cupy.empty(1, np.int32) if predecessor is None else predecessor.ravel(),
        size=graph.num_arcs,
    )  # fmt: skip
