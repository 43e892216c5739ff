"""The steps of `warpath.cuda.minplus.closing` on a CUDA device."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from warpath.cuda import runtime
from warpath.cuda.arguments import POINTER, U32, Struct
from warpath.cuda.minplus import BASE, Close, Relax, Tile, Words, panel_kernel, pivot_kernel
from warpath.cuda.product import Matrix, Products, packed_words

# CloseArguments of floyd_warshall.cuh.
CLOSE_ARGUMENTS = Struct(
    distance=POINTER, predecessor=POINTER, factor=POINTER, pitch=U32, pivot=U32
)


class Elimination:
    """What does the steps, with the memory they need; all is queued on the current stream.

    Parameters
    ----------
    words : Words
    predecessors : bool
    max_packed : int
        The most words that a step's left operand takes, by `packed_words`.
    tile : Tile, optional
        The tile of large products.
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
        here = runtime.current()
        self.pivot, self.panel = (
            here.grid("floyd_warshall.cuh", name(words, predecessors, BASE), (BASE // 4) ** 2)
            for name in (pivot_kernel, panel_kernel)
        )
        self.factor = here.xp.empty(factor_bytes(words), np.uint8)

    def close(self, matrix: Matrix, steps: Iterable[Close | Relax]) -> None:
        """Do these steps on rows of ``matrix`` through others of its rows."""
        for step in steps:
            if isinstance(step, Relax):
                self.products.relax(matrix, step, matrix)
            else:
                self._close(matrix, step.low)

    def _close(self, matrix: Matrix, low: int) -> None:
        factor = runtime.current().address(self.factor)

        def arguments(column: int) -> bytes:
            distance, predecessor = matrix.addresses(low, column)
            return CLOSE_ARGUMENTS(
                distance=distance,
                predecessor=predecessor,
                factor=factor,
                pitch=matrix.n,
                pivot=low // BASE,
            )

        self.pivot.launch(arguments(low), 1)
        if matrix.n > BASE:
            self.panel.launch(arguments(0), matrix.n // BASE - 1)


def factor_bytes(words: Words) -> int:
    """Bytes that a tile on the diagonal leaves to the others: distances as wide as registers."""
    return BASE * BASE * words.bytes


def max_packed(steps: Iterable[Close | Relax]) -> int:
    """Words that these steps' left operands take at most."""
    return max((packed_words(step) for step in steps if isinstance(step, Relax)), default=0)
