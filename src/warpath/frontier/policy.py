"""Frontier policies and ways to drop duplicates: what there is, and what goes together."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Frontier:
    """How the next frontier comes to be.

    Attributes
    ----------
    paper : str
        Where it was published.
    about : str
        What it does.
    duplicates : tuple of str
        The ways to drop duplicates that it may have; the first is the default.
    directions : tuple of str
        The directions that it has; the first is the default.
    """

    paper: str
    about: str
    duplicates: tuple[str, ...]
    directions: tuple[str, ...] = ("top-down",)


@dataclass(frozen=True)
class Duplicates:
    """A way to drop duplicates.

    Attributes
    ----------
    paper : str
        Where it was published.
    about : str
        What it does.
    algorithm : str
        A struct of ``algorithms/bfs_levels.cuh``, as `warpath.cuda.instances.program_kernel` takes it.
    exact : bool
        Whether it drops all: no vertex is ever expanded twice.
    """

    paper: str
    about: str
    algorithm: str
    exact: bool = False


DUPLICATES = {
    "status-bitmap": Duplicates(
        "Luo et al. 2010; load-balanced BFS, section 2.2",
        "one bit per vertex, set by an atomic: the first arc wins",
        "LevelsWithStatusBits", exact=True,
    ),
    "none": Duplicates(
        "Harish & Narayanan 2007", "a vertex is queued as often as arcs find it in time",
        "LevelsWithDuplicates",
    ),
    "hash": Duplicates(
        "Busato & Bombieri 2015 (BFS-4K), algorithm 3", "a hash table in shared memory",
        "Filtered:HashTable LevelsWithDuplicates",
    ),
    "warp-culling": Duplicates(
        "Merrill et al. 2012, section 4.4", "lanes of a warp compare what they found",
        "Filtered:WarpCulling LevelsWithDuplicates",
    ),
    "history-culling": Duplicates(
        "Merrill et al. 2012, section 4.4", "a block remembers what it found lately",
        "Filtered:HistoryCulling LevelsWithDuplicates",
    ),
    "warp-culling+history-culling": Duplicates(
        "Merrill et al. 2012, section 4.4", "one after the other",
        "Filtered:WarpAndHistoryCulling LevelsWithDuplicates",
    ),
    "lookup-compaction": Duplicates(
        "Davidson et al. 2014", "a table in global memory after each level, then compaction",
        "Compacted LevelsWithDuplicates", exact=True,
    ),
    "atomic": Duplicates(
        "Busato & Bombieri 2016 (H-BF), section 4.2", "(distance, iteration) by atomics of 64 bits",
        "LevelsPacked", exact=True,
    ),
}  # fmt: skip
"""Each way by its name."""

_EXACT = [name for name, one in DUPLICATES.items() if one.exact]
_AFTERWARDS = ("lookup-compaction",)  # of a complete queue of vertices
_WITHOUT_COMPACTION = tuple(name for name in DUPLICATES if name not in _AFTERWARDS)

FRONTIERS = {
    "vertex-queue": Frontier(
        "Luo et al. 2010; survey 2.1", "the vertices that arcs find are queued",
        tuple(DUPLICATES), ("optimizing", "top-down", "bottom-up"),
    ),
    "edge-queue": Frontier(
        "Merrill et al. 2012, section 5: two-phase",
        "neighbours are gathered in a queue of edges, then filtered into one of vertices",
        tuple(DUPLICATES),
    ),
    "contract-expand": Frontier(
        "Merrill et al. 2012, section 5: contract-expand",
        "edges of a queue are filtered; the block that finds a vertex puts its edges into the other queue",
        _WITHOUT_COMPACTION,
    ),
    "hybrid": Frontier(
        "Merrill et al. 2012, section 5: hybrid",
        "contract-expand while there are fewer edges than threads, else in two phases",
        _WITHOUT_COMPACTION,
    ),
    "bitmap": Frontier(
        "Luo et al. 2010; Beamer et al. 2012", "arcs set bits, which are listed before each level",
        ("none",),
    ),
    "topology-driven": Frontier(
        "Harish & Narayanan 2007; bottom-up: Deng et al. 2009",
        "no queue: all vertices in every level; bottom-up a product of the boolean matrix",
        ("none",), ("top-down", "bottom-up"),
    ),
}  # fmt: skip
"""Each policy by its name."""

_THROUGH = {
    "edge-queue": "ThroughEdgeQueue",
    "contract-expand": "ContractExpand",
    "hybrid": "HybridQueue",
}


@dataclass(frozen=True)
class Policy:
    """A frontier with its duplicates.

    Attributes
    ----------
    frontier, duplicates : str
        Keys of `FRONTIERS` and `DUPLICATES`.
    enqueue : {"coalesced", "summed", "scattered", "blockwise", "warpwise"}
        How vertices are written to a vertex queue. Warps put them together in shared memory; or write
        what they find, its places by a prefix sum; or each vertex by itself. "blockwise": a queue of the
        block in shared memory is written once per level. "warpwise": likewise, and each warp of the block has a queue below it.
    single_block : bool
        Whether levels of few arcs of a vertex queue are one block's.
    """

    frontier: str = "vertex-queue"
    duplicates: str = "status-bitmap"
    enqueue: str = "coalesced"
    single_block: bool = False

    def __str__(self) -> str:
        return self.frontier if self.duplicates == "none" else f"{self.frontier}, {self.duplicates}"

    @property
    def sweeps(self) -> bool:
        """Whether it has no queue."""
        return self.frontier == "topology-driven"

    @property
    def by_blocks(self) -> bool:
        """Whether a block's vertices wait in a queue of its own."""
        return self.enqueue in ("blockwise", "warpwise")

    @property
    def may_repeat(self) -> bool:
        """Whether a frontier may hold a vertex more than once."""
        has_queue = self.frontier not in ("bitmap", "topology-driven")
        return has_queue and not DUPLICATES[self.duplicates].exact

    def algorithm(self, direction: str) -> str:
        """A struct of ``algorithms/bfs_levels.cuh``: ``"Filtered:HashTable LevelsWithDuplicates"``."""
        if self.sweeps:
            return f"SweptLevels:{'VisitGathered' if direction == 'bottom-up' else 'VisitSwept'}"
        if self.frontier == "bitmap":
            return "ThroughBitmap Levels"
        parts = (
            "SingleBlock" * self.single_block,
            self.enqueue.capitalize() * (self.enqueue != "coalesced"),
            _THROUGH.get(self.frontier, ""),
            DUPLICATES[self.duplicates].algorithm,
        )
        return " ".join(filter(None, parts))


DEFAULT = Policy()
"""The one of ``traverse.cuh``, which has all directions."""


def allowed(policy: Policy, direction: str, technique: Any) -> str | None:
    """Why a policy does not go with a direction or a balance; None if it does.

    Parameters
    ----------
    policy : Policy
    direction : str
    technique : Technique
    """
    frontier = FRONTIERS[policy.frontier]
    if policy.duplicates not in frontier.duplicates:
        return (
            f"frontier={policy.frontier!r} has no queue that duplicates={policy.duplicates!r} could "
            f"keep a vertex out of: duplicates={frontier.duplicates[0]!r}"
        )
    if policy.frontier != "vertex-queue":
        for option, own, value in (
            ("enqueue", policy.enqueue, "coalesced"),
            ("small_frontiers", "block" if policy.single_block else "off", "off"),
        ):
            if own != value:
                return (
                    f"{option}={own!r} is for frontier='vertex-queue', not {policy.frontier!r}, "
                    f"which needs {option}={value!r}"
                )
    has = frontier.directions if policy == DEFAULT or policy.sweeps else ("top-down",)
    if direction not in has:
        return (
            f"direction={direction!r} is not for frontier={policy.frontier!r} with "
            f"duplicates={policy.duplicates!r}, which is searched {' or '.join(has)}"
        )
    if policy.frontier in ("contract-expand", "hybrid") and technique.needs_grid:
        return (
            f"frontier={policy.frontier!r} has blocks that expand what they find alone, and "
            f"balance={str(technique)!r} needs all of the grid"
        )
    if technique.launches_children and (
        policy.frontier != DEFAULT.frontier or policy.duplicates in _AFTERWARDS
    ):
        return (
            f"balance={str(technique)!r} launches child grids, which fill a queue until the launch has ended: for "
            f"frontier={DEFAULT.frontier!r} and duplicates that are dropped before, not frontier={policy.frontier!r} "
            f"with duplicates={policy.duplicates!r}"
        )
    if policy.may_repeat and technique.lists:
        return (
            f"balance={str(technique)!r} lists each vertex once, and with "
            f"duplicates={policy.duplicates!r} one may come more often: take an exact way to drop "
            f"them, {', '.join(_EXACT)}"
        )
    return None
