"""Hierarchical processing."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, Self

from warpath.balance.degree_threshold import DegreeThreshold
from warpath.balance.technique import TempStorage


@dataclass(frozen=True)
class Hierarchical(DegreeThreshold):
    """Sub-iterations, in each of which a thread takes at most ``MDT`` arcs of a vertex.

    By default ``MDT`` (0) comes from a histogram of the degrees with ``bins`` ranges. Lists
    of fewer than ``switch`` vertices go to workload decomposition (0: none do).
    """

    name = "hierarchical"
    paper = "HP in Mishra et al."
    cost = "a barrier for each MDT arcs of the largest vertex; loads do not coalesce"

    # A sub-iteration for each range: with 1000, graphs of small hubs have one for each arc or two. Top-down BFS on an
    # H200, ms with 10, 100, 1000: R-MAT 20 5.4, 3.2, 3.0; Mishra's rmat20 0.46, 0.49, 1.7; Graph500 33, 20, 16.
    bins: Literal[10, 100, 1000] = 100
    switch: Literal[0, 256, 1024] = 1024  # 1024 is the paper's: its block

    @classmethod
    def variants(cls) -> Iterator[Self]:
        """The technique with each setting of each knob."""
        choices = cls.choices()
        for bins in choices["bins"]:
            yield cls(bins=bins)
        for threshold in choices["MDT"][1:]:
            yield cls(threshold)
        for switch in choices["switch"]:
            if switch != cls.switch:
                yield cls(4, switch=switch)

    @property
    def kernel(self) -> str:
        """The C++ type that does it; the threshold is in what was prepared."""
        return f"Hierarchical<{self.switch}>"

    def temp_storage(self, xp: Any, graph: Any) -> TempStorage:
        """The threshold, and two lists of vertices with prefix sums."""
        most = self.threshold(xp, graph)
        return TempStorage((most,), 2 * (4 + graph.row_offsets.dtype.itemsize) * graph.num_vertices)
