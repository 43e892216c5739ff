"""The Wiener index."""

from typing import Any, Unpack

import networkx as nx

from warpath.networkx.breadth_first import is_connected
from warpath.networkx.device_keyword import Device
from warpath.networkx.graph import BackendGraph
from warpath.networkx.registry import FROM_EACH, implements
from warpath.networkx.summaries import summary


@implements(FROM_EACH)
def wiener_index(G: BackendGraph, weight: Any = None, **where: Unpack[Device]) -> Any:
    """The sum of all distances, of an undirected graph each once."""
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    far = summary(G, weight, **where)
    # NetworkX sums up what is reached where only a weight function hides the way.
    if (far.reached < len(G)).any() and not (callable(weight) and is_connected(G)):
        return float("inf")
    total = sum(far.total.tolist()) or 0  # not 0.0
    return total if G.is_directed() else total / 2
