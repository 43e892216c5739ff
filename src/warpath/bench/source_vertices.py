"""Where searches start."""

import numpy as np

from warpath.algorithms.traversal.bfs import bfs
from warpath.algorithms.traversal.components import connected_components
from warpath.graph.arrays import module_for, to_host
from warpath.graph.graph import Graph


def draw(graph: Graph, count: int, seed: int) -> list[int]:
    """``count`` vertices of the largest component, drawn by ``seed``, all different if there are enough.

    In a directed graph they are from the strongly connected component of the vertex with most arcs:
    from each of its vertices a search reaches the same ones. (In the largest weak component many reach
    nothing.) They are found where the graph is: one on a GPU is not copied to the host.
    """
    there = graph.device
    xp = module_for(there)
    if graph.num_vertices == 0:
        return []
    if graph.directed:
        hub = int(graph.degree.argmax())
        ahead = bfs(graph, hub, predecessors=False, device=there).distance >= 0
        behind = bfs(graph.reverse, hub, predecessors=False, device=there).distance >= 0
        members = xp.flatnonzero(ahead & behind)
    else:
        labels, _ = connected_components(graph, device=there)
        members = xp.flatnonzero(labels == xp.bincount(labels).argmax())
    rng = np.random.default_rng(seed)
    places = rng.choice(len(members), count, replace=len(members) < count)
    drawn: list[int] = to_host(members[xp.asarray(places)]).tolist()
    return drawn
