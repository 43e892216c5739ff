"""A breadth-first search whose input was checked: what an engine is asked for."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.stats import Stats
from warpath.frontier import DEFAULT
from warpath.graph.graph import Graph
from warpath.schedule import Schedule

Answer = tuple[Any, Any, Stats]
"""Distances, predecessors or None, and how the run went: what an engine gives back."""


@dataclass(frozen=True, eq=False)
class Search:
    """One call of `warpath.bfs`.

    Attributes
    ----------
    graph : Graph
    sources : int32 array, shape (k,)
    one_answer : bool
        Whether the sources share it.
    schedule : Schedule
        From `warpath.planning.breadth_first.complete_bfs`.
    limit : int
        The greatest distance.
    predecessors : bool
    rows_at_once : bool
        Whether a GPU may search the rows at once, top-down, if that is faster.
    blocks : int or None
        Of a GPU's grid, at most, where the policy is the default; None: what the engine takes.
    """

    graph: Graph
    sources: NDArray[np.int32]
    one_answer: bool
    schedule: Schedule
    limit: int
    predecessors: bool
    rows_at_once: bool = False
    blocks: int | None = None

    @property
    def direction(self) -> str:
        """Of the schedule, which has no gaps."""
        return str(self.schedule.direction)

    @property
    def loop(self) -> str:
        """Likewise."""
        return str(self.schedule.loop)

    @property
    def method(self) -> str:
        """As `Stats.method` says it."""
        policy = self.schedule.policy
        own = "" if policy == DEFAULT else f", {policy}"
        return f"bfs {self.direction}{own}"

    @property
    def why(self) -> str:
        """As `Stats.why` says it."""
        return "the default" if self.direction == "optimizing" else "as asked"
