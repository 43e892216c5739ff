"""Virtual warps."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, Self

from warpath.balance.technique import Technique, TempStorage


@dataclass(frozen=True)
class VirtualWarp(Technique):
    """``width`` neighbouring lanes share a frontier vertex.

    Vertices of more than ``defer_outliers`` arcs wait until the others are done; then all warps
    share their arcs evenly (0: none waits). With ``dynamic_distribution``, warps draw vertices
    from a counter, this number for each virtual warp at once (0: each has its own from the start).
    ``width="auto"`` comes from the graph's degrees, as the paper asks (`warpath.planning.knobs`).
    With ``warp_workload``, a virtual warp has at least this number of vertices, so that in small
    iterations fewer warps work (0: all do).
    """

    name = "virtual-warp"
    paper = "Hong, Kim, Oguntebi, Olukotun, PPoPP 2011; survey 5.1.2"
    cost = "nothing to compute; best where degrees are about `width`; a hub keeps one warp busy"

    width: Literal["auto", 2, 4, 8, 16, 32] = 8
    defer_outliers: Literal[0, 64, 256, 1024, 4096] = 0
    # 256 to 2048 are the paper's.
    dynamic_distribution: Literal[0, 1, 8, 32, 256, 512, 1024, 2048] = 0
    warp_workload: Literal[0, 32] = 0  # 32 is H-BF's

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.warp_workload > 0 and self.dynamic_distribution > 0:
            raise ValueError(
                f"{self.name}: with dynamic_distribution warps draw their vertices, so that there is no "
                "warp_workload: leave one of them out"
            )

    @classmethod
    def variants(cls) -> Iterator[Self]:
        """The technique with each width, and with what else changes more than a number."""
        yield from map(cls, cls.choices()["width"][1:])
        yield cls(defer_outliers=64)
        yield cls(dynamic_distribution=1)
        yield cls(dynamic_distribution=32)
        yield cls(dynamic_distribution=2048)
        yield cls(warp_workload=32)
        yield cls(width=32, defer_outliers=256, dynamic_distribution=8)

    @property
    def lists(self) -> bool:
        """Whether it writes lists of frontiers: of outliers."""
        return self.defer_outliers > 0

    @property
    def needs_grid(self) -> bool:
        """Whether its warps need others than those of their block: if they defer or draw."""
        return self.defer_outliers > 0 or self.dynamic_distribution > 0

    def temp_storage(self, xp: Any, graph: Any) -> TempStorage:
        """A queue of outliers, or only a counter."""
        if self.defer_outliers == 0:
            return TempStorage(workspace=int(self.dynamic_distribution > 0))
        return outlier_queue(graph)


def outlier_queue(graph: Any) -> TempStorage:
    """Vertices that wait, with prefix sums; ``graph`` as of `Technique.temp_storage`."""
    return TempStorage(workspace=(4 + graph.row_offsets.dtype.itemsize) * graph.num_vertices)
