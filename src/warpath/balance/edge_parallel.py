"""Edge-parallel."""

from dataclasses import dataclass
from typing import Any, Literal

from warpath.balance.technique import Technique, TempStorage


@dataclass(frozen=True)
class EdgeParallel(Technique):
    """The frontier's arcs are listed; threads take them in turn and look up their sources.

    With ``chunking`` a vertex reserves the places of all its arcs at once, else each arc its own.
    """

    name = "edge-parallel"
    paper = "EP in Mishra et al."
    cost = "8 bytes per arc of the graph, a list that is written and read; perfectly balanced"

    lists = needs_grid = True  # of frontiers' arcs

    chunking: Literal["on", "off"] = "on"

    def temp_storage(self, xp: Any, graph: Any) -> TempStorage:
        """The arcs' sources, and a place for each arc."""
        arcs = max(graph.num_arcs, 1)
        return TempStorage((graph.sources,), arcs * graph.row_offsets.dtype.itemsize)
