"""A breadth-first search whose input was checked: what an engine is asked for."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.stats import Stats
from warpath.frontier import DEFAULT, Policy
from warpath.graph.graph import Graph

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
    direction : {"optimizing", "top-down", "bottom-up"}
    alpha, beta : float or None
        None: what the engine takes.
    limit : int
        The greatest distance.
    predecessors : bool
    policy : Policy
        Of a GPU's frontiers.
    blocks : int or None
        Of a GPU's grid, at most, where ``policy`` is the default; None: what the engine takes.
    """

    graph: Graph
    sources: NDArray[np.int32]
    one_answer: bool
    direction: str
    alpha: float | None
    beta: float | None
    limit: int
    predecessors: bool
    policy: Policy = DEFAULT
    blocks: int | None = None

    @property
    def method(self) -> str:
        """As `Stats.method` says it."""
        own = "" if self.policy == DEFAULT else f", {self.policy}"
        return f"bfs {self.direction}{own}"

    @property
    def why(self) -> str:
        """As `Stats.why` says it."""
        return "the default" if self.direction == "optimizing" else "as asked"
