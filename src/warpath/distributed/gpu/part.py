"""A rank's part of a graph on its GPU."""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath import devices
from warpath.balance import DEFAULT, lookup
from warpath.cuda import runtime
from warpath.cuda.components import connected_components
from warpath.cuda.device_graph import (
    MOST_QUEUED,
    DeviceGraph,
    on_this_gpu,
    takes_wide_offsets,
)
from warpath.cuda.weights import weights_as
from warpath.distributed.gpu.ranks import gpu_of
from warpath.distributed.graph import DistributedGraph
from warpath.distributed.part import Part, cut
from warpath.distributed.transport import Transport
from warpath.graph.arrays import Csr
from warpath.graph.graph import Graph
from warpath.graph.on_gpus import Rows
from warpath.planning.parts import are_rounded

Array = Any  # of the runtime's module

_ON_GPU = "on a GPU"
_NOTHING = np.empty(0, np.int64)
_ARCS_AT_ONCE = 1 << 26  # whose heads get other numbers: temporary arrays of 0.3 GB


@dataclass(frozen=True, eq=False)
class GpuPart(Part):
    """A part whose arrays lie on a GPU, but for ``bounds`` and ``ends``.

    Attributes
    ----------
    graph, reverse : DeviceGraph
        With the part's weights.
    """

    graph: DeviceGraph  # type: ignore[assignment]
    reverse: DeviceGraph  # type: ignore[assignment]

    @property
    def xp(self) -> Any:
        """The module of its arrays."""
        return runtime.current().xp

    def ghosts_where(self, values: Array) -> Array:
        """The numbers of ghosts for which ``values``, one for each number, is true; ascending."""
        ghosts = values.copy()
        ghosts[self.owned] = False
        return ghosts.nonzero()[0].astype(np.int32)  # waits once, and not for each side

    def owned_where(self, values: Array) -> Array:
        """Likewise the numbers that this rank owns."""
        return (values[self.owned].nonzero()[0] + self.begin).astype(np.int32)

    def push(
        self, transport: Transport, ghosts: Array, *columns: Array, note: Array = _NOTHING
    ) -> tuple[Array, list[Array], Array]:
        """As `Part.push`, without a note: each column travels alone."""
        assert len(note) == 0
        blocks = self.push_blocks(transport, ghosts, *columns)
        owned, *told = (self.xp.concatenate(one) for one in blocks)
        return owned, told, note

    def push_blocks(
        self, transport: Transport, ghosts: Array, *columns: Array
    ) -> list[list[Array]]:
        """As `push`, a block from each rank: the numbers that it tells of, each once, and their columns."""
        cuts = [0] * (len(self.ends) - 1)
        if len(ghosts):  # else nothing is waited for
            cuts = [0, *self.xp.searchsorted(ghosts, self._inner_ends).tolist()]
        cuts.append(len(ghosts))
        places, *told = (
            transport.exchange(cut(one, cuts)) for one in (self._place[ghosts], *columns)
        )
        owned = [shown[block] for shown, block in zip(self.boundary, places, strict=True)]
        return [owned, *told]

    def tell_owners(self, transport: Transport, distance: Array, done: Array) -> None:
        """Tell the owners of lowered ghosts, whose ``distance`` is below ``done``; here is lowered what others tell."""
        lowered = self.ghosts_where(distance < done)
        done[lowered] = distance[lowered]
        told, values = self.push_blocks(transport, lowered, distance[lowered])
        for vertices, value in zip(told, values, strict=True):  # a rank tells of each once
            distance[vertices] = self.xp.minimum(distance[vertices], value)

    @cached_property
    def _inner_ends(self) -> Array:
        return self.xp.asarray(self.ends[1:-1].astype(np.int32))

    @cached_property
    def _place(self) -> Array:
        """Where each number stands among those of its owner: uint32 array."""
        xp, first = self.xp, self.xp.asarray(self.ends[:-1])
        owner = xp.searchsorted(xp.asarray(self.ends), xp.arange(len(self.ids)), "right") - 1
        return (xp.arange(len(self.ids)) - first[owner]).astype(np.uint32)

    def with_weights_as(self, dtype: np.dtype[Any]) -> "GpuPart":
        """The same part with weights in a dtype that holds them; of integers any does."""
        graph, reverse = (_with_weights_as(one, dtype) for one in (self.graph, self.reverse))
        same = graph is self.graph and reverse is self.reverse
        return self if same else replace(self, graph=graph, reverse=reverse)

    def arcs(self, *, weighted: bool) -> tuple[DeviceGraph, DeviceGraph]:
        """``graph`` and ``reverse``, or the same without weights."""
        return (self.graph, self.reverse) if weighted else self._unweighted

    @cached_property
    def _unweighted(self) -> tuple[DeviceGraph, DeviceGraph]:
        graph, reverse = (
            DeviceGraph(one.row_offsets, one.column_indices, directed=True)
            for one in (self.graph, self.reverse)
        )
        return graph, reverse


def _with_weights_as(graph: DeviceGraph, dtype: np.dtype[Any]) -> DeviceGraph:
    if graph.weights is None or dtype.kind == "i" or graph.weights.dtype == dtype:
        return graph
    key = "with weights as", dtype
    if key not in graph.derived:
        graph.derived[key] = DeviceGraph(
            graph.row_offsets,
            graph.column_indices,
            graph.directed,
            _weights=weights_as(graph, dtype),
        )
    made: DeviceGraph = graph.derived[key]
    return made


def on_gpu(graph: DistributedGraph) -> DistributedGraph:
    """The graph with this rank's part on its GPU; copied there at the first call, and kept. All ranks call it.

    Raises
    ------
    DeviceUnavailableError
        A rank without a GPU of its own.
    MemoryError
        If the part does not fit there.
    """
    if isinstance(graph.part, GpuPart):
        return graph
    if _ON_GPU not in graph.derived:
        transport, moved = graph.transport, copy(graph)
        if transport.gpu is None:
            transport.gpu = gpu_of(transport)
        with devices.memory_for(
            f"part {transport.rank} of {transport.size} on GPU {transport.gpu.device}"
        ):
            moved.part = rows_of_rank(graph) if runs_together(graph) else part_on_gpu(graph.part)
            moved.derived = {}
        graph.derived[_ON_GPU] = moved
    kept: DistributedGraph = graph.derived[_ON_GPU]
    return kept


def row_starts(graph: Graph, bounds: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Where the rows of each rank begin among the arcs of a graph, and those of its reverse, if it is directed."""
    return [
        one.row_offsets[bounds].astype(np.int64)
        for one in ((graph, graph.reverse) if graph.directed else (graph,))
    ]


def own_rows(
    graph: Graph, bounds: NDArray[np.int64], starts: Sequence[NDArray[np.int64]], rank: int
) -> Rows:
    """The rows of one rank's vertices, on the current GPU.

    Parameters
    ----------
    graph : Graph
        On the host, or on a GPU.
    bounds : int64 array, shape (size + 1,)
        Which vertices each rank owns.
    starts : sequence of int64 arrays, shape (size + 1,)
        `row_starts`, which is asked once for all ranks.
    """
    vertices = slice(int(bounds[rank]), int(bounds[rank + 1]) + 1)
    found = []
    for one, at in zip((graph, graph.reverse), starts, strict=False):
        csr, arcs = one.resident, slice(int(at[rank]), int(at[rank + 1]))
        offsets = on_this_gpu(csr.row_offsets[vertices])
        columns, weights = (
            None if array is None else on_this_gpu(array[arcs]) for array in csr[1:]
        )
        found.append(Csr(offsets - offsets.dtype.type(arcs.start), columns, weights))
    return Rows(found[0], found[-1])


def rows_on_gpu(
    rows: Rows, bounds: NDArray[np.int64], rank: int, *, queued: tuple[int, int]
) -> GpuPart:
    """A part with the rows of one rank's vertices, where every vertex is known by its own number.

    Kernels of several GPUs that reach each other's memory read such parts (`warpath.cuda.multi_gpu`). All
    vertices of other ranks are ghosts.

    Parameters
    ----------
    rows : Rows
        On the current GPU.
    bounds : int64 array, shape (size + 1,)
        Which vertices each rank owns: multiples of 32, since a word of a bitmap is one GPU's, or all of them end there.
    queued : tuple of int
        How many vertices and arcs of the whole graph may be in queues at once: a barrier adds them up.
    """
    assert are_rounded(bounds), bounds
    xp, n = runtime.current().xp, int(bounds[-1])
    begin, end = int(bounds[rank]), int(bounds[rank + 1])

    wide = takes_wide_offsets(queued[1])  # on all GPUs the same

    def spread(csr: Csr) -> DeviceGraph:
        offsets = xp.zeros(n + 1, np.uint64 if wide else np.uint32)
        offsets[begin : end + 1] = csr.row_offsets
        offsets[end + 1 :] = len(csr.column_indices)
        return DeviceGraph.from_arrays(
            offsets, csr.column_indices, csr.weights, directed=True, wide=wide, queued=queued
        )  # fmt: skip

    forward = spread(rows.forward)
    backward = forward if rows.backward is rows.forward else spread(rows.backward)
    own = xp.arange(begin, end, dtype=np.int32)
    boundary = [own[:0] if q == rank else own for q in range(len(bounds) - 1)]
    return GpuPart(
        bounds, xp.arange(n, dtype=np.int32), bounds, begin, end, boundary, forward, backward
    )


def runs_together(graph: DistributedGraph) -> bool:
    """Whether a search by ranks is one launch on the GPU of each."""
    gpu = graph.transport.gpu
    return gpu is not None and gpu.together is not None and are_rounded(graph.part.bounds)


def rows_of_rank(graph: DistributedGraph) -> GpuPart:
    """A rank's part of a graph on the current GPU, as `rows_on_gpu` has it; all ranks call it."""
    part, ids = graph.part, runtime.current().xp.asarray(graph.part.ids)
    n, m = graph.num_vertices, graph.num_arcs

    def rows(local: Graph) -> Csr:
        offsets, columns, weights = local.resident
        columns = on_this_gpu(columns)
        for first in range(0, len(columns), _ARCS_AT_ONCE):
            some = columns[first : first + _ARCS_AT_ONCE]
            some[:] = ids[some]
        own = on_this_gpu(offsets[part.begin : part.end + 1])
        return Csr(own, columns, None if weights is None else on_this_gpu(weights))

    forward = rows(part.graph)
    backward = forward if part.reverse is part.graph else rows(part.reverse)
    if n >= MOST_QUEUED and not graph.directed:  # as of `warpath.cuda.device_graph.most_queued`
        offsets = part.graph.row_offsets
        n = int(graph.transport.reduce((offsets[1:] != offsets[:-1]).sum())[0])
    return rows_on_gpu(Rows(forward, backward), part.bounds, graph.transport.rank, queued=(n, m))


def part_on_gpu(part: Part) -> GpuPart:
    """A copy of a part on the current GPU."""
    asarray = runtime.current().xp.asarray
    graph = _copied(part.graph)
    reverse = graph if part.reverse is part.graph else _copied(part.reverse)
    return GpuPart(
        part.bounds, asarray(part.ids), part.ends, part.begin, part.end,
        [asarray(shown) for shown in part.boundary], graph, reverse,
    )  # fmt: skip


def _copied(graph: Graph) -> DeviceGraph:
    """Directed, even if the whole is not: ghosts have no arcs back."""
    return DeviceGraph.from_arrays(*graph.resident, directed=True)


def components_of(part: Part) -> Array:
    """The smallest number of the weak component of each number, by the arcs that the part has."""
    assert isinstance(part, GpuPart)
    group = part.xp.empty(part.graph.num_vertices, np.int32)
    if len(group):
        connected_components(part.graph, lookup(DEFAULT), group)
    return group
