"""Local warp search."""

from dataclasses import dataclass

from warpath.balance.technique import Technique


@dataclass(frozen=True)
class LocalWarpSearch(Technique):
    """A warp takes 32 frontier vertices and shares their arcs evenly among its lanes."""

    name = "local-warp-search"
    paper = "Busato & Bombieri (BFS-4K), IEEE TPDS 2015; survey 5.3.2"
    cost = "a vote and a reduction for each 32 arcs; balanced in a warp, not among warps"
