"""Multi-phase search."""

from dataclasses import dataclass
from typing import Literal

from warpath.balance.technique import Technique


@dataclass(frozen=True)
class MultiPhaseSearch(Technique):
    """Each warp finds its equal share of the arcs, then each lane the owners of K at a time.

    It makes ``searches`` of these for each part of the frontier that is brought to shared memory.
    Arcs are visited by lanes side by side, after an exchange in shared memory
    (``access="coalesced"``), or by the lanes that searched for them (``"scattered"``).
    """

    name = "multi-phase-search"
    paper = "Busato & Bombieri, IEEE MCSoC 2015; survey 5.4"
    cost = "a search of the whole frontier per warp, one in shared memory for K arcs; balanced"

    K: Literal[2, 4] = 4
    searches: Literal[1, 2] = 2
    access: Literal["coalesced", "scattered"] = "coalesced"
