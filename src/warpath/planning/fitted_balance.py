"""Which balance a search on a GPU has."""

from warpath import balance as balances
from warpath.balance import Technique
from warpath.graph.graph import Graph
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
