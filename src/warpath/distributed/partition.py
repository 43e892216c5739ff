"""Which rank owns which vertices: consecutive ones, so that each rank has the same load."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.distributed.transport import Transport
from warpath.planning.parts import group_shift, loads_together

Array = NDArray[Any]


def balanced_bounds(transport: Transport, n: int, ends: list[Array]) -> NDArray[np.int64]:
    """The first vertex of each rank, and behind the last, of arcs that lie on all ranks: see `loads_together`.

    Parameters
    ----------
    n : int
        Vertices.
    ends : list of int arrays
        The ends of the arcs that this rank has before they are distributed: each adds 1 to the load of its
        vertex.
    """
    shift = group_shift(n)
    load = np.zeros(-(-n >> shift), np.int64)
    for vertices in ends:
        load += np.bincount(vertices >> shift, minlength=len(load))
    return loads_together(transport.reduce(load) if n else load, n, transport.size)


def owners(bounds: NDArray[np.int64], vertices: Array, xp: Any = np) -> NDArray[np.int64]:
    """The rank that owns each vertex; ``vertices`` are of the module ``xp``, ``bounds`` is NumPy's."""
    return xp.searchsorted(xp.asarray(bounds), vertices, "right") - 1  # type: ignore[no-any-return]
