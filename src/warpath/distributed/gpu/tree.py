"""Predecessors from final distances, on GPUs: those of `warpath.distributed.tree`, by sweeps of all arcs."""

from typing import Any

import numpy as np

from warpath.distributed.gpu.operators import NO_PARENT, smallest_parents
from warpath.distributed.gpu.part import GpuPart
from warpath.distributed.transport import Transport

Array = Any  # of the runtime's module


class Trees:
    """The predecessors of the vertices that a rank owns, as they are found: in each step those at another arc.

    Parameters
    ----------
    part : GpuPart
    starts : int32 array
        The numbers of the sources that this rank owns.
    distance : array, shape (k,)
        Final distances, of ghosts, too.
    none : NumPy scalar
        The distance of what is unreached.
    weighted : bool
        False: each arc counts 1.

    Attributes
    ----------
    parent : int32 array, shape (k,)
        The smallest predecessor of each owned vertex: ids, -1 for others and where there is none.
    rooted : int32 array, shape (k,)
        Whether the vertex's tree leads to the source; of ghosts as their owners say.
    """

    def __init__(
        self, part: GpuPart, starts: Array, distance: Array, none: Any, *, weighted: bool
    ) -> None:
        xp, (_, self._reverse) = part.xp, part.arcs(weighted=weighted)
        self._part, self._distance, self._none = part, distance, none
        self.parent = xp.full(len(part.ids), -1, np.int32)
        self.rooted = xp.zeros(len(part.ids), np.int32)
        self._waits = xp.zeros(len(part.ids), bool)
        self._waits[part.owned] = distance[part.owned] != none
        self.rooted[starts], self._waits[starts] = 1, False

    def grow(self, *, strict: bool) -> tuple[Any, Any]:
        """How many vertices wait for a predecessor now, and how many have found one; nothing is waited for.

        Parameters
        ----------
        strict : bool
            Whether arcs from smaller distances count: the first step. Else those from what is rooted.
        """
        found = smallest_parents(
            self._reverse, self._part.ids, self._distance, self.rooted, self._none, strict=strict
        )
        xp = self._part.xp
        new = self._waits & (found != NO_PARENT)
        self.parent = xp.where(new, found, self.parent)
        self.rooted |= new
        self._waits &= ~new
        return self._waits.sum(), new.sum()


def predecessors(
    transport: Transport,
    part: GpuPart,
    starts: Array,
    distance: Array,
    none: Any,
    *,
    weighted: bool,
) -> Array:
    """`Trees.parent` when all are found; parameters as of `Trees`, but ghosts get their distances here."""
    part.pull(transport, distance)
    trees, strict = Trees(part, starts, distance, none, weighted=weighted), True
    while True:
        left, progress = transport.reduce([int(one) for one in trees.grow(strict=strict)]).tolist()
        if left == 0 or (progress == 0 and not strict):
            return trees.parent
        strict = False
        part.pull_flags(transport, trees.rooted)
