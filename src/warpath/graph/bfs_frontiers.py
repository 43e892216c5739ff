"""The frontiers of a breadth-first search, from its distances."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.graph.arrays import module_of, to_host


@dataclass(frozen=True)
class Levels:
    """Frontiers as a GPU's balances take them: vertices without arcs are left out.

    Attributes
    ----------
    vertices : uint32 array, shape (k,)
        A level after the other.
    prefix : array of the row offsets' dtype, shape (k,)
        In each level, the exclusive prefix sums of its vertices' degrees.
    begin : int array of NumPy, shape (levels + 1,)
        Where each level begins in them.
    arcs : int array of NumPy, shape (levels,)
        The arcs of each level.
    """

    vertices: Any
    prefix: Any
    begin: NDArray[np.int64]
    arcs: NDArray[np.int64]


def levels_of(row_offsets: Any, distance: Any) -> Levels:
    """Sort what was reached by level.

    Parameters
    ----------
    row_offsets : array of NumPy or CuPy, shape (n + 1,)
    distance : int array of the same module, shape (n,)
        -1: unreachable.
    """
    xp = module_of(distance)
    order = xp.argsort(distance)
    degree = row_offsets[order + 1] - row_offsets[order]
    order = order[(distance[order] >= 0) & (degree > 0)]
    level, degree = distance[order], row_offsets[order + 1] - row_offsets[order]
    count = int(level[-1]) + 1 if len(level) else 0
    begin = xp.searchsorted(level, xp.arange(count + 1, dtype=level.dtype))
    sums = xp.zeros(len(degree) + 1, row_offsets.dtype)
    sums[1:] = xp.cumsum(degree, dtype=sums.dtype)
    before = to_host(sums[begin]).astype(np.int64)
    prefix = sums[:-1] - sums[begin[level]]
    return Levels(order.astype(np.uint32), prefix, to_host(begin), before[1:] - before[:-1])
