"""What a balance gives each warp of a CUDA device."""

from typing import Any

import cupy
import numpy as np
from numpy.typing import NDArray

from warpath import devices
from warpath.balance import Technique
from warpath.cuda.balance_memory import memory_for
from warpath.cuda.bfs import blocks_for
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.instances import THREADS, profile_kernel
from warpath.cuda.launch import persistent, run

WARPS_A_BLOCK = THREADS // 32
_THREADS_OF_SEARCH = 1024  # of a multiprocessor, 64 registers each (bfs.cuh)


def work_of_warps(graph: DeviceGraph, vertices: Any, balance: Technique) -> NDArray[np.uint64]:
    """Rows and arcs that each warp visits of a frontier, in a grid as `warpath.bfs` has it.

    Parameters
    ----------
    graph : DeviceGraph
    vertices : cupy array of int, shape (k,)
        The frontier: different vertices. Those without arcs are left out, as searches do.
    balance : Technique

    Returns
    -------
    uint64 array, shape (warps, 2)
        Of each warp, the rows of up to 32 arcs, one a lane, and the arcs in them.
        `WARPS_A_BLOCK` neighbouring warps are a block.
    """
    offsets = graph.row_offsets
    vertices = cupy.asarray(vertices).astype(np.uint32)
    degree = offsets[vertices + 1] - offsets[vertices]
    vertices, degree = vertices[degree > 0], degree[degree > 0]
    ends = cupy.cumsum(degree, dtype=offsets.dtype)
    prefix, items = ends - degree, int(ends[-1]) if len(ends) else 0
    device = cupy.cuda.get_device_id()
    # This kernel takes fewer registers than a search, so more blocks would fit.
    most = devices.device(device).multiprocessors * _THREADS_OF_SEARCH // THREADS
    kernel, config = persistent(
        "profile.cuh", profile_kernel(offsets.dtype.itemsize, balance), THREADS,
        min(most, blocks_for(graph)), device,
    )  # fmt: skip
    work = cupy.zeros((int(config.grid[0]) * WARPS_A_BLOCK, 2), np.uint64)
    if items == 0:
        return cupy.asnumpy(work)  # type: ignore[no-any-return]
    arrived = cupy.zeros(1, np.uint32)
    memory = memory_for(balance, graph)
    run(
        kernel, config, vertices.data.ptr, prefix.data.ptr, np.uint32(len(vertices)),
        offsets.dtype.type(items), int(offsets.data.ptr), np.uint32(graph.num_vertices),
        work.data.ptr, arrived.data.ptr, *memory.arguments,
    )  # fmt: skip
    return cupy.asnumpy(work)  # type: ignore[no-any-return]
