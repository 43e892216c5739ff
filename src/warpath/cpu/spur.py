"""The search that Yen's algorithm makes over and over: from a vertex of a path off to the target.

Source: J. Y. Yen, "Finding the k shortest loopless paths in a network", Management Science 17
(1971). The *root* is the part of a path that is kept, the *spur* vertex its last one. The search
starts there with the root's length, goes round the root's vertices, and does not begin with the
arcs to some *barred* vertices, whose paths are known.

It is A* (P. E. Hart, N. J. Nilsson, B. Raphael, IEEE Transactions on Systems Science and
Cybernetics 4 (1968)) whose estimate is the distance from each vertex to the target in the whole
graph. Taking vertices away only makes that longer, so the estimate never says too much, and
mostly it is right: the search goes straight along a shortest path and looks at little else.

What is in the encoding:

- ``left[v]`` is that distance. "No path" there says that v is not to be visited, whether it
  leads to the target nowhere or is on the root; the caller writes the latter and takes it back.
- ``met[v]`` and ``barred[v]`` hold the number of the last search for which it is so: nothing
  is cleared between searches, and a search takes as long as what it meets.
- Apart from `warpath.cpu.dijkstra`: a key is no distance, vertices may come back, nothing is filled.
- No sum wraps: twice the longest path fits (`warpath.algorithms.shortest_paths.k_shortest_paths` checks it), and
  neither a distance that is kept nor what is left exceeds the longest path; "no path" is no term.
- A key is the distance and what is left. Integers: the first time that the target has the least
  key, its path is a shortest one. Floats: rounding may make that wrong, unless sums are
  exact or weights are negative. Then the search ends when all keys exceed the target's distance by
  `rounding`, so that no path is shorter, and vertices may come back to the heap.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.arcs import arc_range, arcs_of
from warpath.cpu.bidirectional_dijkstra import rounding
from warpath.cpu.heap import drop_first, new_heap, offer, put
from warpath.cpu.relax import add
from warpath.cpu.unsigned import ONE, ZERO
from warpath.graph.distance import longest_path, unreachable
from warpath.graph.graph import Graph
from warpath.parallel.atomics import unowned
from warpath.parallel.interruption import interruptible
from warpath.parallel.jit import compiled
from warpath.parallel.sync import stopping_at

_SETTLED, _ARCS, _IMPROVED = 0, 1, 2


class _Space(NamedTuple):
    """What all searches of one query share."""

    left: Any
    distance: Any
    predecessor: Any
    met: Any
    barred: Any
    heap: Any
    counts: Any


class _Spur(NamedTuple):
    """One search: its number, where it starts and how far that is, and how far it may go.

    ``first``: the target's first turn is its last.
    """

    number: Any
    vertex: Any
    length: Any
    target: Any
    none: Any
    slack: Any
    first: Any


@compiled
def _search(sync, arcs, space, spur, key, bound):  # type: ignore[no-untyped-def]
    """Whether there is a path whose length is within ``bound``; ``key`` is the spur vertex's."""
    arcs = unowned(arcs)
    left, distance, predecessor, met, barred, heap, counts = unowned(space)
    number, target, none, first = spur.number, spur.target, spur.none, spur.first
    place = heap.place
    distance[spur.vertex] = spur.length
    met[spur.vertex] = number
    place[spur.vertex] = -1
    put(heap, ZERO, spur.vertex, key)
    size = ONE
    found = False
    while size > ZERO and not heap.keys[ZERO] > bound:
        u = np.uint64(heap.items[ZERO])
        place[u] = -1
        size = drop_first(heap, size)
        if u == target:
            found = True
            if first:
                break
            continue
        d = distance[u]
        begin, end = arc_range(arcs, u)
        counts[_SETTLED] += 1
        if stopping_at(sync, counts[_SETTLED]):
            break
        counts[_ARCS] += np.int64(end - begin)
        for arc in range(begin, end):
            v = np.uint64(arcs.indices[arc])
            if left[v] == none or (u == spur.vertex and barred[v] == number):
                continue
            candidate = add(d, arcs.weights[arc])
            new = met[v] != number
            if not new and (not candidate < distance[v] or (first and place[v] < 0)):
                continue
            key = add(candidate, left[v])
            if key > bound:
                continue
            if v == target and not first:
                bound = min(bound, candidate * spur.slack)
            counts[_IMPROVED] += 1
            distance[v] = candidate
            predecessor[v] = u
            if new:
                met[v] = number
                place[v] = -1
            size = offer(heap, size, v, key, place[v] < 0)
    return found


@compiled
def _way(predecessor, spur, target):  # type: ignore[no-untyped-def]
    """The vertices from the spur vertex, without it, to the target."""
    steps = 0
    v = target
    while v != spur:
        v = np.uint64(predecessor[v])
        steps += 1
    way = np.empty(steps, np.int32)
    v = target
    for i in range(steps):
        way[steps - 1 - i] = v
        v = np.uint64(predecessor[v])
    return way


class Spurs:
    """The searches of one query: all paths lead to one target.

    Parameters
    ----------
    graph : Graph
        Without weights, each arc counts 1.
    target : int
    left : int64 or float array, shape (n,)
        Each vertex's distance to the target. Lengths are of its dtype, and twice the longest
        path must fit there. It is written to, and is the same again after each search.

    Attributes
    ----------
    dtype : dtype
        That of lengths.
    slack : float
        How many times a length rounding can make of it.
    counts : int64 array
        Vertices expanded, arcs inspected, distances lowered: in all searches.

    Notes
    -----
    Takes 20 bytes and three distances per vertex.
    """

    def __init__(self, graph: Graph, target: int, left: NDArray[Any]) -> None:
        n, dtype = graph.num_vertices, left.dtype
        weights = graph.weights
        if weights is None:
            weights = np.ones(graph.num_arcs, np.int32)
        self._arcs = arcs_of(graph, weights)
        self._target = target
        self.dtype = dtype
        self._none = unreachable(dtype)
        self._first = dtype.kind == "i" or graph.weight_range[0] < 0 or _sums_exactly(graph, dtype)
        self.slack = 1.0 if self._first else 1 + rounding(n, dtype)
        self.counts = np.zeros(3, np.int64)
        self._number = 0
        self._space = _Space(
            left=left,
            distance=np.empty(n, dtype),
            predecessor=np.empty(n, np.uint32),
            met=np.zeros(n, np.uint32),
            barred=np.zeros(n, np.uint32),
            heap=new_heap(n, dtype),
            counts=self.counts,
        )

    def search(
        self, root: NDArray[np.int32], length: Any, barred: list[int], bound: Any
    ) -> tuple[NDArray[np.int32], NDArray[Any]] | None:
        """The shortest way on from a root.

        Parameters
        ----------
        root : int32 array
            From the source to the spur vertex, which is not the target.
        length : number
            The root's.
        barred : list of int
            Vertices that the spur vertex is not to be left for.
        bound : number
            Paths longer than this, and than rounding can make of it, are not looked for.

        Returns
        -------
        vertices : int32 array
            Those after the spur vertex, the target last.
        lengths : array
            How far each of them is from the source, along the path.
        None
            If there is no way on.
        """
        space, left = self._space, self._space.left
        dtype = left.dtype.type
        self._number += 1
        spur = _Spur(
            number=np.uint32(self._number),
            vertex=np.uint64(root[-1]),
            length=dtype(length),
            target=np.uint64(self._target),
            none=self._none,
            slack=dtype(self.slack),
            first=self._first,
        )
        key = dtype(length + left[spur.vertex])
        if not self._first:
            bound = bound * self.slack
        space.barred[barred] = self._number
        kept = left[root]
        left[root] = self._none
        with interruptible() as sync:
            found = _search(sync, self._arcs, space, spur, key, dtype(bound))
        left[root] = kept
        if not found:
            return None
        vertices = _way(space.predecessor, spur.vertex, spur.target)
        return vertices, space.distance[vertices]


def _sums_exactly(graph: Graph, dtype: np.dtype[Any]) -> bool:
    """Whether the weights are whole numbers whose sums floats of ``dtype`` hold."""
    most = 2.0 ** (np.finfo(dtype).nmant + 1)
    whole = graph.weights is None or bool((graph.weights == np.rint(graph.weights)).all())
    return whole and 2 * longest_path(graph) <= most
