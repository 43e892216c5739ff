"""Rows of which only some columns are wanted: searches that end soon after the last of these."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.all_pairs.rows import Rows
from warpath.graph.distance import positive

Array = NDArray[Any]

# The next search goes this many times as far as the farthest target yet. It is tried if at most this part of
# all vertices lies within that distance, and given up when this part of the searches had to be made again: guesses.
_FARTHER, _MOST_NEAR, _MOST_AGAIN = 1.5, 0.5, 0.25


class NearRows(Rows):
    """Rows of shortest paths on the CPU that are right at some vertices, and elsewhere up to a limit.

    How far these vertices are is known after the first search. The next ones go a little farther
    than that (``cutoff=``), and where one of the vertices was not found, once more all the way.

    Parameters
    ----------
    columns : integer array
        Those vertices.
    *question
        As of `Rows`, but without a cutoff.
    """

    about = "one bounded search per source"

    def __init__(self, columns: Array, *question: Any) -> None:
        super().__init__(*question)
        self._columns, self._farthest = columns, 0
        self._tried = self._given_up = False

    def nbytes(self, predecessors: bool, sources: int) -> int:
        """See `Rows.nbytes`."""
        return 2 * super().nbytes(predecessors, sources)

    def search(self, sources: Array, predecessors: bool) -> tuple[Any, Any]:
        """See `Rows.search`; without predecessors."""
        if self._given_up:
            return super().search(sources, False)
        begin = 0
        distance = np.empty((len(sources), self.graph.num_vertices), self.dtype)
        if not self._tried:
            distance[:1] = self._all_the_way(sources[:1])
            near = int(np.count_nonzero(distance[0] <= self._limit))
            self._given_up |= near > _MOST_NEAR * self.graph.num_vertices
            self._tried, begin = True, 1
        if begin < len(sources):
            distance[begin:] = self._near(sources[begin:])
        return distance, None

    def _near(self, sources: Array) -> Array:
        """Rows up to a limit, or where a target lies beyond it, all the way."""
        if self._given_up:
            return self._all_the_way(sources)
        self.cutoff = self._limit
        distance: Array = super().search(sources, False)[0]
        self.cutoff = None
        missing = (distance[:, self._columns] == self.algebra.none(self.dtype)).any(axis=1)
        if missing.any():
            distance[missing] = self._all_the_way(sources[missing])
            self._given_up |= bool(missing.mean() > _MOST_AGAIN)
        return distance

    @property
    def _limit(self) -> Any:
        """How far the next searches go: a number of the distances' dtype."""
        return positive(_FARTHER * self._farthest, self.dtype)

    def _all_the_way(self, sources: Array) -> Array:
        """Whole rows; remembers how far the farthest target is."""
        distance: Array = super().search(sources, False)[0]
        found = distance[:, self._columns]
        reached = found != self.algebra.none(self.dtype)
        # A target that no path leads to would be searched for everywhere, each time.
        self._given_up |= not bool(reached.all())
        self._farthest = max(self._farthest, found[reached].max(initial=0).item())
        return distance
