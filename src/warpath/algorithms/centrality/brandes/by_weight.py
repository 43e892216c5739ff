"""Brandes' sums step by step, as edges become known to be the last ones into a vertex."""

from typing import Any

import numpy as np

from warpath.algorithms.centrality.brandes.batch import Batch
from warpath.algorithms.primitives.vertices import compute
from warpath.language import atomic_add, operator

# By weight a level has edges of several lengths, so each vertex waits for those into it.


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


class ByWeight(Batch):
    """Step by step, as edges become known to be the last ones into a vertex."""

    def _count_paths(self) -> None:
        self.ready = self.xp.full(len(self.paths), -1, np.int32)
        self.ready[self.at] = 0
        self.frontiers = [self._first()]
        self._find_distances()
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
