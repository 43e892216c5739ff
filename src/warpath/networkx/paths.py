"""Paths as lists of nodes, from the predecessors that a search leaves behind."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.networkx.finalization_order import Found
from warpath.networkx.graph import BackendGraph


def paths_by_node(G: BackendGraph, found: Found, from_root: bool = True) -> dict[Any, list[Any]]:
    """``{node: path}`` of what a search found, in its order.

    Parameters
    ----------
    G : BackendGraph
    found : Found
    from_root : bool
        Whether paths begin at the root, or end there.
    """
    nodes, parents = G.nodes_of(found.order), found.predecessor[found.order].tolist()
    paths: list[Any] = [None] * len(G)
    paths.append([])  # of vertex -1: before a root there is nothing
    for v, u, node in zip(found.order.tolist(), parents, nodes, strict=True):
        before = paths[u]
        if before is None:
            before = _fill(G, found.predecessor, u, paths, from_root)
        paths[v] = [*before, node] if from_root else [node, *before]
    return {node: paths[v] for v, node in zip(found.order.tolist(), nodes, strict=True)}


def _fill(
    G: BackendGraph, predecessor: NDArray[np.int32], v: int, paths: list[Any], from_root: bool
) -> list[Any]:
    """The path of a vertex whose predecessors' are not all there yet."""
    behind = []
    while paths[v] is None:
        behind.append(v)
        v = int(predecessor[v])
    path: list[Any] = paths[v]
    for v in reversed(behind):
        path = paths[v] = [*path, G.names[v]] if from_root else [G.names[v], *path]
    return path


def path_to(G: BackendGraph, found: Found, v: int) -> list[Any]:
    """The path from the root to one vertex."""
    path = [v]
    while (v := int(found.predecessor[v])) >= 0:
        path.append(v)
    return G.nodes_of(path[::-1])
