"""Virtual warps."""

from dataclasses import dataclass
from typing import Literal

from warpath.balance.technique import Technique


@dataclass(frozen=True)
class VirtualWarp(Technique):
    """``width`` neighbouring lanes share a frontier vertex."""

    name = "virtual-warp"
    paper = "Hong, Kim, Oguntebi, Olukotun, PPoPP 2011; survey 5.1.2"
    cost = "nothing to compute; best where degrees are about `width`; a hub keeps one warp busy"

    width: Literal[2, 4, 8, 16, 32] = 8
