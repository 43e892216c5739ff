"""Spanning trees of the least weight, and of the greatest."""

from collections.abc import Iterator
from math import isnan
from typing import Any, Unpack

import networkx as nx
import numpy as np

from warpath.algorithms.trees.boruvka import lightest_edges
from warpath.cpu.boruvka import boruvka
from warpath.graph.arrays import module_for
from warpath.graph.build import expand_sources
from warpath.networkx.device_keyword import Device, engine
from warpath.networkx.graph import BackendGraph
from warpath.networkx.registry import SPANNING_TREE, implements
from warpath.networkx.weights import as_array


def _edges_by_kruskal(
    G: Any,
    algorithm: str = "kruskal",
    weight: Any = "weight",
    keys: bool = True,
    data: bool = True,
    ignore_nan: bool = False,
    **where: Any,
) -> bool | str:
    return algorithm == "kruskal" or "the order of edges is Kruskal's"


def _tree_by_kruskal(
    G: Any,
    weight: Any = "weight",
    algorithm: str = "kruskal",
    ignore_nan: bool = False,
    **where: Any,
) -> bool | str:
    return _edges_by_kruskal(G, algorithm)


@implements(SPANNING_TREE, can_run=_edges_by_kruskal)
def minimum_spanning_edges(
    G: BackendGraph,
    algorithm: str = "kruskal",
    weight: Any = "weight",
    keys: bool = True,
    data: bool = True,
    ignore_nan: bool = False,
    **where: Unpack[Device],
) -> Iterator[tuple[Any, ...]]:
    """Edges of the lightest spanning forest, ascending."""
    return _shown(_spanning(G, 1, weight, ignore_nan, where), G.is_multigraph() and keys, data)


@implements(SPANNING_TREE, can_run=_edges_by_kruskal)
def maximum_spanning_edges(
    G: BackendGraph,
    algorithm: str = "kruskal",
    weight: Any = "weight",
    keys: bool = True,
    data: bool = True,
    ignore_nan: bool = False,
    **where: Unpack[Device],
) -> Iterator[tuple[Any, ...]]:
    """Edges of the heaviest spanning forest, descending."""
    return _shown(_spanning(G, -1, weight, ignore_nan, where), G.is_multigraph() and keys, data)


@implements(SPANNING_TREE, can_run=_tree_by_kruskal)
def minimum_spanning_tree(
    G: BackendGraph,
    weight: Any = "weight",
    algorithm: str = "kruskal",
    ignore_nan: bool = False,
    **where: Unpack[Device],
) -> Any:
    """The lightest spanning forest as a graph."""
    return _tree(G, 1, weight, ignore_nan, where)


@implements(SPANNING_TREE, can_run=_tree_by_kruskal)
def maximum_spanning_tree(
    G: BackendGraph,
    weight: Any = "weight",
    algorithm: str = "kruskal",
    ignore_nan: bool = False,
    **where: Unpack[Device],
) -> Any:
    """The heaviest spanning forest as a graph."""
    return _tree(G, -1, weight, ignore_nan, where)


def _tree(G: BackendGraph, sign: int, weight: Any, ignore_nan: bool, where: Device) -> Any:
    edges = _spanning(G, sign, weight, ignore_nan, where)
    source = G.source
    tree = source.__class__()
    tree.graph.update(source.graph)
    tree.add_nodes_from(source.nodes.items())
    tree.add_edges_from(edges)
    return tree


def _shown(edges: Iterator[tuple[Any, ...]], keys: bool, data: bool) -> Iterator[tuple[Any, ...]]:
    """(u, v), (u, v, key), (u, v, data) or (u, v, key, data)."""
    for edge in edges:
        key = edge[2:-1] if keys else ()
        yield (*edge[:2], *key, edge[-1]) if data else (*edge[:2], *key)


def _spanning(
    G: BackendGraph, sign: int, weight: Any, ignore_nan: bool, where: Device
) -> Iterator[tuple[Any, ...]]:
    """The forest's edges as they stand in the graph, by ``sign`` · weight, then in its order."""
    xp = module_for(engine(**where))
    if G.is_directed():
        raise nx.NetworkXNotImplemented("not implemented for directed type")
    if not G.is_multigraph() and not callable(weight):
        try:
            return _of_arcs(G, sign, weight, xp)
        except NotImplementedError:
            pass  # NaN, perhaps
    if G.is_multigraph():
        edges = list(G.source.edges(keys=True, data=True))
    else:
        edges = list(G.source.edges(data=True))
    values = [edge[-1].get(weight, 1) for edge in edges]
    without = [i for i, value in enumerate(values) if isnan(value)]
    if without and not ignore_nan:
        return _failing(f"NaN found as an edge weight. Edge {edges[without[0]]}")
    for i in reversed(without):
        del edges[i], values[i]
    weights = as_array(values, str(weight))
    source, target = (np.array([G.index[edge[end]] for edge in edges], np.int32) for end in (0, 1))
    return (edges[i] for i in _ordered(G, source, target, sign * weights, xp).tolist())


def _of_arcs(G: BackendGraph, sign: int, weight: Any, xp: Any) -> Iterator[tuple[Any, ...]]:
    """The same, of a graph without parallel edges and NaN: only the forest's edges are looked at."""
    offsets, target = G.adjacency
    source = expand_sources(offsets)
    once = source <= target  # as NetworkX lists edges
    source, target = source[once], target[once]
    given = G.arc_weights(weight)
    weights = np.ones(len(source), np.int64) if given is None else sign * given[once]
    order = _ordered(G, source, target, weights, xp)
    rows = G.source.adj
    ends = zip(G.nodes_of(source[order]), G.nodes_of(target[order]), strict=True)
    return ((u, v, rows[u][v]) for u, v in ends)


def _ordered(G: BackendGraph, source: Any, target: Any, weights: Any, xp: Any) -> Any:
    """Places of the forest's edges, the lightest first."""
    if xp is not np:
        return lightest_edges(len(G), source, target, weights, xp)
    chosen = boruvka(len(G), source, target, weights)
    return chosen[np.argsort(weights[chosen], kind="stable")]


def _failing(message: str) -> Iterator[tuple[Any, ...]]:
    """NetworkX finds it at the first edge that is asked for."""
    raise ValueError(message)
    yield
