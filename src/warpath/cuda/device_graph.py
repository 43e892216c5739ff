"""A graph in a device's memory."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from weakref import ref

import numpy as np

from warpath.cuda import runtime
from warpath.cuda.arguments import CSR
from warpath.graph import sort
from warpath.graph.arrays import Csr, empty_padded
from warpath.graph.graph import Graph

# Kernels look a few rows ahead of the last arc, which must not wrap round.
_MAX_32_BIT_ARCS = 2**32 - 2**16
# A queue's tail has 28 bits for vertices and 36 for arcs (frontier/queue.cuh).
_MAX_64_BIT_VERTICES = 2**28


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
    derived : dict
        What functions made of the graph and keep with it: as `warpath.Graph.derived`.
    """

    row_offsets: Any
    column_indices: Any
    directed: bool
    _weights: Any = field(default=None, repr=False)
    # Weak: the graph keeps this, not this the graph.
    _host: ref[Graph] | None = field(default=None, repr=False)
    derived: dict[Any, Any] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def from_graph(cls, graph: Graph) -> "DeviceGraph":
        """The graph on the current device.

        One that was built there is used as it is. Any other is copied; its weights follow when
        they are asked for.
        """
        csr = graph.resident
        if graph.device != "cpu" and csr.row_offsets.device.id != runtime.current().device:
            csr = Csr(graph.row_offsets, graph.column_indices, graph.weights)
        return cls.from_arrays(*csr, directed=graph.directed, _host=ref(graph))

    @classmethod
    def from_arrays(
        cls,
        row_offsets: Any,
        column_indices: Any,
        weights: Any = None,
        *,
        directed: bool,
        wide: bool = False,
        _host: ref[Graph] | None = None,
    ) -> "DeviceGraph":
        """A graph of CSR arrays that are known to be right, NumPy's or CuPy's.

        CuPy's are used as they are: they must lie on the current device.

        Parameters
        ----------
        row_offsets : integer array, shape (n + 1,)
        column_indices : int32 array, shape (m,)
        weights : int32, int64, float32 or float64 array, shape (m,), optional
        directed : bool
            False promises that each arc's reverse is there.
        wide : bool
            True: 64-bit offsets, also where 32 bits would do.

        Raises
        ------
        OverflowError
            2²⁸ vertices or more with 64-bit offsets.
        """
        n, m = len(row_offsets) - 1, len(column_indices)
        wide = wide or m >= _MAX_32_BIT_ARCS
        if wide and n >= _MAX_64_BIT_VERTICES:
            raise OverflowError(
                f"{n} vertices with {m} arcs: on a GPU, graphs of 2³² arcs or more may have "
                f"{_MAX_64_BIT_VERTICES} vertices at most"
            )
        offsets = _as_unsigned(
            runtime.current().xp.asarray(row_offsets), np.dtype(np.uint64 if wide else np.uint32)
        )
        return cls(offsets, _padded(column_indices), directed, weights, _host)

    @property
    def num_vertices(self) -> int:
        """Number of vertices, n."""
        return len(self.row_offsets) - 1

    @property
    def num_arcs(self) -> int:
        """Number of arcs, m."""
        return len(self.column_indices)

    @cached_property
    def weights(self) -> Any:
        """Cupy array of the graph's weights, shape (m,) and padded like the indices, or None.

        Copied to the device when first asked for, where they are not there yet.
        """
        return None if self._weights is None else _padded(self._weights)

    @cached_property
    def sources(self) -> Any:
        """Cupy array of each arc's source, int32, padded like the indices: COO, with them."""
        return sort.expand_sources(runtime.current().xp, self.row_offsets, self.num_arcs)

    @cached_property
    def csr(self) -> bytes:
        """As kernels take it: ``Csr`` of core/types.cuh."""
        return self.csr_with(self.column_indices)

    def csr_with(self, column_indices: Any) -> bytes:
        """The same with other columns."""
        address = runtime.current().address
        return CSR(
            vertices=self.num_vertices,
            row_offsets=address(self.row_offsets),
            column_indices=address(column_indices),
        )

    @property
    def offset_bytes(self) -> int:
        """Size of a row offset: 4 or 8."""
        return int(self.row_offsets.dtype.itemsize)

    @cached_property
    def reverse(self) -> "DeviceGraph":
        """The graph with every arc reversed; an undirected one is its own."""
        if not self.directed:
            return self
        if self._host is not None and (host := self._host()) is not None:
            return on_device(host.reverse)
        csr = Csr(self.row_offsets, self.column_indices, self.weights)
        wide = self.row_offsets.dtype == np.uint64
        return DeviceGraph.from_arrays(
            *sort.transpose(runtime.current().xp, csr), directed=True, wide=wide
        )

    @property
    def nbytes(self) -> int:
        """Bytes of its CSR arrays, without weights."""
        return int(self.row_offsets.nbytes + self.column_indices.nbytes)


def _as_unsigned(offsets: Any, dtype: "np.dtype[Any]") -> Any:
    """Offsets as ``dtype``; signed ones of that size without a copy: they are not negative."""
    if offsets.dtype.itemsize == dtype.itemsize:
        return offsets.view(dtype)
    return offsets.astype(dtype)


def _padded(array: Any) -> Any:
    """The array on the device; a copy of a NumPy array ends as kernels read it."""
    xp = runtime.current().xp
    if isinstance(array, xp.ndarray):
        return array
    space = empty_padded(xp, len(array), array.dtype)
    space.set(np.ascontiguousarray(array))
    return space


def on_device(graph: Graph) -> DeviceGraph:
    """The graph on the current device; copied there at the first call, and kept."""
    where = runtime.current()
    key = "on a GPU", where, where.device
    if key not in graph.derived:
        graph.derived[key] = DeviceGraph.from_graph(graph)
    return graph.derived[key]  # type: ignore[no-any-return]
