"""Breadth-first search of a graph in parts on GPUs: as `warpath.distributed.bfs` on CPUs, a launch per level.

- Top-down, a rank expands the part of the frontier that it owns, and tells owners which of their vertices it found:
  4 bytes each, and each once in a search.
- Bottom-up, owners first tell which vertices are in the frontier: a bit for each place where a vertex is a
  ghost.
- The direction is chosen by the counts of all ranks.

Predecessors are found at the end, by a sweep of all arcs, so that none travel.
"""

import numpy as np
from numpy.typing import NDArray

from warpath.cuda.pull_level import pull_level
from warpath.distributed.bfs import next_is_bottom_up
from warpath.distributed.gpu.operators import relax
from warpath.distributed.gpu.part import GpuPart
from warpath.distributed.gpu.tree import predecessors
from warpath.distributed.graph import DistributedGraph
from warpath.distributed.sssp import Found
from warpath.graph.distance import unreachable

_NONE = np.int32(unreachable(np.int32))


def levels_from(
    graph: DistributedGraph,
    sources: NDArray[np.int32],
    depth_limit: int,
    *,
    with_predecessors: bool = True,
) -> Found:
    """Distances from the nearest of some sources, up to ``depth_limit``; -1 where unreached."""
    part, transport = graph.part, graph.transport
    assert isinstance(part, GpuPart)
    xp, (arcs, reverse) = part.xp, part.arcs(weighted=False)
    distance = xp.full(len(part.ids), _NONE, np.int32)
    starts = part.numbers_of(sources)
    distance[starts] = 0
    found = Found(distance, distance, [], [], [], None)
    bottom_up, explored, before = False, 0, 0
    for level in range(min(depth_limit, int(_NONE) - 1)):
        frontier = part.owned_where(distance == level)
        degrees = arcs.row_offsets[frontier + 1] - arcs.row_offsets[frontier]
        counts = [len(frontier), int(degrees.sum(dtype=np.int64))]
        vertices, edges = transport.reduce(counts).tolist()
        if vertices == 0:
            break
        bottom_up = next_is_bottom_up(graph, "cuda", bottom_up, vertices, edges, before, explored)
        found.frontier.append(vertices)
        found.edges.append(edges)
        found.direction.append("bottom-up" if bottom_up else "top-down")
        if bottom_up:
            in_frontier = distance == level
            part.pull_flags(transport, in_frontier)
            # Owners know these: nothing needs to be told when a later level finds them.
            distance = xp.where(in_frontier, np.int32(level), distance)
            if reverse.num_arcs:
                pull_level(reverse, distance <= level, distance, level + 1)
        else:
            relax(arcs, frontier, distance, np.int32(level + 2), _NONE, once=True)
            ghosts = part.ghosts_where(distance == level + 1)
            told, _, _ = part.push(transport, ghosts)
            distance[told] = xp.minimum(distance[told], np.int32(level + 1))
        explored, before = explored + edges, vertices
    own, parents = distance[part.owned], None
    if with_predecessors:
        parents = predecessors(transport, part, starts, distance, _NONE, weighted=False)
        parents = parents[part.owned].copy()
    own = xp.where(own == _NONE, np.int32(-1), own)
    return found._replace(distance=own, predecessor=parents)
