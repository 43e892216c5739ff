"""Two-phase search."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, Self

from warpath.balance.technique import Technique, TempStorage

_MAX_WARPS = 2**13  # as in two_phase_search.cuh


@dataclass(frozen=True)
class TwoPhaseSearch(Technique):
    """Each warp finds its equal share of the arcs by one search, then their owners locally.

    ``K`` arcs are in flight in each lane. A warp has one share, or where frontiers are large
    ``shares`` of them, distributed cyclically. It searches for its start itself ("searched"), or all
    starts are found first and read from an array (``partition`` "array", the papers').
    """

    name = "two-phase-search"
    paper = "Davidson, Baxter, Garland, Owens, IPDPS 2014; survey 5.3.4"
    cost = "one search of the whole frontier per warp; perfectly balanced whatever the degrees"

    K: Literal[2, 4] = 4
    shares: Literal[1, 8] = 1
    partition: Literal["searched", "array"] = "searched"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.partition == "array" and self.shares > 1:
            raise ValueError(f"{self.name}: partition=array is for shares=1, not {self.shares}")

    @classmethod
    def variants(cls) -> Iterator[Self]:
        """The technique with each setting of its numbers, and with a partition array."""
        choices = cls.choices()
        for K in choices["K"]:
            for shares in choices["shares"]:
                yield cls(K, shares)
        yield cls(partition="array")

    @property
    def needs_grid(self) -> bool:
        """Whether its warps need others than those of their block: for the partition array."""
        return self.partition == "array"

    def temp_storage(self, xp: Any, graph: Any) -> TempStorage:
        """The partition array, if there is one."""
        return TempStorage(workspace=4 * _MAX_WARPS * (self.partition == "array"))
