"""What a balance gives each warp of a CUDA device."""

from collections.abc import Iterator
from dataclasses import dataclass

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
from warpath.graph.levels import Levels

WARPS_A_BLOCK = THREADS // 32
_THREADS_OF_SEARCH = 1024  # of a multiprocessor, 64 registers each (bfs.cuh)
_COUNTED_WARPS = 2**22  # at once, of as many levels as that is: 64 MiB


@dataclass(frozen=True)
class Work:
    """What warps did of some levels.

    Attributes
    ----------
    rows, arcs : uint64 array, shape (levels,)
        Rows of up to 32 arcs, one a lane, and the arcs in them: of all warps together.
    longest_warp, longest_block : uint64 array, shape (levels,)
        Rows of the busiest warp, and of the busiest block.
    warps : int
        Of the grid; `WARPS_A_BLOCK` neighbouring ones are a block.
    """

    rows: NDArray[np.uint64]
    arcs: NDArray[np.uint64]
    longest_warp: NDArray[np.uint64]
    longest_block: NDArray[np.uint64]
    warps: int


def work_of_warps(graph: DeviceGraph, levels: Levels, balance: Technique) -> Iterator[Work]:
    """What warps visit, in a grid as `warpath.bfs` has it: of the levels that have arcs, some at a time."""
    offsets = graph.row_offsets
    device = cupy.cuda.get_device_id()
    # This kernel takes fewer registers than a search, so more blocks would fit.
    most = devices.device(device).multiprocessors * _THREADS_OF_SEARCH // THREADS
    kernel, config = persistent(
        "profile.cuh", profile_kernel(offsets.dtype.itemsize, balance), THREADS,
        min(most, blocks_for(graph)), device,
    )  # fmt: skip
    warps = int(config.grid[0]) * WARPS_A_BLOCK
    chunk = max(1, _COUNTED_WARPS // warps)
    chosen = np.flatnonzero(levels.arcs)
    for some in (chosen[i : i + chunk] for i in range(0, len(chosen), chunk)):
        work = cupy.empty((len(some), warps, 2), np.uint64)  # a warp's rows and arcs (profile.cuh)
        arrived = cupy.zeros(len(some), np.uint32)
        for row, level in enumerate(some):
            begin, end = int(levels.begin[level]), int(levels.begin[level + 1])
            memory = memory_for(balance, graph)
            run(
                kernel, config, levels.vertices.data.ptr + begin * levels.vertices.itemsize,
                levels.prefix.data.ptr + begin * levels.prefix.itemsize, np.uint32(end - begin),
                offsets.dtype.type(levels.arcs[level]), int(offsets.data.ptr),
                np.uint32(graph.num_vertices), work.data.ptr + row * work[0].nbytes,
                arrived.data.ptr + row * arrived.itemsize, *memory.arguments,
            )  # fmt: skip
        rows, arcs = work[..., 0], work[..., 1]
        blocks = rows.reshape(len(some), -1, WARPS_A_BLOCK).sum(axis=2)
        counts = [rows.sum(1), arcs.sum(1), rows.max(1), blocks.max(1)]
        all_rows, all_arcs, longest_warp, longest_block = map(cupy.asnumpy, counts)
        yield Work(all_rows, all_arcs, longest_warp, longest_block, warps)
