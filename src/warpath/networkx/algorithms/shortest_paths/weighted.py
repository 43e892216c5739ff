"""Shortest paths by weight."""

from collections.abc import Collection, Iterator
from contextlib import suppress
from typing import Any, Unpack

import networkx as nx
import numpy as np

from warpath.algorithms.shortest_paths.shortest_path import shortest_path
from warpath.errors import NegativeCycleError, NoPathError
from warpath.networkx.device_keyword import on_the_cpu
from warpath.networkx.finalization_order import Found
from warpath.networkx.graph import BackendGraph, counted
from warpath.networkx.paths import path_to, paths_by_node
from warpath.networkx.registry import (
    ALL_PAIRS,
    BELLMAN_FORD,
    DIJKSTRA,
    TIES,
    TO_TARGET,
    WorthIt,
    implements,
)
from warpath.networkx.shortest import How, Weighted, check_for_dijkstra, lengths, unbounded
from warpath.networkx.two_ended import path_by_weight

_NOT_FOUND = "Node {} not found in graph"
_NOT_IN_THE_GRAPH = "Node {} is not found in the graph"


def _worth_it(G: Any, *args: Any, target: Any = None, **kwargs: Any) -> WorthIt:
    target = args[1] if len(args) > 1 else target
    return DIJKSTRA if target is None else TO_TARGET


@implements(TO_TARGET)
def dijkstra_path(
    G: BackendGraph, source: Any, target: Any, weight: Any = "weight", **how: Unpack[How]
) -> list[Any]:
    """A shortest path between two nodes."""
    return single_source_dijkstra(G, source, target=target, weight=weight, **how)[1]  # type: ignore[no-any-return]


@implements(TO_TARGET)
def dijkstra_path_length(
    G: BackendGraph, source: Any, target: Any, weight: Any = "weight", **how: Unpack[How]
) -> Any:
    """The length of a shortest path between two nodes."""
    start = G.vertex(source, _NOT_FOUND)
    if source == target:
        return 0
    weighted = Weighted(G, weight, **how)
    check_for_dijkstra(weighted.weights)  # before the target, as NetworkX finds it
    found = weighted.dijkstra([start], target=G.index.get(target))
    return length_to(G, target, found, f"Node {target} not reachable from {source}")


def length_to(G: BackendGraph, target: Any, found: Found, missing: str) -> Any:
    """The distance of a node; an error with this message if it was not reached."""
    where = np.flatnonzero(found.order == G.index.get(target, -1))
    if not len(where):
        raise nx.NetworkXNoPath(missing)
    return found.distance[where[0]].item()


@implements(DIJKSTRA)
def single_source_dijkstra_path(
    G: BackendGraph, source: Any, cutoff: Any = None, weight: Any = "weight", **how: Unpack[How]
) -> dict[Any, list[Any]]:
    """Shortest paths from a node."""
    return multi_source_dijkstra_path(G, {source}, cutoff=cutoff, weight=weight, **how)


@implements(DIJKSTRA)
def single_source_dijkstra_path_length(
    G: BackendGraph, source: Any, cutoff: Any = None, weight: Any = "weight", **how: Unpack[How]
) -> dict[Any, Any]:
    """Distances from a node."""
    return multi_source_dijkstra_path_length(G, {source}, cutoff=cutoff, weight=weight, **how)


@implements(_worth_it)
def single_source_dijkstra(
    G: BackendGraph,
    source: Any,
    target: Any = None,
    cutoff: Any = None,
    weight: Any = "weight",
    **how: Unpack[How],
) -> Any:
    """Distances and shortest paths from a node."""
    return multi_source_dijkstra(G, {source}, cutoff=cutoff, target=target, weight=weight, **how)


@implements(DIJKSTRA)
def multi_source_dijkstra_path(
    G: BackendGraph,
    sources: Collection[Any],
    cutoff: Any = None,
    weight: Any = "weight",
    **how: Unpack[How],
) -> dict[Any, list[Any]]:
    """Shortest paths from the nearest of several nodes."""
    return multi_source_dijkstra(G, sources, cutoff=cutoff, weight=weight, **how)[1]  # type: ignore[no-any-return]


@implements(DIJKSTRA)
def multi_source_dijkstra_path_length(
    G: BackendGraph,
    sources: Collection[Any],
    cutoff: Any = None,
    weight: Any = "weight",
    **how: Unpack[How],
) -> dict[Any, Any]:
    """Distances from the nearest of several nodes."""
    starts = vertices_of(G, sources)
    weighted = Weighted(G, weight, **how)
    return lengths(G, weighted.dijkstra(starts, cutoff), len(starts))


@implements(_worth_it)
def multi_source_dijkstra(
    G: BackendGraph,
    sources: Collection[Any],
    target: Any = None,
    cutoff: Any = None,
    weight: Any = "weight",
    **how: Unpack[How],
) -> Any:
    """Distances and shortest paths from the nearest of several nodes."""
    starts = vertices_of(G, sources)
    if target in sources:
        return 0, [target]
    weighted = Weighted(G, weight, **how)
    if target is None:
        found = weighted.dijkstra(starts, cutoff)
        return lengths(G, found, len(starts)), weighted.paths(found, cutoff, len(starts))
    check_for_dijkstra(weighted.weights)  # before the target, as NetworkX finds it
    found = weighted.dijkstra(starts, cutoff, G.index.get(target))
    length = length_to(G, target, found, f"No path to {target}.")
    return length, path_to(G, found, G.index[target])


def vertices_of(G: BackendGraph, sources: Collection[Any]) -> list[int]:
    """The sources, each once, in their order.

    Raises
    ------
    ValueError
        If there are none.
    """
    if not sources:
        raise ValueError("sources must not be empty")
    return list(dict.fromkeys(G.vertex(source, _NOT_FOUND) for source in sources))


@implements(TIES)
def dijkstra_predecessor_and_distance(
    G: BackendGraph, source: Any, cutoff: Any = None, weight: Any = "weight", **how: Unpack[How]
) -> tuple[dict[Any, list[Any]], dict[Any, Any]]:
    """All predecessors on shortest paths from a node, and distances."""
    start = G.vertex(source, _NOT_IN_THE_GRAPH)
    weighted = Weighted(G, weight, **how)
    found = weighted.dijkstra([start], cutoff)
    return weighted.ties(found, cutoff), lengths(G, found)


@implements(ALL_PAIRS)
def all_pairs_dijkstra(
    G: BackendGraph, cutoff: Any = None, weight: Any = "weight", **how: Unpack[How]
) -> Iterator[tuple[Any, tuple[dict[Any, Any], dict[Any, list[Any]]]]]:
    """Distances and shortest paths from each node."""
    weighted = Weighted(G, weight, **how)
    for v, found in weighted.each(cutoff):
        yield G.names[v], (lengths(G, found), weighted.paths(found, cutoff))


@implements(ALL_PAIRS)
def all_pairs_dijkstra_path_length(
    G: BackendGraph, cutoff: Any = None, weight: Any = "weight", **how: Unpack[How]
) -> Iterator[tuple[Any, dict[Any, Any]]]:
    """Distances from each node."""
    weighted = Weighted(G, weight, **how)
    for v, found in weighted.each(cutoff):
        yield G.names[v], lengths(G, found)


@implements(ALL_PAIRS)
def all_pairs_dijkstra_path(
    G: BackendGraph, cutoff: Any = None, weight: Any = "weight", **how: Unpack[How]
) -> Iterator[tuple[Any, dict[Any, list[Any]]]]:
    """Shortest paths from each node."""
    weighted = Weighted(G, weight, **how)
    for v, found in weighted.each(cutoff):
        yield G.names[v], weighted.paths(found, cutoff)


@implements(TIES)
def bellman_ford_predecessor_and_distance(
    G: BackendGraph,
    source: Any,
    target: Any = None,
    weight: Any = "weight",
    heuristic: bool = False,
    **how: Unpack[How],
) -> tuple[dict[Any, list[Any]], dict[Any, Any]]:
    """All predecessors on shortest paths from a node, and distances; weights of any sign."""
    start = G.vertex(source, _NOT_IN_THE_GRAPH)
    weighted = Weighted(G, weight, **how)
    _check_self_loops(weighted)
    if len(G) == 1:
        return {source: []}, {source: 0}
    found = weighted.bellman_ford(start)
    return weighted.ties(found), _signed_lengths(G, found, start)


def _check_self_loops(weighted: Weighted) -> None:
    """A negative self-loop counts wherever it is.

    Raises
    ------
    networkx.NetworkXUnbounded
    """
    if weighted.signed:
        source, target, weight = weighted.graph.coo()
        assert weight is not None
        if np.any((source == target) & (weight < 0)):
            raise nx.NetworkXUnbounded("Negative cycle detected.")


def _signed_lengths(G: BackendGraph, found: Found, source: int) -> dict[Any, Any]:
    values = lengths(G, found, 0)
    values[G.names[source]] = 0
    return values


@implements(BELLMAN_FORD)
def bellman_ford_path(
    G: BackendGraph, source: Any, target: Any, weight: Any = "weight", **how: Unpack[How]
) -> list[Any]:
    """A shortest path between two nodes; weights of any sign."""
    return single_source_bellman_ford(G, source, target=target, weight=weight, **how)[1]  # type: ignore[no-any-return]


@implements(BELLMAN_FORD)
def bellman_ford_path_length(
    G: BackendGraph, source: Any, target: Any, weight: Any = "weight", **how: Unpack[How]
) -> Any:
    """The length of a shortest path between two nodes; weights of any sign."""
    if source == target:
        G.vertex(source, _NOT_FOUND)
        return 0
    start = _start(G, source)
    found = Weighted(G, weight, **how).bellman_ford(start)
    return length_to(G, target, found, f"node {target} not reachable from {source}")


def _start(G: BackendGraph, source: Any) -> int:
    """The vertex that an algorithm of Bellman and Ford's starts from.

    Raises
    ------
    networkx.NodeNotFound
    TypeError
        If the node cannot be hashed: NetworkX makes a dict of it first.
    """
    hash(source)
    return G.vertex(source, "Source {} not in G")


@implements(BELLMAN_FORD)
def single_source_bellman_ford_path(
    G: BackendGraph, source: Any, weight: Any = "weight", **how: Unpack[How]
) -> dict[Any, list[Any]]:
    """Shortest paths from a node; weights of any sign."""
    return single_source_bellman_ford(G, source, weight=weight, **how)[1]  # type: ignore[no-any-return]


@implements(BELLMAN_FORD)
def single_source_bellman_ford_path_length(
    G: BackendGraph, source: Any, weight: Any = "weight", **how: Unpack[How]
) -> dict[Any, Any]:
    """Distances from a node; weights of any sign."""
    start = _start(G, source)
    weighted = Weighted(G, weight, **how)
    return _signed_lengths(G, weighted.bellman_ford(start), start)


@implements(BELLMAN_FORD)
def single_source_bellman_ford(
    G: BackendGraph, source: Any, target: Any = None, weight: Any = "weight", **how: Unpack[How]
) -> Any:
    """Distances and shortest paths from a node; weights of any sign."""
    if source == target:
        G.vertex(source, _NOT_IN_THE_GRAPH)
        return 0, [source]
    start = _start(G, source)
    weighted = Weighted(G, weight, **how)
    found = weighted.bellman_ford(start)
    if target is None:
        return _signed_lengths(G, found, start), paths_by_node(G, found)
    missing = f"Target {target} cannot be reached from given sources"
    return length_to(G, target, found, missing), path_to(G, found, G.index[target])


@implements(ALL_PAIRS)
def all_pairs_bellman_ford_path_length(
    G: BackendGraph, weight: Any = "weight", **how: Unpack[How]
) -> Iterator[tuple[Any, dict[Any, Any]]]:
    """Distances from each node; weights of any sign."""
    weighted = Weighted(G, weight, **how)
    for v, found in weighted.each_of_any_sign():
        yield G.names[v], _signed_lengths(G, found, v)


@implements(ALL_PAIRS)
def all_pairs_bellman_ford_path(
    G: BackendGraph, weight: Any = "weight", **how: Unpack[How]
) -> Iterator[tuple[Any, dict[Any, list[Any]]]]:
    """Shortest paths from each node; weights of any sign."""
    weighted = Weighted(G, weight, **how)
    for v, found in weighted.each_of_any_sign():
        yield G.names[v], paths_by_node(G, found)


@implements(BELLMAN_FORD)
def goldberg_radzik(
    G: BackendGraph, source: Any, weight: Any = "weight", **how: Unpack[How]
) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """A tree of shortest paths from a node, and distances; weights of any sign."""
    start = G.vertex(source, _NOT_IN_THE_GRAPH)
    weighted = Weighted(G, weight, **how)
    _check_self_loops(weighted)
    if len(G) == 1:
        return {source: None}, {source: 0}
    found = weighted.bellman_ford(start)
    names = [*G.names, None]  # -1, of the source, is the last
    parents = [names[u] for u in found.predecessor[found.order].tolist()]
    return dict(zip(G.nodes_of(found.order), parents, strict=True)), _signed_lengths(
        G, found, start
    )


@implements(WorthIt(100, 30))
def negative_edge_cycle(
    G: BackendGraph, weight: Any = "weight", heuristic: bool = True, **how: Unpack[How]
) -> bool:
    """Whether there is a negative cycle anywhere."""
    weighted = Weighted(G, weight, **how)
    return weighted.has_negative_cycle()


@implements(WorthIt(None, 3000))
def bidirectional_dijkstra(
    G: BackendGraph, source: Any, target: Any, weight: Any = "weight", **how: Unpack[How]
) -> tuple[Any, list[Any]]:
    """A shortest path between two nodes and its length, by searches from both ends."""
    ends = G.vertex(source, "Source {} is not in G"), G.vertex(target, "Target {} is not in G")
    if source == target:
        return 0, [source]
    ahead, behind = G.arcs_both_ways(weight)
    check_for_dijkstra(counted(ahead))
    found: Any = None
    try:
        if on_the_cpu(how):
            found = path_by_weight(ahead, behind, *ends)
        else:
            with suppress(NoPathError):
                found = shortest_path(G.graph_of(ahead, weight), *ends, **how)
    except OverflowError as error:
        raise NotImplementedError(str(error)) from None
    if found is None:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return found.length, G.nodes_of(found.vertices)


@implements(ALL_PAIRS)
def johnson(
    G: BackendGraph, weight: Any = "weight", **how: Unpack[How]
) -> dict[Any, dict[Any, list[Any]]]:
    """Shortest paths between all nodes; weights of any sign."""
    weighted = Weighted(G, weight, **how)
    if weighted.signed:
        with unbounded():
            if not weighted.graph.directed:  # an edge to and fro
                raise NegativeCycleError([0])
            weighted = weighted.reweighted()
    return {G.names[v]: weighted.paths(found) for v, found in weighted.each()}
