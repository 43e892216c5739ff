"""The part of a graph that one rank holds.

A rank *owns* consecutive vertices. It has their arcs, in both directions, and knows the vertices at
the other ends: its *ghosts*, which other ranks own. Owned vertices and ghosts have numbers from 0
in the order of their ids. So a part is a pair of `Graph` on these numbers (ghosts have no arcs in it), its rows
are in the order of ids, and the ghosts that one rank owns are a range.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.distributed.partition import owners
from warpath.distributed.transport import Transport
from warpath.graph.graph import Graph

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Part:
    """A rank's vertices, their arcs, and where the values of ghosts come from.

    Attributes
    ----------
    bounds : int64 array, shape (size + 1,)
        Rank q owns the vertices ``bounds[q]`` to ``bounds[q + 1]``.
    ids : int32 array, shape (k,)
        The id of each vertex number, ascending.
    ends : int64 array, shape (size + 1,)
        Rank q owns the numbers ``ends[q]`` to ``ends[q + 1]``.
    begin, end : int
        The numbers that this rank owns.
    boundary : list of int32 arrays
        The owned numbers that are ghosts on rank q, for each q, ascending.
    graph, reverse : Graph
        The arcs out of owned vertices, and those into them turned round. One graph if it is undirected.
    """

    bounds: NDArray[np.int64]
    ids: NDArray[np.int32]
    ends: NDArray[np.int64]
    begin: int
    end: int
    boundary: list[Array]
    graph: Graph
    reverse: Graph

    @property
    def owned(self) -> slice:
        """The numbers that this rank owns."""
        return slice(self.begin, self.end)

    def ghosts(self, rank: int) -> slice:
        """The numbers of the ghosts that another rank owns."""
        return slice(int(self.ends[rank]), int(self.ends[rank + 1]))

    def number_of(self, vertex: int) -> int | None:
        """The number of a vertex, if this rank owns it."""
        owned = self.ids[self.owned]
        inside = len(owned) > 0 and owned[0] <= vertex <= owned[-1]
        return self.begin + vertex - int(owned[0]) if inside else None

    def pull(self, transport: Transport, values: Array) -> None:
        """Give each ghost its owner's value; ``values`` has one for each number."""
        received = transport.exchange([values[shown] for shown in self.boundary])
        for q, block in enumerate(received):
            if q != transport.rank:
                values[self.ghosts(q)] = block

    def pull_flags(self, transport: Transport, flags: NDArray[np.bool_]) -> None:
        """As `pull`, a bit each."""
        received = transport.exchange([np.packbits(flags[shown]) for shown in self.boundary])
        for q, block in enumerate(received):
            if q != transport.rank:
                ghosts = self.ghosts(q)
                flags[ghosts] = np.unpackbits(block, count=ghosts.stop - ghosts.start)

    def push(self, transport: Transport, ghosts: NDArray[np.int32]) -> NDArray[np.int32]:
        """Tell owners of some of their vertices: the place among a rank's ghosts travels, 4 bytes.

        Parameters
        ----------
        ghosts : int32 array
            Numbers, ascending.

        Returns
        -------
        int32 array
            Owned numbers that other ranks tell of, several times if several ranks do.
        """
        places = [
            (block - np.int32(first)).astype(np.uint32)
            for block, first in zip(self._by_owner(ghosts, ghosts), self.ends[:-1], strict=True)
        ]
        told = zip(self.boundary, transport.exchange(places), strict=True)
        return np.concatenate([shown[block] for shown, block in told])

    def push_values(
        self, transport: Transport, ghosts: NDArray[np.int32], values: Array
    ) -> tuple[NDArray[np.int32], Array]:
        """As `push`, with a value for each: owned numbers, and values for them."""
        owned = self.push(transport, ghosts)
        return owned, np.concatenate(transport.exchange(self._by_owner(ghosts, values)))

    def _by_owner(self, ghosts: NDArray[np.int32], values: Array) -> list[Array]:
        """The values of ghosts, ascending, that go to each rank."""
        return np.split(values, np.searchsorted(ghosts, self.ends[1:-1]))


def boundaries(
    transport: Transport, bounds: NDArray[np.int64], ids: NDArray[np.int32], begin: int
) -> tuple[NDArray[np.int64], list[Array]]:
    """``ends`` and ``boundary`` of a `Part`: each rank asks the owners of its ghosts."""
    ends = np.searchsorted(ids, bounds)
    wanted = [ids[ends[q] : ends[q + 1]] for q in range(transport.size)]
    wanted[transport.rank] = ids[:0]
    asked = transport.exchange(wanted)
    shift = begin - int(bounds[transport.rank])
    return ends, [block + np.int32(shift) for block in asked]


def values_at(
    transport: Transport, bounds: NDArray[np.int64], values: Array, vertices: Array
) -> Array:
    """The values of any vertices, which their owners have in ``values``: one for each of their own."""
    asked, place = np.unique(vertices, return_inverse=True)
    cuts = np.searchsorted(asked, bounds)
    requests = transport.exchange([asked[cuts[q] : cuts[q + 1]] for q in range(transport.size)])
    first = bounds[transport.rank]
    answers = transport.exchange([values[block - first] for block in requests])
    return np.concatenate(answers)[place]


def sent_to_owners(
    transport: Transport, bounds: NDArray[np.int64], vertices: Array, *columns: Array
) -> list[Array]:
    """Rows of a table go to the owner of their vertex: the vertices that come here, and their columns."""
    owner = owners(bounds, vertices).astype(np.uint16)
    order = np.argsort(owner, kind="stable")
    cuts = np.searchsorted(owner[order], np.arange(1, transport.size))
    return [
        np.concatenate(transport.exchange(np.split(column[order], cuts)))
        for column in (vertices, *columns)
    ]
