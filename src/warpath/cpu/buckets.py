"""Buckets of vertices for delta-stepping: each thread's own lists, in chunks of one pool.

What is in the encoding:

- A thread's list of one bucket is a chain of chunks of `CHUNK` entries; ``tails[slot]`` is the
  place behind the last entry, and a multiple of `CHUNK` there asks for the next chunk (0: an
  empty list). ``link[chunk]`` is the chunk before it, plus 1.
- An entry is (vertex, distance): ``pool[place]``, ``distances[place]``.
- ``tails[FREE]`` leads to the thread's free chunks: the first, plus 1.
- Only `BUCKETS` buckets exist at a time.
"""

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


@inlined
def push(v, d, slot, lists, shared):  # type: ignore[no-untyped-def]
    """Put (v, d) into my list of bucket ``slot``; False when no chunk is free."""
    tails, pool, distances, link = lists
    place = np.uint64(tails[slot])
    if place & IN_CHUNK == ZERO:
        chunk = np.uint64(tails[FREE])
        if chunk > ZERO:
            chunk -= ONE
            tails[FREE] = link[chunk]
        else:
            # Read first: a full pool must not count on and on.
            if atomic_load(shared, USED) >= link.shape[0]:
                return False
            chunk = np.uint64(atomic_add(shared, USED, 1))
            if chunk >= np.uint64(link.shape[0]):
                return False
        link[chunk] = place >> CHUNK_BITS  # the chunk before this one, plus 1
        place = chunk << CHUNK_BITS
    pool[place] = v
    distances[place] = d
    tails[slot] = place + ONE
    return True


@inlined
def give_back(chunk, tails, link):  # type: ignore[no-untyped-def]
    """Add a chunk to my free ones."""
    link[chunk] = tails[FREE]
    tails[FREE] = chunk + ONE


@compiled
def take(slot, tails, link, count, chunks):  # type: ignore[no-untyped-def]
    """Move my list of bucket ``slot`` to ``chunks``, oldest last; return their number."""
    place = np.uint64(tails[slot])
    if place == ZERO:
        return 0
    tails[slot] = 0
    chunk = (place - ONE) >> CHUNK_BITS
    count[chunk] = place - (chunk << CHUNK_BITS)
    chunks[0] = chunk
    taken = 1
    while link[chunk] > ZERO:
        chunk = link[chunk] - ONE
        count[chunk] = CHUNK
        chunks[taken] = chunk
        taken += 1
    return taken


@inlined
def is_short(slot, tails, link):  # type: ignore[no-untyped-def]
    """Whether my list of bucket ``slot`` has less than `_FUSE` chunks."""
    chunks = 0
    place = np.uint64(tails[slot])
    while place != ZERO and chunks < _FUSE:
        place = link[(place - ONE) >> CHUNK_BITS] << CHUNK_BITS
        chunks += 1
    return chunks < _FUSE
