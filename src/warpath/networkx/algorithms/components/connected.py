"""Connected components."""

from collections.abc import Iterator
from typing import Any, Unpack

import networkx as nx
import numpy as np

from warpath.graph.components import connected_components as components_of
from warpath.networkx.breadth_first import search
from warpath.networkx.device_keyword import Device, only_on_the_cpu
from warpath.networkx.graph import BackendGraph
from warpath.networkx.registry import COMPONENTS, COUNT_COMPONENTS, implements
from warpath.networkx.results import node_set

_UNDEFINED = "Connectivity is undefined for the null graph."


@implements(COMPONENTS)
def connected_components(G: BackendGraph, **where: Unpack[Device]) -> Iterator[set[Any]]:
    """Sets of nodes, the one with the first node first."""
    only_on_the_cpu("connected_components", **where)
    yield from components(G)


@implements(COUNT_COMPONENTS)
def number_connected_components(G: BackendGraph, **where: Unpack[Device]) -> int:
    """How many there are."""
    only_on_the_cpu("number_connected_components", **where)
    return components_of(G.to_graph())[1]


@implements(COMPONENTS)
def is_connected(G: BackendGraph, **where: Unpack[Device]) -> bool:
    """Whether there is one."""
    only_on_the_cpu("is_connected", **where)
    return is_one(G)


@implements(COMPONENTS)
def node_connected_component(G: BackendGraph, n: Any, **where: Unpack[Device]) -> set[Any]:
    """The nodes of the component that a node is in."""
    only_on_the_cpu("node_connected_component", **where)
    return node_set(G, search(G.adjacency, G.index[n]).order)


def components(G: BackendGraph) -> Iterator[set[Any]]:
    """Weakly connected components."""
    labels, count = components_of(G.to_graph())
    order = np.argsort(labels, kind="stable")
    ends = np.flatnonzero(np.diff(labels[order])) + 1
    nodes = G.nodes_of(order)
    begin = 0
    for end in [*ends.tolist(), len(nodes)][:count]:
        yield set(nodes[begin:end])
        begin = end


def is_one(G: BackendGraph) -> bool:
    """Whether there is one weakly connected component."""
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept(_UNDEFINED)
    return components_of(G.to_graph())[1] == 1
