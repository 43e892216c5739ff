"""Block search."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, Self

from warpath.balance.technique import Technique, TempStorage


@dataclass(frozen=True)
class BlockSearch(Technique):
    """A block takes ``chunk`` vertices per thread and shares their arcs evenly among its threads.

    The lanes of a warp take the arcs of their ``slots`` side by side ("interleaved"), or each its own
    ("contiguous", the paper's).
    """

    name = "block-search"
    paper = "Davidson, Baxter, Garland, Owens, IPDPS 2014; survey 5.3.3"
    cost = "a search in shared memory per warp; balanced in a block; blocks draw chunks"

    needs_grid = True  # blocks draw chunks

    chunk: Literal[1, 2, 4] = 4  # 4: what fits into shared memory with 64-bit offsets too
    slots: Literal["interleaved", "contiguous"] = "interleaved"

    @classmethod
    def variants(cls) -> Iterator[Self]:
        """The technique with each chunk, and with contiguous slots."""
        yield from map(cls, cls.choices()["chunk"])
        yield cls(slots="contiguous")

    def temp_storage(self, xp: Any, graph: Any) -> TempStorage:
        """A counter of chunks."""
        return TempStorage(workspace=1)
