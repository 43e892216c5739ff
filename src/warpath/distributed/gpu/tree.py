"""Predecessors from final distances, on GPUs: those of `warpath.distributed.tree`, by sweeps of all arcs."""

from typing import Any

import numpy as np

from warpath.distributed.cycles import roots
from warpath.distributed.gpu.operators import NO_PARENT, smallest_parents
from warpath.distributed.gpu.part import GpuPart
from warpath.distributed.part import values_at
from warpath.distributed.transport import Transport
from warpath.graph.arrays import to_host

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
    waits : bool array, shape (k,)
        Which vertices have found none yet.
    """

    def __init__(
        self, part: GpuPart, starts: Array, distance: Array, none: Any, *, weighted: bool
    ) -> None:
        xp, (_, self._reverse) = part.xp, part.arcs(weighted=weighted)
        self._part, self._distance, self._none = part, distance, none
        self.parent = xp.full(len(part.ids), -1, np.int32)
        self.rooted = xp.zeros(len(part.ids), np.int32)
        self.waits = xp.zeros(len(part.ids), bool)
        self.waits[part.owned] = distance[part.owned] != none
        self.rooted[starts], self.waits[starts] = 1, False

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
        return self._take(found, self.waits & (found != NO_PARENT))

    def take_rooted(self, transport: Transport) -> tuple[Any, Any]:
        """Likewise at any arc that makes a distance, but for vertices that lead to a cycle of such arcs."""
        xp, part = self._part.xp, self._part
        found = smallest_parents(
            self._reverse, part.ids, self._distance, xp.ones_like(self.rooted), self._none, strict=False
        )  # fmt: skip
        own = xp.where(self.waits & (found != NO_PARENT), found, -1)[part.owned]
        parent = to_host(own)
        root = roots(transport, part.bounds, parent)
        ends = values_at(transport, part.bounds, parent, root) < 0
        new = xp.zeros(len(part.ids), bool)
        new[part.owned] = (own >= 0) & xp.asarray(ends)
        return self._take(found, new)

    def finish(self, transport: Transport, found: tuple[Any, Any]) -> None:
        """Go on from what a first step has said, until all have a predecessor, or no more of them find one."""
        first = True
        while True:
            left, progress = transport.reduce([int(one) for one in found]).tolist()
            if left == 0 or (progress == 0 and not first):
                return
            self._part.pull_flags(transport, self.rooted)
            found, first = self.grow(strict=False), False

    def _take(self, found: Array, new: Array) -> tuple[Any, Any]:
        self.parent = self._part.xp.where(new, found, self.parent)
        self.rooted |= new
        self.waits &= ~new
        return self.waits.sum(), new.sum()


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
    trees = Trees(part, starts, distance, none, weighted=weighted)
    trees.finish(transport, trees.grow(strict=True))
    return trees.parent
