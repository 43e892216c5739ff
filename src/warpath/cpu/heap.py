"""An indexed 4-ary heap, for kernels of one thread.

Source: D. B. Johnson, "Efficient algorithms for shortest paths in sparse networks", J. ACM 24
(1977).

What is in the encoding:

- ``items`` are vertices (or labels), ``keys`` their distances, in the same order, so that
  comparing does not go through the vertex; ``place[v]`` is where v stands, -1 when it does not.
- Four children lie on one or two cache lines, and the tree is half as deep as a binary one.
- The hole moves, not the vertices: each step of a sift writes one entry.
"""

from typing import Any, NamedTuple

import numpy as np

from warpath.cpu.unsigned import ONE, ZERO
from warpath.parallel.jit import inlined

_TWO = np.uint64(2)
_FOUR = np.uint64(4)


class Heap(NamedTuple):
    """Its arrays; how many items there are the caller counts."""

    items: Any
    keys: Any
    place: Any


def new_heap(shape: int | tuple[int, int], dtype: Any) -> Heap:
    """Room for as many items, with keys of ``dtype``; or for some in each of several heaps."""
    return Heap(np.empty(shape, np.uint32), np.empty(shape, dtype), np.empty(shape, np.int32))


@inlined
def put(heap, hole, v, key):  # type: ignore[no-untyped-def]
    """Put v, of distance ``key``, at the free place ``hole`` or above it."""
    items, keys, place = heap
    while hole > ZERO:
        parent = (hole - ONE) >> _TWO
        if not key < keys[parent]:
            break
        items[hole] = items[parent]
        keys[hole] = keys[parent]
        place[items[hole]] = hole
        hole = parent
    items[hole] = v
    keys[hole] = key
    place[v] = hole


@inlined
def offer(heap, size, v, key, is_new):  # type: ignore[no-untyped-def]
    """Put v among ``size`` items, or further up if it is one of them; how many there are then."""
    hole = size
    if is_new:
        size += ONE
    else:
        hole = np.uint64(heap.place[v])
    put(heap, hole, v, key)
    return size


@inlined
def drop_first(heap, size):  # type: ignore[no-untyped-def]
    """Take the first of ``size`` items away; how many are left.

    The last one sinks from the top to its place.
    """
    items, keys, place = heap
    size -= ONE
    if size == ZERO:
        return size
    v, key = items[size], keys[size]
    hole = ZERO
    while True:
        child = (hole << _TWO) + ONE
        if child >= size:
            break
        least: Any = child
        for other in range(child + ONE, min(child + _FOUR, size)):
            if keys[other] < keys[least]:
                least = other
        if not keys[least] < key:
            break
        items[hole] = items[least]
        keys[hole] = keys[least]
        place[items[hole]] = hole
        hole = least
    items[hole] = v
    keys[hole] = key
    place[v] = hole
    return size
