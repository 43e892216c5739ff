"""Dijkstra's algorithm from many sources to some targets, by `warpath.cpu.local_dijkstra`.

One kernel call makes all searches, one after the other on each thread. A search ends when its last
target is settled. So a search of a thousand vertices costs the same in a graph of a thousand or of a
hundred million.

No sum wraps: `warpath.algorithms.all_pairs.target_rows.TargetRows` takes only graphs whose longest path fits.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.arcs import arcs_of
from warpath.cpu.heap import Heap, new_heap
from warpath.cpu.local_dijkstra import ARCS, COUNTS, Goal, Space, Start, search
from warpath.cpu.unsigned import unsigned
from warpath.graph.distance import unreachable
from warpath.graph.graph import Graph
from warpath.parallel import team, thread_count
from warpath.parallel.atomics import atomic_add
from warpath.parallel.jit import compiled
from warpath.parallel.sync import stopping


@compiled
def _rows(  # type: ignore[no-untyped-def]
    thread, threads, sync, arcs, sources, columns, goal, spaces, unreached, rows, ended, claimed
):
    """Take one source after the other; a search's number is its row plus one."""
    met, distance, heaps = spaces.met[thread], spaces.distance[thread], spaces.heap
    heap = Heap(heaps.items[thread], heaps.keys[thread], heaps.place[thread])
    space = Space(met, distance, None, heap, spaces.counts[thread])
    zero = distance.dtype.type(0)
    while True:
        row = atomic_add(claimed, 0, 1)
        if row >= sources.shape[0] or stopping(sync):
            break
        start = Start(np.uint32(row + 1), np.uint64(sources[row]), zero, zero)
        ended[row] = search(sync, arcs, arcs.weights, space, start, goal, None)[1]
        if ended[row]:
            for j in range(columns.shape[0]):
                v = columns[j]
                rows[row, j] = distance[v] if met[v] == start.number else unreached


def dijkstra_to_targets(
    graph: Graph,
    weights: NDArray[Any] | None,
    sources: NDArray[np.int32],
    targets: NDArray[np.int32],
    cutoff: Any,
    budget: int,
    distance: NDArray[Any],
) -> tuple[NDArray[np.bool_], int]:
    """Fill ``distance``, shape (k, t), from each source to each target; no weight is negative.

    Parameters
    ----------
    weights : array, shape (m,), or None
        As of `warpath.cpu.delta_stepping.delta_stepping`; None: each arc counts 1.
    sources : int32 array, shape (k,)
    targets : int32 array, shape (t,)
    cutoff : number
        The greatest distance.
    budget : int
        A search gives up where it would look at more arcs.

    Returns
    -------
    ended : bool array, shape (k,)
        False: the search gave up, and its row of ``distance`` is not filled.
    arcs : int
        How many arcs all searches looked at.

    Notes
    -----
    Asks for 12 bytes per vertex and two distances for each thread, and one byte per vertex, and touches
    those of vertices that it meets.
    """
    n, dtype = graph.num_vertices, distance.dtype.type
    threads = min(thread_count.num_threads(), len(sources))
    is_target = np.zeros(n, bool)
    is_target[targets] = True
    ended = np.zeros(len(sources), bool)
    goal = Goal(is_target, len(np.unique(targets)), dtype(cutoff), np.uint64(budget))
    shape = threads, n
    spaces = Space(
        met=np.zeros(shape, np.uint32),
        distance=np.empty(shape, dtype),
        predecessor=None,
        heap=new_heap(shape, dtype),
        counts=np.zeros((threads, COUNTS), np.int64),
    )
    team.run(
        _rows, threads, arcs_of(graph, weights), unsigned(sources), unsigned(targets), goal, spaces,
        unreachable(dtype), distance, ended, np.zeros(1, np.int64),
    )  # fmt: skip
    return ended, int(spaces.counts[:, ARCS].sum())
