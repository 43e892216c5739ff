"""Brandes' sums level by level: each edge counts 1."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.centrality.brandes.batch import Batch
from warpath.algorithms.primitives.edges import aggregate
from warpath.algorithms.primitives.frontier import Frontier
from warpath.algorithms.primitives.vertices import compute, filter
from warpath.algorithms.traversal.bfs import bfs
from warpath.graph.graph import Graph
from warpath.language import operator
from warpath.typing import DeviceName

_SAMPLES = 2**12  # vertices that say how far a source is from all: a guess


@operator
def _interleave(v, rows, start, near, n, k):  # type: ignore[no-untyped-def]
    """From a row of levels per source to k elements per vertex, of which v is one."""
    vertex = v // k
    j = v - vertex * k
    level = rows[j * n + vertex]
    near[v] = level + start[j] if level >= 0 else -1


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


class ByEdges(Batch):
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


def levels(graph: Graph, sources: NDArray[np.int32], xp: Any) -> Any:
    """Each vertex's level from each source, or -1: int32 array, shape (k, n)."""
    device: DeviceName = "cpu" if xp is np else "cuda"
    rows = bfs(graph, sources, predecessors=False, device=device).distance
    return rows.reshape(len(sources), -1)
