"""A path out of predecessors on a CUDA device."""

from typing import Any

import numpy as np

from warpath.cuda import runtime
from warpath.cuda.arguments import I32, POINTER, Struct
from warpath.cuda.instances import walk_kernel

WALK_ARGUMENTS = Struct(predecessor=POINTER, target=I32, path=POINTER, arcs=POINTER)
_THREADS = 32  # the least that a block has; one of them walks


def walk_back(predecessor: Any, target: int) -> list[int]:
    """The vertices from the root of a tree to ``target``; waits for the device.

    Parameters
    ----------
    predecessor : cupy array of int32, shape (n,)
        A tree's, -1 at roots.

    Notes
    -----
    Takes 4 bytes per vertex, and copies what the path has.
    """
    here = runtime.current()
    space = here.xp.empty(1 + len(predecessor), np.int32)
    arcs, path = space[:1], space[1:]
    here.persistent("walk.cuh", walk_kernel(), _THREADS, 1).launch(
        WALK_ARGUMENTS(
            predecessor=here.address(predecessor),
            target=target,
            path=here.address(path),
            arcs=here.address(arcs),
        )
    )
    vertices: list[int] = path[: 1 + int(arcs[0])].get()[::-1].tolist()
    return vertices
