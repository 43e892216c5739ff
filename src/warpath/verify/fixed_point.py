"""Sums of positive weights: are these rows the one solution of Bellman's equations?

Where every arc makes a distance larger, d(source) = 0 and d(v) = min over the arcs u → v of d(u) + w have
one solution, the shortest distances. A vertex that owes its distance to an arc owes it to a nearer one. So two
comparisons prove a row, where `warpath.verify.properties` looks at all arcs four times. What does not pass, or is
not of this kind, is left to them, and they also name what is wrong.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.graph.check import WEIGHT_DTYPES
from warpath.graph.graph import Graph

Array = NDArray[Any]

# No distance, for integers; half of it bounds weights and distances, so that no sum wraps, and none
# of an unreached vertex looks like one of a reached one.
_FAR = 2**62


@dataclass(frozen=True)
class FixedPoint:
    """The equations of a graph, for distances of one dtype.

    Attributes
    ----------
    source, target, weight : arrays, shape (m,)
        Arcs by their targets; weights as sums take them: integers as int64, floats in the distances'
        dtype.
    starts : array
        Where each target's arcs begin.
    lightest : int or float
        The least weight.
    """

    source: Array
    target: Array
    weight: Array
    starts: Array
    lightest: Any

    @classmethod
    def of(cls, graph: Graph, dtype: np.dtype[Any]) -> "FixedPoint | None":
        """The equations, or None if they may have several solutions, or sums may wrap."""
        source, target, weight = graph.coo()
        floats = dtype.kind == "f"
        if dtype not in WEIGHT_DTYPES or not len(source):
            return None
        if weight is not None and weight.dtype.kind == "f" and not floats:
            return None
        own = dtype if floats else np.dtype(np.int64)
        with np.errstate(over="ignore"):
            weight = np.ones(len(source), own) if weight is None else weight.astype(own)
        if not weight.min() > 0 or not weight.max() < (np.inf if floats else _FAR // 2):
            return None
        order = np.argsort(target, kind="stable")
        source, target, weight = source[order], target[order], weight[order]
        starts = np.flatnonzero(np.diff(target, prepend=-1))
        return cls(source, target, weight, starts, weight.min())

    def holds(self, sources: Array, rows: Array, parents: Array | None) -> bool:
        """Whether it is proven that rows are the distances from ``sources``.

        Parameters
        ----------
        sources : integer array, shape (k,)
        rows : array, shape (k, n)
        parents : int32 array, shape (k, n), or None
            The trees of predecessors, which must hold as well.
        """
        values, none = self._values(rows)
        if values is None:
            return False
        with np.errstate(over="ignore"):  # beyond the largest float is no path, as in a search
            given = values.take(self.source, axis=1) + self.weight
        best = np.full(values.shape, none)
        best[:, self.target[self.starts]] = np.minimum.reduceat(given, self.starts, axis=1)
        np.minimum(best, none, out=best)  # an arc from where no path leads
        at = np.arange(len(sources)), sources
        solved = best == values
        solved[at] = values[at] == 0
        if not solved.all():
            return False
        if parents is None:
            return True
        has_parent = values < none
        has_parent[at] = False
        n = rows.shape[1]
        if parents.max() >= n or not np.array_equal(parents, np.where(has_parent, parents, -1)):
            return False
        tight = parents.take(self.target, axis=1) == self.source
        tight &= given == values.take(self.target, axis=1)
        has_tight = np.zeros(values.shape, bool)
        has_tight[:, self.target[self.starts]] = np.logical_or.reduceat(tight, self.starts, axis=1)
        return bool(has_tight[has_parent].all())

    def _values(self, rows: Array) -> tuple[Array | None, Any]:
        """Rows to calculate with, and what "no path" is among them; None if arcs may not make them larger."""
        if rows.dtype.kind == "f":
            reached = rows[rows < np.inf]
            largest = reached.max(initial=0)
            with np.errstate(over="ignore"):  # above the largest float lies infinity: never legal
                legal = not np.isnan(rows).any() and self.lightest > np.spacing(largest)
            none, values = rows.dtype.type(np.inf), rows
        else:
            values = rows.astype(np.int64)
            values[rows == np.iinfo(rows.dtype).max] = none = np.int64(_FAR)
            reached = values[values < _FAR]
            legal = bool((values <= _FAR).all()) and reached.max(initial=0) < _FAR // 2
        return (values if legal and reached.min(initial=0) >= 0 else None), none
