"""Triangles and clustering."""

from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.centrality.triangles import triangles_and_neighbours
from warpath.graph.arrays import module_for, to_host
from warpath.networkx.device_keyword import Device, engine
from warpath.networkx.graph import BackendGraph
from warpath.networkx.registry import CLUSTERING, NEVER, TRIANGLES, implements, unless_given

_KIND = "of undirected graphs without parallel edges alone"
_WEIGHTS = "triangles are counted, not weighed"


def _is_simple(G: Any, *args: Any, **kwargs: Any) -> bool | str:
    return not (G.is_directed() or G.is_multigraph()) or _KIND


def _without_weights(
    G: Any, nodes: Any = None, weight: Any = None, *args: Any, **kwargs: Any
) -> bool | str:
    return _is_simple(G) if weight is None else _WEIGHTS


@implements(unless_given("nodes", TRIANGLES, NEVER), can_run=_is_simple)
def triangles(G: BackendGraph, nodes: Any = None, **where: Unpack[Device]) -> Any:
    """How many triangles each node is in."""
    found = _counted(G, where)[0].tolist()
    return _chosen(G, nodes, found)


@implements(unless_given("nodes", CLUSTERING, NEVER), can_run=_without_weights)
def clustering(
    G: BackendGraph, nodes: Any = None, weight: Any = None, **where: Unpack[Device]
) -> Any:
    """The share of a node's pairs of neighbours that are neighbours."""
    return _chosen(G, nodes, _shares(G, where))


@implements(unless_given("nodes", CLUSTERING, NEVER), can_run=_without_weights)
def average_clustering(
    G: BackendGraph,
    nodes: Any = None,
    weight: Any = None,
    count_zeros: bool = True,
    **where: Unpack[Device],
) -> float:
    """The mean of `clustering`."""
    shares = clustering(G, nodes, **where).values()
    if not count_zeros:
        shares = [one for one in shares if abs(one) > 0]
    return sum(shares) / len(shares)  # type: ignore[no-any-return]


@implements(CLUSTERING, can_run=_is_simple)
def transitivity(G: BackendGraph, **where: Unpack[Device]) -> float:
    """The share of all pairs of neighbours that are neighbours."""
    count, degree = _counted(G, where)
    found = 2 * int(count.sum())
    return found / int((degree * (degree - 1)).sum()) if found else 0


def _counted(G: BackendGraph, where: Device) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Triangles, and neighbours, of each node."""
    xp = module_for(engine(**where))
    count, degree = triangles_and_neighbours(G.to_graph(), xp)
    return to_host(count), to_host(degree)


def _shares(G: BackendGraph, where: Device) -> list[Any]:
    """Clustering of each node; without triangles NetworkX's integer 0."""
    count, degree = _counted(G, where)
    pairs = degree * (degree - 1)
    shares = np.divide(2 * count, pairs, out=np.zeros(len(count)), where=pairs > 0)
    return [share or 0 for share in shares.tolist()]


def _chosen(G: BackendGraph, nodes: Any, values: list[Any]) -> Any:
    """The value of a node, or a dict of those of some nodes, or of all."""
    if nodes in G:
        return values[G.index[nodes]]
    return {node: values[G.index[node]] for node in G.source.nbunch_iter(nodes)}
