"""Dijkstra's algorithm from many sources, one after the other on each thread.

No sum wraps: `warpath.algorithms.all_pairs.rows.DijkstraRows` takes only graphs whose longest path fits.

On small graphs a call of a kernel takes longer than its search: here one call does them all.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.arcs import arcs_of
from warpath.cpu.dijkstra import settle
from warpath.cpu.heap import Heap, new_heap
from warpath.cpu.method import TOTALS, Search
from warpath.cpu.relax import ALGEBRAS
from warpath.cpu.unsigned import unsigned
from warpath.graph.distance import unreachable
from warpath.graph.graph import Graph
from warpath.parallel import team, thread_count
from warpath.parallel.atomics import atomic_add
from warpath.parallel.jit import compiled
from warpath.parallel.sync import stopping

_EDGES_PER_THREAD = 16384  # of all searches together: a guess


@compiled
def _rows(thread, threads, sync, search, heaps, keep, claimed):  # type: ignore[no-untyped-def]
    """Take one source after the other; without ``keep`` my predecessors go into one row of mine."""
    n = np.uint64(search.distance.shape[1])
    heap = Heap(heaps.items[thread], heaps.keys[thread], heaps.place[thread])
    row = atomic_add(claimed, 0, 1)
    while row < search.sources.shape[0] and not stopping(sync):
        one = Search(
            search.algebra, search.arcs, search.sources[row : row + 1], search.start, search.cutoff,
            search.unreached, search.target, search.signed, search.distance[row],
            search.predecessor[row if keep else thread], search.trace[thread], search.totals[thread],
        )  # fmt: skip
        settle(sync, one, heap, n)
        row = atomic_add(claimed, 0, 1)


def dijkstra_rows(
    graph: Graph,
    weights: NDArray[Any],
    sources: NDArray[np.int32],
    cutoff: Any,
    distance: NDArray[Any],
    predecessor: NDArray[np.int32] | None,
) -> None:
    """Fill one row of ``distance`` and ``predecessor`` for each source; no weight is negative.

    Parameters
    ----------
    graph : Graph
    weights : array, shape (m,)
        In the distances' dtype, read-only as a graph's own.
    sources : int32 array, shape (k,)
    cutoff : number
        The greatest distance.
    distance : array, shape (k, n)
    predecessor : int32 array, shape (k, n), or None

    Notes
    -----
    Takes 8 bytes and one distance per vertex and thread, without predecessors 4 bytes more.
    """
    dtype = distance.dtype.type
    work = len(sources) * (graph.num_arcs + graph.num_vertices)
    threads = max(1, min(thread_count.num_threads(), len(sources), work // _EDGES_PER_THREAD))
    keep = predecessor is not None
    if predecessor is None:
        predecessor = np.empty((threads, graph.num_vertices), np.int32)
    search = Search(
        algebra=ALGEBRAS["shortest"],
        arcs=arcs_of(graph, weights),
        sources=unsigned(sources),
        start=dtype(0),
        cutoff=dtype(cutoff),
        unreached=unreachable(dtype),
        target=-1,
        signed=False,
        distance=distance,
        predecessor=predecessor,
        trace=np.zeros((threads, 1, 3), np.int64),
        totals=np.zeros((threads, TOTALS), np.int64),
    )
    heaps = new_heap((threads, graph.num_vertices), dtype)
    team.run(_rows, threads, search, heaps, keep, np.zeros(1, np.int64))
