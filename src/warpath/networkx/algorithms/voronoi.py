"""Voronoi cells."""

from typing import Any, Unpack

from warpath.networkx.algorithms.shortest_paths.weighted import vertices_of
from warpath.networkx.graph import BackendGraph
from warpath.networkx.registry import DIJKSTRA, implements
from warpath.networkx.shortest import How, Weighted


@implements(DIJKSTRA)
def voronoi_cells(
    G: BackendGraph, center_nodes: Any, weight: Any = "weight", **how: Unpack[How]
) -> dict[Any, set[Any]]:
    """The nodes that are nearest to each center; of as near ones, that which NetworkX has."""
    found = Weighted(G, weight, **how).dijkstra(vertices_of(G, center_nodes))
    before, names = found.predecessor.tolist(), G.names
    cells: dict[Any, set[Any]] = {}
    cell_of: dict[int, set[Any]] = {}
    for v in found.order.tolist():
        if before[v] < 0:
            cell_of[v] = cells[names[v]] = {names[v]}
        else:
            cell_of[v] = cell_of[before[v]]
            cell_of[v].add(names[v])
    if len(found.order) < len(G):
        cells["unreachable"] = set(names).difference(*cells.values())
    return cells
