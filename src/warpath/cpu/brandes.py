"""How many shortest paths pass a vertex, and an arc: Brandes' algorithm.

Source: U. Brandes, "A faster algorithm for betweenness centrality", Journal of Mathematical
Sociology 25 (2001); edges: "On variants of shortest-path betweenness centrality", Social
Networks 30 (2008).

From one source s, an arc v → w is *tight* where d(v) + weight = d(w): shortest paths from s are
made of tight arcs. σ(v) of them end at v. The dependency δ(v) is the sum, over all targets t, of the
part of the shortest paths from s to t that pass v. Brandes' recurrence, over the tight arcs v → w:
δ(v) = Σ σ(v) / σ(w) · (1 + δ(w)).

What is in the encoding:

- ``share[w]`` is (1 + δ(w)) / σ(w), what each shortest path to w is worth to an arc into w. So
  share(v) = 1 / σ(v) + Σ share(w): a vertex gathers from those behind it, no list of predecessors
  is kept, and σ(v) · share(w) is the dependency of the arc v → w.
- ``order`` holds the vertices reached, the nearest first. Weights are positive, so tight arcs lead
  to later ones: paths are counted forward through ``order``, shares gathered backward.
- A thread takes every ``threads``-th source and adds to rows of its own. So the sums are the same to
  the bit for as many threads.
- No sum near[v] + weight passes for a distance that it is not: integers are added modulo 2⁶⁴, of two
  positive ones a wrapped sum is below 0, and infinity is no vertex's distance. A vertex that only
  such sums lead to was not reached, which is a fault.
- Without weights, most arcs of a random graph, or one with hubs, leave one large level. So the few vertices that are
  left look back along theirs, and later those of the next level give their shares back (as S. Beamer et al. turn
  around a search, SC 2012). R-MAT 18 takes 0.32 of the time, G(2¹⁸, 2²²) 0.20 (2 cores of an Intel Xeon).
- Without weights no arc is asked whether it is tight: on random graphs the processor guesses wrong
  every third time. Measured with Zen 5, G(5000, 25000): 3.5 times faster than with branches.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.arcs import arc_range, arcs_of, num_arcs
from warpath.cpu.dijkstra import settle
from warpath.cpu.heap import Heap, new_heap
from warpath.cpu.method import TOTALS, Search
from warpath.cpu.queue_search import MET, NEW, expand
from warpath.cpu.relax import ALGEBRAS, add
from warpath.cpu.unsigned import ONE, ZERO, unsigned
from warpath.graph.distance import unreachable
from warpath.graph.graph import Graph
from warpath.parallel import team, thread_count
from warpath.parallel.atomics import unowned
from warpath.parallel.jit import compiled, inlined
from warpath.parallel.sync import stopping

Array = NDArray[Any]

_SHORTEST = ALGEBRAS["shortest"]
_VANISHED, _COUNTLESS, _TOO_FAR, _FAULTS = 0, 1, 2, 3  # places in ``faults``; how many
_EDGES_PER_THREAD = 16384  # of all searches together: a guess
# A vertex that is asked whether it was reached takes as long as a quarter of an arc, and an arc that gives back as two that
# gather: guesses.
_VERTICES_PER_ARC, _GIVEN_BACK = np.uint64(4), np.uint64(2)


class _Space(NamedTuple):
    """What a thread's searches work in, and what they add to: rows of its own."""

    near: Any
    order: Any
    paths: Any
    share: Any
    behind: Any
    passing: Any
    on_arcs: Any
    fault: Any


@inlined
def _count(state, u, v):  # type: ignore[no-untyped-def]
    """Count the paths to v that come from u, one level before."""
    near, paths = state
    following = near[u] + 1
    seen = MET
    if near[v] < 0:
        near[v] = following
        seen = NEW
    paths[v] += paths[u] * (near[v] == following)  # no branch: it could not be predicted
    return seen


@inlined
def _look_back(reverse, space, level, reached):  # type: ignore[no-untyped-def]
    """Vertices that are not reached count the paths to those that are; returns how many are reached then.

    All paths that an arc brings end one level before, or the vertex would have been reached.
    """
    near, order, paths, found = space.near, space.order, space.paths, space.behind
    size = reached
    for w in range(np.uint64(near.shape[0])):
        if near[w] < 0:
            total = 0.0
            first, last = arc_range(reverse, w)
            for arc in range(first, last):
                total += paths[reverse.indices[arc]]
            order[size], found[size] = w, total
            size += np.uint64(total > 0)
    for i in range(reached, size):
        near[order[i]], paths[order[i]] = level, found[i]
    return size


@compiled
def _search_levels(arcs, reverse, looks_back, source, space):  # type: ignore[no-untyped-def]
    """Breadth-first search that counts paths on its way; returns how many vertices are reached.

    ``near`` was -1 everywhere, ``paths`` 0. To search first (`warpath.cpu.breadth_first_order`) and
    then count would look at every arc twice.
    """
    arcs, reverse, space = unowned(arcs), unowned(reverse), unowned(space)
    near, order, paths = space.near, space.order, space.paths
    near[source] = 0
    paths[source] = 1
    order[ZERO] = source
    level = np.int32(0)
    first, last, reached = ZERO, ZERO, ONE
    unreached = np.uint64(reverse.indices.shape[0])  # arcs into what is not
    while last < reached:
        first, last = last, reached
        level += np.int32(1)
        if looks_back:
            unreached -= num_arcs(reverse, order, first, last)
            to_read = unreached + np.uint64(near.shape[0]) // _VERTICES_PER_ARC
            if to_read < num_arcs(arcs, order, first, last):
                reached = _look_back(reverse, space, level, reached)
                continue
        reached = expand(_count, (near, paths), arcs, order, first, last, reached)[0]
    return reached


@compiled
def _gather_levels(arcs, reverse, looks_back, space, reached, endpoints):  # type: ignore[no-untyped-def]
    """`_gather`, of levels: no arc is asked whether it is tight.

    Shares are 0 until the whole level has gathered, so an arc that does not lead to the next level
    gives nothing. Or those of the next level are given back along the arcs into it: what vertices get that
    are not one level before is not looked at, as they have gathered.
    """
    arcs, reverse, space = unowned(arcs), unowned(reverse), unowned(space)
    near, order, paths, share, behind, passing, on_arcs, _ = space
    arcs_too = on_arcs.shape[0] > 0
    if looks_back:
        behind[:] = 0
    last, next_last, entering = reached, reached, ZERO
    while last > ZERO:
        level = near[order[last - ONE]]
        first = last
        while first > ZERO and near[order[first - ONE]] == level:
            first -= ONE
        if looks_back and _GIVEN_BACK * entering < num_arcs(arcs, order, first, last):
            for i in range(last, next_last):
                w = order[i]
                begin, end = arc_range(reverse, w)
                for arc in range(begin, end):
                    behind[reverse.indices[arc]] += share[w]
        else:
            for i in range(first, last):
                v = order[i]
                total = 0.0
                begin, end = arc_range(arcs, v)
                for arc in range(begin, end):
                    total += share[arcs.indices[arc]]
                    if arcs_too:
                        on_arcs[arc] += paths[v] * share[arcs.indices[arc]]
                behind[v] = total
        for i in range(first, last):
            v = order[i]
            share[v] = 1 / paths[v] + behind[v]
            passing[v] += paths[v] * behind[v] + endpoints
        if looks_back:
            entering = num_arcs(reverse, order, first, last)
        last, next_last = first, last


@compiled
def _count_paths(arcs, space, reached, unreached):  # type: ignore[no-untyped-def]
    """Fill ``paths`` of the vertices reached; notes what makes it impossible in ``fault``.

    ``paths`` was 0 everywhere.
    """
    arcs, space = unowned(arcs), unowned(space)
    near, order, paths, fault = space.near, space.order, space.paths, space.fault
    paths[order[ZERO]] = 1
    for i in range(reached):
        v = order[i]
        mine = paths[v]
        first, last = arc_range(arcs, v)
        for arc in range(first, last):
            w = arcs.indices[arc]
            there = add(near[v], arcs.weights[arc])
            if there == near[v]:
                fault[_VANISHED] = arc
            if near[w] == unreached:
                fault[_TOO_FAR] = arc
            if there == near[w]:
                paths[w] += mine


@compiled
def _gather(arcs, space, reached, endpoints):  # type: ignore[no-untyped-def]
    """Add what this source gives to ``passing`` and ``on_arcs``, which may be empty."""
    arcs, space = unowned(arcs), unowned(space)
    near, order, paths, share, _, passing, on_arcs, _ = space
    arcs_too = on_arcs.shape[0] > 0
    for i in range(reached):
        v = order[reached - ONE - i]
        behind = 0.0
        first, last = arc_range(arcs, v)
        for arc in range(first, last):
            w = arcs.indices[arc]
            if add(near[v], arcs.weights[arc]) == near[w]:
                behind += share[w]
                if arcs_too:
                    on_arcs[arc] += paths[v] * share[w]
        share[v] = 1 / paths[v] + behind
        passing[v] += paths[v] * behind + endpoints


@compiled
def _search(  # type: ignore[no-untyped-def]
    thread, threads, sync, arcs, reverse, looks_back, sources, endpoints, unreached, sums, heaps
):
    """Take every ``threads``-th source; my rows are those numbered ``thread``.

    ``heaps`` is None where arcs have no weights.
    """
    n = np.uint64(arcs.offsets.shape[0] - 1)
    near, order = np.full(n, unreached), np.empty(n, np.uint32)
    paths, share = np.zeros(n), np.zeros(n)
    passing, on_arcs, faults = sums
    space = _Space(
        near, order, paths, share, np.empty(n), passing[thread], on_arcs[thread], faults[thread]
    )
    if heaps is not None:
        predecessor = np.empty(n, np.int32)
        heap = Heap(heaps.items[thread], heaps.keys[thread], heaps.place[thread])
        trace, totals = np.zeros((1, 3), np.int64), np.zeros(TOTALS, np.int64)
    for i in range(thread, sources.shape[0], threads):
        if stopping(sync):
            return
        source = sources[i]
        if heaps is None:
            reached = _search_levels(arcs, reverse, looks_back, source, space)
            before = space.passing[source]
            _gather_levels(
                arcs, reverse, looks_back and on_arcs.shape[1] == 0, space, reached, endpoints
            )
        else:
            search = Search(
                _SHORTEST, arcs, sources[i : i + 1], near.dtype.type(0), unreached, unreached, -1,
                False, near, predecessor, trace, totals,
            )  # fmt: skip
            reached = settle(sync, search, heap, n)
            if stopping(sync):  # perhaps with vertices to which no path is counted
                return
            for k in range(reached):
                order[k] = heap.items[n - ONE - k]
            _count_paths(arcs, space, reached, unreached)
            before = space.passing[source]
            _gather(arcs, space, reached, endpoints)
        space.passing[source] = before + endpoints * (reached - ONE)
        for k in range(reached):
            v = order[k]
            if not paths[v] < np.inf:
                space.fault[_COUNTLESS] = source
            near[v] = unreached
            paths[v] = 0
            share[v] = 0


class Sums:
    """Dependencies, summed over all sources that were searched from so far.

    Parameters
    ----------
    graph : Graph
    weights : array, shape (m,), or None
        Positive, in the dtype of distances, read-only; None: each arc counts 1.
    endpoints : bool
        Whether a path passes its ends as well.
    arcs : bool
        Whether the arcs' dependencies are wanted.
    looks_back : bool
        Whether vertices may look along the arcs into them, where that takes fewer; without weights.

    Attributes
    ----------
    vanished : int
        An arc whose weight is lost when it is added to a distance, so that paths cannot be counted, or -1.
    countless : int
        A source with more shortest paths to some vertex than a float64 can say, or -1.
    too_far : int
        An arc that leads to a distance beyond its dtype, or -1.

    Notes
    -----
    Takes 8 bytes for each vertex (and arc) and thread, and while it searches some 40 a vertex more.
    """

    def __init__(
        self,
        graph: Graph,
        weights: Array | None,
        *,
        endpoints: bool,
        arcs: bool,
        looks_back: bool = False,
    ) -> None:
        self.graph, self.weights, self.endpoints = graph, weights, endpoints
        self._looks_back = looks_back
        self._reverse = arcs_of(graph.reverse if self._looks_back else graph)
        self.vanished = self.countless = self.too_far = -1
        self._threads = thread_count.num_threads()
        self._passing: Array = np.zeros((self._threads, graph.num_vertices))
        self._on_arcs: Array = np.zeros((self._threads, graph.num_arcs if arcs else 0))

    def add(self, sources: NDArray[np.int32]) -> None:
        """Search from each of ``sources``."""
        graph, weights = self.graph, self.weights
        work = len(sources) * (graph.num_arcs + graph.num_vertices)
        threads = max(1, min(self._threads, len(sources), work // _EDGES_PER_THREAD))
        faults = np.full((threads, _FAULTS), -1, np.int64)
        unreached: Any = np.int32(-1)
        heaps = None
        if weights is not None:
            unreached = unreachable(weights.dtype)
            heaps = new_heap((threads, graph.num_vertices), weights.dtype)
        team.run(
            _search, threads, arcs_of(graph, weights), self._reverse, self._looks_back, unsigned(sources),
            float(self.endpoints), unreached, (self._passing, self._on_arcs, faults), heaps,
        )  # fmt: skip
        vanished, countless, too_far = faults.max(axis=0).tolist()
        self.vanished = max(self.vanished, vanished)
        self.countless = max(self.countless, countless)
        self.too_far = max(self.too_far, too_far)

    @property
    def passing(self) -> Array:
        """The sum of dependencies of each vertex: float64, shape (n,)."""
        total: Array = self._passing.sum(axis=0)
        return total

    @property
    def on_arcs(self) -> Array:
        """The sum of dependencies of each arc: float64, shape (m,)."""
        total: Array = self._on_arcs.sum(axis=0)
        return total
