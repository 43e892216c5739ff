"""Breadth-first searches from up to 512 sources at once, a bit each.

Source: M. Then et al., "The more the merrier: efficient multi-source graph traversal", PVLDB 8
(2014). Where searches meet at a vertex in the same level they continue as one: an arc is looked
at once for all of them. One operation on a cache line of bits serves 512 searches.

What is in the encoding:

- ``seen``, ``front`` and ``found`` hold 8 words of 64 bits per vertex: one cache line, one bit per
  search. A level goes over the vertices in ``queue``, those with a search that found them in the
  level before, and notes what is new at their neighbours in ``found``; then over these.
- Where the frontier has many arcs, a level is bottom-up: each vertex looks at its predecessors
  until all searches have come. It reads one line per arc and stops early, where top-down reads
  two and writes one.
- Levels are kept as binary numbers, bit b of all searches' levels at a vertex in 8 words
  of ``planes[b]``. So a level costs a vertex one operation for each bit that is set in its number,
  not one for each search.
- At the end `decode` turns blocks of planes into rows of distances, 64 searches by 512 vertices
  at a time; along the vertices it is all vector instructions.

Levels are less than n, and n is less than 2³¹: a sum of levels fits in 63 bits.

One thread runs one such batch; threads share nothing but the graph.
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.arcs import arc_range, arcs_of, num_arcs
from warpath.cpu.lines import pull, push
from warpath.cpu.unsigned import LOW, ONE, WORD, ZERO, trailing_zeros, unsigned
from warpath.graph.graph import Graph
from warpath.parallel.atomics import prefetch, unowned
from warpath.parallel.interruption import interruptible
from warpath.parallel.jit import compiled, inlined, outlined
from warpath.parallel.sync import barrier

Array = NDArray[Any]

BATCH = 512  # searches: the bits of a cache line
_WORDS = np.uint64(8)
_LINE_BITS = np.uint64(3)  # log2 of _WORDS
_UNREACHED = np.int32(-1)
_BLOCK = 512  # vertices decoded at a time: a plane's block is 32 KiB
_AHEAD = np.uint64(8)  # arcs between asking for a neighbour's lines and its turn: a guess
# A level turns bottom-up where its frontier has more than this part of all arcs.
_TURN = np.uint64(2)


class _Bits(NamedTuple):
    """What searches found, and are finding: see above. ``full`` has the bits of all searches."""

    seen: Any
    front: Any
    found: Any
    full: Any
    planes: Any
    stamps: Any  # the last level in which each vertex entered the queue


class _Block(NamedTuple):
    """The bits of some vertices, a word of all one behind the other, and a row of levels."""

    planes: Any
    seen: Any
    levels: Any


class _Sums(NamedTuple):
    """For each search: its levels, their sum, the number of vertices, the sum of reciprocals if asked for."""

    farthest: Any
    total: Any
    reached: Any
    inverse: Any


@inlined
def _note(predecessor, bits, here, there, u, v):  # type: ignore[no-untyped-def]
    """Make u the predecessor of v in all searches that come from there to it."""
    for word in range(_WORDS):
        new = bits.front[here + word] & ~(bits.seen[there + word] | bits.found[there + word])
        while new != ZERO:
            row = (word << WORD) | trailing_zeros(new)
            new &= new - ONE
            predecessor[row, v] = u


@inlined
def _advance(u, stamp, arcs, bits, queue, count, predecessor):  # type: ignore[no-untyped-def]
    """Let the searches that stand at u look at its neighbours; returns the new ``count``."""
    indices = arcs.indices
    first, last = arc_range(arcs, u)
    here = u << _LINE_BITS
    for arc in range(first, last):
        if arc + _AHEAD < last:
            ahead = np.uint64(indices[arc + _AHEAD]) << _LINE_BITS
            prefetch(bits.seen, ahead)
            prefetch(bits.found, ahead)
        v = np.uint64(indices[arc])
        there = v << _LINE_BITS
        if predecessor is not None:
            _note(predecessor, bits, here, there, u, v)
        any_new = push(bits.front, here, bits.seen, bits.found, there)
        if any_new != ZERO and bits.stamps[v] != stamp:
            bits.stamps[v] = stamp
            queue[count] = v
            count += ONE
    return count


@inlined
def _gather(v, arcs, bits, predecessor):  # type: ignore[no-untyped-def]
    """Let v look at the vertices before it, until all searches have come; whether one is new."""
    indices = arcs.indices
    there = v << _LINE_BITS
    missing = ZERO
    for word in range(_WORDS):
        missing |= bits.full[word] & ~bits.seen[there + word]
    arc, last = arc_range(arcs, v)
    if missing == ZERO or arc == last:
        return False
    while arc < last and missing != ZERO:
        if arc + _AHEAD < last:
            prefetch(bits.front, np.uint64(indices[arc + _AHEAD]) << _LINE_BITS)
        u = np.uint64(indices[arc])
        here = u << _LINE_BITS
        arc += ONE
        if predecessor is not None:
            _note(predecessor, bits, here, there, u, v)
        missing = pull(bits.front, here, bits.seen, bits.found, there, bits.full, ZERO)
    any_new = ZERO
    for word in range(_WORDS):
        new = bits.found[there + word] & ~bits.seen[there + word]
        bits.found[there + word] = new
        any_new |= new
    return any_new != ZERO


@compiled
def _search(sync, arcs, reverse, sources, bits, queues, predecessor, totals):  # type: ignore[no-untyped-def]
    bits = unowned(bits)
    seen, front, found, full, planes, stamps = bits
    queue, following = queues
    n = np.uint64(stamps.shape[0])
    seen[:] = 0
    front[:] = 0
    found[:] = 0
    full[:] = 0
    stamps[:] = 0
    count = ZERO
    if predecessor is not None:
        for i in range(sources.shape[0]):
            predecessor[i, :] = -1
    for i in range(np.uint64(sources.shape[0])):
        s = np.uint64(sources[i])
        full[i >> WORD] |= ONE << (i & LOW)
        seen[(s << _LINE_BITS) | (i >> WORD)] |= ONE << (i & LOW)
        if stamps[s] == 0:
            stamps[s] = 1
            queue[count] = s
            count += ONE
    for i in range(count):
        here = np.uint64(queue[i]) << _LINE_BITS
        for word in range(_WORDS):
            front[here + word] = seen[here + word]
    stamps[:] = 0

    level = ZERO
    expanded = ZERO
    inspected = ZERO
    while True:
        if barrier(sync, 1):
            return
        level += ONE
        reached = ZERO
        ahead = num_arcs(arcs, queue, ZERO, count)
        if ahead > np.uint64(arcs.indices.shape[0]) // _TURN:
            for v in range(n):
                if _gather(v, reverse, bits, predecessor):
                    following[reached] = v
                    reached += ONE
        else:
            for i in range(count):
                reached = _advance(
                    np.uint64(queue[i]),
                    np.uint32(level),
                    arcs,
                    bits,
                    following,
                    reached,
                    predecessor,
                )
        inspected += ahead
        expanded += count
        if reached == ZERO:
            break
        for i in range(count):
            here = np.uint64(queue[i]) << _LINE_BITS
            for word in range(_WORDS):
                front[here + word] = 0
        for i in range(reached):
            here = np.uint64(following[i]) << _LINE_BITS
            for word in range(_WORDS):
                new = found[here + word]
                found[here + word] = 0
                front[here + word] = new
                seen[here + word] |= new
            left = level
            while left != ZERO:
                plane = planes[trailing_zeros(left)]
                left &= left - ONE
                for word in range(_WORDS):
                    plane[here + word] |= front[here + word]
        queue, following = following, queue
        count = reached
    totals[0] = level - ONE
    totals[1] = expanded
    totals[2] = inspected


@outlined
def _transpose(words, first, count, block):  # type: ignore[no-untyped-def]
    """Word w of ``count`` vertices from ``first`` on, one behind the other in ``block[w]``."""
    for v in range(count):
        here = (first + v) << _LINE_BITS
        for word in range(_WORDS):
            block[word, v] = words[here + word]


@inlined
def _load(block, seen, planes, first, count):  # type: ignore[no-untyped-def]
    """Fill a block with the bits of ``count`` vertices from ``first`` on."""
    _transpose(seen, first, count, block.seen)
    for b in range(planes.shape[0]):
        _transpose(planes[b], first, count, block.planes[b])


@inlined
def _levels(search, count, block):  # type: ignore[no-untyped-def]
    """The levels of one search at the vertices of a block, -1 where it did not come."""
    seen, planes, row = block.seen, block.planes, block.levels
    word = search >> WORD
    shift = search & LOW
    row[:] = 0
    for b in range(planes.shape[0]):
        plane = planes[b, word]
        for v in range(count):
            row[v] |= np.int32((plane[v] >> shift) & ONE) << b
    there = seen[word]
    for v in range(count):
        row[v] = row[v] if (there[v] >> shift) & ONE else _UNREACHED


def _new_block(planes: Array) -> _Block:
    return _Block(
        planes=np.empty((len(planes), 8, _BLOCK), np.uint64),
        seen=np.empty((8, _BLOCK), np.uint64),
        levels=np.empty(_BLOCK, np.int32),
    )


@compiled
def _decode(seen, planes, block, none, least, distance):  # type: ignore[no-untyped-def]
    seen, planes, distance = unowned((seen, planes, distance))
    block = unowned(block)
    levels = block.levels
    n = np.uint64(distance.shape[1])
    for first in range(ZERO, n, np.uint64(_BLOCK)):
        count = np.minimum(np.uint64(_BLOCK), n - first)
        _load(block, seen, planes, first, count)
        for search in range(np.uint64(distance.shape[0])):
            _levels(search, count, block)
            row = distance[search, first : first + count]
            for v in range(count):
                row[v] = none if levels[v] == _UNREACHED else np.maximum(levels[v], least)


@compiled
def _summarise(seen, planes, block, n, reciprocal, sums):  # type: ignore[no-untyped-def]
    seen, planes = unowned((seen, planes))
    block, sums = unowned(block), unowned(sums)
    levels = block.levels
    farthest, total, reached, inverse = sums
    farthest[:] = 0
    total[:] = 0
    reached[:] = 0
    inverse[:] = 0
    for first in range(ZERO, np.uint64(n), np.uint64(_BLOCK)):
        count = np.minimum(np.uint64(_BLOCK), np.uint64(n) - first)
        _load(block, seen, planes, first, count)
        for search in range(np.uint64(sums.farthest.shape[0])):
            _levels(search, count, block)
            most, whole, there = np.int32(0), np.int64(0), np.int64(0)
            for v in range(count):
                level = levels[v]
                most = np.maximum(most, level)
                whole += np.maximum(level, np.int32(0))
                there += level >= 0
            farthest[search] = np.maximum(farthest[search], most)
            total[search] += whole
            reached[search] += there
            if inverse.shape[0] > 0:
                near = 0.0
                for v in range(count):
                    near += reciprocal[np.uint32(np.maximum(levels[v], np.int32(0)))]
                inverse[search] += near


def workspace_nbytes(n: int) -> int:
    """An upper bound of the bytes that one thread's `Batch` takes, of a graph of n vertices."""
    return n * (64 * (3 + max(n - 1, 1).bit_length()) + 12)


@dataclass
class Batch:
    """The bits of up to `BATCH` searches, to be used again for the next ones.

    Parameters
    ----------
    graph : Graph
    """

    graph: Graph
    searches: int = 0
    levels: int = 0
    vertices: int = 0
    arcs: int = 0
    _bits: _Bits = field(init=False, repr=False)
    _queues: tuple[Array, Array] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        n = self.graph.num_vertices
        seen, front, found, full = (np.empty(size, np.uint64) for size in (n * 8, n * 8, n * 8, 8))
        # Pages of planes that no level needs are never touched, and take no memory.
        planes = np.zeros((max(n - 1, 1).bit_length(), n * 8), np.uint64)
        self._bits = _Bits(seen, front, found, full, planes, np.empty(n, np.uint32))
        self._queues = np.empty(n, np.uint32), np.empty(n, np.uint32)

    def run(self, sources: Array, predecessor: Array | None) -> None:
        """Search from ``sources``; fill ``predecessor``, shape (searches, n), if it is there."""
        assert 0 < len(sources) <= BATCH
        graph, totals = self.graph, np.zeros(3, np.uint64)
        self._used[:] = 0
        with interruptible() as sync:
            _search(
                sync, arcs_of(graph), arcs_of(graph.reverse), unsigned(sources), self._bits, self._queues,
                predecessor, totals,
            )  # fmt: skip
        self.searches = len(sources)
        self.levels, self.vertices, self.arcs = totals.tolist()

    @property
    def _used(self) -> Array:
        """The planes that the last run wrote."""
        planes: Array = self._bits.planes
        return planes[: self.levels.bit_length()]

    def decode(self, none: Any, distance: Array, columns: Array | None = None) -> None:
        """Fill ``distance``, shape (searches, n), of any dtype; ``none`` says "no path".

        Booleans become whether there is a path. With ``columns``, shape (k,), only these
        vertices' distances are made, shape (searches, k).
        """
        none, least = distance.dtype.type(none), np.int32(distance.dtype.kind == "b")
        seen, planes = self._bits.seen, self._used
        if columns is not None:
            n, count, chosen = self.graph.num_vertices, len(planes), len(columns)
            seen = seen.reshape(n, 8)[columns].ravel()
            planes = planes.reshape(count, n, 8)[:, columns].reshape(count, chosen * 8)
        _decode(seen, planes, _new_block(planes), none, least, distance)

    def summarise(self, inverse: bool = False) -> tuple[Array, Array, Array, Array]:
        """What `warpath.algorithms.all_pairs.rows.Summary` has of each search; ``inverse`` on demand."""
        farthest, total, reached = (np.empty(self.searches, np.int64) for _ in range(3))
        sums = _Sums(farthest, total, reached, np.empty(self.searches if inverse else 0))
        reciprocal = np.zeros(self.levels + 1)
        reciprocal[1:] = 1 / np.arange(1, self.levels + 1)
        seen, planes, n = self._bits.seen, self._used, self.graph.num_vertices
        _summarise(seen, planes, _new_block(planes), n, reciprocal, sums)
        return sums
