"""Cycles among predecessors, found on a CUDA device."""

from dataclasses import dataclass
from typing import Any

import cupy
import numpy as np
from numpy.typing import NDArray

from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.instances import THREADS, cycle_kernel, offers_kernel
from warpath.cuda.launch import persistent, run

# parent_cycle.cuh's CycleControl, in 32-bit words, and where it says that there is one.
_WORDS, _ON_A_CYCLE = 5, 1
_ARCS_A_THREAD = 16  # that are worth another block: a guess


@dataclass(frozen=True)
class Offers:
    """What predecessors offer: distances that nobody changes, and the weights.

    Attributes
    ----------
    graph : DeviceGraph
    weights : cupy array, shape (m,)
    distance : cupy array, shape (n,)
        Of keys (``core/distance.cuh``), as integers; or of words that hold one each.
    dtype : dtype
        Of the distances.
    """

    graph: DeviceGraph
    weights: Any
    distance: Any
    dtype: np.dtype[Any]

    def kept(self, predecessor: Any) -> Any:
        """The predecessors whose offer is at most what their vertex has; -1 in place of others."""
        graph, device = self.graph, cupy.cuda.get_device_id()
        expression = offers_kernel(
            graph.row_offsets.dtype.itemsize, self.weights.dtype.name, self.dtype.name
        )
        blocks = -(-graph.num_arcs // (_ARCS_A_THREAD * THREADS))
        kernel, config = persistent("parent_cycle.cuh", expression, THREADS, blocks, device)
        kept = cupy.full(len(predecessor), -1, np.int32)
        stride = self.distance.strides[0] // self.dtype.itemsize
        run(
            kernel, config, *graph.arguments, self.weights.data.ptr, self.distance.data.ptr,
            np.uint32(stride), predecessor.data.ptr, kept.data.ptr,
        )  # fmt: skip
        return kept


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
    return pointer, control[_ON_A_CYCLE : _ON_A_CYCLE + 1]


def find(predecessor: Any, offers: Offers) -> tuple[NDArray[np.int32], NDArray[np.int32]] | None:
    """Look for cycles of predecessors whose weight may be negative; waits for the device.

    Parameters
    ----------
    predecessor : cupy array of int32, shape (n,)
        -1 at roots.
    offers : Offers
        Of the same moment.

    Returns
    -------
    predecessor, vertices : int32 arrays, or None
        None if there is no such cycle. Else the predecessors in host memory, and vertices on
        cycles, at least one on each. A cycle's lightest arcs weigh 0 or less, as far as no sum
        was rounded.
    """
    if int(follow(predecessor)[1][0]) == 0:
        return None
    kept = offers.kept(predecessor)
    pointer, on_a_cycle = follow(kept)
    if int(on_a_cycle[0]) == 0:
        return None
    return cupy.asnumpy(kept), cupy.asnumpy(cupy.unique(pointer[pointer >= 0]))
