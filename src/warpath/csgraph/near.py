"""A search with a limit in a large matrix: it may be over before a graph could be made.

One thread searches in SciPy's own arrays, and gives up where the limit turns out to be far.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from warpath.cpu.dijkstra import search as dijkstra
from warpath.cpu.relax import ALGEBRAS
from warpath.cpu.unsigned import unsigned
from warpath.csgraph.call import Call
from warpath.csgraph.light import CSR, none_wrong
from warpath.graph.build import read_only

# It settles one of so many vertices, then gives up: that wastes 3 % with two threads. A guess.
_PART = 64


def search(
    call: Call, sources: NDArray[np.int32], limit: float
) -> tuple[NDArray[np.float64], NDArray[np.int32]] | None:
    """Distances up to a limit from the nearest of the sources, and predecessors.

    None where it gave up, and for calls of another kind: not SciPy's CSR, weights that are not
    float64 or are negative, edges both ways, a GPU.
    """
    matrix = call.csgraph
    if type(matrix) not in CSR or not call.directed or call.unweighted or call.device == "cuda":
        return None
    if not call.dtype == matrix.data.dtype == np.float64:
        return None
    offsets, columns = (
        read_only(array.astype(np.int32, copy=False)) for array in (matrix.indptr, matrix.indices)
    )
    n = call.num_vertices
    if not _are_right(offsets, columns, read_only(matrix.data)):
        return None
    distance, predecessor = np.empty(n), np.empty(n, np.int32)
    ended = dijkstra(
        ALGEBRAS["shortest"], unsigned(offsets), unsigned(columns), read_only(matrix.data),
        unsigned(sources), 0.0, limit, np.inf, -1, n // _PART, distance, predecessor,
        np.empty(n, np.uint32), np.empty(n), np.empty(n, np.int32), np.zeros(3, np.int64),
    )  # fmt: skip
    return (distance, predecessor) if ended else None


@njit(nogil=True, cache=True)
def _are_right(offsets, columns, weights):  # type: ignore[no-untyped-def]
    """Whether rows follow each other, columns are there and no weight is negative."""
    n = len(offsets) - 1
    descents = 0
    for u in range(n):
        descents += offsets[u] > offsets[u + 1]
    if descents or offsets[0] < 0 or not offsets[n] <= len(columns) == len(weights):
        return False
    return none_wrong(weights, columns, n)
