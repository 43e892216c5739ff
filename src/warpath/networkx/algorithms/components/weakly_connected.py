"""Weakly connected components."""

from collections.abc import Iterator
from typing import Any, Unpack

from warpath.networkx.algorithms.components.connected import (
    connected_components,
    is_connected,
    labels,
)
from warpath.networkx.device_keyword import Device
from warpath.networkx.graph import BackendGraph
from warpath.networkx.registry import COMPONENTS, COUNT_COMPONENTS, implements


@implements(COMPONENTS)
def weakly_connected_components(G: BackendGraph, **where: Unpack[Device]) -> Iterator[set[Any]]:
    """Sets of nodes, the one with the first node first."""
    yield from connected_components(G, **where)


@implements(COUNT_COMPONENTS)
def number_weakly_connected_components(G: BackendGraph, **where: Unpack[Device]) -> int:
    """How many there are."""
    return labels(G, where)[1]


@implements(COMPONENTS)
def is_weakly_connected(G: BackendGraph, **where: Unpack[Device]) -> bool:
    """Whether there is one."""
    return is_connected(G, **where)
