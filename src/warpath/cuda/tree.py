"""Predecessors from final distances, on a CUDA device."""

from typing import Any, Literal

import cupy
import numpy as np
from numpy.typing import NDArray

from warpath.cuda.bfs import BLOCK_ITEMS, default_cluster
from warpath.cuda.cycles import follow
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.instances import (
    SEARCH_THREADS,
    THREADS,
    roots_kernel,
    tight_search_kernel,
    tight_sweep_kernel,
)
from warpath.cuda.launch import persistent, run
from warpath.cuda.trace import CONTROL_BYTES

Weights = Literal["positive", "non-negative", "any"]
_VERTICES_A_THREAD, _ARCS_A_THREAD = 4, 16  # that are worth another block: guesses


def _kernel(
    expression: str, blocks: int, device: int, threads: int = THREADS, cluster: int = 1
) -> tuple[Any, Any]:
    return persistent("tree.cuh", expression, threads, blocks, device, cluster)


def fill_predecessors(
    graph: DeviceGraph,
    weights: Any,
    sources: NDArray[np.int32],
    distance: Any,
    predecessor: Any,
    weights_are: Weights,
    algebra: str = "shortest",
) -> None:
    """Fill ``predecessor`` with a shortest-path tree; everything is queued, nothing waited for.

    Parameters
    ----------
    graph : DeviceGraph
        Of at least one vertex.
    weights : cupy array, shape (m,)
        In the dtype of ``distance``, or int32 for int64.
    sources : int32 array, shape (k,)
        Each once.
    distance : cupy array of int32, int64, float32 or float64, shape (n,)
        From the nearest source, final; what lies beyond a limit is unreachable.
    predecessor : cupy array of int32, shape (n,)
        Aligned to 16 bytes. Receives -1 for roots and where unreachable.
    weights_are : {"positive", "non-negative", "any"}
        "positive" promises that each lengthens a path: integers above 0. Floats may
        vanish beside a distance, so theirs are "non-negative". So are all of other algebras
        than "shortest".
    algebra : str
        Of which distances are keys: one of `warpath.cuda.instances.ALGEBRAS`.

    Notes
    -----
    See ``tree.cuh``. One sweep of all arcs; a search along tight arcs where that leaves
    something over, or a circle of weight 0. That takes 8 bytes a vertex (12 with 64-bit
    offsets).
    """
    device, n = cupy.cuda.get_device_id(), graph.num_vertices
    offset_bytes = graph.row_offsets.dtype.itemsize
    types = (weights.dtype.name, distance.dtype.name)
    arrays = (weights.data.ptr, distance.data.ptr, predecessor.data.ptr)
    arc_blocks = -(-graph.num_arcs // (_ARCS_A_THREAD * THREADS))
    vertex_blocks = -(-n // (_VERTICES_A_THREAD * THREADS))
    stream = cupy.cuda.get_current_stream()

    cupy.cuda.runtime.memsetAsync(predecessor.data.ptr, 0xFF, 4 * n, stream.ptr)
    pull, ordered = not graph.directed, weights_are != "any"
    sweep = tight_sweep_kernel(offset_bytes, *types, pull, algebra, ordered)
    kernel, config = _kernel(sweep, arc_blocks, device)
    run(kernel, config, *graph.arguments, *arrays)
    if weights_are == "positive":
        return
    # The search's control block, then the number of roots.
    control = cupy.empty(CONTROL_BYTES + 16, np.uint8)
    cupy.cuda.runtime.memsetAsync(control.data.ptr, 0, control.nbytes, stream.ptr)
    if ordered:
        found, expected = control.data.ptr + CONTROL_BYTES, len(sources)
        kernel, config = _kernel(roots_kernel(types[1]), vertex_blocks, device)
        run(kernel, config, np.uint32(n), *arrays[1:], found)
    else:
        starts = cupy.asarray(sources)
        predecessor[starts] = cupy.where(distance[starts] == 0, -1, predecessor[starts])
        on_a_cycle = follow(predecessor)[1]
        found, expected = on_a_cycle.data.ptr, 0

    kernel, config = _kernel(
        tight_search_kernel(offset_bytes, *types, algebra), arc_blocks + vertex_blocks, device,
        SEARCH_THREADS, default_cluster(graph, device),
    )  # fmt: skip
    several = cupy.asarray(sources) if len(sources) > 1 else None
    bitmap, queue = -(-n // 128) * 16, -(-n // 4) * 16  # bytes, in whole units of 16
    space = cupy.empty(queue + queue * offset_bytes // 4 + bitmap, np.uint8)
    vertices = int(space.data.ptr)
    prefix = vertices + queue
    run(
        kernel, config, *graph.arguments, *arrays, found, np.uint32(expected),
        0 if several is None else several.data.ptr, np.uint32(sources[0]), np.uint32(len(sources)),
        np.uint32(BLOCK_ITEMS), vertices, prefix, prefix + queue * offset_bytes // 4,
        control.data.ptr,
    )  # fmt: skip
