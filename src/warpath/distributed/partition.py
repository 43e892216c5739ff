"""Which rank owns which vertices: consecutive ones, so that each rank has the same load."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.distributed.transport import Transport

Array = NDArray[Any]

_GROUP_BITS = (
    16  # log2 of the groups of vertices whose loads are added up, 512 KB to exchange: a guess
)
_LOAD_OF_VERTEX = 1  # in arcs: a guess


def balanced_bounds(transport: Transport, n: int, ends: list[Array]) -> NDArray[np.int64]:
    """The first vertex of each rank, and behind the last: int64 array, shape (size + 1,).

    Rank q owns the vertices ``bounds[q]`` to ``bounds[q + 1]``. Each rank gets about the same number
    of arcs and vertices, as far as ranges of vertices allow: a hub is not divided.

    Parameters
    ----------
    n : int
        Vertices.
    ends : list of int arrays
        The ends of the arcs that this rank has before they are distributed: each adds 1 to the load of its
        vertex.
    """
    shift = max(0, (n - 1).bit_length() - _GROUP_BITS) if n else 0
    groups = (n + (1 << shift) - 1) >> shift
    load = np.zeros(groups, np.int64)
    for vertices in ends:
        load += np.bincount(vertices >> shift, minlength=groups)
    load = transport.reduce(load) if groups else load
    load += _LOAD_OF_VERTEX << shift
    total = np.concatenate([[0], np.cumsum(load)])
    wanted = total[-1] * np.arange(1, transport.size) / transport.size
    # The group boundary that is nearest to what is wanted.
    place = np.searchsorted(total, wanted)
    before = np.maximum(place - 1, 0)
    place = np.where(
        wanted - total[before] < total[np.minimum(place, groups)] - wanted, before, place
    )
    return np.concatenate([[0], np.minimum(place << shift, n), [n]])


def owners(bounds: NDArray[np.int64], vertices: Array, xp: Any = np) -> NDArray[np.int64]:
    """The rank that owns each vertex; ``vertices`` are of the module ``xp``, ``bounds`` is NumPy's."""
    return xp.searchsorted(xp.asarray(bounds), vertices, "right") - 1  # type: ignore[no-any-return]
