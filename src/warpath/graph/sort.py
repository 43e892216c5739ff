"""From arcs in any order to CSR by sorting keys: how a GPU builds a graph.

An arc (u, v) is the 64-bit key u · 2³² + v; sorted keys are the rows in order. Without
weights nothing else needs to move. The result is that of the CPU's counting sort
(`warpath.graph.build`), the order of parallel arcs included.

Memory: a sort takes up to 56 bytes per arc in addition to the edges and the graph, for one *slab* at
a time, the arcs out of a range of vertices. Slabs also keep each array that is
sorted or searched below 2³¹ elements, beyond which CuPy's routines are not to be trusted.

Every function runs on CuPy's arrays and on NumPy's.
"""

from itertools import pairwise
from typing import Any

import numpy as np

from warpath.graph import segments
from warpath.graph.arrays import Csr, empty_padded, padded

_SLAB = 2**29  # arcs; a guess: sorted at full speed long before
# With weights: an arc's number, its edge's, its key twice, its place, and a sort's copy of two.
_BYTES_AN_ARC = 56
_SHARE = 4  # a slab takes at most this part of a GPU's memory: a guess
_EDGES_AT_A_TIME = 2**26  # looked at for the arcs of a slab, at 25 bytes each
_SAMPLE = 2**16  # sampled sources, by which slabs end: each is off by some 1 %
_SHIFT = np.uint64(32)
_LOW, _HIGH = 0, 1  # the words of a key, as little-endian machines store it


def csr_from_arcs(
    xp: Any,
    source: Any,
    target: Any,
    weight: Any,
    n: int,
    *,
    mirror: bool = False,
    drop_self_loops: bool = False,
    merge: str = "keep",
) -> tuple[Csr, int]:
    """CSR with sorted rows, and its number of self-loops.

    Parameters
    ----------
    xp : module
        numpy or cupy, as the arrays.
    source, target : int32 array, shape (k,)
    weight : array, shape (k,), or None
    n : int
    mirror : bool
        True: each arc's reverse is there as well, a self-loop only once.
    drop_self_loops : bool
    merge : {"keep", "min", "sum"}
        What becomes of parallel arcs.

    Raises
    ------
    OverflowError
        See `segments.total`.
    """
    offsets = xp.zeros(n + 1, np.int64)
    end, self_loops = 0, 0
    parts: list[Any] = []
    weights: list[Any] = []
    for low, high in pairwise(_slabs(xp, source, target, n, mirror)):
        arcs = _arcs_from(xp, source, target, low, high, mirror, drop_self_loops)
        keys, ordered = _sorted_arcs(xp, source, target, weight, arcs, mirror)
        if merge != "keep":
            keys, ordered = _merged(xp, keys, ordered, merge)
        rows = xp.arange(low, high, dtype=np.uint64) << _SHIFT
        offsets[low:high] = xp.searchsorted(keys, rows) + end
        end += len(keys)
        words = keys.view(np.int32)
        self_loops += int(xp.count_nonzero(words[_LOW::2] == words[_HIGH::2]))
        parts.append(padded(xp, [words[_LOW::2]]))
        weights.append(ordered)
        del arcs, keys, words  # before the next slab's are made
    offsets[n:] = end
    if end < 2**31:
        offsets = offsets.astype(np.int32)
    indices = parts[0] if len(parts) == 1 else padded(xp, parts)
    return Csr(offsets, indices, None if weight is None else padded(xp, weights)), self_loops


def transpose(xp: Any, csr: Csr) -> Csr:
    """The CSR of the reversed arcs."""
    n = len(csr.row_offsets) - 1
    sources = expand_sources(xp, csr.row_offsets, len(csr.column_indices))
    return csr_from_arcs(xp, csr.column_indices, sources, csr.weights, n)[0]


def keys_of(xp: Any, source: Any, target: Any) -> Any:
    """The keys of arcs: uint64 array, shape (k,)."""
    words = xp.empty(2 * len(source), np.int32)
    words[_HIGH::2], words[_LOW::2] = source, target
    return words.view(np.uint64)


def expand_sources(xp: Any, offsets: Any, num_arcs: int) -> Any:
    """The source of each arc: int32 array, shape (m,), padded as kernels read."""
    sources = empty_padded(xp, num_arcs, np.int32)
    for begin in range(0, num_arcs, _EDGES_AT_A_TIME):
        arcs = xp.arange(begin, min(begin + _EDGES_AT_A_TIME, num_arcs), dtype=offsets.dtype)
        sources[begin : begin + len(arcs)] = xp.searchsorted(offsets, arcs, side="right") - 1
    return sources


def _slabs(xp: Any, source: Any, target: Any, n: int, mirror: bool) -> list[int]:
    """Vertices where slabs begin and end, 0 and n among them."""
    arcs = len(source) * (2 if mirror else 1)
    most = _SLAB
    if xp is not np:
        most = min(most, xp.cuda.runtime.memGetInfo()[1] // (_SHARE * _BYTES_AN_ARC))
    slabs = -(-arcs // most)
    if slabs <= 1:
        return [0, n]
    step = max(1, len(source) // _SAMPLE)
    sample = xp.concatenate([source[::step], target[::step]] if mirror else [source[::step]])
    sample.sort()
    places = [len(sample) * slab // slabs for slab in range(1, slabs)]
    return sorted({0, n, *(int(sample[place]) for place in places)})


def _arcs_from(
    xp: Any, source: Any, target: Any, low: int, high: int, mirror: bool, drop_self_loops: bool
) -> Any:
    """Numbers of the arcs out of the vertices in [low, high), ascending.

    Edge i is arc i; with ``mirror`` arc 2i, and its reverse arc 2i + 1.
    """
    sides = 2 if mirror else 1
    numbers = []
    for begin in range(0, max(1, len(source)), _EDGES_AT_A_TIME):
        u = source[begin : begin + _EDGES_AT_A_TIME]
        v = target[begin : begin + _EDGES_AT_A_TIME]
        taken = xp.empty((len(u), sides), bool)
        ends = (u, v)[:sides]
        for side, end in enumerate(ends):
            xp.logical_and(end >= low, end < high, out=taken[:, side])
        if drop_self_loops:
            taken &= (u != v)[:, None]
        elif mirror:
            taken[:, 1] &= u != v
        numbers.append(xp.flatnonzero(taken) + sides * begin)
    return numbers[0] if len(numbers) == 1 else xp.concatenate(numbers)


def _sorted_arcs(
    xp: Any, source: Any, target: Any, weight: Any, arcs: Any, mirror: bool
) -> tuple[Any, Any]:
    """The keys of ``arcs`` in order, and their weights; equal keys stay in the order of edges."""
    edges = arcs >> 1 if mirror else arcs
    keys = keys_of(xp, source[edges], target[edges])
    if mirror:
        turned = (keys << _SHIFT) | (keys >> _SHIFT)
        xp.copyto(keys, turned, where=(arcs & 1).astype(bool))
        del turned
    if weight is None:
        keys.sort()
        return keys, None
    order = xp.argsort(keys, kind="stable")
    return keys[order], weight[edges[order]]


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
