"""A graph in a device's memory."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary, ref

import cupy
import numpy as np

from warpath.graph.graph import Graph

# Kernels look a few rows ahead of the last arc, which must not wrap round.
_MOST_NARROW_ARCS = 2**32 - 2**16
# A queue's tail has 28 bits for vertices beside 36 for arcs (frontier/queue.cuh).
_MOST_WIDE_VERTICES = 2**28
_ALIGNED = 4  # column indices are read four at a time


@dataclass(frozen=True, eq=False)
class DeviceGraph:
    """CSR in device memory, as kernels read it.

    Attributes
    ----------
    row_offsets : cupy array, shape (n + 1,)
        uint32 below 2³² arcs (less a few), else uint64.
    column_indices : cupy array of int32, shape (m,)
        In an allocation that ends at a multiple of four elements, or later.
    directed : bool
    """

    row_offsets: Any
    column_indices: Any
    directed: bool
    # Weak: `on_device` keeps this as long as the graph lives, not the graph as long as this.
    _host: ref[Graph] | None = field(default=None, repr=False)

    @classmethod
    def from_graph(cls, graph: Graph) -> "DeviceGraph":
        """Copy a graph to the current device; its weights stay behind."""
        return cls.from_arrays(
            graph.row_offsets, graph.column_indices, directed=graph.directed, _host=ref(graph)
        )

    @classmethod
    def from_arrays(
        cls,
        row_offsets: Any,
        column_indices: Any,
        *,
        directed: bool,
        _host: ref[Graph] | None = None,
    ) -> "DeviceGraph":
        """A graph of CSR arrays that are known to be right, NumPy's or CuPy's.

        Parameters
        ----------
        row_offsets : integer array, shape (n + 1,)
        column_indices : int32 array, shape (m,)
            CuPy's is used as it is.
        directed : bool
            False promises that each arc's reverse is there.

        Raises
        ------
        OverflowError
            More than 2²⁸ vertices with more than 2³² arcs.
        """
        n, m = len(row_offsets) - 1, len(column_indices)
        wide = m >= _MOST_NARROW_ARCS
        if wide and n >= _MOST_WIDE_VERTICES:
            raise OverflowError(
                f"{n} vertices with {m} arcs: on a GPU, graphs of 2³² arcs or more may have "
                f"{_MOST_WIDE_VERTICES} vertices at most"
            )
        if not isinstance(column_indices, cupy.ndarray):
            padded = cupy.empty(-(-max(m, 1) // _ALIGNED) * _ALIGNED, np.int32)
            padded[:m].set(np.ascontiguousarray(column_indices, np.int32))
            column_indices = padded[:m]
        offset_type = np.uint64 if wide else np.uint32
        row_offsets = cupy.asarray(row_offsets).astype(offset_type, copy=False)
        return cls(row_offsets, column_indices, directed, _host)

    @property
    def num_vertices(self) -> int:
        """Number of vertices, n."""
        return len(self.row_offsets) - 1

    @property
    def num_arcs(self) -> int:
        """Number of arcs, m."""
        return len(self.column_indices)

    @cached_property
    def arguments(self) -> tuple[Any, ...]:
        """(n, m, row offsets, column indices) as a kernel takes them."""
        offset_type = self.row_offsets.dtype.type
        addresses = (int(self.row_offsets.data.ptr), int(self.column_indices.data.ptr))
        return (np.uint32(self.num_vertices), offset_type(self.num_arcs), *addresses)

    @cached_property
    def reverse(self) -> "DeviceGraph":
        """The graph with every arc turned round; an undirected one is its own."""
        if not self.directed:
            return self
        if self._host is not None and (host := self._host()) is not None:
            return DeviceGraph.from_graph(host.reverse)
        n, m = self.num_vertices, self.num_arcs
        order = cupy.argsort(self.column_indices)
        sources = (
            cupy.searchsorted(self.row_offsets, order.astype(self.row_offsets.dtype), "right") - 1
        )
        padded = cupy.empty(-(-max(m, 1) // _ALIGNED) * _ALIGNED, np.int32)
        padded[:m] = sources
        keys = cupy.arange(n + 1, dtype=np.int32)
        offsets = cupy.searchsorted(self.column_indices[order], keys, "left")
        return DeviceGraph.from_arrays(offsets, padded[:m], directed=True)

    @property
    def nbytes(self) -> int:
        """Bytes of its arrays."""
        return int(self.row_offsets.nbytes + self.column_indices.nbytes)


_on_device: WeakKeyDictionary[Graph, dict[int, DeviceGraph]] = WeakKeyDictionary()


def on_device(graph: Graph) -> DeviceGraph:
    """The graph on the current device; copied there at the first call, and kept."""
    device = cupy.cuda.Device().id
    copies = _on_device.setdefault(graph, {})
    if device not in copies:
        copies[device] = DeviceGraph.from_graph(graph)
    return copies[device]
