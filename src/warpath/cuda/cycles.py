"""Cycles among predecessors, found on a CUDA device."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.cuda import runtime
from warpath.cuda.arguments import CSR, POINTER, U32, Struct
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.execute import kernel
from warpath.cuda.instances import THREADS, cycle_kernel, stale_parents_kernel

# CycleControl and CycleArguments of parent_cycle.cuh.
CYCLE_CONTROL = Struct(arrived=U32, on_a_cycle=U32, walking=(U32, 3))
CYCLE_ARGUMENTS = Struct(vertices=U32, predecessor=POINTER, pointer=POINTER, control=POINTER)
_EDGES_PER_THREAD = 16  # per block, at least: a guess


@cache
def stale_parents_arguments(offset_bytes: int) -> Struct:
    """``StaleParentsArguments`` of parent_cycle.cuh."""
    return Struct(
        graph=CSR, arcs=f"u{offset_bytes}", weights=POINTER, distance=POINTER, stride=U32,
        predecessor=POINTER, current=POINTER,
    )  # fmt: skip


@dataclass(frozen=True)
class CandidateParents:
    """Parents that relaxations recorded: with the distances, which do not change meanwhile, and the weights.

    Attributes
    ----------
    graph : DeviceGraph
    weights : cupy array, shape (m,)
    distance : cupy array, shape (n,)
        Keys (``core/distance.cuh``), as integers; or words that hold one each.
    dtype : dtype
        The distances' dtype.
    """

    graph: DeviceGraph
    weights: Any
    distance: Any
    dtype: np.dtype[Any]

    def current(self, predecessor: Any) -> Any:
        """The predecessors whose offer is at most what their vertex has; -1 in place of others."""
        graph, here = self.graph, runtime.current()
        blocks = -(-graph.num_arcs // (_EDGES_PER_THREAD * THREADS))
        types = self.weights.dtype.name, self.dtype.name
        current = here.xp.full(len(predecessor), -1, np.int32)
        kernel(
            "parent_cycle.cuh", stale_parents_kernel, graph.offset_bytes, *types, blocks=blocks
        ).launch(
            stale_parents_arguments(graph.offset_bytes)(graph=graph.csr, arcs=graph.num_arcs,
                weights=here.address(self.weights), distance=here.address(self.distance),
                stride=self.distance.strides[0] // self.dtype.itemsize,
                predecessor=here.address(predecessor), current=here.address(current),
            )
        )  # fmt: skip
        return current


def keys(distance: Any) -> Any:
    """The keys of distances, as integers of the same order; a view where they are some already."""
    if distance.dtype.kind == "i":
        return distance
    bits = distance.view(f"i{distance.dtype.itemsize}")
    return bits ^ ((bits >> (8 * bits.itemsize - 1)) & np.iinfo(bits.dtype).max)


def follow(predecessor: Any) -> tuple[Any, Any]:
    """Follow predecessors back to their roots or into a cycle; nothing is waited for.

    Parameters
    ----------
    predecessor : cupy array of int32, shape (n,)
        -1 at roots.

    Returns
    -------
    pointer : cupy array of int32, shape (n,)
        -1, or a vertex on the cycle that this one leads to.
    on_a_cycle : cupy array of uint32, shape (1,)
        0 if there is none.

    Notes
    -----
    Pointer jumping: O(n log depth) work; takes 4 bytes per vertex.
    """
    n, here = len(predecessor), runtime.current()
    pointer = here.xp.empty(n, np.int32)
    control = here.xp.zeros(CYCLE_CONTROL.nbytes // 4, np.uint32)
    kernel("parent_cycle.cuh", cycle_kernel, blocks=-(-n // THREADS)).launch(
        CYCLE_ARGUMENTS(
            vertices=n,
            predecessor=here.address(predecessor),
            pointer=here.address(pointer),
            control=here.address(control),
        )
    )
    return pointer, control[1:2]  # on_a_cycle


def find(
    predecessor: Any, candidates: CandidateParents
) -> tuple[NDArray[np.int32], NDArray[np.int32]] | None:
    """Look for cycles of predecessors whose weight may be negative; waits for the device.

    Parameters
    ----------
    predecessor : cupy array of int32, shape (n,)
        -1 at roots.
    candidates : CandidateParents
        Those of the same moment.

    Returns
    -------
    predecessor, vertices : int32 arrays, or None
        None if there is no such cycle. Else the predecessors in host memory, and vertices on
        cycles, at least one on each. A cycle's lightest arcs weigh 0 or less, as far as no sum
        was rounded.
    """
    if int(follow(predecessor)[1][0]) == 0:
        return None
    current = candidates.current(predecessor)
    pointer, on_a_cycle = follow(current)
    if int(on_a_cycle[0]) == 0:
        return None
    return current.get(), runtime.current().xp.unique(pointer[pointer >= 0]).get()
