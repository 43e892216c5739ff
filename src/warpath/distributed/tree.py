"""Predecessors, from final distances: of all that make a vertex's distance, the one with the smallest id.

So they do not depend on the number of ranks, nor on the order in which vertices were found. An arc
u → v is *tight* if d(u) + w is d(v). Where d(u) < d(v), too, tight arcs close no cycle. The other vertices
owe their distance to arcs that do not lengthen a path (weight 0, or a float too small to change it).
They follow in rounds, each from vertices of the rounds before it.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.relax import add
from warpath.cpu.unsigned import ONE
from warpath.distributed.graph import DistributedGraph
from warpath.parallel import team
from warpath.parallel.jit import compiled

Array = NDArray[Any]


def predecessors(
    graph: DistributedGraph, sources: NDArray[np.int32], distance: Array, none: Any
) -> NDArray[np.int32]:
    """The predecessor of each vertex that this rank owns: ids, -1 for others, sources and the unreached.

    Parameters
    ----------
    distance : array, shape (k,)
        Final distances of owned vertices; ghosts get theirs.
    none : number
        The distance of what is unreached.
    """
    part, transport = graph.part, graph.transport
    reverse = part.reverse
    part.pull(transport, distance)
    arcs = reverse.row_offsets, reverse.column_indices, reverse.weights, part.ids
    parent = np.full(len(part.ids), -1, np.int32)
    rooted = distance != none  # whether its tree leads to the source; the unreached need none
    open_ = rooted.copy()
    rooted[:] = False
    starts = part.numbers_of(sources)
    rooted[starts], open_[starts] = True, False
    found = np.empty(part.end - part.begin, np.int32)
    found_count = np.zeros(1, np.int64)
    strict = True
    while True:
        team.run(
            _sweep, 1, *arcs, distance, none, part.begin, part.end, strict, rooted, open_, parent, found, found_count
        )  # fmt: skip
        new = found[: found_count[0]]
        rooted[new], open_[new] = True, False
        left = int(np.count_nonzero(open_[part.owned]))
        everywhere = transport.reduce(np.array([left, len(new)]))
        if everywhere[0] == 0 or (everywhere[1] == 0 and not strict):
            return parent
        strict = False
        part.pull_flags(transport, rooted)


@compiled
def _sweep(  # type: ignore[no-untyped-def]
    thread, threads, sync, offsets, indices, weights, ids, distance, none, begin, end, strict, rooted, open_,
    parent, found, found_count,
):  # fmt: skip
    """Find the predecessors of my open vertices, each the first one in a row.

    At first arcs must lead from a smaller distance. Then from a vertex with a predecessor.
    """
    count = 0
    for v in range(np.uint64(begin), np.uint64(end)):
        if not open_[v]:
            continue
        d = distance[v]
        for arc in range(np.uint64(offsets[v]), np.uint64(offsets[v + ONE])):
            u = np.uint64(indices[arc])
            du = distance[u]
            if du == none or (strict and not du < d) or (not strict and not rooted[u]):
                continue
            if add(du, weights[arc]) == d:
                parent[v] = ids[u]
                found[count] = v
                count += 1
                break
    found_count[0] = count
