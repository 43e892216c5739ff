"""Shortest paths, by whichever function the arguments ask for."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple, Unpack

import networkx as nx
import numpy as np

from warpath.algorithms.all_pairs.rows import rows_of
from warpath.algorithms.shortest_paths.st_connectivity import st_connected
from warpath.networkx.algorithms.shortest_paths import unweighted, weighted
from warpath.networkx.breadth_first import Where, is_connected
from warpath.networkx.device_keyword import Device, engine, on_the_cpu
from warpath.networkx.graph import BackendGraph, Weight
from warpath.networkx.registry import FROM_EACH, FUNCTIONS, NEVER, WorthIt, implements
from warpath.networkx.shortest import unbounded
from warpath.networkx.summaries import summary
from warpath.networkx.versions import VERSION, announce
from warpath.operators import lookup
from warpath.operators.asked import as_dtype
from warpath.typing import DeviceName

_METHODS = ("dijkstra", "bellman-ford")
_DENSE = ("floyd-warshall", "floyd-warshall-numpy")


@implements(NEVER)
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


def _worth_of_paths(*args: Any, **kwargs: Any) -> WorthIt:
    return FUNCTIONS[_path_function(*args, **kwargs)].worth_it()


@implements(_worth_of_paths)
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
        for path in found.values():
            path.reverse()
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


def _worth_of_lengths(*args: Any, **kwargs: Any) -> WorthIt:
    return FUNCTIONS[_length_function(*args, **kwargs)].worth_it()


@implements(_worth_of_lengths)
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


def _no_function_by_floyd_warshall(
    G: Any, weight: Any = None, method: str | None = None, **where: Any
) -> bool | str:
    if method in _DENSE and callable(weight):
        return "NetworkX's Floyd-Warshall takes a weight function for an attribute's name"
    return True


@implements(FROM_EACH, can_run=_no_function_by_floyd_warshall)
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
    if not is_connected(G):
        strongly = "strongly " if G.is_directed() else ""
        raise nx.NetworkXError(f"Graph is not {strongly}connected.")
    counted = None if by == "unweighted" else weight
    if by in _DENSE:
        G.check_symmetric(counted)
    if by == "bellman-ford" and G.to_graph(counted).weight_range[0] < 0:
        total = _signed_total(G, counted, device)
    else:
        total = sum(summary(G, counted, device=device).total.tolist())
    return total / (n * (n - 1))  # type: ignore[no-any-return]


def _signed_total(G: BackendGraph, weight: Weight, device: DeviceName) -> Any:
    """The sum of all distances, of which some may be negative."""
    graph = G.to_graph(weight)
    if not graph.directed:
        raise nx.NetworkXUnbounded("Negative cycle detected.")
    shortest = lookup("shortest")
    with unbounded():
        rows = rows_of("johnson", graph, shortest, as_dtype(graph, shortest, None), device)
        return sum(rows.summarise(np.arange(len(G), dtype=np.int32)).total.tolist())


@implements(WorthIt(None, 1000))
def all_shortest_paths(
    G: BackendGraph,
    source: Any,
    target: Any,
    weight: Any = None,
    method: str = "dijkstra",
    **where: Unpack[Where],
) -> Iterator[list[Any]]:
    """All shortest paths between two nodes."""
    predecessors = _ties(G, weight, method, **where)(source).predecessors
    return _paths_to(target, {source}, predecessors)


class Ties(NamedTuple):
    """All predecessors on shortest paths from a node.

    Attributes
    ----------
    predecessors : dict
        Lists by node.
    order : iterable
        The nodes by distance.
    """

    predecessors: dict[Any, list[Any]]
    order: Iterable[Any]


def _ties(
    G: BackendGraph, weight: Weight, method: str, **where: Unpack[Where]
) -> Callable[[Any], Ties]:
    """What finds the ties from a node: NetworkX's own function where that is as fast."""
    if method == "unweighted":
        weight = None
    if weight is None:
        name, by = "predecessor", {}
    elif method in _METHODS:
        name = f"{method.replace('-', '_')}_predecessor_and_distance"
        by = {"weight": weight}
    else:
        raise ValueError(f"method not supported: {method}")
    worth = FUNCTIONS[name].worth_it().cached
    if on_the_cpu(where) and worth is not None and len(G) < worth:
        find = partial(getattr(nx, name).orig_func, G.source, **by)
    else:
        ours = unweighted if weight is None else weighted
        find = partial(getattr(ours, name), G, **by, **where)

    def ties(source: Any) -> Ties:
        found = find(source)
        if weight is None:
            return Ties(found, found)
        predecessors, distance = found
        return Ties(predecessors, sorted(distance, key=distance.__getitem__))

    return ties


@implements(NEVER)
def single_source_all_shortest_paths(
    G: BackendGraph,
    source: Any,
    weight: Any = None,
    method: str = "dijkstra",
    **where: Unpack[Where],
) -> Iterator[tuple[Any, list[list[Any]]]]:
    """All shortest paths from a node."""
    predecessors = _ties(G, weight, method, **where)(source).predecessors
    for node in _as_listed(G, predecessors):
        yield node, list(_paths_to(node, {source}, predecessors))


@implements(FROM_EACH)
def all_pairs_all_shortest_paths(
    G: BackendGraph, weight: Any = None, method: str = "dijkstra", **where: Unpack[Where]
) -> Iterator[tuple[Any, dict[Any, list[list[Any]]]]]:
    """All shortest paths between all nodes."""
    if len(G) == 0:
        return  # before NetworkX looks at the method
    ties = _ties(G, weight, method, **where)
    for node in G:
        found = ties(node)
        paths = _paths_of_paths(found)
        if paths is None:
            before = found.predecessors
            paths = {end: list(_paths_to(end, {node}, before)) for end in before}
        yield node, {end: paths[end] for end in _as_listed(G, found.predecessors)}


def _as_listed(G: BackendGraph, predecessors: dict[Any, list[Any]]) -> Iterable[Any]:
    """The nodes that were found, in NetworkX's order."""
    return predecessors if VERSION >= (3, 5) else [node for node in G if node in predecessors]


def _paths_of_paths(ties: Ties) -> dict[Any, list[list[Any]]] | None:
    """To each node the paths to its predecessors, and it; None if one is as far, and not done."""
    paths: dict[Any, list[list[Any]]] = {}
    try:
        for node in ties.order:
            before = ties.predecessors[node]
            paths[node] = [[*path, node] for u in before for path in paths[u]] or [[node]]
    except KeyError:
        return None
    return paths


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
