"""Work items to threads."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, Self

from warpath.balance.technique import Technique, TempStorage
from warpath.balance.virtual_warp import outlier_queue


@dataclass(frozen=True)
class ThreadMapped(Technique):
    """Each thread takes a frontier vertex and walks its arcs.

    Vertices of more than ``defer_outliers`` arcs wait until the others are done; then all warps
    share their arcs evenly (0: none waits).
    """

    name = "thread-mapped"
    paper = "Harish & Narayanan, HiPC 2007; survey 5.1.1; deferring: Hong et al., PPoPP 2011"
    cost = "nothing to compute; as slow as the largest vertex of a warp; loads do not coalesce"

    defer_outliers: Literal[0, 64, 256, 1024, 4096] = 0

    @classmethod
    def variants(cls) -> Iterator[Self]:
        """The technique with and without deferring."""
        yield cls()
        yield cls(64)

    @property
    def lists(self) -> bool:
        """Whether it writes lists of frontiers: of outliers."""
        return self.defer_outliers > 0

    @property
    def needs_grid(self) -> bool:
        """Whether its warps need others than those of their block: if they defer."""
        return self.defer_outliers > 0

    def temp_storage(self, xp: Any, graph: Any) -> TempStorage:
        """A queue of outliers."""
        return outlier_queue(graph) if self.defer_outliers > 0 else TempStorage()
