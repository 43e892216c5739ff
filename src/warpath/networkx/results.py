"""Results as NetworkX gives them: Python's own scalars, in dicts by node."""

from typing import Any

from numpy.typing import NDArray

from warpath.networkx.graph import BackendGraph


def by_node(G: BackendGraph, values: NDArray[Any]) -> dict[Any, Any]:
    """``{node: value}`` of all nodes, in the graph's order."""
    return dict(zip(G.names, values.tolist(), strict=True))


def by_vertex(G: BackendGraph, vertices: NDArray[Any], values: NDArray[Any]) -> dict[Any, Any]:
    """``{node: value}`` of some vertices, in their order."""
    return dict(zip(G.nodes_of(vertices), values.tolist(), strict=True))


def node_set(G: BackendGraph, vertices: NDArray[Any]) -> set[Any]:
    """The nodes of vertices."""
    return set(G.nodes_of(vertices))
