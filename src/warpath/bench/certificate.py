"""The certificate of distances where the graph's arrays are: on a GPU in milliseconds.

`warpath.verify` takes some 0.1 s per million arcs. This is the part of it that suites need, for NumPy's
and CuPy's arrays: integer distances of shortest paths from one source.
"""

from typing import Any

import numpy as np

from warpath.graph.arrays import Csr

_ARCS_AT_ONCE = 2**24  # a guess: some 0.7 GB of temporary arrays, and long enough for a GPU
_FAR = 2**61  # from here on a sum of a distance and a weight might not fit in 64 bits


def proves(xp: Any, csr: Csr, source: int, distance: Any, unreachable: int) -> bool:
    """Whether distances are certainly right.

    d(source) = 0; d(v) ≤ d(u) + w along each arc out of a reached vertex; and each reached vertex
    has an arc that gives its distance, such that these arcs lead to it from the source. Distances
    are unique, so that is all.

    Parameters
    ----------
    xp : module
        numpy or cupy, as the arrays.
    csr : Csr
        Without weights each arc weighs 1.
    source : int
    distance : array, shape (n,)
    unreachable : int
        What stands for no path.

    Returns
    -------
    bool
        False: ask `warpath.verify`, which says what is wrong. It may also be that all is right
        but beyond this: floats, distances near the end of 64 bits, cycles of weight zero.
    """
    n = len(csr.row_offsets) - 1
    kinds = distance.dtype.kind + ("i" if csr.weights is None else csr.weights.dtype.kind)
    if distance.shape != (n,) or kinds != "ii" or int(distance[source]) != 0:
        return False
    reached = distance != unreachable
    known = distance[reached]
    if int(known.max()) >= _FAR or int(known.min()) <= -_FAR:
        return False
    before = xp.full(n, -1, np.int32)
    for begin in range(0, len(csr.column_indices), _ARCS_AT_ONCE):
        if not _explain(xp, csr, begin, distance, reached, before):
            return False
    before[source] = source
    if not bool((before[reached] >= 0).all()):
        return False
    # Pointer doubling: after k rounds each vertex knows its 2ᵏ-th ancestor, the source's is itself.
    ancestor = xp.where(reached, before, source)
    for _ in range(n.bit_length()):
        ancestor = ancestor[ancestor]
    return bool((ancestor == source).all())


def _explain(xp: Any, csr: Csr, begin: int, distance: Any, reached: Any, before: Any) -> bool:
    """Write ``before`` for the targets of some arcs; False if an arc leads to less than is claimed."""
    end = min(begin + _ARCS_AT_ONCE, len(csr.column_indices))
    arcs = xp.arange(begin, end, dtype=csr.row_offsets.dtype)
    tail = xp.searchsorted(csr.row_offsets, arcs, side="right") - 1
    head, known = csr.column_indices[begin:end], reached[tail]
    weight = 1 if csr.weights is None else csr.weights[begin:end].astype(np.int64)
    there, total = distance[head].astype(np.int64), distance[tail] + weight
    if bool((known & (~reached[head] | (total < there))).any()):
        return False
    tight = xp.flatnonzero(known & (total == there))
    before[head[tight]] = tail[tight]  # of several any
    return True
