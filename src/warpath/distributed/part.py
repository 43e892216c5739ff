"""The part of a graph that one rank holds.

A rank *owns* consecutive vertices. It has their arcs, in both directions, and knows the vertices at
the other ends: its *ghosts*, which other ranks own. Owned vertices and ghosts have numbers from 0
in the order of their ids. So a part is a pair of `Graph` on these numbers (ghosts have no arcs in it), its rows
are in the order of ids, and the ghosts that one rank owns are a range.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.distributed.partition import owners
from warpath.distributed.transport import Transport
from warpath.graph.graph import Graph

Array = NDArray[Any]

_NOTHING = np.empty(0, np.int64)


@dataclass(frozen=True, eq=False)
class Part:
    """A rank's vertices, their arcs, and where the values of ghosts come from.

    Attributes
    ----------
    xp : module
        That of its arrays, but for ``bounds`` and ``ends``: NumPy, or CuPy where it lies on a GPU
        (`warpath.distributed.gpu.part`).
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
    def xp(self) -> Any:
        """The module of its arrays."""
        return np

    @property
    def owned(self) -> slice:
        """The numbers that this rank owns."""
        return slice(self.begin, self.end)

    def ghosts(self, rank: int) -> slice:
        """The numbers of the ghosts that another rank owns."""
        return slice(int(self.ends[rank]), int(self.ends[rank + 1]))

    def numbers_of(self, vertices: Array) -> NDArray[np.int32]:
        """The numbers of those of some vertices that this rank owns, each once, ascending."""
        if self.begin == self.end:
            return self.ids[:0]
        first, last = int(self.ids[self.begin]), int(self.ids[self.end - 1])
        inside = (first <= vertices) & (vertices <= last)
        numbers = np.unique(self.begin + vertices[inside] - first).astype(np.int32)
        return self.xp.asarray(numbers)  # type: ignore[no-any-return]

    def pull(self, transport: Transport, values: Array) -> None:
        """Give each ghost its owner's value; ``values`` has one for each number."""
        received = transport.exchange([values[shown] for shown in self.boundary])
        for q, block in enumerate(received):
            if q != transport.rank:
                values[self.ghosts(q)] = block

    def pull_flags(self, transport: Transport, flags: NDArray[np.bool_]) -> None:
        """As `pull`, a bit each."""
        pack, unpack = self.xp.packbits, self.xp.unpackbits
        received = transport.exchange([pack(flags[shown]) for shown in self.boundary])
        for q, block in enumerate(received):
            if q != transport.rank:
                ghosts = self.ghosts(q)
                flags[ghosts] = unpack(block)[: ghosts.stop - ghosts.start]

    def push(
        self,
        transport: Transport,
        ghosts: NDArray[np.int32],
        *columns: Array,
        note: Array = _NOTHING,
    ) -> tuple[NDArray[np.int32], list[Array], Array]:
        """Tell owners of some of their vertices: the place among a rank's ghosts travels, 4 bytes.

        Parameters
        ----------
        ghosts : int32 array, shape (k,)
            Numbers, ascending.
        columns : arrays, shape (k,)
            A value of each; all ranks have the same number of columns, of the same dtypes.
        note : array, shape (j,)
            What all ranks are told.

        Returns
        -------
        owned : int32 array
            Owned numbers that other ranks tell of, several times if several ranks do.
        columns : list of arrays
            The values that they tell.
        notes : array, shape (size, j)
            Those of all ranks.
        """
        cuts = np.searchsorted(ghosts, self.ends).tolist()
        head, messages = note.view(np.uint8), []
        for first, begin, end in zip(self.ends[:-1], cuts[:-1], cuts[1:], strict=True):
            fields = ghosts[begin:end] - np.int32(first), *(one[begin:end] for one in columns)
            messages.append(np.concatenate([head, *(field.view(np.uint8) for field in fields)]))
        received = transport.exchange(messages)
        notes = np.stack([message[: len(head)] for message in received]).view(note.dtype)
        found: list[list[Array]] = []
        dtypes = np.dtype(np.int32), *(column.dtype for column in columns)
        row = sum(dtype.itemsize for dtype in dtypes)
        for shown, message in zip(self.boundary, received, strict=True):
            count, at = (len(message) - len(head)) // row, len(head)
            told = [
                message[at : (at := at + count * dtype.itemsize)].view(dtype) for dtype in dtypes
            ]
            found.append([shown[told[0]], *told[1:]])
        owned, *values = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return owned, values, notes


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
    transport: Transport, bounds: NDArray[np.int64], values: Array, vertices: Array, xp: Any = np
) -> Array:
    """The values of any vertices, which their owners have in ``values``: one for each of their own.

    Parameters
    ----------
    xp : module
        That of ``values`` and ``vertices``; ``bounds`` is NumPy's.
    """
    asked, place = xp.unique(vertices, return_inverse=True)
    cuts = xp.searchsorted(asked, xp.asarray(bounds.astype(asked.dtype))).tolist()
    requests = transport.exchange(cut(asked, cuts))
    first = bounds[transport.rank]
    answers = transport.exchange([values[block - first] for block in requests])
    return xp.concatenate(answers)[place]  # type: ignore[no-any-return]


def sent_to_owners(
    transport: Transport,
    bounds: NDArray[np.int64],
    vertices: Array,
    *columns: Array,
    xp: Any = np,
) -> list[Array]:
    """Rows of a table go to the owner of their vertex: the vertices that come here, and their columns.

    Parameters
    ----------
    xp : module
        That of the columns; ``bounds`` is NumPy's.
    """
    owner = owners(bounds, vertices, xp).astype(np.uint16)
    order = xp.argsort(owner, kind="stable")
    rank = xp.arange(1, transport.size, dtype=np.uint16)
    cuts = [0, *xp.searchsorted(owner[order], rank).tolist(), len(order)]
    return [
        xp.concatenate(transport.exchange(cut(column[order], cuts)))
        for column in (vertices, *columns)
    ]


def cut(values: Array, cuts: list[int]) -> list[Array]:
    """The values between each two neighbours of ``cuts``."""
    return [values[begin:end] for begin, end in pairwise(cuts)]
