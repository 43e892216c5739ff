"""Shortest paths between all nodes, as a matrix."""

from collections import defaultdict
from collections.abc import Sequence
from math import inf
from typing import Any, TypedDict, Unpack

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.all_pairs.apsp import apsp
from warpath.algorithms.all_pairs.matrix import AllPairs
from warpath.errors import NegativeCycleError
from warpath.graph.build import expand_sources
from warpath.graph.distance import unreachable
from warpath.networkx.graph import Arcs, BackendGraph
from warpath.networkx.registry import WorthIt, implements
from warpath.typing import ApspMethodName, DeviceName


class ByPairs(TypedDict, total=False):
    """Further keywords: `warpath.apsp` says what they mean."""

    device: DeviceName
    method: ApspMethodName


def _no_callables(G: Any, *args: Any, **kwargs: Any) -> bool | str:
    weight = kwargs.get("weight", args[-1] if args else "weight")
    return not callable(weight) or "NetworkX takes no weight function here"


@implements(WorthIt(300, 300), can_run=_no_callables)
def floyd_warshall_numpy(
    G: BackendGraph,
    nodelist: Sequence[Any] | None = None,
    weight: Any = "weight",
    **how: Unpack[ByPairs],
) -> NDArray[np.float64]:
    """The matrix of distances."""
    if nodelist is not None and not len(nodelist) == len(G) == len(set(nodelist)):
        raise nx.NetworkXError(
            "nodelist must contain every node in G with no repeats."
            "If you wanted a subgraph of G use G.subgraph(nodelist)"
        )
    found = _all_pairs(G, weight, False, **how)
    distance = np.asarray(found.distance, np.float64)
    distance[~_reached(found)] = inf
    if nodelist is None:
        return distance
    vertices = [G.index[node] for node in nodelist]
    return distance[np.ix_(vertices, vertices)]


@implements(WorthIt(40, 40), can_run=_no_callables)
def floyd_warshall_predecessor_and_distance(
    G: BackendGraph, weight: Any = "weight", **how: Unpack[ByPairs]
) -> tuple[dict[Any, dict[Any, Any]], dict[Any, dict[Any, Any]]]:
    """Predecessors and distances, dicts of dicts."""
    found = _all_pairs(G, weight, True, **how)
    assert found.predecessor is not None
    offsets, neighbors = G.adjacency
    loops = neighbors[neighbors == expand_sources(offsets)]
    found.predecessor[loops, loops] = loops  # as NetworkX has it
    predecessor: dict[Any, dict[Any, Any]] = {}
    for node, parents in zip(G, found.predecessor, strict=True):
        known = np.flatnonzero(parents >= 0)
        if len(known):
            predecessor[node] = dict(
                zip(G.nodes_of(known), G.nodes_of(parents[known]), strict=True)
            )
    return predecessor, _distances(G, found)


@implements(WorthIt(40, 40), can_run=_no_callables)
def floyd_warshall(
    G: BackendGraph, weight: Any = "weight", **how: Unpack[ByPairs]
) -> dict[Any, dict[Any, Any]]:
    """Distances, a dict of dicts."""
    return _distances(G, _all_pairs(G, weight, False, **how))


def _all_pairs(
    G: BackendGraph, weight: str | None, predecessors: bool, **how: Unpack[ByPairs]
) -> AllPairs:
    """`warpath.apsp`; an edge without the attribute weighs 1.0, not 1 as elsewhere.

    Raises
    ------
    NotImplementedError
        If there is a negative cycle, or other weights in each direction: what NetworkX answers
        then depends on its loops.
    """
    G.check_symmetric(weight)
    try:
        arcs = Arcs(G.adjacency, G.attribute(weight, 1.0))
        graph = G.graph_by(arcs, symmetric=True)
        return apsp(graph, predecessors=predecessors, **how).to_numpy()
    except (NegativeCycleError, OverflowError) as error:
        raise NotImplementedError(str(error)) from None


def _reached(found: AllPairs) -> NDArray[np.bool_]:
    reached: NDArray[np.bool_] = found.distance != unreachable(found.distance.dtype)
    return reached


def _distances(G: BackendGraph, found: AllPairs) -> dict[Any, dict[Any, Any]]:
    distance: dict[Any, dict[Any, Any]] = {}
    reached = _reached(found)
    for u, (node, row) in enumerate(zip(G, found.distance, strict=True)):
        values = row.tolist()
        values[u] = 0
        if not reached[u].all():
            for v in np.flatnonzero(~reached[u]).tolist():
                values[v] = inf
        distance[node] = defaultdict(_infinite, zip(G.names, values, strict=True))
    return distance


def _infinite() -> float:
    return inf
