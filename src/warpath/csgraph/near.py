"""A search with a limit in a large matrix: it may be over before a graph could be made.

One thread searches in SciPy's own arrays, and gives up where the limit turns out to be far. All
weights are looked at beforehand, for a negative one, as SciPy does, and all offsets; of columns only
those are checked that the search comes to.
"""

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.heap import sift_down, sift_up
from warpath.cpu.unsigned import ONE, ZERO
from warpath.csgraph.call import NO_PREDECESSOR, Call
from warpath.csgraph.light import CSR, none_negative
from warpath.graph.build import read_only
from warpath.graph.sparse import ascend
from warpath.parallel.atomics import unowned
from warpath.parallel.jit import compiled
from warpath.parallel.team import interruptible, stopping_at

# It settles one of so many vertices, then gives up: that wastes 3 % with two threads. A guess.
_PART = 64
_INDICES = (np.dtype(np.int32), np.dtype(np.int64))


def search(
    call: Call, sources: NDArray[np.int32], limit: float
) -> tuple[NDArray[np.float64], NDArray[np.int32]] | None:
    """Distances up to a limit from the nearest of the sources, and SciPy's predecessors if wanted.

    None where it gave up, and for calls of another kind: not SciPy's CSR, weights that are not
    float64 or are negative, arrays that do not fit together, edges both ways, a GPU.
    """
    matrix = call.csgraph
    if type(matrix) not in CSR or not call.directed or call.unweighted or call.device == "cuda":
        return None
    if not call.dtype == matrix.data.dtype == np.float64:
        return None
    offsets, columns = read_only(matrix.indptr), read_only(matrix.indices)
    weights, n = read_only(matrix.data), call.num_vertices
    if not offsets.dtype == columns.dtype in _INDICES or len(offsets) != n + 1:
        return None
    if not (len(weights) == len(columns) and none_negative(weights)):
        return None
    if not ascend(offsets, len(columns)):
        return None
    distance = np.full(n, np.inf)
    predecessor = np.full(n if call.predecessors else 0, NO_PREDECESSOR, np.int32)
    with interruptible() as sync:
        ended = _search(
            sync, offsets, columns, weights, sources, float(limit), n // _PART, distance,
            predecessor, np.empty(n, np.uint32), np.empty(n), np.empty(n, np.int32),
        )  # fmt: skip
    return (distance, predecessor) if ended else None


@compiled
def _search(  # type: ignore[no-untyped-def]
    sync, offsets, columns, weights, sources, limit, most, distance, predecessor, heap, keys, place
):
    """Dijkstra's algorithm; False where it settles more than ``most``, or a column is not there."""
    distance, predecessor, heap, keys, place = unowned((distance, predecessor, heap, keys, place))
    n, size = np.uint64(distance.shape[0]), ZERO
    for source in sources:
        if distance[source] > 0:
            distance[source] = 0
            sift_up(size, source, 0.0, heap, keys, place)
            size += ONE
    settled = 0
    while size > ZERO:
        if settled == most:
            return False
        settled += 1
        if stopping_at(sync, settled):
            return False
        u, d = heap[ZERO], keys[ZERO]
        size -= ONE
        if size > ZERO:
            sift_down(size, heap[size], keys[size], heap, keys, place)
        begin, end = offsets[u], offsets[u + ONE]
        for arc in range(np.uint64(begin), np.uint64(end)):
            v, far = np.uint64(columns[arc]), d + weights[arc]
            if v >= n:  # as negative ones are
                return False
            if not far < distance[v] or far > limit:
                continue
            hole = size
            if distance[v] < np.inf:
                hole = np.uint64(place[v])
            else:
                size += ONE
            distance[v] = far
            if predecessor.shape[0] > 0:
                predecessor[v] = u
            sift_up(hole, v, far, heap, keys, place)
    return True
