"""Connected components."""

from collections.abc import Iterator
from typing import Any, Unpack

import networkx as nx
import numpy as np

from warpath.algorithms.traversal.bfs import bfs
from warpath.algorithms.traversal.components import connected_components as components_of
from warpath.graph.arrays import to_host
from warpath.networkx.breadth_first import search
from warpath.networkx.device_keyword import Device, engine
from warpath.networkx.graph import BackendGraph
from warpath.networkx.registry import COMPONENTS, COUNT_COMPONENTS, implements
from warpath.networkx.results import node_set

_UNDEFINED = "Connectivity is undefined for the null graph."


@implements(COMPONENTS)
def connected_components(G: BackendGraph, **where: Unpack[Device]) -> Iterator[set[Any]]:
    """Sets of nodes, the one with the first node first."""
    yield from in_parts(G, *labels(G, where))


@implements(COUNT_COMPONENTS)
def number_connected_components(G: BackendGraph, **where: Unpack[Device]) -> int:
    """How many there are."""
    return labels(G, where)[1]


@implements(COMPONENTS)
def is_connected(G: BackendGraph, **where: Unpack[Device]) -> bool:
    """Whether there is one."""
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept(_UNDEFINED)
    return labels(G, where)[1] == 1


@implements(COMPONENTS)
def node_connected_component(G: BackendGraph, n: Any, **where: Unpack[Device]) -> set[Any]:
    """The nodes of the component that a node is in."""
    if engine(**where) == "cuda":
        reached = bfs(G.to_graph(), G.index[n], predecessors=False, device="cuda").distance >= 0
        return node_set(G, np.flatnonzero(to_host(reached)))
    return node_set(G, search(G.adjacency, G.index[n]).order)


def labels(G: BackendGraph, where: Device) -> tuple[Any, int]:
    """The label of each node's weakly connected component, and how many there are."""
    found, count = components_of(G.to_graph(), device=engine(**where))
    return to_host(found), count


def in_parts(G: BackendGraph, labels: Any, count: int) -> Iterator[set[Any]]:
    """The nodes of each label, the smallest label first."""
    order = np.argsort(labels, kind="stable")
    ends = np.flatnonzero(np.diff(labels[order])) + 1
    nodes = G.nodes_of(order)
    begin = 0
    for end in [*ends.tolist(), len(nodes)][:count]:
        yield set(nodes[begin:end])
        begin = end
