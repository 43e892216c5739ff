"""Predecessors from final distances, on GPUs: those of `warpath.distributed.tree`, by sweeps of all arcs."""

from typing import Any

import numpy as np

from warpath.distributed.gpu.operators import NO_PARENT, smallest_parents
from warpath.distributed.gpu.part import GpuPart
from warpath.distributed.transport import Transport

Array = Any  # of the runtime's module


def predecessors(
    transport: Transport,
    part: GpuPart,
    starts: Array,
    distance: Array,
    none: Any,
    *,
    weighted: bool,
) -> Array:
    """The smallest predecessor of each vertex that this rank owns: ids, -1 for others and where there is none.

    Parameters
    ----------
    starts : int32 array
        The numbers of the sources that this rank owns.
    distance : array, shape (k,)
        Final distances of owned vertices; ghosts get theirs.
    none : NumPy scalar
        The distance of what is unreached.
    weighted : bool
        False: each arc counts 1.
    """
    xp, (_, reverse) = part.xp, part.arcs(weighted=weighted)
    part.pull(transport, distance)
    parent = xp.full(len(part.ids), -1, np.int32)
    rooted = xp.zeros(len(part.ids), np.int32)  # whether the vertex's tree leads to the source
    waits = xp.zeros(len(part.ids), bool)
    waits[part.owned] = distance[part.owned] != none
    rooted[starts], waits[starts] = 1, False
    strict = True
    while True:
        found = smallest_parents(reverse, part.ids, distance, rooted, none, strict=strict)
        new = waits & (found != NO_PARENT)
        parent = xp.where(new, found, parent)
        rooted |= new
        waits &= ~new
        counts = [int(waits.sum()), int(new.sum())]
        left, progress = transport.reduce(counts).tolist()
        if left == 0 or (progress == 0 and not strict):
            return parent
        strict = False
        part.pull_flags(transport, rooted)
