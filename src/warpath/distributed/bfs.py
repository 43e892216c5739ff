"""Breadth-first search of a graph in parts: top-down and bottom-up.

- Top-down, a rank expands the part of the frontier that it owns. It tells owners which of their
  vertices it found, and from which vertex: 8 bytes each, and each once in a search.
- Bottom-up, owners first tell which vertices are in the frontier: a bit for each place where a vertex
  is a ghost. That is never more than an all-gather of a bitmap of all vertices, and on a road network
  almost nothing.
- The direction is chosen by the counts of all ranks, as `warpath.cpu.levels` does.

A predecessor is the smallest of all: bottom-up the first in a row, since rows are in the order of ids;
top-down the least that this rank, and then the owner, has seen. So no sweep is needed at the end, which would
look at most arcs again.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.unsigned import ONE
from warpath.distributed.graph import DistributedGraph
from warpath.parallel import team
from warpath.parallel.jit import compiled
from warpath.planning.breadth_first import ALPHA, BETA

Array = NDArray[Any]

UNREACHED = -1
# Bottom-up needs a frontier with this share of the edges of all earlier levels: `warpath.cpu.levels`.
_GROWTH = 0.25
_LOW, _WORD = np.uint64(63), np.uint64(6)


class Levels(NamedTuple):
    """What a search found, and how.

    Attributes
    ----------
    distance : int32 array, shape (k,)
        Those of the part's vertices. A ghost's is right only after a `Part.pull`.
    predecessor : int32 array, shape (k,)
        Ids; those of owned vertices are right.
    frontier, edges : list of int
        Vertices of each level, and the arcs out of them, on all ranks.
    direction : list of str
    """

    distance: NDArray[np.int32]
    predecessor: NDArray[np.int32]
    frontier: list[int]
    edges: list[int]
    direction: list[str]


def levels_from(graph: DistributedGraph, source: int, depth_limit: int) -> Levels:
    """Distances of the vertices that this rank owns, up to ``depth_limit``."""
    part, transport = graph.part, graph.transport
    offsets = part.graph.row_offsets
    n, m = graph.num_vertices, graph.num_arcs
    distance = np.full(len(part.ids), UNREACHED, np.int32)
    frontier, following = (np.empty(part.end - part.begin, np.int32) for _ in range(2))
    ghosts = np.empty(len(part.ids) - len(frontier), np.int32)
    counts = np.zeros(3, np.int64)  # vertices found, arcs out of them, ghosts found
    start = part.number_of(source)
    if start is not None:
        distance[start] = 0
        frontier[0] = start
        counts[:2] = 1, offsets[start + 1] - offsets[start]

    found = Levels(distance, np.full(len(distance), -1, np.int32), [], [], [])
    bottom_up, unexplored, before = False, m, 0
    for level in range(depth_limit):
        vertices, edges = (int(count) for count in transport.reduce(counts[:2]))
        if vertices == 0:
            break
        if bottom_up:
            bottom_up = vertices >= before or vertices > n / BETA["cpu"]
        else:
            wide = edges > max(unexplored / ALPHA["cpu"], n / BETA["cpu"])
            bottom_up = wide and edges > (m - unexplored) * _GROWTH
        found.frontier.append(vertices)
        found.edges.append(edges)
        found.direction.append("bottom-up" if bottom_up else "top-down")
        mine = frontier[: counts[0]]
        counts[:] = 0
        if bottom_up:
            reverse = part.reverse
            team.run(
                _pull_level, 1, reverse.row_offsets, reverse.column_indices, offsets, part.ids,
                _frontier_bits(graph, distance, level), level, part.begin, part.end,
                distance, found.predecessor, following, counts,
            )  # fmt: skip
        else:
            team.run(
                _push_level, 1, offsets, part.graph.column_indices, part.ids, mine, level, part.begin, part.end,
                distance, found.predecessor, following, ghosts, counts,
            )  # fmt: skip
            others = np.sort(ghosts[: counts[2]])
            told, parents = part.push_values(transport, others, found.predecessor[others])
            team.run(
                _accept, 1, offsets, told, parents, level, distance, found.predecessor, following, counts
            )  # fmt: skip
        frontier, following = following, frontier
        unexplored, before = unexplored - edges, vertices
    return found


def _frontier_bits(graph: DistributedGraph, distance: Array, level: int) -> NDArray[np.uint64]:
    """Which of the part's vertices are in the frontier, on whichever rank: a bitmap."""
    part = graph.part
    flags = np.empty(-(-len(distance) // 64) * 64, bool)
    flags[len(distance) :] = False
    np.equal(distance, level, out=flags[: len(distance)])
    part.pull_flags(graph.transport, flags[: len(distance)])
    # Their owners know them: nothing needs to be told when a later level finds them.
    distance[flags[: len(distance)] & (distance < 0)] = level
    return np.packbits(flags, bitorder="little").view(np.uint64)


@compiled
def _push_level(  # type: ignore[no-untyped-def]
    thread, threads, sync, offsets, indices, ids, frontier, level, begin, end, distance, predecessor,
    following, ghosts, counts,
):  # fmt: skip
    """Expand the frontier: owned vertices go to the next one, ghosts to a list for their owners."""
    vertices: Any = 0
    edges: Any = 0
    others = 0
    for i in range(frontier.shape[0]):
        u = np.uint64(frontier[i])
        for arc in range(np.uint64(offsets[u]), np.uint64(offsets[u + ONE])):
            v = np.uint64(indices[arc])
            if distance[v] >= 0:
                if distance[v] == level + 1 and ids[u] < predecessor[v]:
                    predecessor[v] = ids[u]
                continue
            distance[v] = level + 1
            predecessor[v] = ids[u]
            if np.uint64(begin) <= v < np.uint64(end):
                following[vertices] = v
                vertices += 1
                edges += np.int64(offsets[v + ONE]) - np.int64(offsets[v])
            else:
                ghosts[others] = v
                others += 1
    counts[0], counts[1], counts[2] = vertices, edges, others


@compiled
def _accept(  # type: ignore[no-untyped-def]
    thread, threads, sync, offsets, told, parents, level, distance, predecessor, following, counts
):  # fmt: skip
    """Add the owned vertices that other ranks found."""
    for i in range(told.shape[0]):
        v = np.uint64(told[i])
        if distance[v] < 0:
            distance[v] = level + 1
            predecessor[v] = parents[i]
            following[counts[0]] = v
            counts[0] += 1
            counts[1] += np.int64(offsets[v + ONE]) - np.int64(offsets[v])
        elif distance[v] == level + 1 and parents[i] < predecessor[v]:
            predecessor[v] = parents[i]


@compiled
def _pull_level(  # type: ignore[no-untyped-def]
    thread, threads, sync, offsets, indices, out_offsets, ids, front, level, begin, end, distance, predecessor,
    following, counts
):  # fmt: skip
    """Look for a parent in the frontier of each unreached vertex that this rank owns."""
    vertices: Any = 0
    edges: Any = 0
    for v in range(np.uint64(begin), np.uint64(end)):
        if distance[v] >= 0:
            continue
        for arc in range(np.uint64(offsets[v]), np.uint64(offsets[v + ONE])):
            u = np.uint64(indices[arc])
            if (front[u >> _WORD] >> (u & _LOW)) & ONE:
                distance[v] = level + 1
                predecessor[v] = ids[u]
                following[vertices] = v
                vertices += 1
                edges += np.int64(out_offsets[v + ONE]) - np.int64(out_offsets[v])
                break
    counts[0], counts[1] = vertices, edges
