"""Which balance a search on a GPU has."""

from warpath import balance as balances
from warpath.balance import Technique
from warpath.balance.auto import are_alike
from warpath.graph.graph import Graph
from warpath.planning.degrees import mean_degree
from warpath.planning.methods import METHODS


def fitted(balance: Technique | None, graph: Graph, *, relaxes: str | None = None) -> Technique:
    """A technique as it suits a graph, and a search that visits arcs, or relaxes them by a method.

    Without one the search's default.
    """
    if balance is None:
        sweeps = relaxes in METHODS and not METHODS[relaxes].has_delta
        balance = balances.lookup("auto" if sweeps else balances.DEFAULT)
    if not balance.adapts:
        return balance
    mean = graph.num_arcs / max(graph.num_vertices, 1)
    return balance.fitted(graph.largest_degree, mean, relaxes=relaxes)


def runs_asynchronously(graph: Graph, method: str, *, named: bool) -> bool | None:
    """`asynchronous` of `warpath.cuda.sssp`. Blocks then run without a balance; ``named``: one was asked for.

    Where degrees are regular delta-stepping gains up to half of the time by it, however many arcs there are. Else it
    loses: coPapersCiteseer, whose largest is 16 times the mean, takes 7 % longer (docs/performance.md).
    """
    if named:
        return False if method == "workfront-sweep" else None
    regular = method == "delta-stepping" and are_alike(graph.largest_degree, mean_degree(graph))
    return True if regular else None
