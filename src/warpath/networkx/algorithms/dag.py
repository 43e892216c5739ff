"""What can be reached."""

from typing import Any, Unpack

import networkx as nx

from warpath.networkx.algorithms.traversal.breadth_first_search import neighbors_of_none
from warpath.networkx.breadth_first import Where, traverse
from warpath.networkx.graph import BackendGraph
from warpath.networkx.registry import BREADTH_FIRST, implements
from warpath.networkx.results import node_set


@implements(BREADTH_FIRST)
def descendants(G: BackendGraph, source: Any, **where: Unpack[Where]) -> set[Any]:
    """All nodes that a path leads to, less the source."""
    return _reached(G, source, reverse=False, **where)


@implements(BREADTH_FIRST)
def ancestors(G: BackendGraph, source: Any, **where: Unpack[Where]) -> set[Any]:
    """All nodes that a path leads from, less the source."""
    return _reached(G, source, reverse=True, **where)


def _reached(G: BackendGraph, source: Any, *, reverse: bool, **where: Unpack[Where]) -> set[Any]:
    start = G.vertex(source, neighbors_of_none(G), nx.NetworkXError)
    return node_set(G, traverse(G, start, reverse=reverse, **where).order[1:])
