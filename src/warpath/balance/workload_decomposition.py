"""Workload decomposition."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, Self

from warpath.balance.technique import Technique, TempStorage

_MAX_THREADS = 2**18  # as in workload_decomposition.cuh


@dataclass(frozen=True)
class WorkloadDecomposition(Technique):
    """Each thread takes ``edges`` neighbouring arcs at a time; 0: an equal share of all at once.

    The lanes of a warp walk their ``share`` side by side ("interleaved"), or each alone from a
    start that is found first and kept in memory ("contiguous", the paper's).
    """

    name = "workload-decomposition"
    paper = "WD in Mishra et al."
    cost = "one search per thread for every 4 arcs; perfectly balanced; coalesces in part"

    edges: Literal[0, 4, 8, 16] = 0  # 0 is the paper's
    share: Literal["interleaved", "contiguous"] = "interleaved"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.share == "contiguous" and self.edges > 0:
            raise ValueError(f"{self.name}: share=contiguous is for edges=0, not {self.edges}")

    @classmethod
    def variants(cls) -> Iterator[Self]:
        """The technique with each number of edges, and with contiguous shares."""
        yield from map(cls, cls.choices()["edges"])
        yield cls(share="contiguous")

    @property
    def needs_grid(self) -> bool:
        """Whether its warps need others than those of their block: for their starts."""
        return self.share == "contiguous"

    def temp_storage(self, xp: Any, graph: Any) -> TempStorage:
        """Where each thread starts, if that is kept."""
        return TempStorage(workspace=4 * _MAX_THREADS * (self.share == "contiguous"))
