"""The value that says how a search runs."""

import sys
from collections.abc import Collection
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

from warpath import balance as balances
from warpath import frontier as frontiers
from warpath.balance import Technique
from warpath.frontier import Policy
from warpath.graph.check import as_number, choose
from warpath.schedule import optimizations as hbf
from warpath.typing import (
    DELTA_RULES,
    DIRECTIONS,
    ENQUEUES,
    LOOPS,
    SMALL_FRONTIERS,
    SWITCHES,
    BalanceName,
    DeltaRule,
    DirectionName,
    DuplicatesName,
    EnqueueName,
    FrontierName,
    LoopName,
    OptimizationName,
    SmallFrontiersName,
    SwitchName,
)

ON_BOTH = ("direction", "alpha", "beta", "delta")
"""What the CPU has as well; all else is a GPU's."""


@dataclass(frozen=True)
class Schedule:
    """How a search runs; never what it finds. What is None is chosen for the graph.

    It prints as it is parsed (`warpath.schedule.parse`), with the balance first:
    ``merge-path:f0=20,frontier=edge-queue,loop=host``.

    Parameters
    ----------
    balance : str or Technique, optional
        How the threads of a GPU share the edges, as ``"virtual-warp:width=16"``: see
        `warpath.balance.TECHNIQUES`.
    frontier : {"vertex-queue", "edge-queue", "contract-expand", "hybrid", "bitmap", "topology-driven"}, optional
        How a GPU makes the next frontier of a breadth-first search: `warpath.frontier.FRONTIERS`.
    duplicates : str, optional
        How vertices that several edges reach at once are kept from entering it several times: see
        `warpath.frontier.DUPLICATES`.
    enqueue : {"coalesced", "summed", "scattered", "blockwise", "warpwise"}, optional
        How vertices are written to a vertex queue. Warps put them together in shared memory; or write
        what they find, its places by a prefix sum; or each vertex by itself. "blockwise": a queue of the
        block in shared memory is written once per level. "warpwise": likewise, and each warp of the block has a queue below it.
    small_frontiers : {"off", "block", "cluster", "async"}, optional
        What expands a GPU's frontiers of few edges. "off": all blocks, by the balance, as in the
        papers. "block" and "cluster": one block or a cluster of them, without barriers of the grid
        between levels. "async": all blocks, each by itself, which meet after many levels or for the
        next bucket.
    prefilter : {"on", "off"}, optional
        Whether a GPU looks up a bit of an edge's end before its distance, which most edges cannot lower; for
        ``method="delta-stepping"``.
    path_limit : {"on", "off"}, optional
        Whether a GPU leaves out edges that offer much, until the few vertices that no short path reaches look along their own
        edges (Chakaravarthy et al., IPDPS 2014). It is for ``method="delta-stepping"``, undirected graphs, and sums or
        an `Algebra`, where it is off by default.
    direction : {"optimizing", "top-down", "bottom-up"}, optional
        Whether frontier vertices look for unreached neighbours, unreached vertices for a neighbour
        in the frontier, or whatever is cheaper now (Beamer et al., SC 2012).
    alpha, beta : float, optional
        When "optimizing" switches: bottom-up once the frontier has more than 1/α of the edges that
        are left, top-down again once it has less than n/β vertices.
    delta : float or "davidson", optional
        Width of the buckets, of the methods that have them. The rule of Davidson et al. is 32 · (mean weight) / (mean degree),
        as the survey's section 3.1 has it.
    loop : {"device", "host"}, optional
        On a GPU, one launch for all iterations, or one for each. With child grids it is "host", and a launch ends with an
        iteration of the grid: small frontiers before it need none of their own.
    optimizations : collection of str, optional
        What ``method="h-bf"`` does: some of `warpath.schedule.optimizations.OPTIMIZATIONS`. In place
        of "duplicate-removal" one of `IN_PLACE_OF_REMOVAL` may stand; "edge-queue" goes with all.

    Raises
    ------
    ValueError
        An unknown name, a number that is not positive, or fields that do not go together.

    See Also
    --------
    warpath.plan : What a call would do, with the schedule filled in.
    warpath.schedule.parse : A schedule from its text.

    Examples
    --------
    >>> import warpath as wp
    >>> how = wp.Schedule(balance="virtual-warp:width=16", direction="top-down")
    >>> print(how)
    virtual-warp:width=16,direction=top-down
    >>> how == wp.schedule.parse("direction=top-down,balance=virtual-warp:width=16")
    True
    """

    balance: BalanceName | str | Technique | None = None
    frontier: FrontierName | None = None
    duplicates: DuplicatesName | None = None
    enqueue: EnqueueName | None = None
    small_frontiers: SmallFrontiersName | None = None
    prefilter: SwitchName | None = None
    path_limit: SwitchName | None = None
    direction: DirectionName | None = None
    alpha: float | None = None
    beta: float | None = None
    delta: float | DeltaRule | None = None
    loop: LoopName | None = None
    optimizations: OptimizationName | Collection[OptimizationName] | None = None

    def __post_init__(self) -> None:
        for name, choices in (
            ("frontier", frontiers.FRONTIERS),
            ("duplicates", frontiers.DUPLICATES),
            ("enqueue", ENQUEUES),
            ("small_frontiers", SMALL_FRONTIERS),
            ("prefilter", SWITCHES),
            ("path_limit", SWITCHES),
            ("direction", DIRECTIONS),
            ("loop", LOOPS),
        ):
            value = getattr(self, name)
            if value is not None:
                choose(name, value, choices)
        for name in ("alpha", "beta", "delta"):
            value = getattr(self, name)
            is_rule = name == "delta" and isinstance(value, str) and value in DELTA_RULES
            if value is not None and not is_rule:
                self._set(name, _positive(value, name))
        if self.balance is not None:
            self._set("balance", str(balances.lookup(self.balance)))
        if self.optimizations is not None:
            switches, balance = hbf.check(self.optimizations, self.balance)
            self._set("optimizations", switches)
            self._set("balance", str(balance))
        if self.loop == "device" and self.technique and self.technique.launches_children:
            raise ValueError(
                f"balance={self.balance!r} launches child grids, whose work is there when their parent "
                "has ended, so that each iteration is a launch: loop='host', or leave loop out"
            )

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:  # a plan is looked up by it, for each call
        return hash(tuple(self.given.items()))

    @cached_property
    def technique(self) -> Technique | None:
        """The balance with its knobs."""
        return None if self.balance is None else balances.lookup(self.balance)

    def with_loop(self) -> "Schedule":
        """The same with a loop: on the device, unless the balance has to have it on the host.

        Returns
        -------
        Schedule
            Equal to this one where it has a loop.
        """
        if self.loop is not None:
            return self
        children = self.technique is not None and self.technique.launches_children
        return replace(self, loop="host" if children else "device")

    @cached_property
    def switches(self) -> frozenset[str] | None:
        """The optimizations of h-bf."""
        return self.optimizations  # type: ignore[return-value]  # __post_init__ made it one

    @cached_property
    def policy(self) -> Policy:
        """The frontier with its duplicates; what is None by default."""
        frontier = self.frontier or frontiers.DEFAULT.frontier
        policy = Policy(
            frontier,
            self.duplicates or frontiers.FRONTIERS[frontier].duplicates[0],
            self.enqueue or frontiers.DEFAULT.enqueue,
        )
        # The default one runs small frontiers in one block, or more, by itself.
        own = policy != frontiers.DEFAULT and self.small_frontiers == "block"
        return replace(policy, single_block=own)

    @cached_property
    def given(self) -> dict[str, Any]:
        """The fields that are not None."""
        every = ((one.name, getattr(self, one.name)) for one in fields(self))
        return {name: value for name, value in every if value is not None}

    @cached_property
    def only_on_gpus(self) -> str:
        """The fields that only a GPU has, as a message names them; or ""."""
        those = (name for name in self.given if name not in ON_BOTH)
        return ", ".join(f"{name}={_shown(self.given[name])!r}" for name in those)

    def __str__(self) -> str:
        parts = [
            _shown(value) if name == "balance" else f"{name}={_shown(value)}"
            for name, value in self.given.items()
        ]
        return ",".join(parts) or "default"


def _shown(value: Any) -> str:
    if isinstance(value, frozenset):
        return "+".join(name for name in hbf.NAMES if name in value) or "none"
    return str(value)


def _positive(value: Any, name: str) -> int | float:
    if name == "delta" and isinstance(value, str):
        raise ValueError(
            f"delta must be a number or one of {', '.join(DELTA_RULES)}, not {value!r}"
        )
    number = as_number(value, name)
    if not number > 0:
        raise ValueError(f"{name} must be positive, not {value!r}")
    if name == "delta" and not number <= sys.float_info.max:
        raise ValueError(f"{name} must be positive and finite in float64, not {value!r}")
    return number
