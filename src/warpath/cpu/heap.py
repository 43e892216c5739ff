"""An indexed 4-ary heap, for kernels of one thread.

Source: D. B. Johnson, "Efficient algorithms for shortest paths in sparse networks", J. ACM 24
(1977).

What is in the encoding:

- ``heap`` holds vertices (or labels), ``keys`` their distances beside them, so that comparing
  does not go through the vertex; ``place[v]`` is where v stands, -1 when it does not.
- Four children lie on one or two cache lines, and the tree is half as deep as a binary one.
- The hole moves, not the vertices: each step of a sift writes one entry.
"""

from typing import Any

import numpy as np

from warpath.cpu.unsigned import ONE, ZERO
from warpath.parallel.jit import inlined

_TWO = np.uint64(2)
_FOUR = np.uint64(4)


@inlined
def sift_up(hole, v, key, heap, keys, place):  # type: ignore[no-untyped-def]
    """Put v, of distance ``key``, at the free place ``hole`` or above it."""
    while hole > ZERO:
        parent = (hole - ONE) >> _TWO
        if not key < keys[parent]:
            break
        heap[hole] = heap[parent]
        keys[hole] = keys[parent]
        place[heap[hole]] = hole
        hole = parent
    heap[hole] = v
    keys[hole] = key
    place[v] = hole


@inlined
def sift_down(size, v, key, heap, keys, place):  # type: ignore[no-untyped-def]
    """Put v, of distance ``key``, at the top of a heap of ``size``, which is free, or below it."""
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
        heap[hole] = heap[least]
        keys[hole] = keys[least]
        place[heap[hole]] = hole
        hole = least
    heap[hole] = v
    keys[hole] = key
    place[v] = hole
