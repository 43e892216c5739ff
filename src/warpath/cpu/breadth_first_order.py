"""Breadth-first search with one queue, on one thread: for the order in which vertices are met.

A vertex stands behind all that were met before it, and its predecessor is the first to see it.
With arcs taken in the order in which they are given, both are unique. So threads could only
agree on them by counting every level's arcs beforehand.

What is in the encoding:

- ``queue`` is the order; it is never emptied.
- ``met`` has a bit for each vertex, 64 a word: looking up the end of an arc touches 1/32 of the
  memory that looking up its predecessor would.
"""

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.arcs import Arcs
from warpath.cpu.queue_search import MET, NEW, expand
from warpath.cpu.unsigned import LOW, ONE, WORD, ZERO, unsigned
from warpath.parallel.atomics import unowned
from warpath.parallel.interruption import interruptible
from warpath.parallel.jit import compiled, inlined
from warpath.parallel.sync import stopping_at


@inlined
def _meet(state, u, v):  # type: ignore[no-untyped-def]
    """Note that v is met from u."""
    predecessor, met = state
    word, bit = v >> WORD, ONE << (v & LOW)
    if met[word] & bit:
        return MET
    met[word] |= bit
    predecessor[v] = u
    return NEW


@compiled
def discover(  # type: ignore[no-untyped-def]
    sync, offsets, indices, back_offsets, back_indices, source, queue, predecessor, met
):
    """`breadth_first_order` for kernels, on the caller's thread; how many were found.

    ``queue`` (uint32) becomes the order, ``met`` has a bit for each vertex, none of them set.
    """
    queue, predecessor, met = unowned((queue, predecessor, met))
    n, state = np.uint64(queue.shape[0]), (predecessor, met)
    arcs, back = Arcs(offsets, indices, None), Arcs(back_offsets, back_indices, None)
    both_ways = back_offsets.shape[0] > 0
    queue[ZERO] = source
    met[source >> WORD] |= ONE << (source & LOW)
    begin, end = ZERO, ONE
    while begin < end and end < n:
        here = begin
        begin += ONE
        if stopping_at(sync, begin):
            break
        end = expand(_meet, state, arcs, queue, here, begin, end)[0]
        if both_ways:
            end = expand(_meet, state, back, queue, here, begin, end)[0]
    return end


def breadth_first_order(
    offsets: NDArray[np.integer],
    indices: NDArray[np.int32],
    back: tuple[NDArray[np.integer], NDArray[np.int32]] | None,
    source: int,
    predecessor: NDArray[np.int32],
) -> NDArray[np.int32]:
    """The vertices in the order of discovery, the source first.

    Parameters
    ----------
    offsets : int32 or int64 array, shape (n + 1,)
    indices : int32 array, shape (m,)
        Vertex u's arcs, ``offsets[u]:offsets[u + 1]``, in the order in which to take them.
    back : (offsets, indices) or None
        Further arcs of each vertex, taken after the first ones.
    source : int
    predecessor : int32 array, shape (n,)
        Is given the vertex that each was discovered from; else left as it is.

    Notes
    -----
    Takes 4 bytes and a bit per vertex.
    """
    n = len(offsets) - 1
    queue = np.empty(n, np.int32)
    back_offsets, back_indices = back or (np.empty(0, offsets.dtype), np.empty(0, np.int32))
    with interruptible() as sync:
        found = discover(
            sync,
            unsigned(offsets), unsigned(indices), unsigned(back_offsets), unsigned(back_indices),
            np.uint64(source), unsigned(queue), predecessor, np.zeros(-(-n // 64), np.uint64),
        )  # fmt: skip
    return queue[:found]
