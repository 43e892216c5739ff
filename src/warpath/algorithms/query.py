"""A shortest-path call whose input was checked: what an engine is asked for."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.sources import distinct
from warpath.algorithms.stats import Stats, Stopwatch
from warpath.planning.shortest_paths import Plan
from warpath.schedule import Schedule


@dataclass(frozen=True, eq=False)
class Query:
    """One call of `warpath.sssp`.

    Attributes
    ----------
    plan : Plan
    sources : int32 array, shape (k,)
    one_answer : bool
        Whether the sources share it.
    dtype : dtype
        Of the distances that were asked for; the run's may be wider.
    cutoff : scalar or None
        None: none was asked for.
    predecessors : bool
    schedule : Schedule
    watch : Stopwatch
        Of the call.
    """

    plan: Plan
    sources: NDArray[np.int32]
    one_answer: bool
    dtype: np.dtype[Any]
    cutoff: Any
    predecessors: bool
    schedule: Schedule
    watch: Stopwatch

    @property
    def rows(self) -> int | None:
        """Number of answers, None for a single one."""
        return None if self.one_answer else len(self.sources)

    @property
    def starts(self) -> list[NDArray[np.int32]]:
        """The sources of each run."""
        if len(self.sources) == 1:
            return [self.sources]
        if self.one_answer:
            return [distinct(self.sources, self.plan.graph.num_vertices)]
        return [self.sources[i : i + 1] for i in range(len(self.sources))]


@dataclass(frozen=True, eq=False)
class Found:
    """What an engine gives back.

    Attributes
    ----------
    distance : array, shape (n,) or (k, n)
    predecessor : array like it, or None
    stats : Stats
    limit : number, array of shape (k,), or None
        See `warpath.algorithms.result.Paths`.
    """

    distance: Any
    predecessor: Any
    stats: Stats
    limit: Any
