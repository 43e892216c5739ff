"""Brandes' sums of a source alone: all of its steps in two launches, however many they are."""

from typing import Any

from warpath.algorithms.centrality.brandes.batch import Batch
from warpath.algorithms.primitives.edges import traverse
from warpath.algorithms.primitives.vertices import compute, filter
from warpath.language import atomic_add, operator

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


class One(Batch):
    """A search from one vertex: all of its steps in two launches, however many they are."""

    def _count_paths(self) -> None:
        self._find_distances()
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
