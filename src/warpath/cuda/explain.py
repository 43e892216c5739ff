"""Which threads a balance gives which arcs, as a CUDA device does it."""

from collections.abc import Sequence

import cupy
import numpy as np
from numpy.typing import NDArray

from warpath.balance import Technique
from warpath.cuda.balance_memory import memory_for
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.instances import explain_kernel
from warpath.cuda.launch import persistent, run

THREADS = 64  # of the one block: two warps, so that both levels show


def who_visits(balance: Technique, degrees: Sequence[int]) -> list[NDArray[np.uint32]]:
    """The thread that visits each arc of each vertex of a frontier.

    Parameters
    ----------
    balance : Technique
    degrees : sequence of int
        Of the frontier's vertices; none is 0.

    Returns
    -------
    list of uint32 array
        For each vertex, of its arcs: below `THREADS`.
    """
    row_offsets = np.r_[0, np.cumsum(degrees)].astype(np.uint32)
    graph = DeviceGraph.from_arrays(row_offsets, np.zeros(row_offsets[-1], np.int32), directed=True)
    vertices = cupy.arange(len(degrees), dtype=np.uint32)
    threads = cupy.zeros(int(row_offsets[-1]), np.uint32)
    arrived = cupy.zeros(1, np.uint32)
    kernel, config = persistent(
        "explain.cuh", explain_kernel(balance, THREADS), THREADS, 1, cupy.cuda.get_device_id()
    )
    memory = memory_for(balance, graph)
    run(
        kernel, config, vertices.data.ptr, int(graph.row_offsets.data.ptr), np.uint32(len(degrees)),
        threads.data.ptr, arrived.data.ptr, *memory.arguments,
    )  # fmt: skip
    return np.split(cupy.asnumpy(threads), row_offsets[1:-1])
