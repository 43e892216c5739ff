"""Which rows of a matrix of predecessors are trees."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.unsigned import ONE
from warpath.parallel import team
from warpath.parallel.jit import compiled
from warpath.parallel.sync import share, stopping


@compiled
def _look(thread, threads, sync, roots, P, seen, is_tree):  # type: ignore[no-untyped-def]
    """Walk from each vertex of my rows towards the root, until the walk meets an earlier one.

    ``seen[v]`` is the last walk that came to v, numbered through all rows.
    """
    n = np.uint64(P.shape[1])
    mine = seen[thread]
    first, last = share(P.shape[0], thread, threads)
    walk = np.uint64(0)
    for row in range(np.uint64(first), np.uint64(last)):
        if stopping(sync):
            return
        root = np.uint64(roots[row])
        began = walk
        good = P[row, root] < 0
        for v in range(n):
            if P[row, v] < 0:
                continue
            walk += ONE
            u: Any = v
            while u != root and mine[u] <= began:
                mine[u] = walk
                parent = P[row, u]
                if parent < 0:  # the end of a walk that is not the root
                    good = False
                    break
                u = np.uint64(parent)
            if u != root and mine[u] == walk:  # round a cycle, or the end above
                good = False
        is_tree[row] = good


def are_trees(roots: NDArray[np.int32], P: NDArray[np.int32], threads: int) -> NDArray[Any]:
    """Whether each row's predecessors lead to its root: bool array, shape (rows,).

    Parameters
    ----------
    roots : int32 array, shape (rows,)
    P : int32 array, shape (rows, n)
        -1 for the root and for vertices that no path leads to.

    Notes
    -----
    O(rows · n), 8 bytes per vertex and thread.
    """
    found = np.ones(len(P), bool)
    seen = np.zeros((threads, P.shape[1]), np.uint64)
    team.run(_look, threads, roots, P, seen, found)
    return found
