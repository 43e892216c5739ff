"""Block search."""

from dataclasses import dataclass
from typing import Literal

from warpath.balance.technique import Technique


@dataclass(frozen=True)
class BlockSearch(Technique):
    """A block takes ``chunk`` vertices a thread and shares their arcs evenly among its threads."""

    name = "block-search"
    paper = "Davidson, Baxter, Garland, Owens, IPDPS 2014; survey 5.3.3"
    cost = "a search in shared memory a thread; balanced in a block, not among; does not coalesce"

    chunk: Literal[1, 2, 4] = 4  # 4: what fits into shared memory with 64-bit offsets too
