"""Eccentricities of undirected graphs by bounds: a search from some vertices says enough of the others."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.all_pairs.rows import Rows, rows_of_paths
from warpath.cpu.bounds import narrow
from warpath.graph.components import connected_components
from warpath.graph.distance import longest_path, unreachable
from warpath.graph.graph import Graph

Array = NDArray[Any]
Tick = Callable[[int, int], None]

# Searches one by one, each from where the bounds then say the least; later ones are made in batches. Fewer where a
# batch takes not much longer than one search. Guesses.
_ALONE, _FEW_ALONE = 256, 32
_FIRST_BATCH, _LAST_BATCH = 64, 512  # guesses
_BATCH_BYTES = 2**28  # of distances: a guess


class Bounds:
    """Bounds of all eccentricities of an undirected graph, none of whose weights is negative.

    Parameters
    ----------
    graph : Graph
    rows : Rows
        Makes many rows of its distances.

    Attributes
    ----------
    lower, upper : array of int64 or float64, shape (n,)
        Vertices that are not reached do not count. Lower bounds of floats are not exact.
    open : bool array, shape (n,)
        Vertices whose bounds must become narrower: at first, those with edges.
    longest : int64 or float64
        The largest eccentricity that is known.
    """

    def __init__(self, graph: Graph, rows: Rows) -> None:
        n = graph.num_vertices
        self._graph, self._rows = graph, rows
        self._row = rows_of_paths(graph, sources=1)
        self._none = unreachable(rows.dtype)
        wide = np.dtype(np.float64 if rows.dtype.kind == "f" else np.int64)
        self.lower = np.zeros(n, wide)
        self.upper = np.full(n, unreachable(wide))
        self.open = graph.degree > 0
        self.upper[~self.open] = 0
        self.longest = wide.type(0)
        self._searches = 0

    def search(self) -> None:
        """Search from open vertices, which are open no longer."""
        batch = self._batch()
        chosen = self._one() if batch == 1 else self._some(batch)
        distance = np.empty((len(chosen), self._graph.num_vertices), self._rows.dtype)
        (self._row if batch == 1 else self._rows).fill(chosen, distance)
        exact = narrow(distance, self._none, self.lower, self.upper)
        self.lower[chosen] = self.upper[chosen] = exact
        self.longest = max(self.longest, exact.max())
        self.open[chosen] = False
        if self._searches == 0 and (distance[0, self.open] == self._none).any():
            self._bound_by_size()
        self._searches += len(chosen)

    def _batch(self) -> int:
        if self._searches < (_FEW_ALONE if self._rows.at_once else _ALONE):
            return 1
        row = self._graph.num_vertices * self._rows.dtype.itemsize
        most = min(_LAST_BATCH, max(_FIRST_BATCH, _BATCH_BYTES // row))
        return min(most, max(_FIRST_BATCH, self._searches))

    def _one(self) -> Array:
        """By turns the vertex that may be the farthest out, and the one in the middle, which bounds others."""
        candidates = np.flatnonzero(self.open)
        if self._searches == 0:
            best = candidates[self._graph.degree[candidates].argmax()]
        elif self._searches % 2 == 1:
            upper = self.upper[candidates]
            ties = candidates[upper == upper.max()]
            best = ties[self.lower[ties].argmax()]
        else:
            lower = self.lower[candidates]
            ties = candidates[lower == lower.min()]
            best = ties[self._graph.degree[ties].argmax()]
        return np.array([best], np.int32)

    def _some(self, count: int) -> Array:
        """Half of each kind."""
        degree, candidates = self._graph.degree, np.flatnonzero(self.open).astype(np.int32)
        out = candidates[np.lexsort((-degree[candidates], -self.upper[candidates]))]
        middle = candidates[np.lexsort((-degree[candidates], self.lower[candidates]))]
        return np.unique(np.concatenate([out[: count // 2], middle[: count // 2]]))

    def _bound_by_size(self) -> None:
        """No shortest path has more edges than its component has other vertices: that spares searches of small ones."""
        if longest_path(self._graph) * 2 >= float(unreachable(self.upper.dtype)):
            return
        labels, _ = connected_components(self._graph)
        edges = np.bincount(labels, minlength=len(labels))[labels] - 1
        longest = self._graph.weight_range[1] if self._graph.weight_dtype else 1
        self.upper = np.minimum(self.upper, edges * self.upper.dtype.type(longest))


def bounded_diameter(graph: Graph, rows: Rows, tick: Tick) -> Any:
    """The largest of all eccentricities.

    Parameters
    ----------
    graph, rows
        As of `Bounds`.
    tick : callable
        Called with (vertices that cannot be the farthest out, all of them).
    """
    n, bounds = graph.num_vertices, Bounds(graph, rows)
    while left := int(np.count_nonzero(bounds.open)):
        tick(n - left, n)
        bounds.search()
        bounds.open &= bounds.upper > bounds.longest
    tick(n, n)
    return rows.dtype.type(bounds.longest).item()


def bounded_eccentricities(graph: Graph, rows: Rows, tick: Tick) -> Array:
    """All eccentricities, of integer distances.

    Parameters
    ----------
    graph, rows, tick
        As of `bounded_diameter`; here vertices count whose bounds are equal.
    """
    n, bounds = graph.num_vertices, Bounds(graph, rows)
    while left := int(np.count_nonzero(bounds.open)):
        tick(n - left, n)
        bounds.search()
        bounds.open &= bounds.upper > bounds.lower
    tick(n, n)
    return bounds.upper.astype(rows.dtype)
