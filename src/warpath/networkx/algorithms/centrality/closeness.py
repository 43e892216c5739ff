"""Closeness centrality."""

from typing import Any, Unpack

from warpath.algorithms.centrality.eccentricity import nearness
from warpath.networkx.device_keyword import Device
from warpath.networkx.graph import BackendGraph
from warpath.networkx.registry import FROM_EACH, TO_TARGET, implements, unless_given
from warpath.networkx.results import by_node
from warpath.networkx.summaries import summary


def _no_function(
    G: Any, u: Any = None, distance: Any = None, wf_improved: bool = True, **where: Any
) -> bool | str:
    if callable(distance):
        return "NetworkX calls a function of distance with the ends of arcs turned round"
    return True


@implements(unless_given("u", FROM_EACH, TO_TARGET), can_run=_no_function)
def closeness_centrality(
    G: BackendGraph,
    u: Any = None,
    distance: Any = None,
    wf_improved: bool = True,
    **where: Unpack[Device],
) -> Any:
    """How near each node is to those that reach it."""
    missing = "Source {} is not in G" if distance is None else "Node {} not found in graph"
    vertices = None if u is None else [G.vertex(u, missing)]
    far = summary(G, distance, vertices, reverse=True, **where)
    found = nearness(far, len(G), by_share=bool(wf_improved))
    return by_node(G, found) if u is None else found[0].item()
