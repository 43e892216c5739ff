"""Which vertices paths lead to, by SciPy."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def reachable(offsets: Array, targets: Array, starts: Array) -> Array:
    """Vertices that paths lead to from any of ``starts``.

    Parameters
    ----------
    offsets, targets : integer arrays, shapes (n + 1,) and (m,)
        The arcs in compressed sparse rows.
    starts : integer array

    Returns
    -------
    bool array, shape (n,)
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import breadth_first_order

    # SciPy starts from one vertex: n, an added one with an arc to each of the starts.
    n = len(offsets) - 1
    offsets = np.append(offsets, offsets[-1] + len(starts))
    targets = np.concatenate([targets, starts])
    matrix = csr_array((np.ones(len(targets)), targets, offsets), shape=(n + 1, n + 1))
    found = np.zeros(n + 1, bool)
    found[breadth_first_order(matrix, n, return_predecessors=False)] = True
    return found[:n]
