"""Products over path algebras on a CUDA device: ``c = min(c, a ⊗ b)``, in place."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import cupy
import numpy as np
from cuda.core import LaunchConfig

from warpath import devices
from warpath.cuda.compile import load_kernel
from warpath.cuda.launch import run
from warpath.cuda.minplus import Relax, Tile, Words, pack_kernel, product_kernel, tiles_for

_PACK_THREADS = 256
_SQUARE = 32  # rows and columns of what a block of `pack` turns
_MOST_TILE_ROWS = 256


@cache
def launch_config(blocks: tuple[int, ...], threads: int) -> LaunchConfig:
    """A grid."""
    return LaunchConfig(grid=blocks, block=threads)


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
        """Of the distance and the predecessor there in the square; 0 without predecessors."""
        place = (row - self.first) * self.n + column
        predecessor = self.predecessor
        return (
            int(self.distance.data.ptr) + place * self.distance.itemsize,
            0 if predecessor is None else int(predecessor.data.ptr) + place * predecessor.itemsize,
        )


class Products:
    """Products of rows of matrices, with the memory they need.

    Parameters
    ----------
    words : Words
    predecessors : bool
    most_packed : int
        The most words that a left operand will take, by `packed_words`.
    tile : Tile, optional
        Of large products; by default one that suits the words.
    """

    def __init__(
        self, words: Words, predecessors: bool, most_packed: int, tile: Tile | None = None
    ):
        self.words, self.predecessors = words, predecessors
        self.large, self.small = tiles_for(words, predecessors)
        self.large = tile or self.large
        self.device = cupy.cuda.get_device_id()
        self.multiprocessors = devices.device(self.device).multiprocessors
        self.packed = cupy.empty(most_packed * words.bytes, np.uint8)

    def relax(self, matrix: Matrix, step: Relax, by: Matrix) -> None:
        """Do a step on ``matrix``.

        Distances to the step's vertices are as they are now in ``matrix``, all at once; those
        from them are in ``by``, which is the same matrix if they are not of the step's rows.
        """
        n, words, (rows, low, high) = matrix.n, self.words, step
        pitch, depth = _pitch(rows.size), high - low
        some_rows = np.uint32(rows.size), np.uint32(rows.gap_at), np.uint32(rows.gap)
        source, _ = matrix.addresses(rows.first, low)
        packed = int(self.packed.data.ptr)
        run(
            load_kernel("minplus.cuh", pack_kernel(words), self.device),
            launch_config((-(-rows.size // _SQUARE), depth // _SQUARE), _PACK_THREADS),
            source, np.uint32(n), *some_rows, packed, np.uint32(pitch),
        )  # fmt: skip
        columns = n // words.distances
        tile = self._tile(rows.size, columns)
        from_distance, from_predecessor = by.addresses(low)
        to_distance, to_predecessor = matrix.addresses(rows.first)
        run(
            load_kernel("minplus.cuh", product_kernel(words, tile, self.predecessors), self.device),
            launch_config((-(-columns // tile.columns), -(-rows.size // tile.rows)), tile.threads),
            packed, np.uint32(pitch), from_distance, to_distance, np.uint32(columns), *some_rows,
            np.uint32(columns), np.uint32(depth), from_predecessor, to_predecessor,
        )  # fmt: skip

    def _tile(self, rows: int, columns: int) -> Tile:
        blocks = -(-rows // self.large.rows) * -(-columns // self.large.columns)
        return self.large if blocks >= self.multiprocessors else self.small


def packed_words(step: Relax) -> int:
    """Words that a step's left operand takes."""
    return _pitch(step.rows.size) * (step.high - step.low)


def _pitch(rows: int) -> int:
    """Words between a packed operand's columns: a tile may read all of its rows."""
    return -(-rows // _MOST_TILE_ROWS) * _MOST_TILE_ROWS
