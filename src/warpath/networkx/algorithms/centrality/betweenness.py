"""Betweenness centrality, of nodes and of edges."""

from typing import Any, Unpack

import numpy as np
from networkx.utils import create_py_random_state
from numpy.typing import NDArray

from warpath.algorithms.centrality import brandes
from warpath.algorithms.centrality.betweenness import (
    dependencies,
    other_arc,
    positive_weights,
    scales,
)
from warpath.graph.arrays import module_for, to_host
from warpath.graph.graph import Graph
from warpath.networkx.device_keyword import Device, engine
from warpath.networkx.graph import BackendGraph
from warpath.networkx.registry import FROM_EACH, TO_TARGET, WorthIt, implements
from warpath.networkx.results import by_node
from warpath.networkx.summaries import left_to_networkx
from warpath.networkx.versions import VERSION

Array = NDArray[Any]

_FEW = 10  # searches, which take NetworkX no longer than a call of ours


def _worth_it(G: Any, k: int | None = None, *args: Any, **kwargs: Any) -> WorthIt:
    return FROM_EACH if k is None or k >= _FEW else TO_TARGET


@implements(_worth_it)
def betweenness_centrality(
    G: BackendGraph,
    k: int | None = None,
    normalized: bool = True,
    weight: Any = None,
    endpoints: bool = False,
    seed: Any = None,
    **where: Unpack[Device],
) -> dict[Any, float]:
    """The part of all shortest paths that pass each node."""
    if k == len(G) and VERSION >= (3, 5):
        k = None
    starts = _starts(G, k, seed)
    sums = _sums(G, weight, starts, where, endpoints=endpoints)
    directed, n = G.is_directed(), len(G)
    scale: Any
    if VERSION >= (3, 5):
        scale = scales(n, starts, np, directed=directed, normalized=normalized, endpoints=endpoints)
    else:
        scale = _scale_of_3_4(n, k, directed, normalized, endpoints)
    return by_node(G, to_host(sums.passing) * scale)


@implements(_worth_it)
def edge_betweenness_centrality(
    G: BackendGraph,
    k: int | None = None,
    normalized: bool = True,
    weight: Any = None,
    seed: Any = None,
    **where: Unpack[Device],
) -> dict[Any, float]:
    """The part of all shortest paths that pass each edge."""
    starts = _starts(G, k, seed)
    sums = _sums(G, weight, starts, where, arcs=True)
    directed, n = G.is_directed(), len(G)
    every = starts if VERSION >= (3, 6) else np.arange(n, dtype=np.int32)  # k did not count before
    scale = scales(n, every, np, directed=directed, normalized=normalized, endpoints=True)
    found = _of_pairs(G, to_host(sums.on_arcs), G.to_graph(weight), scale)
    return _of_keys(G, found, weight) if G.is_multigraph() else found


def _starts(G: BackendGraph, k: int | None, seed: Any) -> NDArray[np.int32]:
    """The vertices to search from: those that NetworkX's random numbers give."""
    if k is None:
        return np.arange(len(G), dtype=np.int32)
    chosen = create_py_random_state(seed).sample(range(len(G)), k)
    return np.array(chosen, np.int32)


def _sums(
    G: BackendGraph,
    weight: Any,
    starts: NDArray[np.int32],
    where: Device,
    *,
    endpoints: bool = False,
    arcs: bool = False,
) -> brandes.Dependencies:
    xp = module_for(engine(**where))
    graph = G.to_graph(weight)
    if graph.num_arcs < G.num_arcs:
        raise NotImplementedError("a weight function that returns None")
    with left_to_networkx():
        weights = positive_weights(graph)
        if xp is not np:
            return brandes.dependencies(
                graph, starts, weights, xp, endpoints=bool(endpoints), arcs=arcs
            )
        return dependencies(graph, starts, weights, endpoints=bool(endpoints), arcs=arcs)


def _scale_of_3_4(
    n: int, k: int | None, directed: bool, normalized: bool, endpoints: bool
) -> float:
    """NetworkX 3.4 makes nothing of it that a source is no end of its own paths."""
    ends = n if endpoints else n - 1
    if normalized and ends < 2:
        return 1.0
    if not normalized and directed:
        return 1.0
    scale = 1 / (ends * (ends - 1)) if normalized else 0.5
    return scale if k is None else scale * n / k


def _of_pairs(G: BackendGraph, values: Array, graph: Graph, scale: Any) -> dict[Any, float]:
    """``{(u, v): value}`` in the order of ``G.edges``, parallel edges as one."""
    offsets, neighbors = G.adjacency
    sources = np.repeat(np.arange(len(G), dtype=np.int32), np.diff(offsets))
    if graph.directed and not G.is_directed():  # a weight function that differs by direction
        values = values + values[other_arc(graph.without_weights())]
    there = np.empty(len(values))
    there[np.lexsort((neighbors, sources))] = values * scale  # the graph's rows are sorted
    if not G.is_directed():
        once = sources <= neighbors
        sources, neighbors, there = sources[once], neighbors[once], there[once]
    pairs = zip(G.nodes_of(sources), G.nodes_of(neighbors), strict=True)
    return dict(zip(pairs, there.tolist(), strict=True))


def _of_keys(G: BackendGraph, found: dict[Any, float], weight: Any) -> dict[Any, float]:
    """Share what two nodes have among the edges between them that weigh the least."""
    shared = dict.fromkeys(G.source.edges, 0.0)
    for (u, v), value in found.items():
        edges = G.source[u][v]
        lightest = _least(weight, u, v, edges)
        keys = [key for key in edges if _least(weight, u, v, {key: edges[key]}) == lightest]
        for key in keys:
            shared[u, v, key] = value / len(keys)
    return shared


def _least(weight: Any, u: Any, v: Any, edges: dict[Any, Any]) -> Any:
    """The weight of an edge of a multigraph."""
    if callable(weight):
        return weight(u, v, edges)
    return min(data.get(weight, 1) for data in edges.values())
