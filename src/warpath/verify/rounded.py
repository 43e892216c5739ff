"""Distances of floats that were added in any order: right but for rounding?

Each step of a sum of floats is off by at most u · S, u the dtype's unit roundoff and S the largest
distance. A path of h arcs by u · h · S, however it is bracketed. So the equation
d(v) = min over the arcs u → v of d(u) + w holds up to twice that for every right answer.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.errors import VerificationError
from warpath.graph.graph import Graph
from warpath.verify.measure import Measure, as_scalar
from warpath.verify.reach import reachable

Array = NDArray[Any]

_AT_ONCE = 2**22  # arcs of all rows that are looked at together


def check_rounded(
    graph: Graph, distance: Array, predecessor: Array | None, measure: Measure
) -> None:
    """Check a matrix of floats, and its predecessors.

    Raises
    ------
    VerificationError
        ``broken`` is ``source``, ``unreached``, ``closed``, ``triangle``, ``predecessor``,
        ``tight`` or ``rooted``.
    """
    n = graph.num_vertices
    arcs = _Arcs(graph, distance.dtype, measure)
    size = max(1, _AT_ONCE // max(graph.num_arcs + n, 1))
    for begin in range(0, n, size):
        sources = np.arange(begin, min(begin + size, n))
        rows = distance[sources]
        parents = None if predecessor is None else predecessor[sources]
        _check_rows(arcs, sources, rows, parents)


class _Arcs:
    """Arcs by their targets, and what rounding may do to paths of them."""

    def __init__(self, graph: Graph, dtype: np.dtype[Any], measure: Measure) -> None:
        self.n, self.measure = graph.num_vertices, measure
        source, target, weight = graph.coo()
        weight = np.ones(len(source), dtype) if weight is None else weight.astype(dtype)
        self.none = as_scalar(measure.none, dtype)
        if measure.extend is np.multiply:
            keep = weight != 0
            source, target, weight = source[keep], target[keep], weight[keep]
        order = np.lexsort((weight if measure.better is np.less else -weight, source, target))
        self.source, self.target, self.weight = source[order], target[order], weight[order]
        self.starts = np.flatnonzero(np.diff(self.target, prepend=-1))
        # The best of parallel arcs stands first, which is where a search from the left ends.
        self.names = self.target.astype(np.int64) * self.n + self.source

    def best(self, rows: Array) -> Array:
        """The best value that an arc gives to each vertex, from the values of the vertices before."""
        best = np.full(rows.shape, self.none, rows.dtype)
        if len(self.starts):
            pick = np.minimum if self.measure.better is np.less else np.maximum
            values = self.measure.extend(rows[:, self.source], self.weight)
            best[:, self.target[self.starts]] = pick.reduceat(values, self.starts, axis=1)
        return best

    def slack(self, rows: Array, hops: int) -> float:
        """What rounding may do to two paths of ``hops`` arcs."""
        finite = rows[np.isfinite(rows)]
        scale = max(np.abs(finite).max(initial=0), np.abs(self.weight).max(initial=0))
        return float(2 * (hops + 1) * np.finfo(rows.dtype).eps * np.float64(scale))


def _check_rows(arcs: _Arcs, sources: Array, rows: Array, parents: Array | None) -> None:
    at = (np.arange(len(sources)), sources)
    start = arcs.measure.source
    _require("source", sources, rows[at][:, None] == start, f"the source's distance is not {start}")
    reached = rows != arcs.none
    _require("unreached", sources, ~np.isnan(rows), "a distance is no number")
    hops = max(arcs.n - 1, 1)
    if parents is not None:
        hops = _check_trees(arcs, sources, reached, parents)
    slack = arcs.slack(rows, hops)
    best = arcs.best(rows)
    needs = reached.copy()
    needs[at] = False
    _require(
        "closed", sources, reached | (best == arcs.none), "an arc leads to it, but it is unreached"
    )
    with np.errstate(invalid="ignore"):
        off = rows - best if arcs.measure.better is np.less else best - rows
    _require("triangle", sources, ~(reached & (off > slack)), "an arc gives it a better distance")
    if parents is None:
        _require("tight", sources, ~needs | (off >= -slack), "no arc gives its distance")
        _check_rooted(arcs, sources, rows, needs, slack)
        return
    before = np.where(needs, parents, 0)
    name = np.arange(arcs.n) * np.int64(arcs.n) + before
    arc = np.searchsorted(arcs.names, name)
    arc[arc == len(arcs.names)] = 0
    there = arcs.names[arc] == name if len(arcs.names) else np.zeros(name.shape, bool)
    _require("tight", sources, ~needs | there, "there is no arc from its predecessor")
    if len(arcs.names):
        given = arcs.measure.extend(np.take_along_axis(rows, before, 1), arcs.weight[arc])
        with np.errstate(invalid="ignore"):
            wrong = needs & ~(np.abs(given - rows) <= slack)
        _require(
            "tight", sources, ~wrong, "the arc from its predecessor does not give its distance"
        )


def _check_trees(arcs: _Arcs, sources: Array, reached: Array, parents: Array) -> int:
    """Predecessors lead to the source; returns the most arcs on the way."""
    n, needs = arcs.n, reached.copy()
    needs[np.arange(len(sources)), sources] = False
    right = np.where(needs, (parents >= 0) & (parents < n), parents == -1)
    _require("predecessor", sources, right, "its predecessor is not -1, or is no vertex")
    # Pointer doubling, with n for what lies before the source.
    above = np.where(needs, parents, n).astype(np.int64)
    above = np.column_stack([above, np.full(len(above), n)])
    depth, jump = (above < n).astype(np.int64), above
    for _ in range(n.bit_length()):
        depth += np.take_along_axis(depth, jump, 1)
        jump = np.take_along_axis(jump, jump, 1)
    _require("rooted", sources, jump[:, :n] == n, "its predecessors go round a cycle")
    return int(depth.max(initial=1))


def _check_rooted(arcs: _Arcs, sources: Array, rows: Array, needs: Array, slack: float) -> None:
    """No distances that arcs give each other in a circle: only arcs that change little can."""
    changes = np.abs(arcs.weight - (1 if arcs.measure.extend is np.multiply else 0))
    if not (changes <= 2 * slack).any() and arcs.weight.min(initial=0) >= 0:
        return
    for i, row in enumerate(rows):
        with np.errstate(invalid="ignore"):
            given = arcs.measure.extend(row[arcs.source], arcs.weight)
            tight = np.abs(given - row[arcs.target]) <= slack
        order = np.argsort(arcs.source[tight], kind="stable")
        counts = np.bincount(arcs.source[tight], minlength=arcs.n)
        offsets = np.append(0, np.cumsum(counts))
        found = reachable(offsets, arcs.target[tight][order], sources[i : i + 1])
        _require(
            "rooted", sources[i : i + 1], (found | ~needs[i])[None], "no path gives its distance"
        )


def _require(broken: str, sources: Array, holds: Array, message: str) -> None:
    """Raise for the first (row, vertex) where it does not hold."""
    if holds.all():
        return
    row, v = np.argwhere(~holds)[0]
    raise VerificationError(broken, f"from {sources[row]}: vertex {v}: {message}")
