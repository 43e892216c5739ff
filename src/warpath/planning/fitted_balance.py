"""Which balance a search on a GPU has."""

from dataclasses import replace

from warpath import balance as balances
from warpath.balance import Technique
from warpath.balance.auto import Auto
from warpath.balance.dynamic_virtual_warp import DynamicVirtualWarp
from warpath.balance.technique import AUTO
from warpath.balance.virtual_warp import VirtualWarp
from warpath.graph.graph import Graph
from warpath.planning import knobs
from warpath.planning.methods import METHODS


def fitted(
    balance: Technique | None,
    graph: Graph,
    *,
    relaxes: str | None = None,
    out_of_core: bool = False,
) -> Technique:
    """A technique as it suits a graph, and a search that visits arcs, or relaxes them by a method.

    Without one the search's default. Knobs that are "auto" get a value. Out of core "auto" is a technique
    whose warps read consecutive columns: each of their loads is then a few requests of whole lines.
    """
    if balance is None:
        sweeps = relaxes in METHODS and not METHODS[relaxes].has_delta
        balance = balances.lookup("auto" if sweeps else balances.DEFAULT)
    if isinstance(balance, Auto) and out_of_core:
        return balances.lookup(balances.DEFAULT)
    if isinstance(balance, Auto):
        mean = graph.num_arcs / max(graph.num_vertices, 1)
        return balance.fitted(graph.largest_degree, mean, relaxes=relaxes)
    if isinstance(balance, VirtualWarp) and balance.width == AUTO:
        return replace(balance, width=knobs.width(graph))  # type: ignore[arg-type]
    if isinstance(balance, DynamicVirtualWarp) and balance.dynamic_parallelism == AUTO:
        threshold = knobs.child_grid_threshold(graph)
        return replace(balance, dynamic_parallelism=threshold)  # type: ignore[arg-type]
    return balance
