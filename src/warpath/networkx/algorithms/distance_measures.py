"""Eccentricity, and what follows from it."""

from typing import Any, Unpack

import networkx as nx

from warpath.algorithms.centrality.eccentricity import diameter as longest_path
from warpath.graph.components import connected_components
from warpath.networkx.device_keyword import Device, engine
from warpath.networkx.graph import BackendGraph
from warpath.networkx.registry import FROM_EACH, NEVER, TO_TARGET, WorthIt, implements, unless_given
from warpath.networkx.summaries import left_to_networkx, summary
from warpath.networkx.versions import VERSION

_BOUNDED = "Cannot compute metric because graph is not connected."


def _no_bounds_of_weights(
    G: Any, e: Any = None, usebounds: bool = False, weight: Any = None, **where: Any
) -> bool | str:
    if usebounds is True and weight is not None:
        return "NetworkX's bounds of weighted distances are its own"
    return True


def _worth_it(G: Any, v: Any = None, sp: Any = None, *args: Any, **kwargs: Any) -> WorthIt:
    if sp is not None:
        return NEVER
    return FROM_EACH if v is None else TO_TARGET


_unless_given = unless_given("e", FROM_EACH, NEVER)


@implements(_worth_it)
def eccentricity(
    G: BackendGraph, v: Any = None, sp: Any = None, weight: Any = None, **where: Unpack[Device]
) -> Any:
    """How far the farthest node is, of each node."""
    engine(**where)
    nodes = list(dict.fromkeys(G.source.nbunch_iter(v)))
    if sp is not None:
        found = _of_lengths(G, nodes, sp)
    else:
        far = summary(G, weight, [G.index[node] for node in nodes], **where)
        if (far.reached < len(G)).any():
            raise _not_connected(G)
        # A node's distance from itself is NetworkX's integer 0.
        found = {node: e or 0 for node, e in zip(nodes, far.farthest.tolist(), strict=True)}
    return found[v] if v in G else found


def _of_lengths(G: BackendGraph, nodes: list[Any], sp: Any) -> dict[Any, Any]:
    """Eccentricities from a dict of dicts of distances."""
    found = {}
    for node in nodes:
        try:
            length = sp[node]
            reached = len(length)
        except TypeError as error:
            raise nx.NetworkXError('Format of "sp" is invalid.') from error
        if reached != len(G):
            raise _not_connected(G)
        found[node] = max(length.values())
    return found


def _not_connected(G: BackendGraph) -> nx.NetworkXError:
    if G.is_directed():
        return nx.NetworkXError(
            "Found infinite path length because the digraph is not strongly connected"
        )
    return nx.NetworkXError("Found infinite path length because the graph is not connected")


def _all(G: BackendGraph, e: Any, usebounds: bool, weight: Any, **where: Unpack[Device]) -> Any:
    """Eccentricities: those given, or all."""
    engine(**where)
    if e is not None:
        return e
    bounded = usebounds is True and not G.is_directed()
    if bounded and not len(G):
        max(G.names)  # raises what NetworkX does, which begins with the node of largest degree
    try:
        return eccentricity(G, weight=weight, **where)
    except nx.NetworkXError as error:
        if bounded:
            raise nx.NetworkXError(_BOUNDED) from error
        raise


@implements(_unless_given, can_run=_no_bounds_of_weights)
def diameter(
    G: BackendGraph,
    e: Any = None,
    usebounds: bool = False,
    weight: Any = None,
    **where: Unpack[Device],
) -> Any:
    """The largest eccentricity."""
    bounded = engine(**where) == "cpu" and not callable(weight)
    if e is None and not G.is_directed() and bounded:
        graph = G.to_graph(weight)
        if (
            not graph.directed
            and graph.weight_range[0] >= 0
            and connected_components(graph)[1] == 1
        ):
            with left_to_networkx():
                return longest_path(graph) or 0
    return max(_all(G, e, usebounds, weight, **where).values())


@implements(_unless_given, can_run=_no_bounds_of_weights)
def radius(
    G: BackendGraph,
    e: Any = None,
    usebounds: bool = False,
    weight: Any = None,
    **where: Unpack[Device],
) -> Any:
    """The smallest eccentricity."""
    return min(_all(G, e, usebounds, weight, **where).values())


@implements(_unless_given, can_run=_no_bounds_of_weights)
def periphery(
    G: BackendGraph,
    e: Any = None,
    usebounds: bool = False,
    weight: Any = None,
    **where: Unpack[Device],
) -> list[Any]:
    """The nodes of the largest eccentricity."""
    far = _all(G, e, usebounds, weight, **where)
    farthest = max(far.values())
    return [node for node in far if far[node] == farthest]


@implements(_unless_given, can_run=_no_bounds_of_weights)
def center(
    G: BackendGraph,
    e: Any = None,
    usebounds: bool = False,
    weight: Any = None,
    **where: Unpack[Device],
) -> list[Any]:
    """The nodes of the smallest eccentricity."""
    if VERSION >= (3, 5) and not (len(G) or G.is_directed() or usebounds or e or weight):
        raise nx.NetworkXPointlessConcept("G has no nodes.")  # it looks whether it is a tree
    far = _all(G, e, usebounds, weight, **where)
    nearest = min(far.values())
    return [node for node in far if far[node] == nearest]
