"""Breadth-first search."""

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Any, Unpack

import networkx as nx
import numpy as np

from warpath.networkx.breadth_first import Where, search_from_all, traverse
from warpath.networkx.graph import BackendGraph
from warpath.networkx.registry import BREADTH_FIRST, implements
from warpath.networkx.results import node_set
from warpath.networkx.versions import VERSION

Sort = Callable[[Iterable[Any]], Iterable[Any]]


def neighbors_of_none(G: BackendGraph) -> str:
    """What NetworkX says where somebody asks for the neighbours of what is no node."""
    return f"The node {{}} is not in the {'digraph' if G.is_directed() else 'graph'}."


def _unsorted(
    G: Any, source: Any, *args: Any, sort_neighbors: Sort | None = None, **kwargs: Any
) -> bool | str:
    """Whether neighbours come as they are."""
    if sort_neighbors is None and not any(map(callable, args)):
        return True
    return "sort_neighbors is asked at each node"


def _tree(
    G: BackendGraph, source: Any, reverse: bool, depth_limit: Any, **where: Unpack[Where]
) -> tuple[list[Any], list[Any]]:
    """The parents, and the children of each, in the order of the search."""
    start = G.vertex(source, neighbors_of_none(G), nx.NetworkXError)
    found = traverse(G, start, depth_limit, reverse=reverse, **where)
    children = found.order[1:]
    return G.nodes_of(found.predecessor[children]), G.nodes_of(children)


@implements(BREADTH_FIRST, can_run=_unsorted)
def bfs_edges(
    G: BackendGraph,
    source: Any,
    reverse: bool = False,
    depth_limit: Any = None,
    sort_neighbors: Sort | None = None,
    **where: Unpack[Where],
) -> Iterator[tuple[Any, Any]]:
    """The edges of a breadth-first search."""
    yield from zip(*_tree(G, source, reverse, depth_limit, **where), strict=True)


@implements(BREADTH_FIRST, can_run=_unsorted)
def bfs_tree(
    G: BackendGraph,
    source: Any,
    reverse: bool = False,
    depth_limit: Any = None,
    sort_neighbors: Sort | None = None,
    **where: Unpack[Where],
) -> Any:
    """The tree of a breadth-first search, a `networkx.DiGraph`."""
    tree = nx.DiGraph()
    tree.add_node(source)
    tree.add_edges_from(bfs_edges(G, source, reverse, depth_limit, **where))
    return tree


@implements(BREADTH_FIRST, can_run=_unsorted)
def bfs_predecessors(
    G: BackendGraph,
    source: Any,
    depth_limit: Any = None,
    sort_neighbors: Sort | None = None,
    **where: Unpack[Where],
) -> Iterator[tuple[Any, Any]]:
    """Each node that was found, and the node that it was found from."""
    for parent, child in bfs_edges(G, source, depth_limit=depth_limit, **where):
        yield child, parent


@implements(BREADTH_FIRST, can_run=_unsorted)
def bfs_successors(
    G: BackendGraph,
    source: Any,
    depth_limit: Any = None,
    sort_neighbors: Sort | None = None,
    **where: Unpack[Where],
) -> Iterator[tuple[Any, list[Any]]]:
    """Each node from which others were found, and these."""
    children_of: dict[Any, list[Any]] = {}
    for parent, child in zip(*_tree(G, source, False, depth_limit, **where), strict=True):
        if parent in children_of:
            children_of[parent].append(child)
        else:
            children_of[parent] = [child]
    yield from children_of.items() if children_of else [(source, [])]


@implements(BREADTH_FIRST)
def bfs_layers(G: BackendGraph, sources: Any, **where: Unpack[Where]) -> Iterator[list[Any]]:
    """The nodes of each distance from the nearest source."""
    if sources in G:
        sources = [sources]
    first = list(set(sources)) if VERSION >= (3, 5) else list(sources)
    starts = [
        G.vertex(node, "The node {} is not in the graph.", nx.NetworkXError) for node in first
    ]
    if not starts:
        return
    if len(starts) == 1:
        found = traverse(G, starts[0], **where)
    else:
        found = search_from_all(G, starts, **where)
    nodes = G.nodes_of(found.order)
    begins = (np.flatnonzero(np.diff(found.distance)) + 1).tolist()
    yield first
    for begin, end in pairwise([*begins, len(nodes)]):
        yield nodes[begin:end]


@implements(BREADTH_FIRST)
def descendants_at_distance(
    G: BackendGraph, source: Any, distance: Any, **where: Unpack[Where]
) -> set[Any]:
    """All nodes of one distance from a node."""
    if source not in G:  # as NetworkX asks, also of what cannot be hashed
        raise nx.NetworkXError(f"The node {source} is not in the graph.")
    found = traverse(G, G.index[source], max(0, distance), **where)
    return node_set(G, found.order[found.distance == distance])
