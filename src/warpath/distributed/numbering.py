"""Which of n vertices a rank knows, as a bitmap, and their numbers among these.

Each word of 64 vertices has a count of the known ones before it. So the number of a vertex is that count and
the set bits below its own: one look-up, in n / 8 + n / 16 bytes.
"""

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.unsigned import LOW, ONE, WORD, ZERO, trailing_zeros
from warpath.parallel import team
from warpath.parallel.jit import compiled, inlined

# Bits are counted in pairs, fours and eights, which a product then adds up.
_PAIRS, _FOURS, _EIGHTS = (np.uint64(int(mask, 16)) for mask in ("5" * 16, "3" * 16, "0f" * 8))
_SUM, _TOP_BYTE, _TWO, _FOUR = (
    np.uint64(int("01" * 8, 16)),
    np.uint64(56),
    np.uint64(2),
    np.uint64(4),
)


class LocalNumbers:
    """Vertices of 0 … n − 1 that this rank knows, numbered in ascending order.

    Parameters
    ----------
    n : int
    begin, end : int
        A range of vertices that it knows.
    """

    def __init__(self, n: int, begin: int, end: int) -> None:
        self._words = np.zeros((n >> 6) + 1, np.uint64)
        self._before = np.zeros(len(self._words), np.uint32)
        self.add(np.arange(begin, end, dtype=np.int32))

    def add(self, vertices: NDArray[np.int32]) -> None:
        """Know these, too."""
        team.run(_mark, 1, self._words, vertices)

    def ids(self) -> NDArray[np.int32]:
        """All that it knows, ascending; from now on they have numbers."""
        count = np.zeros(1, np.int64)
        team.run(_count, 1, self._words, self._before, count)
        ids = np.empty(int(count[0]), np.int32)
        team.run(_list, 1, self._words, ids)
        return ids

    def numbers(self, vertices: NDArray[np.int32]) -> NDArray[np.int32]:
        """The number of each of these vertices, which it knows."""
        numbers = np.empty(len(vertices), np.int32)
        team.run(_numbers, 1, self._words, self._before, vertices, numbers)
        return numbers


@inlined
def _set_bits(word):  # type: ignore[no-untyped-def]
    word = word - ((word >> ONE) & _PAIRS)
    word = (word & _FOURS) + ((word >> _TWO) & _FOURS)
    return (((word + (word >> _FOUR)) & _EIGHTS) * _SUM) >> _TOP_BYTE


@compiled
def _mark(thread, threads, sync, words, vertices):  # type: ignore[no-untyped-def]
    for i in range(vertices.shape[0]):
        v = np.uint64(vertices[i])
        words[v >> WORD] |= ONE << (v & LOW)


@compiled
def _count(thread, threads, sync, words, before, count):  # type: ignore[no-untyped-def]
    total = ZERO
    for i in range(words.shape[0]):
        before[i] = total
        total += _set_bits(words[i])
    count[0] = total


@compiled
def _list(thread, threads, sync, words, ids):  # type: ignore[no-untyped-def]
    place = ZERO
    for i in range(words.shape[0]):
        left = words[i]
        while left != ZERO:
            ids[place] = (np.uint64(i) << WORD) | trailing_zeros(left)
            place += ONE
            left &= left - ONE


@compiled
def _numbers(thread, threads, sync, words, before, vertices, numbers):  # type: ignore[no-untyped-def]
    for i in range(vertices.shape[0]):
        v = np.uint64(vertices[i])
        word = v >> WORD
        below = words[word] & ((ONE << (v & LOW)) - ONE)
        numbers[i] = before[word] + _set_bits(below)
