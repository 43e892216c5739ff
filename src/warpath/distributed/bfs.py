"""Breadth-first search of a graph in parts: top-down, bottom-up, and asynchronous.

- Top-down, a rank expands the part of the frontier that it owns. It tells owners which of their
  vertices it found, and from which vertex: 8 bytes each, and each once in a search.
- Bottom-up, owners first tell which vertices are in the frontier: a bit for each place where a vertex
  is a ghost. That is never more than an all-gather of a bitmap of all vertices, and on a road network
  almost nothing.
- Asynchronous, after many small levels, a rank goes on alone for a bucket of levels (`warpath.distributed.lowering`),
  since on a road network the exchanges of thousands of levels would cost more than the search.
- The direction is chosen by the counts of all ranks, as `warpath.cpu.levels` does.

A predecessor is the smallest of all: bottom-up the first in a row, since rows are in the order of ids;
else the least that this rank, and then the owner, has seen. So no sweep is needed at the end, which would
look at most arcs again.
"""

import numpy as np
from numpy.typing import NDArray

from warpath.distributed import level
from warpath.distributed.graph import DistributedGraph
from warpath.distributed.level import EDGES, FOUND, GHOSTS, Arguments, Level
from warpath.distributed.lowering import Searching
from warpath.distributed.sssp import Found
from warpath.graph.distance import unreachable
from warpath.parallel import team
from warpath.planning.breadth_first import ALPHA, BETA
from warpath.typing import BuildDeviceName

NONE = int(unreachable(np.int32))
NO_LIMIT = NONE - 1
# Bottom-up needs a frontier with this share of the edges of all earlier levels: `warpath.cpu.levels`.
_GROWTH = 0.25
# Asynchronous after this number of levels, each of fewer arcs per rank than the second, in buckets of
# the third number of levels: guesses
_SMALL_LEVELS, _SMALL, _BUCKET = 32, 1 << 14, 16


def levels_from(
    graph: DistributedGraph,
    sources: NDArray[np.int32],
    depth_limit: int,
    *,
    with_predecessors: bool = True,
) -> Found:
    """Distances from the nearest of some sources, up to ``depth_limit``; -1 where unreached."""
    part, transport = graph.part, graph.transport
    work = Level.of(part)
    this = work.arguments
    counts = this.counters
    starts = part.numbers_of(sources)
    offsets = part.graph.row_offsets
    this.distance[starts] = 0
    frontier, following = work.queues
    frontier[: len(starts)] = starts
    counts[FOUND], counts[EDGES] = len(starts), (offsets[starts + 1] - offsets[starts]).sum()

    found = Found(this.distance, this.predecessor, [], [], [], None)
    bottom_up, explored, before, small_levels = False, 0, 0, 0
    for depth in range(depth_limit):
        vertices, edges = (int(count) for count in transport.reduce(counts[[FOUND, EDGES]]))
        if vertices == 0:
            break
        bottom_up = next_is_bottom_up(graph, "cpu", bottom_up, vertices, edges, before, explored)
        small_levels = small_levels + 1 if not bottom_up and edges < _SMALL * transport.size else 0
        mine = frontier[: counts[FOUND]]
        if small_levels > _SMALL_LEVELS:
            _asynchronous(graph, this, found, mine, depth, depth_limit)
            break
        found.frontier.append(vertices)
        found.edges.append(edges)
        found.direction.append("bottom-up" if bottom_up else "top-down")
        counts[:] = 0
        if bottom_up:
            if found.direction[-2:-1] != ["bottom-up"]:
                work.run(level.mark_unreached)
            bits = _frontier_bits(graph, work, mine, depth)
            work.run(level.pull, bits, depth, following)
        else:
            work.run(level.push, mine, depth, following)
            others = np.sort(this.ghosts[: counts[GHOSTS]])
            told, (parents,), _ = part.push(transport, others, this.predecessor[others])
            if len(told):
                team.run(level.accept, 1, this, told, parents, depth, following)
        frontier, following = following, frontier
        explored, before = explored + edges, vertices
    own = np.empty((2, part.end - part.begin), np.int32)
    work.run(level.write_owned, own[0], own[1])
    return found._replace(distance=own[0], predecessor=own[1] if with_predecessors else None)


def next_is_bottom_up(
    graph: DistributedGraph, device: BuildDeviceName, bottom_up: bool, vertices: int, edges: int,
    before: int, explored: int,
) -> bool:  # fmt: skip
    """The direction of a level, as `warpath.cpu.levels` chooses it.

    Parameters
    ----------
    bottom_up : bool
        Whether the level before was.
    vertices, edges : int
        Those of the frontier, on all ranks.
    before, explored : int
        Vertices of the frontier before, and the edges of all earlier ones.
    """
    alpha, beta = ALPHA[device], BETA[device]
    if bottom_up:
        return vertices >= before or vertices > graph.num_vertices / beta
    unexplored = graph.num_arcs - explored
    wide = edges > max(unexplored / alpha, graph.num_vertices / beta)
    return wide and edges > explored * _GROWTH


def _asynchronous(
    graph: DistributedGraph,
    this: Arguments,
    found: Found,
    frontier: NDArray[np.int32],
    depth: int,
    depth_limit: int,
) -> None:
    """Go on from a frontier in buckets of levels."""
    search = Searching(graph, this.distance, this.predecessor, None, cutoff=depth_limit)
    search.begin(frontier)
    limit = depth + _BUCKET
    while True:
        step = search.step(np.int32(limit))
        found.frontier.append(step.expanded)
        found.edges.append(step.relaxed)
        found.direction.append("asynchronous")
        if step.is_done:
            if step.least == NONE:
                return
            limit = min(int(step.least) + _BUCKET, NONE)
            search.split(np.int32(limit))


def _frontier_bits(
    graph: DistributedGraph, work: Level, frontier: NDArray[np.int32], depth: int
) -> NDArray[np.uint64]:
    """Which of the part's vertices are in the frontier, on whichever rank: a bitmap."""
    part = graph.part
    flags = np.zeros(-(-len(part.ids) // 64) * 64, bool)
    flags[frontier] = True
    part.pull_flags(graph.transport, flags[: len(part.ids)])
    # Their owners know them: nothing needs to be told when a later level finds them.
    work.run(level.know_ghosts, flags, depth)
    return np.packbits(flags, bitorder="little").view(np.uint64)
