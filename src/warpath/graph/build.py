"""From arcs in any order to CSR, by a parallel counting sort.

`group_by` is the one primitive: a stable counting sort of arcs by one of their
ends. Sorting by target and then by source gives CSR with sorted rows; sorting the
arcs of a CSR by target gives its reverse, with sorted rows again.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from warpath.parallel import team
from warpath.parallel.team import barrier, share

Array = NDArray[Any]


@njit(nogil=True, cache=True)
def _group_by(  # type: ignore[no-untyped-def]
    thread, threads, sync, key, other, weight, weighted, counts, totals, offsets, other_out, weight_out
):
    """Sort my share of the arcs stably by key, into places that no other thread writes.

    ``counts[t, k]``: first how many arcs with key k thread t has, then where its next
    one goes. Threads own equal shares of the arcs in the counting and scattering
    steps, of the keys in the prefix sums between them.
    """
    num_keys = offsets.shape[0] - 1
    begin, end = share(key.shape[0], thread, threads)
    mine = counts[thread]
    mine[:] = 0
    for arc in range(begin, end):
        mine[key[arc]] += 1
    barrier(sync, threads)  # all counts are there

    first, last = share(num_keys, thread, threads)
    total = 0
    for k in range(first, last):
        for t in range(threads):
            total += counts[t, k]
    totals[thread] = total
    barrier(sync, threads)  # all totals are there

    position = 0
    for t in range(thread):
        position += totals[t]
    for k in range(first, last):
        offsets[k] = position
        for t in range(threads):
            count = counts[t, k]
            counts[t, k] = position
            position += count
    if thread == threads - 1:
        offsets[num_keys] = position
    barrier(sync, threads)  # counts now hold places

    for arc in range(begin, end):
        k = key[arc]
        place = mine[k]
        mine[k] = place + 1
        other_out[place] = other[arc]
        if weighted:
            weight_out[place] = weight[arc]


def group_by(
    key: Array, other: Array, weight: Array | None, num_keys: int
) -> tuple[Array, Array, Array | None]:
    """Sort arcs stably by ``key``.

    Parameters
    ----------
    key, other : int32 array, shape (m,)
        The end to sort by, values in ``[0, num_keys)``, and the other end.
    weight : array, shape (m,), or None
    num_keys : int

    Returns
    -------
    offsets : int32 or int64 array, shape (num_keys + 1,)
        Key k's arcs stand at ``offsets[k]:offsets[k + 1]``; int64 from 2³¹ arcs.
    other, weight
        In the new order.

    Notes
    -----
    O(m + n) time. Beyond the result it holds one counter a key for each thread, and
    takes no more threads than make these counters as many as there are arcs.
    """
    m = len(key)
    index_type = np.int32 if m < 2**31 else np.int64
    threads = max(1, min(team.num_threads(), m // max(num_keys, 4096)))
    offsets = np.empty(num_keys + 1, index_type)
    other_out = np.empty(m, np.int32)
    weighted = weight is not None
    weight_in = weight if weight is not None else np.empty(0, np.int32)
    weight_out = np.empty(m if weighted else 0, weight_in.dtype)
    counts = np.empty((threads, num_keys), index_type)
    team.run(
        _group_by, threads,
        read_only(key), read_only(other), read_only(weight_in), weighted,
        counts, np.empty(threads, np.int64), offsets, other_out, weight_out,
    )  # fmt: skip
    return offsets, other_out, weight_out if weighted else None


@njit(nogil=True, cache=True)
def _expand(thread, threads, sync, offsets, sources):  # type: ignore[no-untyped-def]
    """Write each of my vertices' ids once for each of its arcs."""
    begin, end = share(offsets.shape[0] - 1, thread, threads)
    for u in range(begin, end):
        for arc in range(offsets[u], offsets[u + 1]):
            sources[arc] = u


def expand_sources(offsets: Array) -> Array:
    """The source of each arc of a CSR: int32 array, shape (m,)."""
    m = int(offsets[-1])
    sources = np.empty(m, np.int32)
    threads = max(1, min(team.num_threads(), m // 65536))
    team.run(_expand, threads, read_only(offsets), sources)
    return sources


def transpose(
    offsets: Array, indices: Array, weights: Array | None
) -> tuple[Array, Array, Array | None]:
    """The CSR of the reversed arcs; its rows are sorted."""
    return group_by(indices, expand_sources(offsets), weights, len(offsets) - 1)


def csr_from_arcs(
    source: Array, target: Array, weight: Array | None, n: int
) -> tuple[Array, Array, Array | None]:
    """CSR with sorted rows; parallel arcs stay in the order in which they came."""
    offsets, sources, weights = group_by(target, source, weight, n)
    return transpose(offsets, sources, weights)


def rows_are_sorted(offsets: Array, indices: Array) -> bool:
    """Whether no row of a CSR descends."""
    return bool(_rows_are_sorted(read_only(offsets), read_only(indices)))


@njit(nogil=True, cache=True)
def _rows_are_sorted(offsets, indices):  # type: ignore[no-untyped-def]
    for u in range(offsets.shape[0] - 1):
        for arc in range(offsets[u] + 1, offsets[u + 1]):
            if indices[arc - 1] > indices[arc]:
                return False
    return True


def merge_parallel(
    offsets: Array, indices: Array, weights: Array | None, how: str
) -> tuple[Array, Array, Array | None]:
    """One arc for each ordered pair of ends, with the ``"min"`` or ``"sum"`` of the weights.

    Raises
    ------
    OverflowError
        If a sum of integers does not fit in 64 bits.
    """
    sources = expand_sources(offsets)
    first = np.empty(len(indices), bool)
    first[:1] = True
    np.not_equal(indices[1:], indices[:-1], out=first[1:])
    first[1:] |= sources[1:] != sources[:-1]
    places = np.flatnonzero(first)
    if len(places) == len(indices):
        return offsets, indices, weights
    if weights is not None and len(places):
        if how == "min":
            weights = np.minimum.reduceat(weights, places)
        else:
            weights = _sum_groups(weights, places)
    counts = np.bincount(sources[places], minlength=len(offsets) - 1)
    merged = np.zeros(len(offsets), offsets.dtype)
    np.cumsum(counts, out=merged[1:])
    return merged, indices[places], weights


def _sum_groups(weights: Array, places: Array) -> Array:
    if weights.dtype.kind == "f":
        return np.add.reduceat(weights, places)
    # Sums of magnitudes in floating point bound the integer sums well enough to tell.
    if np.add.reduceat(np.abs(weights.astype(np.float64)), places).max() >= 2.0**63:
        raise OverflowError("the sum of some parallel edges' weights exceeds 64 bits")
    total = np.add.reduceat(weights.astype(np.int64), places)
    fits = np.iinfo(np.int32)
    if weights.dtype == np.int32 and fits.min <= total.min() and total.max() <= fits.max:
        return total.astype(np.int32)
    return total


def read_only(array: Array) -> Array:
    """A view that cannot be written: kernels see one array type, users cannot break a graph."""
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view
