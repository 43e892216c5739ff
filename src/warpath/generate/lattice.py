"""What meshes and short-armed graphs share: vertices on a lattice, and the places around one."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.parallel.jit import compiled

Array = NDArray[Any]

AXES = 3  # a flat lattice is one layer
MOST_REACH = 4  # 9³ places: more than any mesh of finite elements joins
VERTICES_PER_THREAD = 1024  # guess: some 0.1 ms of work, against some 20 µs to start a team


def as_length(value: Any, name: str) -> int:
    """``value`` as a number of vertices along an axis."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 0:
        raise ValueError(f"{name} must be a number of vertices, not {value!r}")
    return int(value)


def as_shape(shape: Sequence[int]) -> Array:
    """Lengths of three axes."""
    given = np.asarray(shape)
    if given.shape not in ((2,), (3,)) or given.dtype.kind not in "iu" or given.min() < 0:
        raise ValueError(f"shape must be 2 or 3 lengths, not {shape!r}")
    lengths = np.ones(AXES, np.int64)
    lengths[AXES - len(given) :] = given
    return lengths


def box_around(axes: int, reach: int) -> Array:
    """The places around a vertex, in the order of their ids, without its own."""
    along = np.arange(-reach, reach + 1)
    flat = [along if axis >= AXES - axes else np.zeros(1, np.int64) for axis in range(AXES)]
    box = np.stack(np.meshgrid(*flat, indexing="ij"), -1).reshape(-1, AXES)
    return box[np.any(box != 0, axis=1)]


def check_rings(lengths: Array, rings: Array, places: Array) -> None:
    """On a ring that is too short two places would be the same vertex: a ValueError."""
    widths = 2 * np.abs(places).max(axis=0) + 1
    short = rings & (lengths < widths)
    if lengths.prod() and np.any(short):
        axis = int(np.flatnonzero(short)[0])
        raise ValueError(
            f"a ring of {lengths[axis]} vertices is too short: "
            f"a vertex and its neighbours take {widths[axis]} places along it"
        )


def narrow(offsets: Array) -> Array:
    """Row offsets as `Graph` has them: int64 only from 2³¹ arcs."""
    return offsets if offsets[-1] >= 2**31 else offsets.astype(np.int32)


@compiled
def vertex_at(v, place, lengths, rings):  # type: ignore[no-untyped-def]
    """The vertex at a place relative to v's; −1 beyond the end of an axis that is no ring."""
    z = v // (lengths[1] * lengths[2]) + place[0]
    y, x = v // lengths[2] % lengths[1] + place[1], v % lengths[2] + place[2]
    if not rings[0] and (z < 0 or z >= lengths[0]):
        return np.int64(-1)
    if not rings[1] and (y < 0 or y >= lengths[1]):
        return np.int64(-1)
    if not rings[2] and (x < 0 or x >= lengths[2]):
        return np.int64(-1)
    return ((z % lengths[0]) * lengths[1] + y % lengths[1]) * lengths[2] + x % lengths[2]
