"""Merge path."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, Self

from warpath.balance.technique import Technique, TempStorage


@dataclass(frozen=True)
class MergePath(Technique):
    """Each warp and lane walks an equal share of the merge of vertices with arcs.

    Warps have equal shares of the arcs (``coupling="balanced-gathering"``), of vertices plus
    arcs (``"balanced-redistribution"``), or the latter in iterations of more than ``f0`` arcs
    per vertex (``"hybrid"``). With ``"global"``, they have both, one after the other, and global memory
    in between.
    """

    name = "merge-path"
    paper = "Zhu, Li & Li, WAIM 2014; Odeh et al., IPDPSW 2012"
    cost = "each arc's owner passes through shared memory; balanced however small the degrees"

    coupling: Literal["global", "balanced-gathering", "balanced-redistribution", "hybrid"] = (
        "hybrid"
    )
    f0: Literal[5, 10, 20] = 10  # 10 is the paper's

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.coupling != "hybrid" and self.f0 != type(self).f0:
            raise ValueError(f"{self.name}: f0 is for coupling=hybrid, not {self.coupling}")

    @classmethod
    def variants(cls) -> Iterator[Self]:
        """The technique with every setting of its knobs that makes sense."""
        choices = cls.choices()
        for coupling in choices["coupling"]:
            for f0 in choices["f0"] if coupling == "hybrid" else (cls.f0,):
                yield cls(coupling, f0)

    @property
    def lists(self) -> bool:
        """Whether it writes lists of frontiers: of their arcs and owners."""
        return self.coupling == "global"

    @property
    def needs_grid(self) -> bool:
        """Whether its warps need others than those of their block: for the global coupling."""
        return self.coupling == "global"

    def temp_storage(self, xp: Any, graph: Any) -> TempStorage:
        """A place for each arc and its owner, aligned to twice an offset."""
        if self.coupling != "global":
            return TempStorage()
        return TempStorage(workspace=2 * graph.row_offsets.dtype.itemsize * max(graph.num_arcs, 1))
