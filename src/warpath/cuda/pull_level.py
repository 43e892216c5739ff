"""A bottom-up level in a launch of its own, on a CUDA device."""

from typing import Any

import numpy as np

from warpath.cuda import runtime
from warpath.cuda.arguments import CSR, I32, POINTER, Struct
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.execute import kernel, suggested_grid_size
from warpath.cuda.instances import pull_level_kernel
from warpath.cuda.memory import words_of_bits

# PullLevelArguments of pull_level.cuh.
PULL_LEVEL_ARGUMENTS = Struct(
    reverse=CSR, before=POINTER, after=POINTER, distance=POINTER, level=I32
)


def pull_level(reverse: DeviceGraph, reached: Any, distance: Any, level: int) -> None:
    """Give each vertex that is not reached and has a neighbour that is the distance ``level``.

    Everything is queued on the current stream; nothing is waited for.

    Parameters
    ----------
    reverse : DeviceGraph
        The graph with every arc reversed. It has a vertex.
    reached : cupy array of bool, shape (n,)
    distance : cupy array of int32, shape (n,)

    Notes
    -----
    Takes 10 bits per vertex.
    """
    here, n = runtime.current(), reverse.num_vertices
    words = words_of_bits(n)
    bits = here.xp.ones(32 * words, bool)  # what is behind the last vertex needs no neighbour
    bits[:n] = reached
    before, after = here.xp.packbits(bits, bitorder="little"), here.xp.empty(words, np.uint32)
    arguments = PULL_LEVEL_ARGUMENTS(
        reverse=reverse.csr, before=here.address(before), after=here.address(after),
        distance=here.address(distance), level=level,
    )  # fmt: skip
    blocks = suggested_grid_size(reverse)
    kernel("pull_level.cuh", pull_level_kernel, reverse.offset_bytes, blocks=blocks).launch(
        arguments
    )
