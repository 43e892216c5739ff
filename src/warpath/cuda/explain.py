"""Which threads a balance gives which arcs, as a CUDA device does it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from warpath.balance import Technique
from warpath.cuda import runtime
from warpath.cuda.arguments import BALANCE_MEMORY, POINTER, U32, Struct
from warpath.cuda.balance_memory import memory_for
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.instances import explain_kernel

# ExplainArguments of explain.cuh.
EXPLAIN_ARGUMENTS = Struct(
    vertices=POINTER, row_offsets=POINTER, size=U32, thread_of=POINTER, arrived=POINTER,
    balance=BALANCE_MEMORY,
)  # fmt: skip

THREADS = 64  # of the one block: two warps, so that both levels show


def who_visits(balance: Technique, degrees: Sequence[int]) -> list[NDArray[np.uint32]]:
    """The thread that visits each arc of each vertex of a frontier.

    Parameters
    ----------
    balance : Technique
    degrees : sequence of int
        Those of the frontier's vertices; none is 0.

    Returns
    -------
    list of uint32 array
        For each vertex, of its arcs: below `THREADS`.
    """
    row_offsets = np.r_[0, np.cumsum(degrees)].astype(np.uint32)
    graph = DeviceGraph.from_arrays(row_offsets, np.zeros(row_offsets[-1], np.int32), directed=True)
    here = runtime.current()
    vertices = here.xp.arange(len(degrees), dtype=np.uint32)
    thread_of = here.xp.full(int(row_offsets[-1]), np.iinfo(np.uint32).max, np.uint32)
    arrived = here.xp.zeros(1, np.uint32)
    memory = memory_for(balance, graph)
    here.persistent("explain.cuh", explain_kernel(balance, THREADS), THREADS, 1).launch(
        EXPLAIN_ARGUMENTS(vertices=here.address(vertices),
            row_offsets=here.address(graph.row_offsets), size=len(degrees),
            thread_of=here.address(thread_of), arrived=here.address(arrived), balance=memory.of(),
        )
    )  # fmt: skip
    return np.split(thread_of.get(), row_offsets[1:-1])
