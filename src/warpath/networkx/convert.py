"""From NetworkX's graphs, and back."""

from typing import Any

from warpath.networkx.graph import BackendGraph, adjacency_of, is_symmetric, is_view


def from_networkx(G: Any, weight: "str | None" = None) -> BackendGraph:
    """Convert a graph once, to call many functions with it.

    Parameters
    ----------
    G : networkx.Graph, DiGraph, MultiGraph or MultiDiGraph
    weight : str, optional
        An edge attribute to convert now; others are when they are first asked for.

    Returns
    -------
    BackendGraph
        NetworkX's functions take it as they take ``G``, which must not change from now on.

    Raises
    ------
    NotImplementedError
        Weights that are not 64-bit integers or finite floats, or an undirected view with edges
        that lead in one direction only.

    See Also
    --------
    warpath.Graph.from_networkx : A graph for warpath's own functions.

    Examples
    --------
    >>> import networkx as nx
    >>> H = from_networkx(nx.cycle_graph(5))
    >>> nx.shortest_path_length(H, 0, 3)
    2
    """
    names = list(G)
    numbered = _are_numbers(names)
    index = None if numbered else dict(zip(names, range(len(names)), strict=True))
    adjacency = adjacency_of(G, index)
    if is_view(G) and not G.is_directed() and not is_symmetric(adjacency):
        raise NotImplementedError("an undirected view with edges that lead in one direction only")
    converted = BackendGraph(G, names, adjacency, numbered)
    if index is not None:
        converted.__dict__["index"] = index
    if weight is not None:
        converted.arc_weights(weight)
    return converted


def _are_numbers(names: list[Any]) -> bool:
    """Whether the nodes are the ints 0 … n − 1, in this order."""
    return names == list(range(len(names))) and set(map(type, names)) <= {int}


def convert_from_nx(
    graph: Any,
    edge_attrs: "dict[str, Any] | None" = None,
    node_attrs: "dict[str, Any] | None" = None,
    preserve_edge_attrs: bool = False,
    preserve_node_attrs: bool = False,
    preserve_graph_attrs: bool = False,
    name: "str | None" = None,
    graph_name: "str | None" = None,
) -> BackendGraph:
    """NetworkX's call for a conversion; the dispatcher caches it, but not that of a view.

    A graph empties its cache when an edge comes or goes, and a view does not hear of it. Edge
    attributes that change no cache hears of: they are read again by each call.
    """
    if is_view(graph):
        graph.__networkx_cache__ = None  # NetworkX's own way to keep nothing
    converted = from_networkx(graph)
    converted.may_change = True
    for attribute in edge_attrs or ():
        converted.arc_weights(attribute)
    return converted


def convert_to_nx(result: Any, *, name: "str | None" = None) -> Any:
    """NetworkX's call for the way back: of a graph, or of a function's result."""
    return result.source if isinstance(result, BackendGraph) else result
