"""H-BF's optimisations, as switches of the method "h-bf"."""

from collections.abc import Collection

from warpath.balance import Technique, lookup

OPTIMIZATIONS = {
    "edge-classification": "arcs by class, marked in two bits of their columns (section 4.1)",
    "duplicate-removal": "a vertex is in a frontier once: (distance, iteration) atomics (4.2)",
    "cache-modifiers": "frontiers streamed, arcs past L1, distances of their ends from L2 (5.1)",
    "coalesced-enqueue": "frontiers are put together in shared memory (5.1)",
    "dynamic-virtual-warps": "the balance of that name (5.2)",
}
"""What each is, and its section in the paper."""

DEFAULT = frozenset({"duplicate-removal", "coalesced-enqueue"})
"""What "h-bf" does unless asked otherwise."""

MOST_MARKED_VERTICES = 2**30
"""How many vertices leave the two bits of edge-classification free."""

_BALANCES = {"dynamic-virtual-warps": "dynamic-virtual-warp"}


def check(
    method: str, optimizations: Collection[str] | None, balance: str | Technique | None
) -> tuple[frozenset[str] | None, str | Technique | None]:
    """The optimisations as a set, and the balance that they mean.

    Raises
    ------
    ValueError
        An unknown name (the message lists the known ones), another method than h-bf, or
        another balance than an optimisation's.
    """
    if optimizations is None:
        return None, balance
    named = {optimizations} if isinstance(optimizations, str) else set(optimizations)
    for name in sorted(named - OPTIMIZATIONS.keys(), key=str):
        raise ValueError(f"unknown optimization {name!r}; choose of {', '.join(OPTIMIZATIONS)}")
    if method != "h-bf":
        raise ValueError(f"optimizations are switches of method 'h-bf', not of {method!r}")
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
    return frozenset(named), meant if balance is None else balance
