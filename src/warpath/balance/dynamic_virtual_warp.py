"""Dynamic virtual warps."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, Self

from warpath.balance.technique import Technique


@dataclass(frozen=True)
class DynamicVirtualWarp(Technique):
    """Virtual warps as wide as the frontier leaves threads for each vertex.

    They have at least ``minimum`` lanes. Vertices of more than ``dynamic_parallelism`` arcs (the
    papers' T_DP) get a child grid each, launched on the device (0: none does); a search that has
    them does one iteration per launch. "auto" takes the threshold from the graph's degrees.
    `warpath.st_connected` leaves these vertices to warps. An iteration in which a lane would have more
    than ``edge_discover`` arcs on average goes to local warp search, BFS-4K's edge-discover (0: none
    does). With ``warp_workload``, a virtual warp has at least that many
    vertices, so that in small iterations fewer warps work (0: all do).
    """

    name = "dynamic-virtual-warp"
    paper = "Busato & Bombieri (BFS-4K, H-BF), IEEE TPDS 2015 and 2016; survey 5.2.1"
    cost = "nothing to compute; few vertices get a warp each; a hub keeps one warp busy"

    minimum: Literal[2, 4, 8] = 4  # 4 is H-BF's
    dynamic_parallelism: Literal["auto", 0, 1024, 4096, 16384] = 0  # 4096 is H-BF's

    edge_discover: Literal[0, 1, 2, 4] = 0  # a guess: the paper's own rule is not known
    warp_workload: Literal[0, 32] = 0  # 32 is H-BF's

    @classmethod
    def variants(cls) -> Iterator[Self]:
        """The technique with each width, and with each other knob."""
        yield from map(cls, cls.choices()["minimum"])
        yield cls(dynamic_parallelism=4096)
        yield cls(edge_discover=1)
        yield cls(warp_workload=32)

    @property
    def taken(self) -> tuple[str, ...]:
        """Names that an iteration's trace may show: edge-discover's too, if it may be taken."""
        return (self.name, "local-warp-search") if self.edge_discover > 0 else (self.name,)

    @property
    def launches_children(self) -> bool:
        """Whether vertices get child grids."""
        return self.dynamic_parallelism != 0

    @property
    def needs_grid(self) -> bool:
        """Whether its warps need others than those of their block: child grids."""
        return self.launches_children
