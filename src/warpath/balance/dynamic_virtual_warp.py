"""Dynamic virtual warps."""

from dataclasses import dataclass
from typing import Literal

from warpath.balance.technique import Technique


@dataclass(frozen=True)
class DynamicVirtualWarp(Technique):
    """Virtual warps as wide as the frontier leaves threads for each vertex.

    They have at least ``minimum`` lanes.
    """

    name = "dynamic-virtual-warp"
    paper = "Busato & Bombieri (BFS-4K, H-BF), IEEE TPDS 2015 and 2016; survey 5.2.1"
    cost = "nothing to compute; few vertices get a warp each; a hub keeps one warp busy"

    minimum: Literal[2, 4, 8] = 4  # 4 is H-BF's
