"""How a matrix of arcs is computed with: in which words, and with which number for "no path"."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from warpath.cuda import runtime
from warpath.cuda.minplus import Words, words_of
from warpath.graph.distance import unreachable
from warpath.operators import lookup

_ELEMENTS_AT_ONCE = 1 << 22  # of a matrix that is looked through: a guess


class Representation(NamedTuple):
    """What kernels compute with.

    Attributes
    ----------
    words : Words
    none : scalar of the distances' dtype
        What stands for "no path".
    limit : scalar or None
        Where ``none`` is not the dtype's own: numbers no less than it are no distances.
    """

    words: Words
    none: Any
    limit: Any = None

    @property
    def is_unsigned(self) -> bool:
        """Whether the numbers are integers that kernels take for unsigned ones."""
        return "unsigned" in self.words.word.lower()

    def replace_no_path(self, distance: Any) -> None:
        """Replace the dtype's "no path" by ours, in place."""
        if self.limit is not None:
            runtime.current().xp.minimum(distance, self.none, out=distance)

    def restore(self, distance: Any, predecessor: Any = None) -> None:
        """Say "no path" as the dtype does again, and that it has no predecessor."""
        if self.limit is not None:
            for part in _parts(distance):
                lost = distance[part] >= self.limit
                distance[part][lost] = unreachable(distance.dtype)
                if predecessor is not None:
                    predecessor[part][lost] = -1


def represent(
    n: int, dtype: np.dtype[Any], algebra: str, weights: Callable[[], tuple[int, int]]
) -> Representation:
    """What a matrix of these arcs is computed with.

    Parameters
    ----------
    n : int
        Vertices.
    weights : callable
        Returns the least and the largest weight but "no path", of all and 0; of floats their bits
        as integers.

    Raises
    ------
    OverflowError
        Integers, some of them negative, whose paths may be longer than an eighth of what the dtype
        holds.

    Notes
    -----
    Shortest paths with negative weights: "no path" must be a number that sums keep apart. With
    B = (n − 1) · max |w| below L = 2^(bits − 3), it is 2 L − 1. Simple paths are within ±B, and
    what extends "no path" is at least 2 L − 1 − B ≥ L > B. Sums of two are in the dtype as long as
    there is no negative cycle. The first step that closes one lowers its vertices' diagonal
    below 0, by sums of two such distances, and it never rises again.
    """
    none = lookup(algebra).none(dtype)
    if algebra != "shortest":
        return Representation(words_of(dtype.name, algebra, True), none)
    smallest, largest = weights()
    words = words_of(dtype.name, algebra, smallest < 0)
    if dtype.kind == "f" or smallest == 0:
        return Representation(words, none)
    limit, far = far_apart(dtype)
    if longest_path(n, smallest, largest) >= limit:
        raise OverflowError(
            f"weights from {smallest} to {largest}: paths of {n} vertices may be longer "
            f"than {int(limit) - 1}; use {'dtype=float64' if dtype.itemsize == 8 else 'a wider dtype'}"
        )
    return Representation(words, far, limit)


def far_apart(dtype: np.dtype[Any]) -> tuple[Any, Any]:
    """L and 2 L − 1 of `represent`: above all distances, and "no path"."""
    limit = 2 ** (8 * dtype.itemsize - 3)
    return dtype.type(limit), dtype.type(2 * limit - 1)


def longest_path(n: int, smallest: int, largest: int) -> int:
    """What a path without cycles is within, either way, with weights in this range."""
    return max(n - 1, 1) * max(-smallest, largest)


def span(distance: Any, none: Any) -> tuple[int, int]:
    """What `represent` asks of weights, of an array on the current device; waits for it."""
    bits = distance if distance.dtype.kind == "i" else distance.view(f"i{distance.itemsize}")
    smallest = min(int(bits.min()), 0)
    if smallest == 0 or distance.dtype.kind == "f":
        return smallest, 0
    xp = runtime.current().xp
    largest = [
        xp.where(distance[part] == none, 0, distance[part]).max() for part in _parts(distance)
    ]
    return smallest, int(xp.stack(largest).max())


def _parts(matrix: Any) -> Iterator[slice]:
    """Its rows, as many at once as have few elements: what is made of them takes little memory."""
    rows = max(_ELEMENTS_AT_ONCE // max(matrix.shape[1], 1), 1)
    return (slice(first, first + rows) for first in range(0, len(matrix), rows))
