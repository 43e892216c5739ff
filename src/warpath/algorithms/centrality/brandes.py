"""Brandes' algorithm by operators, several sources at once, for GPUs; `warpath.cpu.brandes` is the CPU's.

What is in the encoding:

- Arrays have k numbers per vertex, one per source of a batch: that of source j at vertex v is element k v + j. An edge
  is looked at once for all sources, and the k numbers lie next to each other.
- From a source, an edge u → v is *tight* where near[u] + w = near[v]. Shortest paths are made of tight edges.
- ``ready[v]`` is the step at which all shortest paths to v are counted, and v's tight edges are followed. By edges
  that is v's level plus the step at which the source begins, which ``near`` counts from, so there is no such array. By weight
  it is the step after that of the last tight edge into v: ``waiting[v]`` is how many are left. ``leaving[v]`` is how many
  tight edges lead out of v: from one source, those that have not been followed back.
- ``paths[v]`` is the number of shortest paths from the source to v: they are counted forward, step by step.
- ``share[v]`` is what each shortest path to v is worth to the edge that it comes by: 1 / paths[v], plus the
  shares of the vertices behind v. They are summed up backward. ``passing[v]`` grows by paths[v] times the shares behind v.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.all_pairs.distance_matrix import distance_matrix
from warpath.algorithms.primitives.arrays import edge_weights, with_edge_numbers
from warpath.algorithms.primitives.edges import advance, aggregate, traverse
from warpath.algorithms.primitives.frontier import Frontier
from warpath.algorithms.primitives.vertices import compute, filter, reduce
from warpath.algorithms.traversal.bfs import bfs
from warpath.graph.distance import unreachable
from warpath.graph.graph import Graph
from warpath.graph.names import VertexMessage
from warpath.language import atomic_add, atomic_max, operator
from warpath.planning.degrees import is_sparse
from warpath.schedule import ScheduleLike
from warpath.typing import DeviceName

Array = NDArray[Any]

BYTES = 40  # of a vertex and a source: near, ready, waiting, leaving, paths and share
# Sources of a batch: as many as keep the arrays this small, within limits. Guesses.
_VALUES = 2**26
_MIN_BATCH, _MAX_BATCH = 4, 256
# A batch takes some calls for each step, and a source alone some for all of them, but three passes over all edges: a
# guess. By hops there are few steps unless the graph is sparse.
_MANY_SOURCES = 16
_SAMPLES = 2**12  # vertices that say how far a source is from all: a guess
# Rows that CuPy adds up at once: of a matrix with few columns it gives all rows to one block of threads.
_ROWS_ADDED_UP = 2**12


class Dependencies(NamedTuple):
    """Brandes' sums over all sources.

    Attributes
    ----------
    passing : float64 array, shape (n,)
        Each vertex's sum.
    on_arcs : float64 array, shape (m,), or None
        Each arc's; of an undirected graph the edge's, at both of its arcs.
    """

    passing: Any
    on_arcs: Any


@operator
def _interleave(v, rows, start, near, n, k):  # type: ignore[no-untyped-def]
    """From a row of levels per source to k elements per vertex, of which v is one."""
    vertex = v // k
    j = v - vertex * k
    level = rows[j * n + vertex]
    near[v] = level + start[j] if level >= 0 else -1


@operator
def _is_countless(v, paths):  # type: ignore[no-untyped-def]
    return paths[v] == np.inf


# By edges all vertices of a level look along their edges at once, k numbers each (`warpath.aggregate`). A vertex of another
# level than the one before brings 0, as its paths are not counted yet, or its share is not known. Of sources from which the
# vertex that looks is of another level, the sum means nothing.


@operator
def _is_at(v, near, k, step):  # type: ignore[no-untyped-def]
    first = v * k
    found = False
    for j in range(k):
        found = found or near[first + j] == step
    return found


@operator
def _bring(u, v, brought):  # type: ignore[no-untyped-def]
    return brought[u]


@operator
def _take_paths(v, near, paths, sums, step):  # type: ignore[no-untyped-def]
    """Nothing comes to a source, whose path is counted."""
    found = sums[v]
    at = near[v]
    if at == step and found > 0:
        paths[v] = found
    if found > 0:
        sums[v] = 0.0


@operator
def _take_shares(v, near, paths, share, sums, ends, step):  # type: ignore[no-untyped-def]
    """All shares behind v are there; what passes v takes the place of its number of paths."""
    found = sums[v]
    at = near[v]
    if at == step:
        count = paths[v]
        paths[v] = count * found + ends
        share[v] = found + 1 / count
    if found > 0:
        sums[v] = 0.0


@operator
def _add_up(v, passed, passing, k):  # type: ignore[no-untyped-def]
    total = passing[v]
    for j in range(k):
        total += passed[v * k + j]
    passing[v] = total


# By weight a level has edges of several lengths, so each vertex waits for those into it.


@operator
def _find_tight(u, v, w, near, none, waiting, leaving, lost, k):  # type: ignore[no-untyped-def]
    """Count the tight edges into v, and those out of u."""
    first = u * k
    shift = v * k - first
    for a in range(first, first + k):
        if near[a] != none:
            if near[a] + w == near[a + shift]:
                atomic_add(waiting, a + shift, 1)
                atomic_add(leaving, a, 1)
            if near[a] + w == near[a]:
                atomic_max(lost, 0, 1)


@operator
def _count(u, v, w, near, ready, waiting, paths, k, step):  # type: ignore[no-untyped-def]
    enters = False
    first = u * k
    shift = v * k - first
    for a in range(first, first + k):
        if ready[a] == step and near[a] + w == near[a + shift]:
            atomic_add(paths, a + shift, paths[a])
            if atomic_add(waiting, a + shift, -1) == 1:
                ready[a + shift] = step + 1
                enters = True
    return enters


@operator
def _gather(u, v, w, near, ready, share, k, step):  # type: ignore[no-untyped-def]
    first = u * k
    shift = v * k - first
    for a in range(first, first + k):
        if ready[a] == step and near[a] + w == near[a + shift]:
            atomic_add(share, a, share[a + shift])


@operator
def _pass(v, ready, paths, share, passing, ends, k, step):  # type: ignore[no-untyped-def]
    """All shares behind v are there."""
    before = passing[v]
    total = 0.0
    first = v * k
    for a in range(first, first + k):
        if ready[a] == step:
            total += paths[a] * share[a] + ends
            atomic_add(share, a, 1 / paths[a])
    passing[v] = before + total


# Of one source: a vertex is in one frontier, and its number is not needed.


@operator
def _count_one(u, v, w, near, waiting, paths):  # type: ignore[no-untyped-def]
    if near[u] + w != near[v]:
        return False
    atomic_add(paths, v, paths[u])
    return atomic_add(waiting, v, -1) == 1


@operator
def _is_end(v, leaving, paths, worth):  # type: ignore[no-untyped-def]
    """Write what a path to v is worth without those behind v; whether there are none."""
    worth[v] = 1 / paths[v] if paths[v] > 0 else 0.0
    return leaving[v] == 0 and paths[v] > 0


@operator
def _gather_one(u, v, w, near, leaving, worth, share):  # type: ignore[no-untyped-def]
    """Along the reverse edge: the shares behind u are all there."""
    if worth[v] == 0 or near[v] + w != near[u]:
        return False
    atomic_add(share, v, worth[u] + share[u])
    return atomic_add(leaving, v, -1) == 1


@operator
def _pass_one(v, paths, worth, share, passing, ends, source):  # type: ignore[no-untyped-def]
    if paths[v] > 0:
        if v != source:
            passing[v] += paths[v] * share[v] + ends
        share[v] += worth[v]


@operator
def _pass_edges(u, v, w, weight, near, paths, share, on_arcs, k, back):  # type: ignore[no-untyped-def]
    """``w`` is the edge's number. With ``back`` paths that come from v count as well."""
    total = 0.0
    first = u * k
    shift = v * k - first
    for a in range(first, first + k):
        if paths[a] > 0 and near[a] + weight[w] == near[a + shift]:
            total += paths[a] * share[a + shift]
        if back and paths[a + shift] > 0 and near[a + shift] + weight[w] == near[a]:
            total += paths[a + shift] * share[a]
    atomic_add(on_arcs, w, total)


def countless(source: int) -> str:
    """The message of a source with too many shortest paths to a vertex."""
    text = "from vertex {} there are more than 1.8e308 shortest paths to another, more than a float64 can say"
    return VertexMessage(text, source)


def vanished(arc: int) -> str:
    """The message of an arc whose weight is lost next to a distance."""
    return (
        f"shortest paths cannot be counted: the weight of arc {arc} is lost when "
        "it is added to a distance; scale the weights to integers"
    )


def batch_of(n: int, sources: int) -> int:
    """How many sources are searched from at once."""
    wanted = max(_MIN_BATCH, min(_MAX_BATCH, _VALUES // max(n, 1)))
    return min(sources, wanted, max(1, np.iinfo(np.int32).max // max(n, 1)))


def dependencies(
    graph: Graph,
    starts: NDArray[np.int32],
    weights: Array | None,
    xp: Any,
    *,
    endpoints: bool = False,
    arcs: bool = False,
    schedule: ScheduleLike = None,
    progress: Callable[[int, int], None] | None = None,
) -> Dependencies:
    """Brandes' sums over all paths from ``starts``.

    Parameters
    ----------
    graph : Graph
    starts : int32 array, shape (k,)
        The vertices to search from.
    weights : array, shape (m,), or None
        Positive, in the dtype of distances; None: each arc counts 1.
    xp : module
        NumPy or CuPy.
    endpoints : bool
        Whether a path passes its ends as well.
    arcs : bool
        Whether the arcs' sums are wanted.
    schedule : Schedule, str or Technique, optional
    progress : callable, optional
        Called with (sources done, all of them).

    Returns
    -------
    Dependencies
        Their last bits depend on the order in which threads add; numbers of paths do not, below 2⁵³.

    Raises
    ------
    OverflowError
        More shortest paths to some vertex than a float64 can say; a distance beyond its dtype.
    ValueError
        A weight that is lost when it is added to a distance.
    """
    graph = _with(graph, weights)
    passing = xp.zeros(graph.num_vertices)
    on_arcs = xp.zeros(graph.num_arcs) if arcs else None
    batch = batch_of(graph.num_vertices, len(starts))
    search: type[_Batch] = _ByEdges if weights is None else _ByWeight
    if batch < _MANY_SOURCES and (weights is not None or is_sparse(graph)):
        batch, search = 1, _One
    for begin in range(0, len(starts), batch):
        sources = starts[begin : begin + batch]
        search(graph, sources, xp, schedule).add_to(passing, on_arcs, float(endpoints))
        if progress is not None:
            progress(begin + len(sources), len(starts))
    return Dependencies(passing, on_arcs)


def _with(graph: Graph, weights: Array | None) -> Graph:
    """The graph with these weights, or with none; kept with it, so that it is copied to a GPU once."""
    dtype = "" if weights is None else str(weights.dtype)
    if dtype == str(graph.weight_dtype or ""):
        return graph
    key = "with weights of shortest paths", dtype
    if key not in graph.derived:
        made = graph.without_weights() if weights is None else graph.with_weights(weights)
        graph.derived[key] = made
    return graph.derived[key]  # type: ignore[no-any-return]


class _Batch(ABC):
    """Searches from k vertices at once."""

    near: Any
    none: Any  # that of a vertex to which no path leads

    def __init__(
        self, graph: Graph, sources: NDArray[np.int32], xp: Any, schedule: ScheduleLike
    ) -> None:
        self.graph, self.sources, self.xp, self.schedule = graph, sources, xp, schedule
        size = graph.num_vertices * len(sources)  # below 2³¹: see `batch_of`
        self.k = np.int32(len(sources))
        self.at = xp.asarray(sources.astype(np.int64) * self.k + np.arange(self.k))
        self.paths, self.share = xp.zeros(size), xp.zeros(size)
        self.paths[self.at] = 1
        self._count_paths()
        self._check_paths()

    @abstractmethod
    def _count_paths(self) -> None:
        """Find ``near`` and ``paths``."""

    def _first(self) -> Frontier:
        return Frontier.of(self.graph, self.xp.asarray(np.unique(self.sources)))

    def _advance(self, frontier: Frontier, *what: Any) -> Frontier:
        return advance(self.graph, frontier, *what, schedule=self.schedule)

    def _tight_edges(self) -> tuple[Any, Any]:
        """How many tight edges lead to each vertex, and away from it."""
        xp = self.xp
        waiting, leaving = (xp.zeros(len(self.near), np.int32) for _ in range(2))
        lost = xp.zeros(1, np.int32)
        every = Frontier.of(self.graph, xp.arange(self.graph.num_vertices, dtype=np.int32))
        self._advance(every, _find_tight, self.near, self.none, waiting, leaving, lost, self.k)
        if int(lost[0]):
            raise ValueError(vanished(self._lost_arc()))
        return waiting, leaving

    def _lost_arc(self) -> int:
        """An arc whose weight is lost when it is added to a distance."""
        tail, _, weight = self.graph.coo()
        assert weight is not None
        near = self.near if self.xp is np else self.near.get()
        there = near.reshape(-1, self.k)[tail]
        same = (there + weight[:, None] == there) & (there != self.none)
        return int(np.flatnonzero(same.any(axis=1))[0])

    def _check_paths(self) -> None:
        """Refuse numbers that no float has."""
        if reduce(self.graph, _is_countless, self.paths, layers=int(self.k), by="any"):
            j = int(self.xp.isinf(self.paths).argmax()) % self.k
            raise OverflowError(countless(int(self.sources[j])))

    def add_to(self, passing: Any, on_arcs: Any, ends: float) -> None:
        """Add what these sources give to vertices, and to arcs unless that is None."""
        self._gather_shares(passing, ends, keeps_paths=on_arcs is not None)
        if ends:
            passing[self.xp.asarray(self.sources)] += ends * (self._reached() - 1)
        if on_arcs is not None:
            self._add_to_arcs(on_arcs)

    def _reached(self) -> Any:
        """How many vertices each source reaches: int64 array, shape (k,)."""
        found = self.near.reshape(-1, self.k) != self.none
        whole = len(found) // _ROWS_ADDED_UP * _ROWS_ADDED_UP
        parts = found[:whole].reshape(-1, _ROWS_ADDED_UP, self.k).sum(axis=1)
        return parts.sum(axis=0) + found[whole:].sum(axis=0)

    @abstractmethod
    def _gather_shares(self, passing: Any, ends: float, keeps_paths: bool) -> None:
        """Find ``share``, and add to ``passing`` but at the sources; ``paths`` may be lost unless it is kept."""

    def _add_to_arcs(self, on_arcs: Any) -> None:
        """An operator knows its edge by the weight: that of the same graph is the edge's number."""
        xp, graph = self.xp, self.graph
        numbered, weight = with_edge_numbers(graph, xp), edge_weights(graph, xp)
        every = Frontier.of(numbered, xp.arange(graph.num_vertices, dtype=np.int32))
        advance(
            numbered, every, _pass_edges, weight, self.near, self.paths, self.share, on_arcs,
            self.k, not graph.directed, schedule=self.schedule,
        )  # fmt: skip


class _ByEdges(_Batch):
    """Level by level: each edge counts 1."""

    def _count_paths(self) -> None:
        graph, k = self.graph, self.k
        self.near, self.none = self._steps(), -1
        self.sums = self.xp.zeros(len(self.near))
        self.frontiers: list[Frontier] = []
        while True:
            step = np.int32(len(self.frontiers))
            here = filter(graph, _is_at, self.near, k, step)
            if not here:
                return
            if step > 0:
                self._sum(graph, here, self.paths, self.frontiers[-1])
                self._compute(here, _take_paths, self.near, self.paths, self.sums, step)
            self.frontiers.append(here)

    def _steps(self) -> Any:
        rows = levels(self.graph, self.sources, self.xp)
        near = self.xp.empty(rows.size, rows.dtype)
        starts, n = self._starts(rows), np.int32(self.graph.num_vertices)
        self._compute(self.graph, _interleave, rows.ravel(), starts, near, n, self.k)
        return near

    def _starts(self, rows: Any) -> Any:
        """At which step each source begins: one that is nearer to the others waits, so that most vertices are at one step from all.

        None waits longer than the steps of the one that begins: its vertices' mean distance is no more than their largest.
        """
        near = rows[:, :: max(1, self.graph.num_vertices // _SAMPLES)]
        near = near if self.xp is np else near.get()
        there = near >= 0
        mean = np.where(there, near, 0).sum(axis=1) / np.maximum(there.sum(axis=1), 1)
        return self.xp.asarray(np.rint(mean.max() - mean).astype(np.int32))

    def _gather_shares(self, passing: Any, ends: float, keeps_paths: bool) -> None:
        behind, passed = self.graph.reverse, self.paths.copy() if keeps_paths else self.paths
        for step in np.arange(len(self.frontiers) - 1, 0, -1, dtype=np.int32):
            here = self.frontiers[step]
            if step + 1 < len(self.frontiers):
                self._sum(behind, here, self.share, self.frontiers[step + 1])
            self._compute(here, _take_shares, self.near, passed, self.share, self.sums, ends, step)
        passed[self.at] = 0
        compute(self.graph, _add_up, passed, passing, self.k)

    def _compute(self, over: Graph | Frontier, *what: Any) -> None:
        compute(over, *what, layers=int(self.k))

    def _sum(self, graph: Graph, here: Frontier, brought: Any, there: Frontier) -> None:
        """What vertices that are not ``there`` bring is 0, or not asked for."""
        aggregate(
            graph, _bring, brought, frontier=here, among=there, others="neutral", layers=int(self.k),
            out=self.sums, schedule=self.schedule,
        )  # fmt: skip


class _ByWeight(_Batch):
    """Step by step, as edges become known to be the last ones into a vertex."""

    def _count_paths(self) -> None:
        self.ready = self.xp.full(len(self.paths), -1, np.int32)
        self.ready[self.at] = 0
        self.frontiers = [self._first()]
        self.near, self.none = distances(self.graph, self.sources, self.xp)
        waiting, _ = self._tight_edges()
        while here := self.frontiers[-1]:
            step = np.int32(len(self.frontiers) - 1)
            arrays = self.near, self.ready, waiting, self.paths
            self.frontiers.append(self._advance(here, _count, *arrays, self.k, step))
        self.frontiers.pop()

    def _gather_shares(self, passing: Any, ends: float, keeps_paths: bool) -> None:
        """Find ``share``, and add to ``passing`` but at the sources."""
        k = self.k
        for step in np.arange(len(self.frontiers) - 1, 0, -1, dtype=np.int32):
            here = self.frontiers[step]
            self._advance(here, _gather, self.near, self.ready, self.share, k, step)
            compute(here, _pass, self.ready, self.paths, self.share, passing, ends, k, step)


class _One(_Batch):
    """A search from one vertex: all of its steps in two launches, however many they are."""

    def _count_paths(self) -> None:
        self.near, self.none = distances(self.graph, self.sources, self.xp)
        waiting, self.leaving = self._tight_edges()
        traverse(
            self.graph, self._first(), _count_one, self.near, waiting, self.paths,
            schedule=self.schedule,
        )  # fmt: skip

    def _gather_shares(self, passing: Any, ends: float, keeps_paths: bool) -> None:
        reverse, worth = self.graph.reverse, self.xp.empty(len(self.paths))
        last = filter(reverse, _is_end, self.leaving, self.paths, worth)
        traverse(
            reverse, last, _gather_one, self.near, self.leaving, worth, self.share,
            schedule=self.schedule,
        )  # fmt: skip
        source = self.sources[0]
        compute(self.graph, _pass_one, self.paths, worth, self.share, passing, ends, source)


def levels(graph: Graph, sources: NDArray[np.int32], xp: Any) -> Any:
    """Each vertex's level from each source, or -1: int32 array, shape (k, n)."""
    device: DeviceName = "cpu" if xp is np else "cuda"
    rows = bfs(graph, sources, predecessors=False, device=device).distance
    return rows.reshape(len(sources), -1)


def distances(graph: Graph, sources: NDArray[np.int32], xp: Any) -> tuple[Any, Any]:
    """Those from each source, as a batch has them: of the weights' dtype, shape (n · k,); and that of no path."""
    dtype = graph.weight_dtype or np.dtype(np.int32)
    rows = xp.empty((len(sources), graph.num_vertices), dtype)
    distance_matrix(graph, sources, dtype=dtype, device="cpu" if xp is np else "cuda", out=rows)
    return xp.ascontiguousarray(rows.T).ravel(), unreachable(dtype)
