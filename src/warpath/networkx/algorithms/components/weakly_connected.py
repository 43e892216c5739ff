"""Weakly connected components."""

from collections.abc import Iterator
from typing import Any, Unpack

from warpath.graph.components import connected_components
from warpath.networkx.algorithms.components.connected import components, is_one
from warpath.networkx.device_keyword import Device, only_on_the_cpu
from warpath.networkx.graph import BackendGraph
from warpath.networkx.registry import COMPONENTS, COUNT_COMPONENTS, implements


@implements(COMPONENTS)
def weakly_connected_components(G: BackendGraph, **where: Unpack[Device]) -> Iterator[set[Any]]:
    """Sets of nodes, the one with the first node first."""
    only_on_the_cpu("weakly_connected_components", **where)
    yield from components(G)


@implements(COUNT_COMPONENTS)
def number_weakly_connected_components(G: BackendGraph, **where: Unpack[Device]) -> int:
    """How many there are."""
    only_on_the_cpu("number_weakly_connected_components", **where)
    return connected_components(G.to_graph())[1]


@implements(COMPONENTS)
def is_weakly_connected(G: BackendGraph, **where: Unpack[Device]) -> bool:
    """Whether there is one."""
    only_on_the_cpu("is_weakly_connected", **where)
    return is_one(G)
