"""The search that Yen's algorithm makes over and over: from a vertex of a path off to the target.

Source: J. Y. Yen, "Finding the k shortest loopless paths in a network", Management Science 17
(1971). The *root* is the part of a path that is kept, the *spur* vertex its last one. The search
starts there with the root's length, goes round the root's vertices, and does not begin with the
arcs to some *barred* vertices, whose paths are known.

It is A* (`warpath.cpu.local_dijkstra`) whose estimate is the distance from each vertex to the target in the whole
graph. Taking vertices away only makes that longer, so the estimate never says too much, and
mostly it is right: the search goes straight along a shortest path and looks at little else.

What is in the encoding:

- ``left[v]`` is that distance. "No path" there says that v is not to be visited, whether it
  leads to the target nowhere or is on the root; the caller writes the latter and takes it back.
- ``barred[v]`` holds the number of the last search for which it is so.
- No sum wraps: twice the longest path fits (`warpath.algorithms.shortest_paths.k_shortest_paths` checks it), and
  neither a distance that is kept nor what is left exceeds the longest path; "no path" is no term.
- Integers: the first time that the target has the least key, its path is a shortest one. Floats:
  rounding may make that wrong, unless sums are exact or weights are negative. Then the search goes on
  until all keys exceed the target's distance by `rounding`, so that no path is shorter.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.arcs import arcs_of
from warpath.cpu.bidirectional_dijkstra import rounding
from warpath.cpu.heap import new_heap
from warpath.cpu.local_dijkstra import COUNTS, Goal, Guide, Space, Start, search
from warpath.graph.distance import longest_path, unreachable
from warpath.graph.graph import Graph
from warpath.parallel.interruption import interruptible
from warpath.parallel.jit import compiled

_UNLIMITED = np.uint64(2**63)  # arcs


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
    Takes 21 bytes and three distances per vertex.
    """

    def __init__(self, graph: Graph, target: int, left: NDArray[Any]) -> None:
        n, dtype = graph.num_vertices, left.dtype
        self._arcs = arcs_of(graph, graph.weights)
        self._target = target
        self.dtype = dtype
        none = unreachable(dtype)
        first = dtype.kind == "i" or graph.weight_range[0] < 0 or _sums_exactly(graph, dtype)
        self.slack = 1.0 if first else 1 + rounding(n, dtype)
        self.counts = np.zeros(COUNTS, np.int64)
        self._number = 0
        self._guide = Guide(left, none, np.zeros(n, np.uint32), dtype.type(self.slack), first)
        self._is_target = np.zeros(n, bool)
        self._is_target[target] = True
        self._space = Space(
            met=np.zeros(n, np.uint32),
            distance=np.empty(n, dtype),
            predecessor=np.empty(n, np.uint32),
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
        guide, left, dtype = self._guide, self._guide.left, self.dtype.type
        self._number += 1
        spur = np.uint64(root[-1])
        key = dtype(length + left[spur])
        start = Start(np.uint32(self._number), spur, dtype(length), key)
        if not guide.first:
            bound = bound * self.slack
        goal = Goal(self._is_target, 1, dtype(bound), _UNLIMITED)
        guide.barred[barred] = self._number
        kept = left[root]
        left[root] = guide.none
        with interruptible() as sync:
            missing, _ = search(
                sync, self._arcs, self._arcs.weights, self._space, start, goal, guide
            )
        left[root] = kept
        if missing > 0:
            return None
        vertices = _way(self._space.predecessor, spur, np.uint64(self._target))
        return vertices, self._space.distance[vertices]


def _sums_exactly(graph: Graph, dtype: np.dtype[Any]) -> bool:
    """Whether the weights are whole numbers whose sums floats of ``dtype`` hold."""
    most = 2.0 ** (np.finfo(dtype).nmant + 1)
    whole = graph.weights is None or bool((graph.weights == np.rint(graph.weights)).all())
    return whole and 2 * longest_path(graph) <= most
