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
_SPLITTING_BLOCKS = 2  # of a multiprocessor, whose threads they are
_STATIC_BYTES = 1024  # of shared memory, which the kernels take apart from what they ask for

PROPAGATE_ARGUMENTS = Struct(
    contribution=POINTER, vertices=U32, blocks=U32, first=POINTER, columns=POINTER,
    destination=POINTER, contributions=POINTER,
)  # fmt: skip
ACCUMULATE_ARGUMENTS = Struct(
    contributions=POINTER, vertices=U32, blocks=U32, first=POINTER, rows=POINTER, sums=POINTER
)  # fmt: skip
SPLIT_ARGUMENTS = Struct(
    first=POINTER, blocks=U32, edges=POINTER, destination=POINTER, rows=POINTER, columns=POINTER
)  # fmt: skip


@cache
def tile_arguments(offset_bytes: int) -> Struct:
    """``TileArguments`` of propagation_blocking.cuh."""
    return Struct(
        graph=CSR, row_blocks=U32, column_blocks=U32, at_once=U32, octets=POINTER, by_row=POINTER,
        by_column=POINTER, edges=POINTER, destination=POINTER,
    )  # fmt: skip


class Blocks(NamedTuple):
    """How vertices are cut into blocks.

    Attributes
    ----------
    vertices : int
    item : int
        Bytes of a contribution.
    log_rows, log_columns : int
        A block of rows has 2**log_rows vertices, and one of columns likewise.
    at_once : int
        Edges that are sorted together, when the tiles are made; less than 1 where shared memory is too small.
    """

    vertices: int
    item: int
    log_rows: int
    log_columns: int
    at_once: int

    @property
    def rows(self) -> int:
        """The number of blocks of rows."""
        return -(-self.vertices >> self.log_rows)

    @property
    def columns(self) -> int:
        """The number of blocks of columns."""
        return -(-self.vertices >> self.log_columns)

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
    shared = runtime.current().max_shared_bytes - _STATIC_BYTES
    # Of a column 16 bits are kept, and one number more than there are columns; a sum has 8 bytes.
    log_columns = min(15, (shared // item - 1).bit_length() - 1)
    log_rows = min(16, (shared // 8).bit_length() - 1)
    columns = -(-vertices >> log_columns)
    return Blocks(vertices, item, log_rows, log_columns, (shared - 16 * columns) // 6 // 32 * 32)


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
            propagate_kernel(value, self._blocks.log_columns, here.threads(BLOCKING_THREADS)),
            contribution.dtype.itemsize * ((1 << self._blocks.log_columns) + 1),
        )
        self._accumulate = self._kernel(
            accumulate_kernel(value, self._blocks.log_rows, here.threads(BLOCKING_THREADS)),
            8 << self._blocks.log_rows,
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
                contributions=address(self._contributions), vertices=blocks.vertices, blocks=blocks.rows,
                first=address(self._first_of_rows), rows=address(self._rows),
                sums=address(self.out),
            ),
            here.multiprocessors,
        )  # fmt: skip
        return self.out

    def _make_tiles(self, graph: DeviceGraph) -> None:
        here, xp, blocks, address = self._here, self._here.xp, self._blocks, self._here.address
        octets = xp.empty((blocks.rows, blocks.columns), np.uint32)
        cut = {"graph": graph.csr, "row_blocks": blocks.rows, "column_blocks": blocks.columns}
        cut |= {"at_once": blocks.at_once, "octets": address(octets)}
        none = dict.fromkeys(("by_row", "by_column", "edges", "destination"), 0)
        pack = tile_arguments(graph.offset_bytes)
        logs = blocks.log_rows, blocks.log_columns, here.threads(BLOCKING_THREADS)
        count, fill = (
            self._kernel(tiles_kernel(name, graph.offset_bytes, *logs), nbytes)
            for name, nbytes in (
                ("count_tiles", 4 * blocks.columns),
                ("fill_tiles", 16 * blocks.columns + 6 * blocks.at_once),
            )
        )
        count.launch(pack(**cut, **none), here.multiprocessors)
        by_row, self._first_of_rows = self._begins(octets)
        by_column, self._first_of_columns = self._begins(xp.ascontiguousarray(octets.T))
        by_column = xp.ascontiguousarray(by_column.T)
        total = int(self._first_of_rows[-1])
        self._destination = xp.empty(total, np.uint32)
        self._rows, self._columns = (xp.empty(_OCTET * total, np.uint16) for _ in range(2))
        self._contributions = xp.empty(
            _OCTET * total, self._contribution.dtype
        )  # until then it has the edges
        arrays = {
            "by_row": by_row,
            "by_column": by_column,
            "edges": self._contributions,
            "destination": self._destination,
        }
        fill.launch(
            pack(**cut, **{name: address(one) for name, one in arrays.items()}), here.multiprocessors
        )  # fmt: skip
        self._kernel(split_kernel(here.threads(BLOCKING_THREADS)), 0).launch(
            SPLIT_ARGUMENTS(
                first=address(self._first_of_columns), blocks=blocks.columns,
                edges=address(self._contributions), destination=address(self._destination), rows=address(self._rows),
                columns=address(self._columns),
            ),
            _SPLITTING_BLOCKS * here.multiprocessors,
        )  # fmt: skip

    def _begins(self, octets: Any) -> tuple[Any, Any]:
        """The first octet of each tile, and of each block, and the number of all."""
        xp = self._here.xp
        ends = xp.cumsum(octets, dtype=np.uint32)
        begins = ends.reshape(octets.shape) - octets
        return begins, xp.concatenate((begins[:, 0], ends[-1:]))

    def _kernel(self, instance: str, shared_bytes: int) -> GridKernel:
        here = self._here
        return here.grid(_HEADER, instance, here.threads(BLOCKING_THREADS), shared_bytes)
