"""Shortest paths by number of edges."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Unpack

import networkx as nx
import numpy as np

from warpath.algorithms.shortest_paths.shortest_path import shortest_path
from warpath.errors import NoPathError
from warpath.networkx.breadth_first import Where, search_each, traverse
from warpath.networkx.device_keyword import on_the_cpu
from warpath.networkx.finalization_order import tied_predecessors
from warpath.networkx.graph import BackendGraph
from warpath.networkx.paths import paths_by_node
from warpath.networkx.registry import ALL_PAIRS, BREADTH_FIRST, FROM_EACH, NEVER, implements
from warpath.networkx.results import by_vertex
from warpath.networkx.shortest import tie_lists
from warpath.networkx.two_ended import path_by_edges
from warpath.networkx.versions import VERSION, announce

_SOURCE, _TARGET = "Source {} is not in G", "Target {} is not in G"


@implements(BREADTH_FIRST)
def single_source_shortest_path_length(
    G: BackendGraph, source: Any, cutoff: Any = None, **where: Unpack[Where]
) -> dict[Any, int]:
    """Distances from a node."""
    found = traverse(G, G.vertex(source, _SOURCE), cutoff, **where)
    return by_vertex(G, found.order, found.distance)


@implements(BREADTH_FIRST)
def single_target_shortest_path_length(
    G: BackendGraph, target: Any, cutoff: Any = None, **where: Unpack[Where]
) -> Any:
    """Distances to a node; of NetworkX 3.4 pairs, not a dict."""
    end = G.vertex(target, _TARGET)
    found = traverse(G, end, cutoff, reverse=True, **where)
    distance = by_vertex(G, found.order, found.distance)
    if VERSION >= (3, 5):
        return distance
    announce(
        "\n\nsingle_target_shortest_path_length will return a dict instead of"
        "\nan iterator in version 3.5"
    )
    return iter(distance.items())


@implements(FROM_EACH)
def all_pairs_shortest_path_length(
    G: BackendGraph, cutoff: Any = None, **where: Unpack[Where]
) -> Iterator[tuple[Any, dict[Any, int]]]:
    """Distances from each node."""
    if on_the_cpu(where):
        each = search_each(G, cutoff, parents=False)
    else:
        each = (traverse(G, v, cutoff, **where) for v in range(len(G)))
    for node, found in zip(G, each, strict=True):
        yield node, by_vertex(G, found.order, found.distance)


@implements(NEVER)
def bidirectional_shortest_path(
    G: BackendGraph, source: Any, target: Any, **where: Unpack[Where]
) -> list[Any]:
    """A path of the fewest edges, by searches from both ends."""
    ends = G.vertex(source, _SOURCE), G.vertex(target, _TARGET)
    path: Any = None
    if on_the_cpu(where):
        path = path_by_edges(G.adjacency, G.reverse_adjacency, *ends)
    else:
        with suppress(NoPathError):
            path = shortest_path(G.to_graph(), *ends, weighted=False, **where).vertices
    if path is None:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return G.nodes_of(path)


@implements(BREADTH_FIRST)
def single_source_shortest_path(
    G: BackendGraph, source: Any, cutoff: Any = None, **where: Unpack[Where]
) -> dict[Any, list[Any]]:
    """Paths from a node."""
    start = G.vertex(source, "Source {} not in G")
    found = traverse(G, start, cutoff, **where)
    return paths_by_node(G, found)


@implements(BREADTH_FIRST)
def single_target_shortest_path(
    G: BackendGraph, target: Any, cutoff: Any = None, **where: Unpack[Where]
) -> dict[Any, list[Any]]:
    """Paths to a node."""
    end = G.vertex(target, "Target {} not in G")
    found = traverse(G, end, cutoff, reverse=True, **where)
    return paths_by_node(G, found, from_root=False)


@implements(ALL_PAIRS)
def all_pairs_shortest_path(
    G: BackendGraph, cutoff: Any = None, **where: Unpack[Where]
) -> Iterator[tuple[Any, dict[Any, list[Any]]]]:
    """Paths from each node."""
    if on_the_cpu(where):
        each = search_each(G, cutoff)
    else:
        each = (traverse(G, v, cutoff, **where) for v in range(len(G)))
    for node, found in zip(G, each, strict=True):
        yield node, paths_by_node(G, found)


@implements(BREADTH_FIRST)
def predecessor(
    G: BackendGraph,
    source: Any,
    target: Any = None,
    cutoff: Any = None,
    return_seen: Any = None,
    **where: Unpack[Where],
) -> Any:
    """All predecessors on paths of the fewest edges from a node."""
    start = G.vertex(source, "Source {} not in G")
    # NetworkX looks at the cutoff after a level, and not at all at 0.
    depth = max(1, cutoff) if cutoff else None
    found = traverse(G, start, depth, **where)
    weights = np.ones(G.num_arcs, np.int64)
    ties = tie_lists(G, found.order, *tied_predecessors(G.adjacency, weights, found))
    if target is None:
        return (ties, by_vertex(G, found.order, found.distance)) if return_seen else ties
    if target not in ties:
        return ([], -1) if return_seen else []
    if not return_seen:
        return ties[target]
    return ties[target], int(found.distance[found.order == G.index[target]][0])
