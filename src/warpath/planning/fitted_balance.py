"""Which balance a search on a GPU has."""

from dataclasses import replace

from warpath import balance as balances
from warpath.balance import Technique
from warpath.balance.auto import Auto, is_regular
from warpath.balance.dynamic_virtual_warp import DynamicVirtualWarp
from warpath.balance.technique import AUTO
from warpath.balance.virtual_warp import VirtualWarp
from warpath.graph.graph import Graph
from warpath.planning import knobs
from warpath.planning.methods import METHODS

# Where vertices have few edges each, and similarly many, a thread adds up those of one: a grid of 8.4 M vertices takes 0.163 ms,
# and two-phase-search 0.322. With 32 edges each it takes 2 % longer (H200, 2026-11); what lies between is a guess.
_FEW_EDGES = 8


def fitted(
    balance: Technique | None,
    graph: Graph,
    *,
    relaxes: str | None = None,
    gathers: bool = False,
    out_of_core: bool = False,
) -> Technique:
    """A technique as it suits a graph, and a search that visits arcs, relaxes them by a method, or gathers along all of them.

    Without one the search's default. Knobs that are "auto" get a value. Out of core "auto" is a technique
    whose warps read consecutive columns: each of their loads is then a few requests of whole lines.
    """
    mean = graph.num_arcs / max(graph.num_vertices, 1)
    if balance is None:
        sweeps = relaxes in METHODS and not METHODS[relaxes].has_delta
        # A directed graph's rows of edges that come in may differ from those that are known here.
        even = gathers and not graph.directed and is_regular(graph.largest_degree, mean)
        by_threads = even and mean <= _FEW_EDGES
        balance = balances.lookup("auto" if sweeps or by_threads else balances.DEFAULT)
    if isinstance(balance, Auto) and out_of_core:
        return balances.lookup(balances.DEFAULT)
    if isinstance(balance, Auto):
        return balance.fitted(graph.largest_degree, mean, relaxes=relaxes)
    if isinstance(balance, VirtualWarp) and balance.width == AUTO:
        return replace(balance, width=knobs.width(graph))  # type: ignore[arg-type]
    if isinstance(balance, DynamicVirtualWarp) and balance.dynamic_parallelism == AUTO:
        threshold = knobs.child_grid_threshold(graph)
        return replace(balance, dynamic_parallelism=threshold)  # type: ignore[arg-type]
    return balance
