"""One level of a breadth-first search in a part, by a team of threads.

Each thread takes chunks of the frontier, or of the owned vertices, and appends what it finds through a buffer
(`warpath.distributed.relaxation`). A compare-and-swap on the distance decides which thread found a vertex; the
smallest predecessor is an atomic minimum.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.arcs import Arcs, arc_range, arcs_of, kind_of
from warpath.cpu.counters import LINE
from warpath.cpu.unsigned import LOW, ONE, WORD, ZERO, trailing_zeros
from warpath.distributed.part import Part
from warpath.distributed.relaxation import BUFFER, append, flush
from warpath.graph.distance import unreachable
from warpath.parallel import team
from warpath.parallel.atomics import (
    atomic_add,
    atomic_compare_and_swap,
    atomic_min,
    prefetch,
    unowned,
)
from warpath.parallel.jit import compiled, inlined
from warpath.parallel.sync import share
from warpath.parallel.thread_count import num_threads

Array = NDArray[Any]

NO_PREDECESSOR = int(np.iinfo(np.int32).max)
"""So that the smallest one is a minimum."""
_NONE = np.int32(unreachable(np.int32))

CURSOR, FOUND, EDGES, GHOSTS = (LINE * i for i in range(4))
_CHUNK = 64  # vertices that a thread takes at once, top-down
_WORDS = 16  # words of 64 vertices that it takes bottom-up: guesses, as `warpath.cpu.bfs`
_AHEAD = np.uint64(16)  # vertices between asking for the first arc and its turn: `warpath.cpu.bfs`
_TO_FOLLOWING, _TO_GHOSTS = 0, 1


class Arguments(NamedTuple):
    """What kernels of this file take."""

    arcs: Arcs
    reverse: Arcs
    ids: Array
    begin: int
    end: int
    distance: Array
    predecessor: Array
    ghosts: Array
    buffers: Array  # two of each thread
    unreached: Array  # a bitmap of owned vertices
    counters: Array


@dataclass(frozen=True)
class Level:
    """What levels work in: ``queues`` of two frontiers, and what kernels take."""

    arguments: Arguments
    queues: NDArray[np.int32]
    threads: int
    kinds: Any

    @classmethod
    def of(cls, part: Part) -> "Level":
        """For a search in a part; no vertex is reached."""
        owned, threads = part.end - part.begin, num_threads()
        arguments = Arguments(
            arcs_of(part.graph), arcs_of(part.reverse), part.ids, part.begin, part.end,
            np.full(len(part.ids), _NONE), np.full(len(part.ids), NO_PREDECESSOR, np.int32),
            np.empty(len(part.ids) - owned, np.int32), np.empty((threads, 2, BUFFER), np.int32),
            np.empty(-(-owned // 64), np.uint64), np.zeros(4 * LINE, np.int64),
        )  # fmt: skip
        kinds = kind_of(part.graph), kind_of(part.reverse), team.kind(part.ids)
        return cls(arguments, np.empty((2, owned), np.int32), threads, kinds)

    def run(self, kernel: Any, *args: Any) -> None:
        """Run a kernel of this file."""
        like = self.kinds, tuple(map(team.kind, args))
        team.run(kernel, self.threads, self.arguments, *args, like=like)


@inlined
def _found(this, v, buffer, following, edges):  # type: ignore[no-untyped-def]
    """List an owned vertex; the arcs found with it."""
    append(v, buffer, following, this.counters, FOUND)
    first, last = arc_range(this.arcs, v)
    return edges + (last - first)


@compiled
def push(thread, threads, sync, this, frontier, depth, following):  # type: ignore[no-untyped-def]
    """Expand the frontier: owned vertices go to the next one, ghosts to a list for their owners."""
    this, following = unowned((this, following))
    counters, distance, predecessor = this.counters, this.distance, this.predecessor
    buffers = this.buffers[thread]
    buffers[:, 0] = 0
    count = frontier.shape[0]
    edges = ZERO
    while True:
        chunk = count if threads == 1 else _CHUNK
        first = atomic_add(counters, CURSOR, chunk)
        if first >= count:
            break
        for i in range(np.uint64(first), np.uint64(np.minimum(first + chunk, count))):
            u = np.uint64(frontier[i])
            begin, end = arc_range(this.arcs, u)
            parent = this.ids[u]
            for arc in range(begin, end):
                v = np.uint64(this.arcs.indices[arc])
                d = distance[v]
                if d <= depth:
                    continue
                if d == _NONE:
                    if threads == 1:
                        distance[v] = depth + 1
                    elif atomic_compare_and_swap(distance, v, _NONE, depth + 1) != _NONE:
                        d = np.int32(0)  # another thread found it
                    if d == _NONE:
                        if this.begin <= v < this.end:
                            edges = _found(this, v, buffers[_TO_FOLLOWING], following, edges)
                        else:
                            append(v, buffers[_TO_GHOSTS], this.ghosts, counters, GHOSTS)
                if parent < predecessor[v]:
                    if threads == 1:
                        predecessor[v] = parent
                    else:
                        atomic_min(predecessor, v, parent)
    flush(buffers[_TO_FOLLOWING], following, counters, FOUND)
    flush(buffers[_TO_GHOSTS], this.ghosts, counters, GHOSTS)
    atomic_add(counters, EDGES, np.int64(edges))


@compiled
def accept(thread, threads, sync, this, told, parents, depth, following):  # type: ignore[no-untyped-def]
    """Add the owned vertices that other ranks found; one thread."""
    this = unowned(this)
    counters, distance, predecessor = this.counters, this.distance, this.predecessor
    for i in range(np.uint64(told.shape[0])):
        v = np.uint64(told[i])
        if distance[v] == _NONE:
            distance[v] = depth + 1
            following[np.uint64(counters[FOUND])] = v
            counters[FOUND] += 1
            first, last = arc_range(this.arcs, v)
            counters[EDGES] += np.int64(last - first)
        if distance[v] == depth + 1 and parents[i] < predecessor[v]:
            predecessor[v] = parents[i]


@compiled
def mark_unreached(thread, threads, sync, this):  # type: ignore[no-untyped-def]
    """Set the bits of the owned vertices that a bottom-up level may reach: those with arcs into them."""
    this = unowned(this)
    offsets, end = this.reverse.offsets, np.uint64(this.end)
    first, last = share(this.unreached.shape[0], thread, threads)
    for word in range(np.uint64(first), np.uint64(last)):
        bits = ZERO
        begin = np.uint64(this.begin) + (word << WORD)
        for v in range(begin, np.minimum(begin + np.uint64(64), end)):
            bit = np.uint64((this.distance[v] == _NONE) & (offsets[v] < offsets[v + ONE]))
            bits |= bit << (v - begin)
        this.unreached[word] = bits


@compiled
def pull(thread, threads, sync, this, front, depth, following):  # type: ignore[no-untyped-def]
    """Look for a parent in the frontier of each unreached vertex of the words that I take."""
    this, following, front = unowned((this, following, front))
    indices, offsets, unreached = this.reverse.indices, this.reverse.offsets, this.unreached
    buffers = this.buffers[thread]
    buffers[:, 0] = 0
    edges = ZERO
    end = np.uint64(this.end)
    while True:
        first = atomic_add(this.counters, CURSOR, _WORDS)
        if first >= unreached.shape[0]:
            break
        last = np.minimum(first + _WORDS, unreached.shape[0])
        for word in range(np.uint64(first), np.uint64(last)):
            found = ZERO
            left = unreached[word]
            while left != ZERO:
                bit = left & (~left + ONE)
                v = np.uint64(this.begin) + ((word << WORD) | trailing_zeros(left))
                left ^= bit
                if v + _AHEAD < end:
                    prefetch(indices, np.uint64(offsets[v + _AHEAD]))
                arc, stop = arc_range(this.reverse, v)
                while arc < stop:
                    u = np.uint64(indices[arc])
                    arc += ONE
                    if (front[u >> WORD] >> (u & LOW)) & ONE:
                        this.distance[v] = depth + 1
                        this.predecessor[v] = this.ids[u]
                        edges = _found(this, v, buffers[_TO_FOLLOWING], following, edges)
                        found |= bit
                        break
            unreached[word] ^= found
    flush(buffers[_TO_FOLLOWING], following, this.counters, FOUND)
    atomic_add(this.counters, EDGES, np.int64(edges))


@compiled
def write_owned(thread, threads, sync, this, distance, predecessor):  # type: ignore[no-untyped-def]
    """Write the distances and predecessors of owned vertices, -1 where there is none."""
    this = unowned(this)
    begin = np.uint64(this.begin)
    first, last = share(distance.shape[0], thread, threads)
    for i in range(np.uint64(first), np.uint64(last)):
        d, parent = this.distance[begin + i], this.predecessor[begin + i]
        distance[i] = -1 if d == _NONE else d
        predecessor[i] = -1 if parent == NO_PREDECESSOR else parent


@compiled
def know_ghosts(thread, threads, sync, this, flags, depth):  # type: ignore[no-untyped-def]
    """Note the distances of ghosts that are flagged."""
    this = unowned(this)
    begin, end = this.begin, this.end
    first, last = share(this.distance.shape[0], thread, threads)
    for v in range(np.uint64(first), np.uint64(last)):
        if flags[v] and this.distance[v] == _NONE and not (begin <= v < end):
            this.distance[v] = depth
