"""Strongly connected components."""

from collections.abc import Iterator
from typing import Any, Unpack

import networkx as nx
import numpy as np

from warpath.cpu.depth_first_components import depth_first_components
from warpath.networkx.device_keyword import Device, only_on_the_cpu
from warpath.networkx.graph import BackendGraph
from warpath.networkx.registry import COMPONENTS, COUNT_COMPONENTS, implements


@implements(COMPONENTS)
def strongly_connected_components(G: BackendGraph, **where: Unpack[Device]) -> Iterator[set[Any]]:
    """Sets of nodes, in the order in which NetworkX's depth-first search ends them."""
    only_on_the_cpu("strongly_connected_components", **where)
    component, count = depth_first_components(*G.adjacency)
    nodes = G.nodes_of(np.argsort(component, kind="stable"))
    ends = np.cumsum(np.bincount(component, minlength=count)).tolist()
    for begin, end in zip([0, *ends], ends, strict=False):
        yield set(nodes[begin:end])


@implements(COUNT_COMPONENTS)
def number_strongly_connected_components(G: BackendGraph, **where: Unpack[Device]) -> int:
    """How many there are."""
    only_on_the_cpu("number_strongly_connected_components", **where)
    return depth_first_components(*G.adjacency)[1]


@implements(COUNT_COMPONENTS)
def is_strongly_connected(G: BackendGraph, **where: Unpack[Device]) -> bool:
    """Whether there is one."""
    only_on_the_cpu("is_strongly_connected", **where)
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return depth_first_components(*G.adjacency)[1] == 1
