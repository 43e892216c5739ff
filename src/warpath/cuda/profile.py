"""What a balance gives each warp of a CUDA device."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from warpath.balance import Technique
from warpath.cuda import runtime
from warpath.cuda.arguments import BALANCE_MEMORY, POINTER, U32, U64, Struct, segments_struct
from warpath.cuda.balance_memory import memory_for
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.execute import suggested_grid_size
from warpath.cuda.instances import THREADS, profile_kernel
from warpath.graph.bfs_frontiers import Levels

WARPS_PER_BLOCK = THREADS // 32
_THREADS_OF_SEARCH = 1024  # of a multiprocessor, 64 registers each (bfs.cuh)
_COUNTED_WARPS = 2**22  # at once, of as many levels as that is: 64 MiB


WARP_WORK = Struct(rows=U64, arcs=U64)


@cache
def profile_arguments(offset_bytes: int) -> Struct:
    """``ProfileArguments`` of profile.cuh."""
    return Struct(
        frontier=segments_struct(offset_bytes), row_offsets=POINTER, vertices=U32, work=POINTER,
        arrived=POINTER, balance=BALANCE_MEMORY,
    )  # fmt: skip


@dataclass(frozen=True)
class Work:
    """What warps did of some levels.

    Attributes
    ----------
    rows, arcs : uint64 array, shape (levels,)
        Rows of up to 32 arcs, one per lane, and the arcs in them: of all warps together.
    longest_warp, longest_block : uint64 array, shape (levels,)
        Rows of the warp, and of the block, that has the most.
    warps : int
        How many the grid has; `WARPS_PER_BLOCK` neighbouring ones are a block.
    """

    rows: NDArray[np.uint64]
    arcs: NDArray[np.uint64]
    longest_warp: NDArray[np.uint64]
    longest_block: NDArray[np.uint64]
    warps: int


def work_of_warps(graph: DeviceGraph, levels: Levels, balance: Technique) -> Iterator[Work]:
    """What warps visit, in a grid as `warpath.bfs` has it: of the levels that have arcs, some at a time."""
    offsets = graph.row_offsets
    here, offset_bytes = runtime.current(), graph.offset_bytes
    # This kernel takes fewer registers than a search, so more blocks would fit.
    max_blocks = here.multiprocessors * _THREADS_OF_SEARCH // THREADS
    kernel = here.persistent(
        "profile.cuh",
        profile_kernel(offset_bytes, balance),
        THREADS,
        min(max_blocks, suggested_grid_size(graph)),
    )
    warps = kernel.blocks * WARPS_PER_BLOCK
    chunk = max(1, _COUNTED_WARPS // warps)
    chosen = np.flatnonzero(levels.arcs)
    for some in (chosen[i : i + chunk] for i in range(0, len(chosen), chunk)):
        work = here.xp.empty((len(some), warps, 2), np.uint64)  # a row is WARP_WORK
        arrived = here.xp.zeros(len(some), np.uint32)
        for row, level in enumerate(some):
            begin, end = int(levels.begin[level]), int(levels.begin[level + 1])
            memory = memory_for(balance, graph)
            frontier = segments_struct(offset_bytes)(
                vertices=here.address(levels.vertices[begin:]),
                prefix=here.address(levels.prefix[begin:]),
                size=end - begin,
                items=int(levels.arcs[level]),
            )
            kernel.launch(
                profile_arguments(offset_bytes)(frontier=frontier,
                    row_offsets=here.address(offsets), vertices=graph.num_vertices,
                    work=here.address(work[row]), arrived=here.address(arrived[row:]),
                    balance=memory.of(),
                )
            )  # fmt: skip
        rows, arcs = work[..., 0], work[..., 1]
        blocks = rows.reshape(len(some), -1, WARPS_PER_BLOCK).sum(axis=2)
        counts = [rows.sum(1), arcs.sum(1), rows.max(1), blocks.max(1)]
        all_rows, all_arcs, longest_warp, longest_block = (each.get() for each in counts)
        yield Work(all_rows, all_arcs, longest_warp, longest_block, warps)
