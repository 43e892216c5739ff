"""Core numbers on one thread: the vertices sorted by degree, and moved down as their neighbours go.

V. Batagelj, M. Zaveršnik, "An O(m) algorithm for cores decomposition of networks", arXiv cs/0310049, 2003.

What is in the encoding:

- ``order`` has the vertices by degree, ``place`` where each stands in it. ``first[d]`` is where those of degree d begin.
- A neighbour that loses a degree changes places with the first of its degree, which then begin one place later. So it stands
  at the end of those with one less.
"""

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.unsigned import ONE, ZERO, unsigned
from warpath.parallel.atomics import unowned
from warpath.parallel.interruption import interruptible
from warpath.parallel.jit import compiled
from warpath.parallel.sync import stopping_at


@compiled
def _peel(sync, offsets, indices, degree, first, order, place):  # type: ignore[no-untyped-def]
    """``first`` has a place for each degree and the one behind, all 0."""
    degree, first, order, place = unowned((degree, first, order, place))
    n = np.uint64(degree.shape[0])
    for v in range(n):
        first[np.uint64(degree[v]) + ONE] += 1
    for d in range(ONE, np.uint64(first.shape[0])):
        first[d] += first[d - ONE]
    for v in range(n):
        place[v] = first[degree[v]]
        order[place[v]] = v
        first[degree[v]] += 1
    for d in range(np.uint64(first.shape[0]) - ONE, ZERO, -1):
        first[d] = first[d - 1]
    first[ZERO] = 0
    for i in range(n):
        if stopping_at(sync, i):
            return
        u = order[i]
        for arc in range(np.uint64(offsets[u]), np.uint64(offsets[np.uint64(u) + ONE])):
            v = indices[arc]
            d = degree[v]
            if d <= degree[u]:
                continue
            other = order[first[d]]
            place[other] = place[v]
            order[place[v]] = other
            place[v] = first[d]
            order[first[d]] = v
            first[d] += 1
            degree[v] = d - 1


def peel(
    offsets: NDArray[np.integer], indices: NDArray[np.int32], degree: NDArray[np.int32]
) -> None:
    """Make degrees core numbers.

    Parameters
    ----------
    offsets, indices : int array, shape (n + 1,); int32 array, shape (m,)
        Vertex u's neighbours, ``indices[offsets[u]:offsets[u + 1]]``; u itself is none.
    degree : int32 array, shape (n,)
        How many they are; takes the core numbers.

    Notes
    -----
    O(n + m). Takes 8 bytes per vertex and 8 for each degree up to the largest.
    """
    n, largest = len(degree), int(degree.max(initial=0))
    with interruptible() as sync:
        _peel(
            sync, unsigned(offsets), unsigned(indices), unsigned(degree), np.zeros(largest + 2, np.uint64),
            np.empty(n, np.uint32), np.empty(n, np.uint32),
        )  # fmt: skip
