"""The steps of `warpath.cuda.minplus.closing` on a CUDA device."""

from collections.abc import Iterable
from typing import Any

import cupy
import numpy as np

from warpath.cuda.compile import load_kernel
from warpath.cuda.launch import run
from warpath.cuda.minplus import BASE, Close, Relax, Tile, Words, panel_kernel, pivot_kernel
from warpath.cuda.product import Matrix, Products, launch_config, packed_words


class Elimination:
    """What does the steps, with the memory they need; all is queued on the current stream.

    Parameters
    ----------
    words : Words
    predecessors : bool
    max_packed : int
        The most words that a step's left operand takes, by `packed_words`.
    tile : Tile, optional
        Of large products.
    lazy_none : scalar, optional
        See `Products`.
    """

    def __init__(
        self,
        words: Words,
        predecessors: bool,
        max_packed: int,
        tile: Tile | None = None,
        lazy_none: Any = None,
    ):
        self.products = Products(words, predecessors, max_packed, tile, lazy_none)
        device = cupy.cuda.get_device_id()
        self.pivot, self.panel = (
            load_kernel("floyd_warshall.cuh", name(words, predecessors), device)
            for name in (pivot_kernel, panel_kernel)
        )
        self.factor = cupy.empty(factor_bytes(words), np.uint8)

    def close(self, matrix: Matrix, steps: Iterable[Close | Relax]) -> None:
        """Do these steps on rows of ``matrix`` through others of its rows."""
        for step in steps:
            if isinstance(step, Relax):
                self.products.relax(matrix, step, matrix)
            else:
                self._close(matrix, step.low)

    def _close(self, matrix: Matrix, low: int) -> None:
        threads = (BASE // 4) ** 2
        n, factor = np.uint32(matrix.n), int(self.factor.data.ptr)
        run(
            self.pivot, launch_config((1,), threads), *matrix.addresses(low, low), n, factor,
        )  # fmt: skip
        if matrix.n > BASE:
            run(
                self.panel, launch_config((matrix.n // BASE - 1,), threads),
                *matrix.addresses(low), n, np.uint32(low // BASE), factor,
            )  # fmt: skip


def factor_bytes(words: Words) -> int:
    """Of what a tile on the diagonal leaves to the others: distances as wide as registers."""
    return BASE * BASE * words.bytes


def max_packed(steps: Iterable[Close | Relax]) -> int:
    """Words that these steps' left operands take at most."""
    return max((packed_words(step) for step in steps if isinstance(step, Relax)), default=0)
