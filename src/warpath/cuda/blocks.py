"""Closing and products of separate matrices, as `warpath.algorithms.all_pairs.partitioned` asks for them."""

from typing import Any

import numpy as np

from warpath.cuda import runtime
from warpath.cuda.apsp import BLOCK
from warpath.cuda.elimination import Elimination, max_packed
from warpath.cuda.minplus import BASE, Relax, Rows, closing
from warpath.cuda.product import PACKED_STEPS, Matrix, packed_words
from warpath.cuda.representation import Representation

MAX_UNIT = BASE * 2
"""Of what rows and columns are multiples, at the most: words have one distance or two."""


class Blocks:
    """The operations, on CuPy's arrays, queued on the current stream.

    Parameters
    ----------
    how : Representation
    predecessors : bool
    largest : int
        Rows of the largest matrix that is closed.
    rows, deepest : int
        Rows and columns of the largest left operand of a product.
    lazy : bool
        See `warpath.cuda.apsp.floyd_warshall`.
    """

    depth = PACKED_STEPS

    def __init__(
        self,
        how: Representation,
        predecessors: bool,
        largest: int,
        rows: int,
        deepest: int,
        lazy: bool = False,
    ):
        self.xp = runtime.current().xp
        self.how, self.unit = how, BASE * how.words.distances
        steps = closing(_multiple(largest, self.unit), self._block(largest))
        product = Relax(Rows(0, rows), 0, _multiple(deepest, self.depth))
        packed = max(max_packed(steps), packed_words(product))
        none = how.none if lazy else None
        self.elimination = Elimination(how.words, predecessors, packed, lazy_none=none)

    def _block(self, rows: int) -> int:
        return min(_multiple(rows, self.unit), BLOCK)

    def close(self, D: Any, P: Any) -> None:
        """See `warpath.cuda.apsp.floyd_warshall`; in the representation's numbers."""
        steps = closing(len(D), self._block(len(D)))
        self.elimination.close(Matrix(D, P, self.how.words), steps)

    def better(self, C: Any, CP: Any, A: Any, B: Any, BP: Any) -> None:
        """``C = best(C, A ⊗ B)``.

        Parameters
        ----------
        C : cupy array, shape (rows, columns)
        A : cupy array, shape (rows, k)
            Columns of a larger array, if need be; k a multiple of ``depth``.
        B : cupy array, shape (k, columns)
        CP, BP : cupy arrays of int32 of the shapes of C and B, or None
        """
        words = self.how.words
        self.elimination.products.better(Matrix(C, CP, words), A, Matrix(B, BP, words))

    def place(self, whole: Any, rows: Any, some: Any, order: Any) -> None:
        """``whole[rows, order] = some``; ``whole`` may be NumPy's."""
        in_order = some[:, self.xp.asarray(np.argsort(order))]
        if isinstance(whole, np.ndarray):
            whole[rows] = in_order.get()
        else:
            whole[self.xp.asarray(rows)] = in_order


def _multiple(number: int, unit: int) -> int:
    return -(-number // unit) * unit
