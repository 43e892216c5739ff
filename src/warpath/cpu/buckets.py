"""Buckets of vertices for delta-stepping: each thread's own lists, in chunks of one pool.

What is in the encoding:

- A thread's list of one bucket is a chain of chunks of `CHUNK` entries; ``tails[slot]`` is the
  place behind the last entry. Where that is a multiple of `CHUNK`, the next entry needs a new
  chunk; 0 is an empty list. ``link[chunk]`` is the chunk before it, plus 1.
- An entry is (vertex, distance): ``pool[place]``, ``distances[place]``. ``count[chunk]`` is how many
  a chunk has that was taken.
- ``tails[FREE]`` leads to the thread's free chunks: the first, plus 1.
- Only `BUCKETS` buckets exist at a time.
"""

from typing import Any, NamedTuple

import numpy as np

from warpath.cpu.unsigned import ONE, ZERO
from warpath.parallel.atomics import atomic_add, atomic_load
from warpath.parallel.jit import compiled, inlined

BUCKETS = 1024  # guess: no refill on a 1000² grid, 4 KiB of list tails a thread
CHUNK = 32  # entries: two to six cache lines; a guess

CHUNK_BITS = np.uint64(5)
IN_CHUNK = np.uint64(CHUNK - 1)
FREE = np.uint64(BUCKETS)
USED = 0
"""Where ``shared``, which all threads have, counts the chunks of the pool ever used."""

_FUSE = 8  # chunks of its own that a thread works off alone, at most: a guess


class Lists(NamedTuple):
    """A thread's lists; all but ``tails`` are the same for all threads."""

    tails: Any
    pool: Any
    distances: Any
    link: Any
    count: Any
    shared: Any


@inlined
def push(lists, v, d, slot):  # type: ignore[no-untyped-def]
    """Put (v, d) into my list of bucket ``slot``; False when no chunk is free."""
    place = np.uint64(lists.tails[slot])
    if place & IN_CHUNK == ZERO:
        chunk = np.uint64(lists.tails[FREE])
        if chunk > ZERO:
            chunk -= ONE
            lists.tails[FREE] = lists.link[chunk]
        else:
            # Read first: a full pool must not count on and on.
            if atomic_load(lists.shared, USED) >= lists.link.shape[0]:
                return False
            chunk = np.uint64(atomic_add(lists.shared, USED, 1))
            if chunk >= np.uint64(lists.link.shape[0]):
                return False
        lists.link[chunk] = place >> CHUNK_BITS  # the chunk before this one, plus 1
        place = chunk << CHUNK_BITS
    lists.pool[place] = v
    lists.distances[place] = d
    lists.tails[slot] = place + ONE
    return True


@inlined
def give_back(lists, chunk):  # type: ignore[no-untyped-def]
    """Add a chunk to my free ones."""
    lists.link[chunk] = lists.tails[FREE]
    lists.tails[FREE] = chunk + ONE


@compiled
def take(lists, slot, chunks):  # type: ignore[no-untyped-def]
    """Move my list of bucket ``slot`` to ``chunks``, oldest last; return their number."""
    place = np.uint64(lists.tails[slot])
    if place == ZERO:
        return 0
    lists.tails[slot] = 0
    chunk = (place - ONE) >> CHUNK_BITS
    lists.count[chunk] = place - (chunk << CHUNK_BITS)
    chunks[0] = chunk
    taken = 1
    while lists.link[chunk] > ZERO:
        chunk = lists.link[chunk] - ONE
        lists.count[chunk] = CHUNK
        chunks[taken] = chunk
        taken += 1
    return taken


@inlined
def is_short(lists, slot):  # type: ignore[no-untyped-def]
    """Whether my list of bucket ``slot`` has less than `_FUSE` chunks."""
    chunks = 0
    place = np.uint64(lists.tails[slot])
    while place != ZERO and chunks < _FUSE:
        place = lists.link[(place - ONE) >> CHUNK_BITS] << CHUNK_BITS
        chunks += 1
    return chunks < _FUSE
