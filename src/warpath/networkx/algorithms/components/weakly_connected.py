"""Weakly connected components."""

from collections.abc import Iterator
from typing import Any

from warpath.graph.components import connected_components
from warpath.networkx.algorithms.components.connected import components, is_one
from warpath.networkx.graph import BackendGraph
from warpath.networkx.registry import implements


@implements(fresh=None, cached=1000)
def weakly_connected_components(G: BackendGraph) -> Iterator[set[Any]]:
    """Sets of nodes, the one with the first node first."""
    yield from components(G)


@implements(fresh=30_000, cached=1000)
def number_weakly_connected_components(G: BackendGraph) -> int:
    """How many there are."""
    return connected_components(G.to_graph())[1]


@implements(fresh=None, cached=1000)
def is_weakly_connected(G: BackendGraph) -> bool:
    """Whether there is one."""
    return is_one(G)
