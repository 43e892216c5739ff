"""Strongly connected components."""

from collections.abc import Iterator
from typing import Any, Unpack

import networkx as nx
import numpy as np

from warpath.algorithms.traversal.strong_components import (
    strongly_connected_components as components_of,
)
from warpath.cpu.depth_first_components import depth_first_components
from warpath.graph.arrays import to_host
from warpath.networkx.algorithms.components.connected import in_parts
from warpath.networkx.device_keyword import Device, engine
from warpath.networkx.graph import BackendGraph
from warpath.networkx.registry import COMPONENTS, COUNT_COMPONENTS, implements


@implements(COMPONENTS)
def strongly_connected_components(G: BackendGraph, **where: Unpack[Device]) -> Iterator[set[Any]]:
    """Sets of nodes, in the order in which NetworkX's depth-first search ends them."""
    if engine(**where) == "cuda":  # in the order of their first nodes
        yield from in_parts(G, *_on_gpu(G))
        return
    component, count = depth_first_components(*G.adjacency)
    nodes = G.nodes_of(np.argsort(component, kind="stable"))
    ends = np.cumsum(np.bincount(component, minlength=count)).tolist()
    for begin, end in zip([0, *ends], ends, strict=False):
        yield set(nodes[begin:end])


@implements(COUNT_COMPONENTS)
def number_strongly_connected_components(G: BackendGraph, **where: Unpack[Device]) -> int:
    """How many there are."""
    return _number(G, where)


@implements(COUNT_COMPONENTS)
def is_strongly_connected(G: BackendGraph, **where: Unpack[Device]) -> bool:
    """Whether there is one."""
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return _number(G, where) == 1


def _number(G: BackendGraph, where: Device) -> int:
    if engine(**where) == "cuda":
        return _on_gpu(G)[1]
    return depth_first_components(*G.adjacency)[1]


def _on_gpu(G: BackendGraph) -> tuple[Any, int]:
    """Labels, NumPy's, and their number."""
    labels, count = components_of(G.to_graph(), device="cuda")
    return to_host(labels), count
