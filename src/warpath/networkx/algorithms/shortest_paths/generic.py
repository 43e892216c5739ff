"""Shortest paths, by whichever function the arguments ask for."""

from collections.abc import Iterator
from typing import Any, Unpack

import networkx as nx
import numpy as np

from warpath.algorithms.rows import rows_of
from warpath.algorithms.sssp import as_dtype
from warpath.algorithms.st_connectivity import st_connected
from warpath.networkx.algorithms.shortest_paths import unweighted, weighted
from warpath.networkx.breadth_first import Where, search
from warpath.networkx.graph import BackendGraph, Weight
from warpath.networkx.paths import LazyPaths
from warpath.networkx.registry import implements
from warpath.networkx.shortest import unbounded
from warpath.networkx.versions import VERSION, announce
from warpath.networkx.where import Device, engine
from warpath.operators import lookup

_METHODS = ("dijkstra", "bellman-ford")
_DENSE = ("floyd-warshall", "floyd-warshall-numpy")


@implements(fresh=None, cached=None)
def has_path(G: BackendGraph, source: Any, target: Any, **where: Unpack[Where]) -> bool:
    """Whether a path leads from one node to the other."""
    ends = G.vertex(source, "Source {} is not in G"), G.vertex(target, "Target {} is not in G")
    return bool(st_connected(G.to_graph(), *ends, **where))


def _path_function(
    G: Any,
    source: Any = None,
    target: Any = None,
    weight: Any = None,
    method: str = "dijkstra",
    **where: Any,
) -> str:
    """The name of the function that `shortest_path` is with these arguments."""
    if source is not None and target is not None:
        if weight is None:
            return "bidirectional_shortest_path"
        return "bidirectional_dijkstra" if method == "dijkstra" else "bellman_ford_path"
    ends = "all_pairs" if source is None and target is None else "single_source"
    by = "bellman_ford" if method == "bellman-ford" else "dijkstra"
    return f"{ends}_{'shortest' if weight is None else by}_path"


def _length_function(G: Any, *args: Any, **kwargs: Any) -> str:
    """The name of the function that `shortest_path_length` is with these arguments."""
    name = _path_function(G, *args, **kwargs)
    if name == "bidirectional_dijkstra":
        return "dijkstra_path_length"
    return name if name == "bidirectional_shortest_path" else f"{name}_length"


def _ask(
    name: str, G: BackendGraph, source: Any, target: Any, weight: Weight, **where: Unpack[Where]
) -> Any:
    """The answer of a function; with a target alone, of the graph turned round."""
    there = G.reversed if source is None and target is not None else G
    ends = [end for end in (source, target) if end is not None]
    if weight is None:
        return getattr(unweighted, name)(there, *ends, **where)
    return getattr(weighted, name)(there, *ends, weight=weight, **where)


def _check_method(method: str) -> None:
    if method not in _METHODS:
        raise ValueError(f"method not supported: {method}")


@implements(like=_path_function)
def shortest_path(
    G: BackendGraph,
    source: Any = None,
    target: Any = None,
    weight: Any = None,
    method: str = "dijkstra",
    **where: Unpack[Where],
) -> Any:
    """Shortest paths between two nodes, from one, to one, or between all."""
    _check_method(method)
    name = _path_function(G, source, target, weight, method)
    found = _ask(name, G, source, target, weight, **where)
    if source is None and target is None:
        return found if VERSION >= (3, 5) else _announced(found)
    if source is None:
        assert isinstance(found, LazyPaths)
        return found.turned_round()
    return found[1] if name == "bidirectional_dijkstra" else found


def _announced(pairs: Iterator[tuple[Any, dict[Any, list[Any]]]]) -> Any:
    announce(
        "\n\nshortest_path will return an iterator that yields\n"
        "(node, path) pairs instead of a dictionary when source\n"
        "and target are unspecified beginning in version 3.5\n\n"
        "To keep the current behavior, use:\n\n"
        "\tdict(nx.shortest_path(G))"
    )
    return dict(pairs)


@implements(like=_length_function)
def shortest_path_length(
    G: BackendGraph,
    source: Any = None,
    target: Any = None,
    weight: Any = None,
    method: str = "dijkstra",
    **where: Unpack[Where],
) -> Any:
    """Distances between two nodes, from one, to one, or between all."""
    _check_method(method)
    name = _length_function(G, source, target, weight, method)
    found = _ask(name, G, source, target, weight, **where)
    return len(found) - 1 if name == "bidirectional_shortest_path" else found


@implements(fresh=50, cached=40)
def average_shortest_path_length(
    G: BackendGraph, weight: Any = None, method: str | None = None, **where: Unpack[Device]
) -> float:
    """The mean distance between two nodes."""
    device = engine(**where)
    by = method or ("unweighted" if weight is None else "dijkstra")
    if by not in ("unweighted", *_METHODS, *_DENSE):
        raise ValueError(f"method not supported: {by}")
    n = len(G)
    if n == 0:
        raise nx.NetworkXPointlessConcept(
            "the null graph has no paths, thus there is no average shortest path length"
        )
    if n == 1:
        return 0
    if len(search(G.adjacency, 0).order) < n or len(search(G.reverse_adjacency, 0).order) < n:
        strongly = "strongly " if G.is_directed() else ""
        raise nx.NetworkXError(f"Graph is not {strongly}connected.")
    total = _total(G, None if by == "unweighted" else weight, by, device)
    return total / (n * (n - 1))  # type: ignore[no-any-return]


def _total(G: BackendGraph, weight: Weight, by: str, device: str) -> Any:
    """The sum of all distances."""
    graph = G.to_graph(weight)
    signed = graph.weight_range[0] < 0
    if signed and by not in ("bellman-ford", "dijkstra"):
        raise NotImplementedError("what NetworkX answers for negative weights depends on its loops")
    if signed and by == "dijkstra":
        raise NotImplementedError("negative weights: use method='bellman-ford'")
    if signed and not graph.directed:
        raise nx.NetworkXUnbounded("Negative cycle detected.")
    shortest = lookup("shortest")
    dtype = as_dtype(graph, shortest, None)
    search_by = "bfs" if graph.weight_dtype is None else "johnson"
    with unbounded():
        rows = rows_of(search_by, graph, shortest, dtype, device)
        summary = rows.summarise(np.arange(len(G), dtype=np.int32))
    return sum(summary.total.tolist())


@implements(fresh=None, cached=1000)
def all_shortest_paths(
    G: BackendGraph,
    source: Any,
    target: Any,
    weight: Any = None,
    method: str = "dijkstra",
    **where: Unpack[Where],
) -> Iterator[list[Any]]:
    """All shortest paths between two nodes."""
    return _paths_to(target, {source}, _ties(G, source, weight, method, **where))


def _ties(
    G: BackendGraph, source: Any, weight: Weight, method: str, **where: Unpack[Where]
) -> dict[Any, list[Any]]:
    if weight is None:
        return unweighted.predecessor(G, source, **where)  # type: ignore[no-any-return]
    if method == "dijkstra":
        return weighted.dijkstra_predecessor_and_distance(G, source, weight=weight, **where)[0]
    if method == "bellman-ford":
        return weighted.bellman_ford_predecessor_and_distance(G, source, weight=weight, **where)[0]
    raise ValueError(f"method not supported: {method}")


@implements(fresh=None, cached=None)
def single_source_all_shortest_paths(
    G: BackendGraph,
    source: Any,
    weight: Any = None,
    method: str = "dijkstra",
    **where: Unpack[Where],
) -> Iterator[tuple[Any, list[list[Any]]]]:
    """All shortest paths from a node."""
    ties = _ties(G, source, weight, method, **where)
    for node in ties if VERSION >= (3, 5) else [node for node in G if node in ties]:
        yield node, list(_paths_to(node, {source}, ties))


@implements(fresh=None, cached=None)
def all_pairs_all_shortest_paths(
    G: BackendGraph, weight: Any = None, method: str = "dijkstra", **where: Unpack[Where]
) -> Iterator[tuple[Any, dict[Any, list[list[Any]]]]]:
    """All shortest paths between all nodes."""
    for node in G:
        paths = single_source_all_shortest_paths(G, node, weight, method, **where)
        yield node, dict(paths)


def _paths_to(
    target: Any, sources: set[Any], predecessors: dict[Any, list[Any]]
) -> Iterator[list[Any]]:
    """All paths along predecessors, depth first from the target.

    ``walk`` leads from the target to where the search stands, ``left`` holds what is left to
    try at each of its nodes. A node is on a walk once: arcs of weight 0 make cycles.

    Raises
    ------
    networkx.NetworkXNoPath
        If the target was not reached.
    """
    if target not in predecessors:
        raise nx.NetworkXNoPath(f"Target {target} cannot be reached from given sources")
    walk, on_walk = [target], {target}
    left = [iter(predecessors[target])]
    while walk:
        if walk[-1] in sources:  # once more after each predecessor, as NetworkX has it
            yield walk[::-1]
        try:
            node = next(left[-1])
        except StopIteration:
            on_walk.discard(walk.pop())
            left.pop()
            continue
        if node not in on_walk:
            walk.append(node)
            on_walk.add(node)
            left.append(iter(predecessors[node]))
