"""CTA, warp, scan."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, Self

from warpath.balance.technique import Technique, TempStorage


@dataclass(frozen=True)
class CtaWarpScan(Technique):
    """Vertices of ``cta`` arcs or more get a block, of ``warp`` a warp; the rest is packed.

    The paper's thresholds are the numbers of a block's and a warp's threads. Large vertices are found
    by prefix sums (``gather`` "listed"), or threads compete for them ("contest", the paper's).
    """

    name = "cta-warp-scan"
    paper = "Merrill, Garland, Grimshaw, PPoPP 2012; survey 5.2.2"
    cost = "three barriers of the block for each chunk; balanced in a block; blocks draw chunks"

    cta: Literal[128, 512, 2048] = 512
    warp: Literal[16, 32, 64] = 32
    gather: Literal["listed", "contest"] = "listed"

    @classmethod
    def variants(cls) -> Iterator[Self]:
        """The technique with each pair of thresholds, and by contest."""
        choices = cls.choices()
        for cta in choices["cta"]:
            for warp in choices["warp"]:
                yield cls(cta, warp)
        yield cls(gather="contest")
        yield cls(128, 16, gather="contest")

    @property
    def needs_grid(self) -> bool:
        """Whether its warps need others than those of their block: if they draw chunks."""
        return self.gather == "listed"

    def temp_storage(self, xp: Any, graph: Any) -> TempStorage:
        """A counter of chunks, which are drawn."""
        return TempStorage(workspace=int(self.gather == "listed"))
