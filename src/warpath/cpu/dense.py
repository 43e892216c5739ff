"""From a graph to the matrix that dense methods work on."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.arcs import arc_range, arcs_of, kind_of
from warpath.graph.graph import Graph
from warpath.parallel import team
from warpath.parallel.atomics import unowned
from warpath.parallel.jit import compiled
from warpath.parallel.sync import share, stopping

Array = NDArray[Any]


@compiled
def _fill(thread, threads, sync, arcs, start, none, D, P):  # type: ignore[no-untyped-def]
    arcs, D = unowned((arcs, D))
    first, last = share(D.shape[0], thread, threads)
    for i in range(np.uint64(first), np.uint64(last)):
        if stopping(sync):
            return
        D[i, :] = none
        D[i, i] = start
        if P is not None:
            P[i, :] = -1
        first, last = arc_range(arcs, i)
        for arc in range(first, last):
            j = np.uint64(arcs.indices[arc])
            if arcs.weights[arc] < D[i, j]:
                D[i, j] = arcs.weights[arc]
                if P is not None:
                    P[i, j] = i


def fill(
    graph: Graph, keys: Array, start: Any, none: Any, D: Array, P: Array | None, threads: int
) -> None:
    """Fill D with the least key of each arc, ``start`` on the diagonal, ``none`` elsewhere.

    Parameters
    ----------
    keys : array, shape (m,)
    D : array of the same dtype, shape (n, n)
    P : int32 array, shape (n, n), or None
        ``P[i, j]`` becomes i where D[i, j] is an arc's, else -1.
    """
    flags = keys.flags.num, D.flags.num, None if P is None else P.flags.num
    like = kind_of(graph), flags, keys.dtype, type(start)
    team.run(_fill, threads, arcs_of(graph, keys), start, none, D, P, like=like)
