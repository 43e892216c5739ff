"""Searches from several sources at once: what those by edges and by weight share."""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.all_pairs.distance_matrix import distance_matrix
from warpath.algorithms.primitives.arrays import edge_weights, with_edge_numbers
from warpath.algorithms.primitives.edges import advance
from warpath.algorithms.primitives.frontier import Frontier
from warpath.algorithms.primitives.vertices import reduce
from warpath.graph.distance import unreachable
from warpath.graph.graph import Graph
from warpath.graph.names import VertexMessage
from warpath.language import atomic_add, atomic_max, operator
from warpath.schedule import ScheduleLike

Array = NDArray[Any]

# Rows that CuPy adds up at once: of a matrix with few columns it gives all rows to one block of threads.
_ROWS_ADDED_UP = 2**12


@operator
def _is_countless(v, paths):  # type: ignore[no-untyped-def]
    return paths[v] == np.inf


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


class Batch(ABC):
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

    def _find_distances(self) -> None:
        self.near, self.none = distances(self.graph, self.sources, self.xp)

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


def distances(graph: Graph, sources: NDArray[np.int32], xp: Any) -> tuple[Any, Any]:
    """Those from each source, as a batch has them: of the weights' dtype, shape (n · k,); and that of no path."""
    dtype = graph.weight_dtype or np.dtype(np.int32)
    rows = xp.empty((len(sources), graph.num_vertices), dtype)
    distance_matrix(graph, sources, dtype=dtype, device="cpu" if xp is np else "cuda", out=rows)
    return xp.ascontiguousarray(rows.T).ravel(), unreachable(dtype)
