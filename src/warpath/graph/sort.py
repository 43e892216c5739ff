"""From arcs in any order to CSR by sorting keys: how a GPU builds a graph.

An arc (u, v) is the 64-bit key u · 2³² + v; sorted keys are the rows in order. Without
weights nothing else needs to move. The result is that of the CPU's counting sort
(`warpath.graph.build`), the order of parallel arcs included.

Memory: a sort takes up to 56 bytes per arc in addition to the edges and the graph, for one *slab* at
a time, the arcs out of a range of vertices. Slabs also keep each array that is
sorted or searched below 2³¹ elements, beyond which CuPy's routines are not to be trusted. Edges are
looked at some at a time, once for each slab; so they need not lie anywhere, if they can be drawn again.

Every function runs on CuPy's arrays and on NumPy's.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

import numpy as np

from warpath.graph import segments
from warpath.graph.arrays import Csr, empty_padded, padded
from warpath.graph.build import Batch

_SLAB = 2**29  # arcs; a guess: sorted at full speed long before
# With weights: an arc's key and weight, each twice, and what a sort takes for a number of each and for its copies.
_BYTES_AN_ARC = 56
_SHARE = 4  # a slab takes at most this part of a GPU's memory: a guess
_EDGES_AT_A_TIME = 2**24  # looked at for the arcs of a slab, at up to 60 bytes each: 1 GB
_SAMPLE = 2**16  # sampled edges, by which slabs end: each is off by some 1 %
_SHIFT = np.uint64(32)
_LOW, _HIGH = 0, 1  # the words of a key, as little-endian machines store it


class Edges(Protocol):
    """Edges any range of which can be had, as often as it is asked for.

    Attributes
    ----------
    count : int
        How many there are.
    """

    @property
    def count(self) -> int:
        """Their number."""

    def drawn(self, xp: Any, first: int, last: int) -> Batch:
        """The edges ``first`` to ``last``."""

    def sample(self, xp: Any, size: int) -> Batch:
        """Some of them, at least ``size`` if there are more."""


@dataclass(frozen=True)
class GivenEdges:
    """Edges that lie in arrays, of the module that is asked for; as of `Edges`."""

    source: Any
    target: Any
    weight: Any

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.source)

    def drawn(self, xp: Any, first: int, last: int) -> Batch:
        """A range of them."""
        return self._rows(slice(first, last))

    def sample(self, xp: Any, size: int) -> Batch:
        """Some, at equal distances."""
        return self._rows(slice(None, None, max(1, self.count // size)))

    def _rows(self, rows: slice) -> Batch:
        return Batch(self.source, self.target, self.weight).rows(rows)


def rows_of(
    xp: Any,
    edges: Edges,
    first: int,
    last: int,
    *,
    mirror: bool = False,
    drop_self_loops: bool = False,
    merge: str = "keep",
) -> tuple[Csr, int]:
    """The rows of the vertices ``first`` to ``last``, sorted, and how many of their arcs are self-loops.

    Parameters
    ----------
    xp : module
        numpy or cupy: that of the arrays.
    edges : Edges
    mirror : bool
        True: each arc's reverse is there as well, a self-loop only once.
    drop_self_loops : bool
    merge : {"keep", "min", "sum"}
        What becomes of parallel arcs.

    Returns
    -------
    Csr
        Its row offsets begin with 0, for the vertex ``first``.
    int

    Raises
    ------
    OverflowError
        See `segments.total`.
    """
    offsets = xp.zeros(last - first + 1, np.int64)
    end, self_loops = 0, 0
    parts: list[Any] = []
    weights: list[Any] = []
    for low, high in pairwise(_slabs(xp, edges, first, last, mirror)):
        keys, ordered = _sorted(xp, *_arcs_from(xp, edges, low, high, mirror, drop_self_loops))
        if merge != "keep":
            keys, ordered = _merged(xp, keys, ordered, merge)
        rows = xp.arange(low, high, dtype=np.uint64) << _SHIFT
        offsets[low - first : high - first] = xp.searchsorted(keys, rows) + end
        end += len(keys)
        words = keys.view(np.int32)
        self_loops += int(xp.count_nonzero(words[_LOW::2] == words[_HIGH::2]))
        parts.append(padded(xp, [words[_LOW::2]]))
        weights.append(ordered)
        del keys, words  # before the next slab's are made
    offsets[last - first :] = end
    if end < 2**31:
        offsets = offsets.astype(np.int32)
    indices = parts[0] if len(parts) == 1 else padded(xp, parts)
    return Csr(offsets, indices, None if weights[0] is None else padded(xp, weights)), self_loops


def transpose(xp: Any, csr: Csr) -> Csr:
    """The CSR of the reversed arcs."""
    n = len(csr.row_offsets) - 1
    sources = expand_sources(xp, csr.row_offsets, len(csr.column_indices))
    return rows_of(xp, GivenEdges(csr.column_indices, sources, csr.weights), 0, n)[0]


def keys_of(xp: Any, source: Any, target: Any) -> Any:
    """The keys of arcs: uint64 array, shape (k,)."""
    words = xp.empty(2 * len(source), np.int32)
    words[_HIGH::2], words[_LOW::2] = source, target
    return words.view(np.uint64)


def expand_sources(xp: Any, offsets: Any, num_arcs: int) -> Any:
    """The source of each arc: int32 array, shape (m,), padded as kernels read."""
    sources = empty_padded(xp, num_arcs, np.int32)
    for begin in range(0, num_arcs, _EDGES_AT_A_TIME):
        end = min(begin + _EDGES_AT_A_TIME, num_arcs)
        sources[begin:end] = _sources_between(xp, offsets, begin, end)
    return sources


def self_loops_at(xp: Any, csr: Csr, first: int) -> Any:
    """In which row each self-loop stands. Rows are of consecutive vertices, from the vertex ``first`` on."""
    found = []
    arcs = len(csr.column_indices)
    for begin in range(0, max(arcs, 1), _EDGES_AT_A_TIME):
        end = min(begin + _EDGES_AT_A_TIME, arcs)
        rows = _sources_between(xp, csr.row_offsets, begin, end)
        found.append(rows[rows + first == csr.column_indices[begin:end]])
    return _joined(xp, found)


def _sources_between(xp: Any, offsets: Any, begin: int, end: int) -> Any:
    """The source of each arc of a range."""
    return xp.searchsorted(offsets, xp.arange(begin, end, dtype=offsets.dtype), side="right") - 1


def _slabs(xp: Any, edges: Edges, first: int, last: int, mirror: bool) -> list[int]:
    """Vertices where slabs begin and end, ``first`` and ``last`` among them."""
    most = _SLAB
    if xp is not np:
        most = min(most, xp.cuda.runtime.memGetInfo()[1] // (_SHARE * _BYTES_AN_ARC))
    arcs = edges.count * (2 if mirror else 1)
    if arcs <= most or first == last:
        return [first, last]
    source, target, _ = edges.sample(xp, _SAMPLE)
    ends = xp.concatenate([source, target]) if mirror else source
    within = ends[(ends >= first) & (ends < last)]
    within.sort()
    slabs = -(-arcs * len(within) // (len(ends) * most))
    places = [len(within) * slab // slabs for slab in range(1, slabs)]
    return sorted({first, last, *(int(within[place]) for place in places)})


def _arcs_from(
    xp: Any, edges: Edges, low: int, high: int, mirror: bool, drop_self_loops: bool
) -> tuple[Any, Any]:
    """The keys of the arcs out of the vertices in [low, high), and their weights, in the order of edges.

    An edge's reverse stands behind it.
    """
    sides = 2 if mirror else 1
    keys, weights = [], []
    for begin in range(0, max(1, edges.count), _EDGES_AT_A_TIME):
        u, v, weight = edges.drawn(xp, begin, min(begin + _EDGES_AT_A_TIME, edges.count))
        arcs, taken = xp.empty((len(u), sides), np.uint64), xp.empty((len(u), sides), bool)
        for side, (out, into) in enumerate(((u, v), (v, u))[:sides]):
            arcs[:, side] = keys_of(xp, out, into)
            xp.logical_and(out >= low, out < high, out=taken[:, side])
        if drop_self_loops:
            taken &= (u != v)[:, None]
        elif mirror:
            taken[:, 1] &= u != v
        keys.append(arcs[taken])
        if weight is not None:
            weights.append(xp.repeat(weight, sides)[taken.ravel()])
    return _joined(xp, keys), _joined(xp, weights) if weights else None


def _joined(xp: Any, parts: list[Any]) -> Any:
    return parts[0] if len(parts) == 1 else xp.concatenate(parts)


def _sorted(xp: Any, keys: Any, weights: Any) -> tuple[Any, Any]:
    """The same in the order of keys; equal ones stay in theirs."""
    if weights is None:
        keys.sort()
        return keys, None
    order = xp.argsort(keys, kind="stable")
    return keys[order], weights[order]


def _merged(xp: Any, keys: Any, weights: Any, how: str) -> tuple[Any, Any]:
    """One arc for each key, with the ``"min"`` or ``"sum"`` of the weights."""
    first = xp.ones(len(keys), bool)
    xp.not_equal(keys[1:], keys[:-1], out=first[1:])
    places = xp.flatnonzero(first)
    if len(places) == len(keys):
        return keys, weights
    if weights is not None:
        weights = (segments.least if how == "min" else segments.total)(weights, places)
    return keys[places], weights
