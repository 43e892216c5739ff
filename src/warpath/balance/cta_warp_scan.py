"""CTA, warp, scan."""

from dataclasses import dataclass
from typing import Any, Literal

from warpath.balance.technique import Technique, TempStorage


@dataclass(frozen=True)
class CtaWarpScan(Technique):
    """Vertices of ``cta`` arcs or more get a block, of ``warp`` a warp; the rest is packed.

    The paper's thresholds are the numbers of a block's and a warp's threads.
    """

    name = "cta-warp-scan"
    paper = "Merrill, Garland, Grimshaw, PPoPP 2012; survey 5.2.2"
    cost = "three barriers of the block for each chunk; balanced in a block; blocks draw chunks"

    cta: Literal[128, 512, 2048] = 512
    warp: Literal[16, 32, 64] = 32

    def temp_storage(self, xp: Any, graph: Any) -> TempStorage:
        """A counter of chunks."""
        return TempStorage(workspace=1)
