"""SciPy's ``yen`` where the matrix is small, with lengths that are its paths' sums.

SciPy's lengths are those of other paths, less some arcs and plus others: the last bits differ. Here
they are summed from the source on, as by `warpath.k_shortest_paths`, and paths ordered by the sums.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csgraph as scipys

from warpath.csgraph.matrices import to_csr
from warpath.parallel.jit import compiled


def yen(
    csgraph: Any, source: int, sink: int, K: int, directed: bool, unweighted: bool
) -> tuple[NDArray[np.float64], NDArray[np.int32]] | None:
    """Lengths and predecessors of paths in a matrix that is `light.yen`.

    None for a matrix with entries that stand twice, of which SciPy's takes the wrong one.
    """
    csr = to_csr(csgraph)
    if not csr.has_canonical_format:
        return None
    csr = csr.astype(np.float64, copy=False)
    lengths, before = scipys.yen(
        csr, source, sink, K, directed=directed, return_predecessors=True, unweighted=unweighted
    )
    if not unweighted:
        _sum_anew(csr.indptr, csr.indices, csr.data, directed, before, sink, lengths)
        order = np.argsort(lengths, kind="stable")
        lengths, before = lengths[order], before[order]
    return lengths, before


@compiled
def _lightest(offsets, columns, weights, u, v):  # type: ignore[no-untyped-def]
    least = np.inf
    for arc in range(offsets[u], offsets[u + 1]):
        if columns[arc] == v:
            least = min(least, weights[arc])
    return least


@compiled
def _sum_anew(offsets, columns, weights, directed, before, sink, lengths):  # type: ignore[no-untyped-def]
    walk = np.empty(before.shape[1], np.int64)
    for k in range(before.shape[0]):
        hops = 0
        v = sink
        while v >= 0:
            walk[hops] = v
            hops += 1
            v = before[k, v]
        total = 0.0
        for hop in range(hops - 1, 0, -1):
            u, v = walk[hop], walk[hop - 1]
            weight = _lightest(offsets, columns, weights, u, v)
            if not directed:
                weight = min(weight, _lightest(offsets, columns, weights, v, u))
            total += weight
        lengths[k] = total
