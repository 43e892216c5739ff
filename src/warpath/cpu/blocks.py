"""Closing and products of separate matrices, as `warpath.algorithms.all_pairs.partitioned` asks for them."""

from contextlib import AbstractContextManager, nullcontext
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.floyd_warshall import blocked_floyd_warshall
from warpath.cpu.minplus import Apart, keys_of, multiply_apart, tails
from warpath.parallel import team
from warpath.parallel.jit import compiled
from warpath.parallel.sync import share

Array = NDArray[Any]


class Blocks:
    """The operations, on NumPy's arrays of keys.

    Parameters
    ----------
    algebra : str
        One of `warpath.cpu.relax.ALGEBRAS`.
    threads : int
    lazy : bool
        See `warpath.cpu.minplus.Keys`.
    """

    xp = np
    unit = depth = 1

    def __init__(self, algebra: str, threads: int, lazy: bool = False):
        self.algebra, self.threads, self.lazy = algebra, threads, lazy

    def close(self, D: Array, P: Array | None) -> None:
        """See `warpath.cpu.floyd_warshall.blocked_floyd_warshall`."""
        blocked_floyd_warshall(self.algebra, D, P, self.threads, lambda done, of: None, self.lazy)

    def better(self, C: Array, CP: Array | None, A: Array, B: Array, BP: Array | None) -> None:
        """``C = best(C, A ⊗ B)``.

        Parameters
        ----------
        C : array, shape (rows, columns)
        A : array, shape (rows, k)
            May be columns of C.
        B : array, shape (k, columns)
        CP, BP : int32 arrays of the shapes of C and B, or None
        """
        keys = keys_of(self.algebra, C.dtype, self.lazy)
        ends = tails(B, BP, keys.none)
        factors = Apart(C, np.array(A, order="C"), B, BP, *ends, np.zeros(1, np.int64))
        team.run(multiply_apart, self.threads, keys, factors, CP)

    def place(self, whole: Array, rows: Array, some: Array, order: Array) -> None:
        """``whole[rows, order] = some``, a row of ``some`` for each of ``rows``."""
        team.run(_place, self.threads, whole, rows, some, np.argsort(order).astype(np.uint64))

    def working(self) -> AbstractContextManager[None]:
        """Nothing to be done."""
        return nullcontext()

    def bring(self, array: Array, of: Self) -> Array:
        """The array: all have the host's memory."""
        return array

    def synchronize(self) -> None:
        """Nothing is queued."""


@compiled
def _place(thread, threads, sync, whole, rows, some, inverse):  # type: ignore[no-untyped-def]
    """My share of the rows, read out of order, written in order."""
    first, last = share(len(rows), thread, threads)
    for i in range(first, last):
        to, of = whole[rows[i]], some[i]
        for j in range(np.uint64(len(inverse))):
            to[j] = of[inverse[j]]
