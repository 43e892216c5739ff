"""Cycles among predecessors, found on a CUDA device."""

from typing import Any

import cupy
import numpy as np
from numpy.typing import NDArray

from warpath.cuda.instances import THREADS, cycle_kernel
from warpath.cuda.launch import persistent, run

# parent_cycle.cuh's CycleControl, in 32-bit words.
_WORDS, _ON_A_CYCLE = 5, 1


def find(predecessor: Any) -> tuple[NDArray[np.int32], NDArray[np.int32]] | None:
    """Look for cycles of predecessors; waits for the device.

    Parameters
    ----------
    predecessor : cupy array of int32, shape (n,)
        -1 at roots.

    Returns
    -------
    predecessor, vertices : int32 arrays, or None
        None if there is no cycle. Else the predecessors in host memory, and vertices on
        cycles, at least one on each.

    Notes
    -----
    Pointer jumping: O(n log depth) work; takes 4 bytes a vertex.
    """
    n, device = len(predecessor), cupy.cuda.get_device_id()
    kernel, config = persistent(
        "parent_cycle.cuh", cycle_kernel(), THREADS, -(-n // THREADS), device
    )
    pointer = cupy.empty(n, np.int32)
    control = cupy.zeros(_WORDS, np.uint32)
    run(
        kernel, config,
        np.uint32(n), predecessor.data.ptr, pointer.data.ptr, control.data.ptr,
    )  # fmt: skip
    if int(control[_ON_A_CYCLE]) == 0:
        return None
    reached = cupy.asnumpy(pointer)
    return cupy.asnumpy(predecessor), np.unique(reached[reached >= 0])
