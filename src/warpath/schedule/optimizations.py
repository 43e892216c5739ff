"""H-BF's optimisations, as switches of the method "h-bf"."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from warpath.balance import DEFAULT as DEFAULT_BALANCE
from warpath.balance import Technique, lookup
from warpath.balance.dynamic_virtual_warp import DynamicVirtualWarp
from warpath.balance.virtual_warp import VirtualWarp
from warpath.typing import OptimizationName

OPTIMIZATIONS = {
    "edge-classification": "arcs by class, marked in two bits of their columns (section 4.1)",
    "duplicate-removal": "a vertex is in a frontier once: (distance, iteration) atomics (4.2)",
    "cache-modifiers": "frontiers streamed, arcs past L1, distances of their ends from L2 (5.1)",
    "coalesced-enqueue": "frontiers are put together in shared memory (5.1)",
    "dynamic-virtual-warps": "the balance of that name (5.2)",
    "warp-workload": "at least 32 vertices for each virtual warp (5.2)",
    "dynamic-parallelism": "and a child grid for each vertex of more than T_DP = 4096 arcs (5.3)",
}
"""What each is, and its section in the paper."""

IN_PLACE_OF_REMOVAL = {
    "stamps": "the iteration in which a vertex was found, exchanged by an atomic",
    "hash-duplicates": "duplicates dropped by BFS-4K's hash table in shared memory",
    "warp-culling": "duplicates dropped by what a warp's lanes find together (Merrill et al.)",
    "lookup-compaction": "duplicates dropped after the iteration, by a table (Davidson et al.)",
    "bitmap-frontier": "one bit per vertex, listed after the iteration (Luo et al.)",
}
"""What may stand where "duplicate-removal" does; "hash-duplicates" and "warp-culling" let some through."""

QUEUES = {
    "edge-queue": "edges are gathered in a queue, then filtered (Merrill et al., two phases)",
}
"""Other frontiers than a queue of vertices, by others."""

NAMES = (*OPTIMIZATIONS, *IN_PLACE_OF_REMOVAL, *QUEUES)
"""All of them."""


def default(dtype: Any) -> frozenset[OptimizationName]:
    """What "h-bf" does unless asked otherwise: two of its optimisations, with the balance "auto".

    In 64 bits, which would take atomics of 128 bits, stamps drop duplicates.

    Parameters
    ----------
    dtype : dtype
        The distances' own.
    """
    removal: OptimizationName = "duplicate-removal" if dtype.itemsize == 4 else "stamps"
    return frozenset({removal, "coalesced-enqueue"})


MOST_MARKED_VERTICES = 2**30
"""How many vertices leave the two bits of edge-classification free."""

_WHEN_COMPLETE = ("lookup-compaction", "bitmap-frontier", "edge-queue")

# The last of those asked for is meant.
_BALANCES = {
    "dynamic-virtual-warps": "dynamic-virtual-warp",
    "dynamic-parallelism": "dynamic-virtual-warp:dynamic_parallelism=4096",
}


def check(
    optimizations: str | Collection[str], balance: str | Technique | None
) -> tuple[frozenset[str], str | Technique]:
    """The optimisations as a set, and the balance that they mean.

    "warp-workload" is a knob of virtual warps, of 8 lanes if nothing else is asked for.

    Raises
    ------
    ValueError
        An unknown name (the message lists the known ones), two ways to drop duplicates, another
        balance than an optimisation's, or child grids where they cannot be.
    """
    named = {optimizations} if isinstance(optimizations, str) else set(optimizations)
    for name in sorted(named - set(NAMES), key=str):
        raise ValueError(f"unknown optimization {name!r}; choose of {', '.join(NAMES)}")
    removals = named & {"duplicate-removal", *IN_PLACE_OF_REMOVAL}
    if len(removals) > 1:
        raise ValueError(f"{' and '.join(sorted(removals))} both drop duplicates: choose one")
    meant = None
    for name, own in _BALANCES.items():
        if name not in named:
            continue
        if balance is not None and type(lookup(balance)) is not type(lookup(own)):
            raise ValueError(
                f"optimization {name!r} is the balance {own!r}, not {str(balance)!r}: leave one of "
                "them out"
            )
        meant = own
    taken = (meant or DEFAULT_BALANCE) if balance is None else balance
    if "warp-workload" in named:
        virtual = VirtualWarp() if balance is None and meant is None else lookup(taken)
        if not isinstance(virtual, (VirtualWarp, DynamicVirtualWarp)):
            raise ValueError(
                f"optimization 'warp-workload' is a knob of virtual warps, not of {str(balance)!r}: leave "
                "one of them out"
            )
        taken = replace(virtual, warp_workload=32)
    for name in _WHEN_COMPLETE:
        if name in named and lookup(taken).launches_children:
            whose = "'dynamic-parallelism'" if balance is None else f"the balance {str(taken)!r}"
            raise ValueError(
                f"optimization {name!r} waits until an iteration is complete, but child grids are so "
                f"at the end of their launch: leave it or {whose} out"
            )
    return frozenset(named), taken
