"""Two-phase search."""

from dataclasses import dataclass
from typing import Literal

from warpath.balance.technique import Technique


@dataclass(frozen=True)
class TwoPhaseSearch(Technique):
    """Each warp finds its equal share of the arcs by one search, then their owners locally.

    ``K`` arcs are in flight in each lane. A warp has one share, or where frontiers are large
    ``shares`` of them, distributed cyclically.
    """

    name = "two-phase-search"
    paper = "Davidson, Baxter, Garland, Owens, IPDPS 2014; survey 5.3.4"
    cost = "one search of the whole frontier a warp; perfectly balanced whatever the degrees"

    K: Literal[2, 4] = 4
    shares: Literal[1, 8] = 1
