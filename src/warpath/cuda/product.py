"""Products over path algebras on a CUDA device: ``c = min(c, a ⊗ b)``, in place."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from warpath.cuda import runtime
from warpath.cuda.arguments import POINTER, U32, Struct
from warpath.cuda.minplus import (
    Relax,
    Rows,
    Tile,
    Words,
    look_kernel,
    pack_kernel,
    product_kernel,
    tiles_for,
)

_PACK_THREADS = 256  # of `look_for_paths` too
_SQUARE = 32  # rows and columns of what a block of `pack` turns
PACKED_STEPS = _SQUARE
"""Of what the columns of a left operand are a multiple."""

_MAX_TILE_ROWS = 256


_ROW_RANGE = Struct(size=U32, gap_at=U32, gap=U32)
# ProductArguments and PackArguments of minplus.cuh.
PRODUCT_ARGUMENTS = Struct(
    packed=POINTER, packed_pitch=U32, pitch=U32, b=POINTER, c=POINTER, rows=_ROW_RANGE, columns=U32,
    depth=U32, b_predecessor=POINTER, c_predecessor=POINTER, a_paths=POINTER, b_paths=POINTER,
)  # fmt: skip
PACK_ARGUMENTS = Struct(
    source=POINTER, pitch=U32, rows=_ROW_RANGE, packed=POINTER, packed_pitch=U32
)


@cache
def look_arguments(distance: np.dtype[Any]) -> Struct:
    """``LookArguments`` of minplus.cuh."""
    return Struct(
        operand=POINTER, pitch=U32, columns=U32, width=U32, depth=U32, none=distance, paths=POINTER
    )


@dataclass(eq=False)
class Matrix:
    """Rows of a square of distances on the current device, with predecessors or without.

    Attributes
    ----------
    distance : cupy array, shape (rows, n)
        C-contiguous, on an address that is a multiple of 16, as rows are in bytes.
    predecessor : cupy array of int32, shape (rows, n), or None
    words : Words
    first : int
        Which of the square's rows is the first of these.
    """

    distance: Any
    predecessor: Any
    words: Words
    first: int = 0

    @property
    def n(self) -> int:
        """The square's columns."""
        return int(self.distance.shape[1])

    def addresses(self, row: int, column: int = 0) -> tuple[int, int]:
        """Addresses of the distance and the predecessor there in the square; 0 without predecessors."""
        place = (row - self.first) * self.n + column
        distance, predecessor = self.distance, self.predecessor
        address = runtime.current().address
        return (
            address(distance) + place * distance.itemsize,
            0 if predecessor is None else address(predecessor) + place * predecessor.itemsize,
        )


class Products:
    """Products of rows of matrices, with the memory they need.

    Parameters
    ----------
    words : Words
    predecessors : bool
    max_packed : int
        The most words that a left operand will take, by `packed_words`.
    tile : Tile, optional
        The tile of large products; by default one that suits the words.
    lazy_none : scalar, optional
        What stands for "no path", if products shall look for chunks without paths and pass over them.
    """

    def __init__(
        self,
        words: Words,
        predecessors: bool,
        max_packed: int,
        tile: Tile | None = None,
        lazy_none: Any = None,
    ):
        self.words, self.predecessors, self.lazy_none = words, predecessors, lazy_none
        self.large, self.small = tiles_for(words, predecessors)
        self.large = tile or self.large
        self.here = runtime.current()
        self.packed = self.here.xp.empty(max_packed * words.bytes, np.uint8)

    def relax(self, matrix: Matrix, step: Relax, by: Matrix) -> None:
        """Do a step on ``matrix``.

        Distances to the step's vertices are as they are now in ``matrix``, all at once; those
        from them are in ``by``, which is the same matrix if they are not of the step's rows.
        """
        rows, low, high = step
        source, _ = matrix.addresses(rows.first, low)
        self._multiply(
            rows, high - low, source, matrix.n, by.addresses(low), matrix.addresses(rows.first),
            matrix.n,
        )  # fmt: skip

    def better(self, matrix: Matrix, left: Any, by: Matrix) -> None:
        """``matrix = best(matrix, left ⊗ by)``.

        Parameters
        ----------
        matrix, by : Matrix
            They have as many columns and are not the same one.
        left : cupy array, shape (rows of ``matrix``, rows of ``by``)
            Neighbouring columns, a multiple of `PACKED_STEPS` of them.
        """
        (size, depth), pitch = left.shape, left.strides[0] // left.itemsize
        first = by.addresses(by.first), matrix.addresses(matrix.first)
        self._multiply(Rows(0, size), depth, self.here.address(left), pitch, *first, matrix.n)

    def _multiply(
        self, rows: Rows, depth: int, source: int, source_pitch: int, by: tuple[int, int],
        to: tuple[int, int], n: int,
    ) -> None:  # fmt: skip
        """Pack the left operand from ``source`` on, and multiply it by rows of n columns."""
        here, words, pitch = self.here, self.words, _pitch(rows.size)
        packed, row_range = (
            here.address(self.packed),
            _ROW_RANGE(size=rows.size, gap_at=rows.gap_at, gap=rows.gap),
        )
        here.grid("minplus.cuh", pack_kernel(words), here.threads(_PACK_THREADS)).launch(
            PACK_ARGUMENTS(
                source=source, pitch=source_pitch, rows=row_range, packed=packed, packed_pitch=pitch
            ),
            -(-rows.size // _SQUARE), depth // _SQUARE,
        )  # fmt: skip
        columns = n // words.distances
        tile = self._tile(rows.size, columns)
        lazy = self.lazy_none is not None
        a_paths = b_paths = None
        if lazy:
            a_paths = self._look(packed, pitch, rows.size, tile.rows, depth, tile.depth)
            b_paths = self._look(by[0], columns, columns, tile.columns, depth, tile.depth)
        kernel = product_kernel(words, tile, self.predecessors, lazy)
        here.grid("minplus.cuh", kernel, tile.threads).launch(
            PRODUCT_ARGUMENTS(
                packed=packed, packed_pitch=pitch, pitch=columns, b=by[0], c=to[0], rows=row_range,
                columns=columns, depth=depth, b_predecessor=by[1], c_predecessor=to[1],
                a_paths=here.address(a_paths), b_paths=here.address(b_paths),
            ),
            -(-columns // tile.columns), -(-rows.size // tile.rows),
        )  # fmt: skip

    def _look(
        self, operand: int, pitch: int, columns: int, width: int, depth: int, chunk: int
    ) -> Any:
        """Which chunks of an operand's rows, and tiles of its columns, have paths; all in words."""
        tiles, chunks, each = -(-columns // width), depth // chunk, self.words.distances
        here, none = self.here, self.lazy_none
        paths = here.xp.empty(tiles * chunks, np.uint8)
        here.grid("minplus.cuh", look_kernel(self.words), here.threads(_PACK_THREADS)).launch(
            look_arguments(none.dtype)(
                operand=operand, pitch=pitch * each, columns=columns * each, width=width * each,
                depth=chunk, none=none, paths=here.address(paths),
            ),
            tiles, chunks,
        )  # fmt: skip
        return paths

    def _tile(self, rows: int, columns: int) -> Tile:
        blocks = -(-rows // self.large.rows) * -(-columns // self.large.columns)
        return self.large if blocks >= self.here.multiprocessors else self.small


def paths_nbytes(rows: int, columns: int, depth: int) -> int:
    """What lazy products of that many words take in addition, at most."""
    min_side = 32  # rows, or columns, of the smallest tile; chunks have 8 steps or more
    return (-(-rows // min_side) + -(-columns // min_side)) * (depth // 8)


def packed_words(step: Relax) -> int:
    """Words that a step's left operand takes."""
    return _pitch(step.rows.size) * (step.high - step.low)


def _pitch(rows: int) -> int:
    """Words between a packed operand's columns: a tile may read all of its rows."""
    return -(-rows // _MAX_TILE_ROWS) * _MAX_TILE_ROWS
