"""Sums over the edges that come in to each vertex, by blocks of vertices that shared memory holds."""

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from warpath import devices
from warpath.cuda import runtime
from warpath.cuda.arguments import CSR, POINTER, U32, Struct
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.instances import (
    BLOCKING_THREADS,
    accumulate_kernel,
    propagate_kernel,
    split_kernel,
    tiles_kernel,
)
from warpath.cuda.runtime import GridKernel

_HEADER = "propagation_blocking.cuh"
_OCTET = 8  # edges: of propagation_blocking.cuh
_MIN_TILE = 32  # edges on average: of fewer, padding would be a tenth and more of all
# From how many vertices on sums by blocks take less time than gathering (H200, 2026-12). On a grid, whose vertices' neighbours
# have near numbers, they take up to twice as long: so most edges are to lead farther than a share of all vertices.
_MIN_VERTICES, _SAMPLED_ROWS, _FAR = 2**20, 2**14, 64
_MIN_AT_ONCE = 8192  # edges that are sorted together: 2 and more for each tile
_FOR_VALUES = 0.8  # of shared memory: with more, streams have too little of the L1 cache
_MIN_ROUNDS = 4  # blocks of rows for each multiprocessor, which share the work well then
_SPLITTING_BLOCKS = 2  # of a multiprocessor, whose threads they are
_STATIC_BYTES = 1024  # of shared memory, which the kernels take apart from what they ask for

PROPAGATE_ARGUMENTS = Struct(
    contribution=POINTER, vertices=U32, blocks=U32, first=POINTER, columns=POINTER,
    destination=POINTER, contributions=POINTER,
)  # fmt: skip
ACCUMULATE_ARGUMENTS = Struct(
    contributions=POINTER, vertices=U32, size=U32, blocks=U32, first=POINTER, rows=POINTER,
    sums=POINTER,
)  # fmt: skip
SPLIT_ARGUMENTS = Struct(
    tiles=U32, by_column=POINTER, by_row=POINTER, edges=POINTER, destination=POINTER, rows=POINTER,
    columns=POINTER,
)  # fmt: skip


@cache
def tile_arguments(offset_bytes: int) -> Struct:
    """``TileArguments`` of propagation_blocking.cuh."""
    return Struct(
        graph=CSR, rows=U32, column_blocks=U32, at_once=U32, octets=POINTER, by_row=POINTER,
        edges=POINTER,
    )  # fmt: skip


class Blocks(NamedTuple):
    """How vertices are cut into blocks.

    Attributes
    ----------
    vertices : int
    item : int
        Bytes of a contribution.
    size_of_rows, size_of_columns : int
        Vertices of a block of rows, and of a block of columns.
    at_once : int
        Edges that are sorted together, when the tiles are made; less than 1 where shared memory is too small.
    """

    vertices: int
    item: int
    size_of_rows: int
    size_of_columns: int
    at_once: int

    @property
    def rows(self) -> int:
        """The number of blocks of rows."""
        return -(-self.vertices // self.size_of_rows)

    @property
    def columns(self) -> int:
        """The number of blocks of columns."""
        return -(-self.vertices // self.size_of_columns)

    def suit(self, edges: int) -> bool:
        """Whether a graph of as many edges has enough of them for each tile, and shared memory suffices."""
        tiles = self.rows * self.columns
        return (
            edges >= _MIN_TILE * tiles
            and edges + _OCTET * tiles < 2**32 * _OCTET  # octets are numbered by 32 bits
            and self.at_once >= min(_MIN_AT_ONCE, 4 * self.columns)
        )

    def nbytes(self, edges: int) -> int:
        """An upper bound of what the tiles and contributions of as many edges take, and what makes them."""
        tiles = self.rows * self.columns
        return (edges + _OCTET * tiles) * (self.item + 5) + 20 * tiles


def blocks_of(vertices: int, item: int) -> Blocks:
    """The largest blocks that the current device's shared memory holds.

    Parameters
    ----------
    vertices : int
    item : int
        Bytes of a contribution.
    """
    here = runtime.current()
    shared = here.max_shared_bytes - _STATIC_BYTES
    # Numbers in a block have 16 bits; those of columns have one more, for padding. A sum has 8 bytes.
    values = int(_FOR_VALUES * shared)
    size_of_columns = min(2**16, values // item) - 1 >> 5 << 5
    most_rows = min(2**16, values // 8) >> 5 << 5
    rounds = max(_MIN_ROUNDS, -(-vertices // (here.multiprocessors * most_rows)))
    size_of_rows = min(most_rows, -(-vertices // (here.multiprocessors * rounds * 32)) * 32)
    columns = -(-vertices // size_of_columns)
    at_once = (shared - 12 * columns) // 6 >> 5 << 5
    return Blocks(vertices, item, size_of_rows, size_of_columns, at_once)


def pays(incoming: DeviceGraph, item: int) -> bool:
    """Whether sums by blocks take less time than gathering, and memory holds what they need.

    Parameters
    ----------
    incoming : DeviceGraph
        See `BlockedSums`.
    item : int
        Bytes of a contribution.
    """
    if incoming.out_of_core or incoming.num_vertices < _MIN_VERTICES:
        return False
    blocks, edges = blocks_of(incoming.num_vertices, item), incoming.num_arcs
    return (
        blocks.suit(edges)
        and devices.free_memory(runtime.current().xp) > blocks.nbytes(edges)
        and _lead_far(incoming)
    )


def _lead_far(graph: DeviceGraph) -> bool:
    """Whether most edges lead far by the vertices' numbers, so that a cache helps little: by an edge of each of some rows."""
    xp, n, offsets = runtime.current().xp, graph.num_vertices, graph.row_offsets
    rows = xp.arange(0, n, -(-n // _SAMPLED_ROWS))
    middle = (offsets[rows].astype(np.int64) + offsets[rows + 1].astype(np.int64)) // 2
    far = abs(graph.column_indices[xp.minimum(middle, graph.num_arcs - 1)] - rows) > n // _FAR
    return int(far.sum()) > len(rows) // 2


class BlockedSums:
    """Sums that are prepared once, and taken again and again.

    Parameters
    ----------
    incoming : DeviceGraph
        The reverse graph: its rows are the edges that come in.
    contribution : cupy array of float32 or int64, shape (n,)
        What each vertex adds to the sums of those that its edges lead to; each run reads it. Floats are rounded towards 0.

    Attributes
    ----------
    out : cupy array of int64, shape (n,)
        What each run writes.

    Notes
    -----
    The order of additions is any; sums of integers do not depend on it. See `Blocks.nbytes` for the memory.
    """

    def __init__(self, incoming: DeviceGraph, contribution: Any) -> None:
        here = self._here = runtime.current()
        self.out = here.xp.empty(incoming.num_vertices, np.int64)
        self._contribution = contribution
        self._blocks = blocks_of(incoming.num_vertices, contribution.dtype.itemsize)
        self._make_tiles(incoming)
        value = contribution.dtype.name
        self._propagate = self._kernel(
            propagate_kernel(value, self._blocks.size_of_columns, here.threads(BLOCKING_THREADS)),
            contribution.dtype.itemsize * (self._blocks.size_of_columns + 1),
        )
        self._accumulate = self._kernel(
            accumulate_kernel(value, here.threads(BLOCKING_THREADS)),
            8 * self._blocks.size_of_rows,
        )

    def run(self) -> Any:
        """Queue the sums, and return ``out``; nothing is waited for."""
        here, blocks, address = self._here, self._blocks, self._here.address
        self.out.fill(0)
        self._propagate.launch(
            PROPAGATE_ARGUMENTS(
                contribution=address(self._contribution), vertices=blocks.vertices, blocks=blocks.columns,
                first=address(self._first_of_columns), columns=address(self._columns),
                destination=address(self._destination), contributions=address(self._contributions),
            ),
            here.multiprocessors,
        )  # fmt: skip
        self._accumulate.launch(
            ACCUMULATE_ARGUMENTS(
                contributions=address(self._contributions), vertices=blocks.vertices,
                size=blocks.size_of_rows, blocks=blocks.rows, first=address(self._first_of_rows), rows=address(self._rows),
                sums=address(self.out),
            ),
            here.multiprocessors,
        )  # fmt: skip
        return self.out

    def _make_tiles(self, graph: DeviceGraph) -> None:
        here, xp, blocks, address = self._here, self._here.xp, self._blocks, self._here.address
        octets = xp.empty((blocks.rows, blocks.columns), np.uint32)
        cut = {"graph": graph.csr, "rows": blocks.size_of_rows, "column_blocks": blocks.columns}
        cut |= {"at_once": blocks.at_once, "octets": address(octets)}
        pack = tile_arguments(graph.offset_bytes)
        count, fill = (
            self._kernel(
                tiles_kernel(name, graph.offset_bytes, blocks.size_of_columns, here.threads(BLOCKING_THREADS)),
                nbytes,
            )
            for name, nbytes in (
                ("count_tiles", 4 * blocks.columns),
                ("fill_tiles", 12 * blocks.columns + 6 * blocks.at_once),
            )
        )  # fmt: skip
        count.launch(pack(**cut, by_row=0, edges=0), here.multiprocessors)
        by_row, self._first_of_rows = _first_octets(xp, octets)
        by_column, self._first_of_columns = _first_octets(xp, xp.ascontiguousarray(octets.T))
        total = int(self._first_of_rows[-1])
        self._destination = xp.empty(total, np.uint32)
        self._rows, self._columns = (xp.empty(_OCTET * total, np.uint16) for _ in range(2))
        # Until the first run it has the edges.
        self._contributions = xp.empty(_OCTET * total, self._contribution.dtype)
        fill.launch(
            pack(**cut, by_row=address(by_row), edges=address(self._contributions)), here.multiprocessors
        )  # fmt: skip
        by_row = xp.ascontiguousarray(by_row[:-1].reshape(octets.shape).T)
        self._kernel(split_kernel(here.threads(BLOCKING_THREADS)), 0).launch(
            SPLIT_ARGUMENTS(
                tiles=octets.size, by_column=address(by_column), by_row=address(by_row),
                edges=address(self._contributions), destination=address(self._destination), rows=address(self._rows),
                columns=address(self._columns),
            ),
            _SPLITTING_BLOCKS * here.multiprocessors,
        )  # fmt: skip

    def _kernel(self, instance: str, shared_bytes: int) -> GridKernel:
        here = self._here
        return here.grid(_HEADER, instance, here.threads(BLOCKING_THREADS), shared_bytes)


def _first_octets(xp: Any, octets: Any) -> tuple[Any, Any]:
    """The first octet of each tile, and of each block, a row of tiles; both with the number of all."""
    first = xp.zeros(octets.size + 1, np.uint32)
    xp.cumsum(octets.ravel(), dtype=np.uint32, out=first[1:])
    return first, first[:: octets.shape[1]].copy()
