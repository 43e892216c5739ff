"""Dijkstra's algorithm from both ends: the shortest path between two vertices, one thread.

Source: T. A. J. Nicholson, "Finding the shortest route between two points in a network",
The Computer Journal 9 (1966): stop when the two least keys add up to the best path known;
I. Pohl, "Bi-directional search" (1971): continue at the end that has seen less. No weight is
negative.

What is in the encoding:

- A vertex that a search meets gets a *label* there: a number, in the order of meeting. It is
  the index of ``vertex``, ``distance``, ``parent`` (a label) and ``place`` (in the heap, -1 when
  it is not there). ``slot[v]`` holds v's two labels, plus one, side by side; 0 is none. So only
  ``slot`` is as large as the graph and must be clear, which zeroed memory is. The other arrays
  are as small as the part of the graph that was met, and dense.
- The heap (`warpath.cpu.heap`) is of labels.
- What is *left* from v to the other end is at least v's distance there if that is settled, else
  the other heap's least key. A label whose distance and what is left add up to more than
  ``bound`` is dropped, when it is made and when its turn comes.
- No sum wraps: twice the longest path fits (`warpath.algorithms.shortest_paths.shortest_path` checks it), a label's
  distance is a simple path's, and two of them are added at most. "No path" is a term for floats only.
- Integers: ``bound`` is one less than the best path known. Its two halves are the answer.
- Floats: sums are made from the source to the target, as everywhere, so that the length is
  `warpath.sssp`'s to the bit. The backward half is summed in the other order and only says
  where to look. ``bound`` is the best path known plus the largest error by rounding
  (`rounding`). Once the searches have met, the forward one continues alone, where the
  backward one has been, until it has settled the target.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.arcs import arc_range, arcs_of
from warpath.cpu.heap import drop_first, new_heap, offer, put
from warpath.cpu.relax import add
from warpath.cpu.report import Report
from warpath.cpu.trace import new_trace
from warpath.cpu.unsigned import ONE, ZERO
from warpath.graph.distance import unreachable
from warpath.graph.graph import Graph
from warpath.parallel.atomics import unowned
from warpath.parallel.interruption import interruptible
from warpath.parallel.jit import compiled, inlined
from warpath.parallel.sync import stopping_at

_FORWARD, _BACKWARD = np.uint64(0), np.uint64(1)
# What a search counts.
_SIZE, _LABELS, _SETTLED, _ARCS, _IMPROVED = 0, 1, 2, 3, 4
_COUNTS = 5
# Vertices in the heaps from which a team of threads may be faster. On a long path there are two,
# and delta-stepping takes 25 times as long as this search (measured, 500,000 vertices). A guess.
_MANY = 256


class _Side(NamedTuple):
    """One search: the arcs that it goes along, its labels, its heap."""

    arcs: Any
    vertex: Any
    distance: Any
    parent: Any
    heap: Any
    counts: Any


class _Pair(NamedTuple):
    """What both searches share: labels, where they met, and from a path's length to ``bound``."""

    slot: Any
    meeting: Any
    slack: Any
    less: Any


@inlined
def _start(side, slot, me, v):  # type: ignore[no-untyped-def]
    """Give the vertex where the search begins the first label, at distance 0."""
    slot[v, me] = 1
    side.vertex[ZERO] = v
    side.distance[ZERO] = 0
    side.parent[ZERO] = ZERO
    put(side.heap, ZERO, ZERO, side.distance[ZERO])
    side.counts[_SIZE] = 1
    side.counts[_LABELS] = 1


@inlined
def _least(side, none):  # type: ignore[no-untyped-def]
    """The least key of a search's heap; ``none`` when it is through."""
    return side.heap.keys[ZERO] if side.counts[_SIZE] > 0 else none


@inlined
def _left(other, label, least):  # type: ignore[no-untyped-def]
    """How far it is at least to the other search's start; ``label`` is its, plus one."""
    if label > ZERO and other.heap.place[label - ONE] < 0:
        return other.distance[label - ONE]
    return least


@inlined
def _settle(side, other, pair, me, least, best, bound):  # type: ignore[no-untyped-def]
    """Settle one search's nearest vertex, and relax the arcs out of it.

    ``least`` is the other search's least key. Returns ``best`` and ``bound``; where ``best``
    has become less, ``pair.meeting`` holds the two labels that its halves end at.
    """
    slot, arcs, heap = pair.slot, side.arcs, side.heap
    labels = np.uint64(side.counts[_LABELS])
    k = np.uint64(heap.items[ZERO])
    d = heap.keys[ZERO]
    heap.place[k] = -1
    size = drop_first(heap, np.uint64(side.counts[_SIZE]))
    side.counts[_SIZE] = size
    side.counts[_SETTLED] += 1
    u = side.vertex[k]
    if add(d, _left(other, np.uint64(slot[u, ONE - me]), least)) > bound:
        return best, bound
    improved = 0
    first, end = arc_range(arcs, u)
    for arc in range(first, end):
        v = arcs.indices[arc]
        candidate = add(d, arcs.weights[arc])
        known = np.uint64(slot[v, me])
        if known > ZERO and not candidate < side.distance[known - ONE]:
            continue
        there = np.uint64(slot[v, ONE - me])
        if there > ZERO:
            total = add(candidate, other.distance[there - ONE])
            if total < best:
                best = total
                bound = best * pair.slack - pair.less
                pair.meeting[me] = k
                pair.meeting[ONE - me] = there - ONE
        if add(candidate, _left(other, there, least)) > bound:
            continue
        improved += 1
        if known == ZERO:
            labels += ONE
            known = labels
            slot[v, me] = known
            side.vertex[known - ONE] = v
            heap.place[known - ONE] = -1
        label = known - ONE
        side.distance[label] = candidate
        side.parent[label] = k
        size = offer(heap, size, label, side.distance[label], heap.place[label] < 0)
    side.counts[_SIZE] = size
    side.counts[_LABELS] = labels
    side.counts[_ARCS] += np.int64(end - first)
    side.counts[_IMPROVED] += improved
    return best, bound


@inlined
def _drop_hopeless(side, other, slot, me, least, bound):  # type: ignore[no-untyped-def]
    """Build a search's heap again from the labels that are within ``bound``."""
    size = ZERO
    for i in range(np.uint64(side.counts[_SIZE])):
        label, key = side.heap.items[i], side.heap.keys[i]
        side.heap.place[label] = -1
        there = np.uint64(slot[side.vertex[label], ONE - me])
        if add(key, _left(other, there, least)) <= bound:
            put(side.heap, size, label, key)  # writes up to i only
            size += ONE
    side.counts[_SIZE] = size


@compiled
def _bidirectional_dijkstra(  # type: ignore[no-untyped-def]
    sync, forward, backward, pair, source, target, none, rounds, search_budget
):
    """Whether it came to an end, and the shortest path's length, ``none`` if there is none.

    ``pair.meeting`` becomes the labels at which its halves end; where ``rounds`` the forward
    half is all of it.
    """
    forward, backward, pair = unowned(forward), unowned(backward), unowned(pair)
    slot, meeting = pair.slot, pair.meeting
    _start(forward, slot, _FORWARD, source)
    _start(backward, slot, _BACKWARD, target)
    best = none
    bound = best * pair.slack - pair.less
    while forward.counts[_SIZE] > 0 and backward.counts[_SIZE] > 0:
        f_least, b_least = forward.heap.keys[ZERO], backward.heap.keys[ZERO]
        if add(f_least, b_least) > bound:
            break
        settled = forward.counts[_SETTLED] + backward.counts[_SETTLED]
        if stopping_at(sync, settled):
            return False, none
        if settled >= search_budget and forward.counts[_SIZE] + backward.counts[_SIZE] >= _MANY:
            return False, none
        if forward.counts[_ARCS] <= backward.counts[_ARCS]:
            best, bound = _settle(forward, backward, pair, _FORWARD, b_least, best, bound)
        else:
            best, bound = _settle(backward, forward, pair, _BACKWARD, f_least, best, bound)
    if best == none or not rounds:
        return True, best
    least = _least(backward, none)
    _drop_hopeless(forward, backward, slot, _FORWARD, least, bound)
    while forward.counts[_SIZE] > 0 and forward.vertex[forward.heap.items[ZERO]] != target:
        best, bound = _settle(forward, backward, pair, _FORWARD, least, best, bound)
    meeting[_FORWARD] = slot[target, _FORWARD] - 1
    return True, forward.distance[np.uint64(meeting[_FORWARD])]


@compiled
def _vertices_from(vertex, parent, label):  # type: ignore[no-untyped-def]
    """The vertices on a label's way to where its search began."""
    count = 1
    k = np.uint64(label)
    while k > ZERO:
        k = np.uint64(parent[k])
        count += 1
    way = np.empty(count, np.int32)
    k = np.uint64(label)
    for i in range(count):
        way[i] = vertex[k]
        k = np.uint64(parent[k])
    return way


def rounding(n: int, dtype: np.dtype[Any]) -> float:
    """How much longer, relatively, rounding can make a path of ``n`` vertices seem; 0 for integers.

    A sum of k non-negative terms in any order is off by at most a factor of (1 ± ε/2)ᵏ (Higham,
    "Accuracy and stability of numerical algorithms", section 4.2). Four sums meet in a
    comparison here: a path's two halves, the best path known, and what that is truly.
    """
    if dtype.kind != "f":
        return 0.0
    return math.expm1(2 * (n + 2) * float(np.finfo(dtype).eps))


def bidirectional_dijkstra(
    graph: Graph, source: int, target: int, dtype: np.dtype[Any], search_budget: int
) -> tuple[NDArray[np.int32] | None, int | float, Report] | None:
    """A shortest path between two vertices of a graph with weights, none of which is negative.

    Parameters
    ----------
    dtype : dtype
        That of distances: the weights', or int64. Twice the longest path must fit, for integers
        into 64 bits.
    search_budget : int
        Give up when this number of vertices is settled, the searches have not ended, and there is
        enough work for many threads.

    Returns
    -------
    path : int32 array, or None
        Its vertices; None: there is no path.
    length : int or float
        Sum of its weights from the source to the target, in ``dtype``.
    report : Report
    None
        All of it, when it gave up.

    Notes
    -----
    Asks for 40 bytes and four distances per vertex, and touches those of vertices that it meets:
    see `warpath.cpu.bidirectional_bfs.bidirectional_bfs`.
    """
    n, rounds = graph.num_vertices, dtype.kind == "f"
    if source == target:
        at_once = Report(np.empty(0, np.int64), iterations=0, threads=1)
        return np.array([source], np.int32), dtype.type(0).item(), at_once
    forward = _new_side(graph, dtype)
    backward = _new_side(graph.reverse, dtype)
    # Integers are compared and added in 64 bits.
    number = dtype.type if rounds else np.int64
    none = number(unreachable(dtype))
    pair = _Pair(
        slot=np.zeros((n, 2), np.uint32),
        meeting=np.zeros(2, np.int64),
        slack=number(1 + rounding(n, dtype)),
        less=number(0 if rounds else 1),
    )
    with interruptible() as sync:
        ended, length = _bidirectional_dijkstra(
            sync, forward, backward, pair, np.uint64(source), np.uint64(target), none, rounds,
            search_budget,
        )  # fmt: skip
    if not ended:
        return None
    counts = forward.counts + backward.counts
    trace = new_trace(0)
    trace[0, :2] = counts[_SETTLED], counts[_ARCS]
    report = Report(trace.ravel(), iterations=1, threads=1, improvements=int(counts[_IMPROVED]))
    if length == none:
        return None, length, report
    path = _vertices_from(forward.vertex, forward.parent, pair.meeting[_FORWARD])[::-1]
    if not rounds:
        rest = _vertices_from(backward.vertex, backward.parent, pair.meeting[_BACKWARD])
        path = np.concatenate([path, rest])
    return path, length, report


def _new_side(graph: Graph, dtype: np.dtype[Any]) -> _Side:
    n = graph.num_vertices
    return _Side(
        arcs=arcs_of(graph, graph.weights),
        vertex=np.empty(n, np.uint32),
        distance=np.empty(n, dtype),
        parent=np.empty(n, np.uint32),
        heap=new_heap(n, dtype),
        counts=np.zeros(_COUNTS, np.int64),
    )
