"""Dijkstra's algorithm from many sources, one after the other on each thread.

No sum wraps: `warpath.algorithms.all_pairs.rows.DijkstraRows` takes only graphs whose longest path fits.

On small graphs a call of a kernel takes longer than its search: here one call does them all.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.dijkstra import search
from warpath.cpu.relax import ALGEBRAS
from warpath.cpu.unsigned import arcs_of, unsigned
from warpath.graph.distance import unreachable
from warpath.graph.graph import Graph
from warpath.parallel import team
from warpath.parallel.atomics import atomic_add
from warpath.parallel.jit import compiled
from warpath.parallel.team import stopping

_EDGES_PER_THREAD = 16384  # as `warpath.planning.threads` has it; a guess


@compiled
def _rows(  # type: ignore[no-untyped-def]
    thread, threads, sync, claimed, algebra, offsets, indices, weights, sources, cutoff, unreached,
    distance, predecessor, keep,
):  # fmt: skip
    """Take one source after the other; without ``keep`` my predecessors go into one row of mine."""
    n = distance.shape[1]
    heap, place = np.empty(n, np.uint32), np.empty(n, np.int32)
    keys, totals = np.empty(n, distance.dtype), np.zeros(3, np.int64)
    row = atomic_add(claimed, 0, 1)
    while row < sources.shape[0] and not stopping(sync):
        search(
            sync, algebra, offsets, indices, weights, sources[row : row + 1], keys.dtype.type(0), cutoff,
            unreached, -1, n, distance[row], predecessor[row if keep else thread],
            heap, keys, place, totals,
        )  # fmt: skip
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
        Of the distances' dtype, read-only as a graph's own.
    sources : int32 array, shape (k,)
    cutoff : number
        The greatest distance.
    distance : array, shape (k, n)
    predecessor : int32 array, shape (k, n), or None

    Notes
    -----
    Takes 8 bytes a vertex and one distance for each thread, without predecessors 4 more.
    """
    dtype = distance.dtype.type
    work = len(sources) * (graph.num_arcs + graph.num_vertices)
    threads = max(1, min(team.num_threads(), len(sources), work // _EDGES_PER_THREAD))
    keep = predecessor is not None
    if predecessor is None:
        predecessor = np.empty((threads, graph.num_vertices), np.int32)
    team.run(
        _rows, threads, np.zeros(1, np.int64), ALGEBRAS["shortest"],
        *arcs_of(graph), weights, unsigned(sources),
        dtype(cutoff), unreachable(dtype), distance, predecessor, keep,
    )  # fmt: skip
