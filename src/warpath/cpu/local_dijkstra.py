"""Dijkstra's algorithm, or A*, that costs what it meets, whatever the graph's size: for one thread.

A\\*: P. E. Hart, N. J. Nilsson, B. Raphael, "A formal basis for the heuristic determination of minimum
cost paths", IEEE Transactions on Systems Science and Cybernetics 4 (1968).

What is in the encoding:

- ``met[v]`` holds the number of the last search that met v. Nothing is cleared between searches, and
  only ``met`` must be clear before the first one, which zeroed memory is. In the other arrays only the
  entries of vertices that were met are touched.
- In a guided search ``place`` in the heap is -1 once a vertex was taken out of it.
- A search looks for ``count`` vertices of which ``is_target`` holds, and gives up where it would look
  at more than ``budget`` arcs.
- With a `Guide` a key is a vertex's distance and what is ``left`` from there to the target; without
  one, its distance. "No path" in ``left`` says that v is not to be visited.
- ``first``: the last target's first turn is the end. Else (floats, whose keys rounding may put in another order)
  the search ends when all keys exceed the target's distance by ``slack``, and vertices may come back
  to the heap.
- No sum wraps: callers take only graphs whose longest path fits, twice with a guide.

Apart from `warpath.cpu.dijkstra`, which fills arrays as large as the graph before each search.
"""

from typing import Any, NamedTuple

import numpy as np

from warpath.cpu.arcs import arc_range
from warpath.cpu.heap import Heap, drop_first, offer, put
from warpath.cpu.relax import add
from warpath.cpu.unsigned import ONE, ZERO
from warpath.parallel.atomics import unowned
from warpath.parallel.jit import compiled
from warpath.parallel.sync import stopping_at

SETTLED, ARCS, IMPROVED, COUNTS = 0, 1, 2, 3


class Space(NamedTuple):
    """What a thread's searches work in, each array of n entries.

    But for ``counts``: vertices expanded, arcs looked at, distances lowered, in all searches.
    """

    met: Any
    distance: Any
    predecessor: Any
    heap: Heap
    counts: Any


class Start(NamedTuple):
    """The search's number, from 1 on; where it begins, at what distance and by which key."""

    number: Any
    vertex: Any
    distance: Any
    key: Any


class Goal(NamedTuple):
    """What a search looks for, up to which key, and at how many arcs."""

    is_target: Any
    count: Any
    bound: Any
    budget: Any


class Guide(NamedTuple):
    """What leads a search to its target; arcs to ``barred[v] == number`` are not the first ones."""

    left: Any
    none: Any
    barred: Any
    slack: Any
    first: Any


@compiled
def search(sync, arcs, weights, space, start, goal, guide):  # type: ignore[no-untyped-def]
    """Settle vertices until all targets are; how many are left, and whether the budget was enough.

    Numba asks only arguments whether they are None as it compiles: ``weights``, those of the arcs, where
    each counts 1; ``guide``. Only a guided search writes predecessors.
    """
    arcs, space, goal = unowned(arcs), unowned(space), unowned(goal)
    met, distance, predecessor, heap, counts = space
    number, source, _, key = start
    place, bound, left = heap.place, goal.bound, goal.count
    first = True if guide is None else guide.first
    met[source] = number
    distance[source] = start.distance
    put(heap, ZERO, source, key)
    size = ONE
    settled = inspected = improved = ZERO
    is_enough = True
    while size > ZERO and not heap.keys[ZERO] > bound:
        u = heap.items[ZERO]
        if goal.is_target[u]:
            left -= 1
            if left <= 0 and first:
                break
        size = drop_first(heap, size)
        if guide is not None:
            place[u] = -1  # it may come back
        if left <= 0 and goal.is_target[u]:
            continue
        begin, end = arc_range(arcs, u)
        settled += ONE
        inspected += end - begin
        if inspected > goal.budget or stopping_at(sync, settled):
            is_enough = False
            break
        d = distance[u]
        for arc in range(begin, end):
            v = arcs.indices[arc]
            if guide is not None:
                barred = u == source and guide.barred[v] == number
                if barred or guide.left[v] == guide.none:
                    continue
            key = candidate = add(d, 1 if weights is None else weights[arc])
            is_new = met[v] != number
            if not is_new and not candidate < distance[v]:
                continue
            if guide is not None:
                if first and not is_new and place[v] < 0:
                    continue
                key = add(candidate, guide.left[v])
            if key > bound:
                continue
            if guide is not None and not first and goal.is_target[v]:
                bound = min(bound, candidate * guide.slack)
            improved += ONE
            distance[v] = candidate
            met[v] = number
            enters = is_new
            if guide is not None:
                predecessor[v] = u
                enters = is_new or place[v] < 0
            size = offer(heap, size, v, key, enters)
    counts[SETTLED] += np.int64(settled)
    counts[ARCS] += np.int64(inspected)
    counts[IMPROVED] += np.int64(improved)
    return left, is_enough
