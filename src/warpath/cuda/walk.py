"""A path out of predecessors on a CUDA device."""

from typing import Any

import cupy
import numpy as np

from warpath.cuda.instances import walk_kernel
from warpath.cuda.launch import persistent, run

_THREADS = 32  # the least that a block has; one of them walks


def walk_back(predecessor: Any, target: int) -> list[int]:
    """The vertices from the root of a tree to ``target``; waits for the device.

    Parameters
    ----------
    predecessor : cupy array of int32, shape (n,)
        A tree's, -1 at roots.

    Notes
    -----
    Takes 4 bytes a vertex, and copies what the path has.
    """
    space = cupy.empty(1 + len(predecessor), np.int32)
    device = cupy.cuda.get_device_id()
    kernel, config = persistent("walk.cuh", walk_kernel(), _THREADS, 1, device)
    arcs = int(space.data.ptr)
    run(kernel, config, predecessor.data.ptr, np.int32(target), arcs + 4, arcs)
    vertices: list[int] = space[1 : 2 + int(space[0])].get()[::-1].tolist()
    return vertices
