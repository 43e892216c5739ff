"""Where searches start."""

import numpy as np

from warpath.algorithms.traversal.bfs import bfs
from warpath.graph.arrays import to_host
from warpath.graph.components import largest_component
from warpath.graph.graph import Graph


def draw(graph: Graph, count: int, seed: int) -> list[int]:
    """``count`` vertices of the largest component, drawn by ``seed``, all different if there are enough.

    In a directed graph they are from the strongly connected component of the vertex with most arcs:
    from each of its vertices a search reaches the same ones. (In the largest weak component many reach
    nothing.)
    """
    if graph.directed:
        hub, there = int(graph.degree.argmax()), graph.device
        ahead = bfs(graph, hub, predecessors=False, device=there).distance >= 0
        behind = bfs(graph.reverse, hub, predecessors=False, device=there).distance >= 0
        members = np.flatnonzero(to_host(ahead & behind))
    else:
        members = largest_component(graph)
    if not len(members):
        return []
    rng = np.random.default_rng(seed)
    drawn: list[int] = rng.choice(members, count, replace=len(members) < count).tolist()
    return drawn
