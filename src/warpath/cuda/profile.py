"""What a balance gives each warp of a CUDA device."""

from collections.abc import Iterator
from dataclasses import dataclass
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
_COUNTED_WARPS = 2**22  # at once, of as many levels as that is: 64 MiB


@dataclass(frozen=True)
class Levels:
    """The frontiers of a search, as balances take them: vertices without arcs are left out.

    Attributes
    ----------
    vertices, prefix : array, shape (k,)
        A level after the other; in each, the exclusive prefix sums of its vertices' degrees.
    begin : int array of NumPy, shape (levels + 1,)
        Where each level begins in them.
    items : int array of NumPy, shape (levels,)
        Arcs of each.
    """

    vertices: Any
    prefix: Any
    begin: NDArray[np.int64]
    items: NDArray[np.int64]


def levels_of(xp: Any, row_offsets: Any, distance: Any) -> Levels:
    """The levels of a breadth-first search, from its distances (-1: unreachable).

    Parameters
    ----------
    xp : module
        CuPy, or NumPy; that of both arrays.
    """
    order = xp.argsort(distance)
    degree = row_offsets[order + 1] - row_offsets[order]
    order = order[(distance[order] >= 0) & (degree > 0)]
    level, degree = distance[order], row_offsets[order + 1] - row_offsets[order]
    count = int(level[-1]) + 1 if len(level) else 0
    begin = xp.searchsorted(level, xp.arange(count + 1, dtype=level.dtype))
    sums = xp.zeros(len(degree) + 1, row_offsets.dtype)
    xp.cumsum(degree, dtype=sums.dtype, out=sums[1:])
    items = np.diff(cupy.asnumpy(sums[begin]).astype(np.int64))
    prefix = sums[:-1] - sums[begin[level]]
    return Levels(order.astype(np.uint32), prefix, cupy.asnumpy(begin), items)


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
    """What the warps of a grid as `warpath.bfs` has it visit of levels that have arcs, some levels at a time."""
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
    chosen = np.flatnonzero(levels.items)
    for some in (chosen[i : i + chunk] for i in range(0, len(chosen), chunk)):
        work = cupy.empty((len(some), warps, 2), np.uint64)
        arrived = cupy.zeros(len(some), np.uint32)
        for row, level in enumerate(some):
            begin, end = int(levels.begin[level]), int(levels.begin[level + 1])
            memory = memory_for(balance, graph)
            run(
                kernel, config, levels.vertices.data.ptr + begin * levels.vertices.itemsize,
                levels.prefix.data.ptr + begin * levels.prefix.itemsize, np.uint32(end - begin),
                offsets.dtype.type(levels.items[level]), int(offsets.data.ptr),
                np.uint32(graph.num_vertices), work.data.ptr + row * work[0].nbytes,
                arrived.data.ptr + row * arrived.itemsize, *memory.arguments,
            )  # fmt: skip
        rows, arcs = work[..., 0], work[..., 1]
        blocks = rows.reshape(len(some), -1, WARPS_A_BLOCK).sum(axis=2)
        counts = [rows.sum(1), arcs.sum(1), rows.max(1), blocks.max(1)]
        all_rows, all_arcs, longest_warp, longest_block = map(cupy.asnumpy, counts)
        yield Work(all_rows, all_arcs, longest_warp, longest_block, warps)
