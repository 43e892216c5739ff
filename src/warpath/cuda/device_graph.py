"""A graph as kernels read it: in a device's memory, or out of core."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from weakref import ref

import numpy as np

from warpath import devices
from warpath.cuda import runtime
from warpath.cuda.arguments import CSR
from warpath.graph import sort
from warpath.graph.arrays import Csr, empty_padded
from warpath.graph.derived import nbytes_of
from warpath.graph.graph import Graph
from warpath.graph.on_gpus import GraphOnGpus
from warpath.planning import memory
from warpath.planning.plan import graph_nbytes

# Kernels look a few rows ahead of the last arc, which must not wrap round.
_MAX_32_BIT_ARCS = 2**32 - 2**16
# A queue's tail has 29 bits for vertices and 35 for arcs (frontier/queue.cuh).
MOST_QUEUED, MOST_QUEUED_ARCS = 2**29, 2**35
_ON_DEVICE, _OUT_OF_CORE = "on a GPU", "out of core"  # as `Graph.memory` calls them
_BYTES_PER_VERTEX = 32  # of the answer and the workspace of a run without a plan: a guess


@dataclass(frozen=True, eq=False)
class DeviceGraph:
    """CSR in device memory, as kernels read it.

    Out of core all arrays with an element for each arc are in pinned memory of the host, which kernels
    read through PCIe, as S. W. Min et al., "EMOGI", VLDB 2020: a warp's loads of consecutive columns
    become requests of whole cache lines. Row offsets are in device memory.

    Attributes
    ----------
    row_offsets : cupy array, shape (n + 1,)
        uint32 below 2³² arcs (less a few), else uint64.
    column_indices : cupy array of int32, shape (m,)
        In an allocation that ends at a multiple of four elements, or later.
    directed : bool
    out_of_core : bool
    derived : dict
        What functions made of the graph and keep with it: as `warpath.Graph.derived`.
    """

    row_offsets: Any
    column_indices: Any
    directed: bool
    out_of_core: bool = False
    _weights: Any = field(default=None, repr=False)
    # Weak: the graph keeps this, not this the graph.
    _host: ref[Graph] | None = field(default=None, repr=False)
    derived: dict[Any, Any] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def from_graph(cls, graph: Graph, out_of_core: bool = False) -> "DeviceGraph":
        """The graph on the current device.

        One that was built there is used as it is. Any other is copied, or out of core pinned; its
        weights follow when they are asked for.
        """
        csr = graph.resident
        if graph.device != "cpu" and csr.row_offsets.device.id != runtime.current().device:
            csr = Csr(graph.row_offsets, graph.column_indices, graph.weights)
        return cls.from_arrays(
            *csr, directed=graph.directed, out_of_core=out_of_core,
            queued=most_queued(graph), _host=ref(graph),
        )  # fmt: skip

    @classmethod
    def from_arrays(
        cls,
        row_offsets: Any,
        column_indices: Any,
        weights: Any = None,
        *,
        directed: bool,
        wide: bool = False,
        out_of_core: bool = False,
        queued: tuple[int, int] | None = None,
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
        out_of_core : bool
            True: column indices and weights of NumPy are pinned, not copied.
        queued : tuple of int, optional
            How many vertices and arcs a queue may hold; by default all.

        Raises
        ------
        OverflowError
            With 64-bit offsets: 2²⁹ vertices with arcs or more, or 2³⁵ arcs.
        """
        n, m = len(row_offsets) - 1, len(column_indices)
        wide = wide or takes_wide_offsets(m)
        vertices, arcs = (n, m) if queued is None else queued
        if wide and (vertices >= MOST_QUEUED or arcs >= MOST_QUEUED_ARCS):
            raise OverflowError(
                f"{vertices:,} vertices with {arcs:,} arcs: on a GPU, graphs of 2³² arcs or more have fewer than "
                f"{MOST_QUEUED:,} vertices and {MOST_QUEUED_ARCS:,} arcs"
            )
        offsets = _as_unsigned(
            runtime.current().xp.asarray(row_offsets), np.dtype(np.uint64 if wide else np.uint32)
        )
        columns = _placed(column_indices, out_of_core)
        return cls(offsets, columns, directed, out_of_core, weights, _host)

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

        Copied to the device when first asked for, where they are not there yet; pinned out of core.
        """
        return None if self._weights is None else _placed(self._weights, self.out_of_core)

    @cached_property
    def sources(self) -> Any:
        """Cupy array of each arc's source, int32, padded like the indices: COO, with them."""
        if self.out_of_core:
            offsets = self.row_offsets.get()
            return _placed(sort.expand_sources(np, offsets, self.num_arcs), out_of_core=True)
        return sort.expand_sources(runtime.current().xp, self.row_offsets, self.num_arcs)

    def empty_arcs(self, dtype: Any) -> Any:
        """An array with an element for each arc, where the column indices lie; any content."""
        here = runtime.current()
        if self.out_of_core:
            return here.empty_pinned(self.num_arcs, dtype)
        return empty_padded(here.xp, self.num_arcs, dtype)

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

    @property
    def reverse(self) -> "DeviceGraph":
        """The graph with every arc reversed; an undirected one is its own."""
        if not self.directed:
            return self
        if self._host is not None and (host := self._host()) is not None:
            return on_device(host.reverse, self.out_of_core)
        return self._transposed

    @cached_property
    def _transposed(self) -> "DeviceGraph":
        csr = Csr(self.row_offsets, self.column_indices, self.weights)
        wide = self.row_offsets.dtype == np.uint64
        return DeviceGraph.from_arrays(
            *sort.transpose(runtime.current().xp, csr), directed=True, wide=wide
        )

    @property
    def nbytes(self) -> int:
        """Bytes of its CSR arrays, without weights, in device memory."""
        return int(self.row_offsets.nbytes + self.column_indices.nbytes) - self.pinned_nbytes

    @property
    def pinned_nbytes(self) -> int:
        """Bytes of its column indices in pinned memory."""
        return int(self.column_indices.nbytes) if self.out_of_core else 0


def most_queued(graph: Graph) -> tuple[int, int]:
    """How many vertices and arcs a queue of the graph may hold: of large ones vertices with arcs are counted."""
    n, m = graph.num_vertices, graph.num_arcs
    # Of directed graphs those are counted as well to which arcs lead.
    if n < MOST_QUEUED or graph.directed:
        return n, m
    if isinstance(graph, GraphOnGpus):
        return graph.vertices_with_arcs, m
    offsets = graph.resident.row_offsets
    return int((offsets[1:] != offsets[:-1]).sum()), m


def takes_wide_offsets(arcs: int) -> bool:
    """Whether row offsets of that many arcs take 64 bits."""
    return arcs >= _MAX_32_BIT_ARCS


def on_this_gpu(array: Any) -> Any:
    """A copy of an array on the current device, padded as kernels read; of the host's, or of one on any device."""
    here = runtime.current()
    space = empty_padded(here.xp, len(array), array.dtype)
    if not isinstance(array, here.xp.ndarray):
        space.set(np.ascontiguousarray(array))
    elif array.nbytes:
        stream = here.xp.cuda.get_current_stream()
        here.xp.cuda.runtime.memcpyPeerAsync(
            here.address(space), here.device, here.address(array), array.device.id, array.nbytes, stream.ptr
        )  # fmt: skip
        stream.synchronize()  # the array may be freed
    return space


def _as_unsigned(offsets: Any, dtype: "np.dtype[Any]") -> Any:
    """Offsets as ``dtype``; signed ones of that size without a copy: they are not negative."""
    if offsets.dtype.itemsize == dtype.itemsize:
        return offsets.view(dtype)
    return offsets.astype(dtype)


def _placed(array: Any, out_of_core: bool) -> Any:
    """The array as kernels read it; NumPy's are copied to the device, or out of core pinned."""
    here = runtime.current()
    xp = here.xp
    if isinstance(array, xp.ndarray):
        return array
    if out_of_core:
        return here.pin(array)
    space = empty_padded(xp, len(array), array.dtype)
    space.set(np.ascontiguousarray(array))
    return space


def on_device(graph: Graph, out_of_core: bool | None = None) -> DeviceGraph:
    """The graph for the current device; copied there at the first call, or pinned, and kept.

    Parameters
    ----------
    graph : Graph
    out_of_core : bool, optional
        As the plan of the call says it; None: as it is kept, else what `does_not_fit` says. What
        was pinned stays so.
    """
    kept = _existing(graph)
    if kept is not None and (kept.out_of_core or not out_of_core):
        return kept
    if out_of_core is None:
        needed = graph_nbytes(graph, "cuda", reads_weights=True)
        needed += _BYTES_PER_VERTEX * graph.num_vertices
        out_of_core = bool(does_not_fit(graph, needed))
    kept = None  # so that its memory is free
    drop_copy(graph)
    made = DeviceGraph.from_graph(graph, out_of_core)
    graph.derived[_key(_OUT_OF_CORE if out_of_core else _ON_DEVICE)] = made
    return made


def does_not_fit(graph: Graph, needed: int) -> str:
    """Why the current device does not hold the graph's arcs; "" if it does.

    Parameters
    ----------
    needed : int
        Bytes of the graph, the answer and the workspace.
    """
    if graph.device != "cpu" or needed <= memory.SMALL:
        return ""
    kept, looked = _existing(graph), _key("fits a GPU")
    if kept is not None and kept.out_of_core:
        return "its edges are pinned already"
    if kept is not None and needed <= graph.derived.get(looked, -1):
        return ""
    if not has_default_pool():
        return ""  # what another allocator, such as RMM's, has left is not known
    share = room_for(graph)
    if needed <= share:
        graph.derived[looked] = needed
        return ""
    return f"graph and search take {needed:,} bytes, and {share:,} may be taken"


def has_default_pool() -> bool:
    """Whether arrays come from CuPy's default pool, and not from another allocator."""
    xp = runtime.current().xp
    return bool(xp.cuda.get_allocator() == xp.get_default_memory_pool().malloc)


def room_for(graph: Graph) -> int:
    """Bytes that a graph and its search may take on the current device; a copy there makes way."""
    copy = graph.derived.get(_key(_ON_DEVICE))
    return int(memory.SHARE * (devices.free_memory(runtime.current().xp) + nbytes_of(copy, set())))


def drop_copy(graph: Graph) -> None:
    """Free the memory of the graph's copy on the current device, if there is one."""
    graph.derived.pop(_key(_ON_DEVICE), None)


def _existing(graph: Graph) -> DeviceGraph | None:
    """What is kept with a graph for the current device."""
    kept: DeviceGraph | None = graph.derived.get(_key(_ON_DEVICE))
    return graph.derived.get(_key(_OUT_OF_CORE)) if kept is None else kept


def _key(what: str) -> tuple[Any, ...]:
    where = runtime.current()
    return what, where, where.device
