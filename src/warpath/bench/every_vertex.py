"""Breadth-first search on the CPU that looks at every vertex in each level: figure 2 of Hong et al., PPoPP 2011.

What their speed-ups are over, and what their CPUs run. There is no queue: threads have equal shares of the
vertices, and those of the current level mark their unvisited neighbours. Several threads may mark one, with the same
value.
"""

import numpy as np
from numpy.typing import NDArray

import warpath
from warpath.cpu.arcs import arc_range, arcs_of
from warpath.graph.graph import Graph
from warpath.parallel.jit import compiled
from warpath.parallel.sync import barrier, share
from warpath.parallel.team import run


@compiled
def _search(thread, threads, sync, arcs, levels, found):  # type: ignore[no-untyped-def]
    """Fill ``levels``; ``found``, whether a level has vertices, has a place for three that follow each other."""
    begin, end = share(levels.shape[0], thread, threads)
    level = 0
    while found[level % 3] != 0:
        if thread == 0:
            found[(level + 2) % 3] = 0  # which was read before the last barrier
        for u in range(np.uint64(begin), np.uint64(end)):
            if levels[u] != level:
                continue
            first, last = arc_range(arcs, u)
            for arc in range(first, last):
                v = arcs.indices[arc]
                if levels[v] < 0:
                    levels[v] = level + 1
                    found[(level + 1) % 3] = 1
        if barrier(sync, threads):  # the next level is complete
            return
        level += 1


def search(graph: Graph, source: int) -> NDArray[np.int32]:
    """The level of each vertex, -1 where there is no path, by `warpath.num_threads` threads.

    Parameters
    ----------
    graph : Graph
    source : int

    Returns
    -------
    int32 array, shape (n,)
    """
    levels = np.full(graph.num_vertices, -1, np.int32)
    levels[source] = 0
    run(_search, warpath.num_threads(), arcs_of(graph), levels, np.array([1, 0, 0], np.int64))
    return levels
