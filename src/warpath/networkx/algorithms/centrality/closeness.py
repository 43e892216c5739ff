"""Closeness centrality."""

from typing import Any

from warpath.algorithms.eccentricity import closeness
from warpath.networkx.graph import BackendGraph
from warpath.networkx.registry import implements
from warpath.networkx.results import by_node
from warpath.networkx.summaries import left_to_networkx, like_one_search


def _no_function(
    G: Any, u: Any = None, distance: Any = None, wf_improved: bool = True
) -> bool | str:
    if callable(distance):
        return "NetworkX calls a function of distance with the ends of arcs turned round"
    return True


@implements(
    fresh=60, cached=40, can_run=_no_function, like=like_one_search("closeness_centrality", "u")
)
def closeness_centrality(
    G: BackendGraph, u: Any = None, distance: Any = None, wf_improved: bool = True
) -> Any:
    """How near each node is to those that reach it."""
    missing = "Source {} is not in G" if distance is None else "Node {} not found in graph"
    vertices = None if u is None else [G.vertex(u, missing)]
    with left_to_networkx():
        found = closeness(G.to_graph(distance), vertices, by_share=bool(wf_improved))
    return by_node(G, found) if u is None else found[0].item()
