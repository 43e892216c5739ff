"""From arcs in any order to CSR, by a parallel counting sort.

`group_by` is the one primitive: a stable counting sort of arcs by one of their
ends. Sorting by target and then by source gives CSR with sorted rows; sorting the
arcs of a CSR by target gives its reverse, with sorted rows again.

A counting sort over all vertices at once writes to as many places as there are
vertices, and misses the cache at each. So `group_by` works in two steps: it deals
the arcs out to some hundred buckets by the high bits of the key, one stream of
writes a bucket, and then sorts each bucket, whose counters and arcs fit the cache.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.graph import segments
from warpath.parallel import team
from warpath.parallel.atomics import atomic_add
from warpath.parallel.jit import compiled
from warpath.parallel.team import barrier, share

Array = NDArray[Any]

# Measured on 2 Zen 5 cores, 2²⁰ vertices, 2²⁵ arcs: 6 to 10 differ by little more than noise.
_BUCKET_BITS = 8
_ARCS_A_THREAD = 65536  # guess: some 0.3 ms of work, against some 20 µs to start a team


@compiled
def _group_by(  # type: ignore[no-untyped-def]
    thread, threads, sync, key, other, weight, weighted, mirror, shift,
    counts, starts, claimed, key_in, other_in, weight_in, places, offsets, other_out, weight_out,
):  # fmt: skip
    """Deal my share of the arcs out to the buckets, then sort one bucket after another.

    Bucket b holds the keys k with ``k >> shift == b``; its arcs stand at
    ``starts[b]:starts[b + 1]`` of the ``_in`` arrays. ``counts[t, b]``: first how many
    arcs thread t has for bucket b, then where its next one goes: threads in order, each
    with its arcs in order, which makes the sort stable whatever their number.
    """
    buckets = starts.shape[0] - 1
    begin, end = share(key.shape[0], thread, threads)
    mine = counts[thread]
    mine[:] = 0
    for arc in range(begin, end):
        mine[key[arc] >> shift] += 1
        if mirror and key[arc] != other[arc]:
            mine[other[arc] >> shift] += 1
    barrier(sync, threads)  # all counts are there

    if thread == 0:
        position = 0
        for b in range(buckets):
            starts[b] = position
            for t in range(threads):
                count = counts[t, b]
                counts[t, b] = position
                position += count
        starts[buckets] = position
    barrier(sync, threads)  # counts now hold places

    for arc in range(begin, end):
        k, o = key[arc], other[arc]
        place = mine[k >> shift]
        mine[k >> shift] = place + 1
        key_in[place] = k
        other_in[place] = o
        if weighted:
            weight_in[place] = weight[arc]
        if mirror and k != o:
            place = mine[o >> shift]
            mine[o >> shift] = place + 1
            key_in[place] = o
            other_in[place] = k
            if weighted:
                weight_in[place] = weight[arc]
    barrier(sync, threads)  # the buckets are filled

    num_keys = offsets.shape[0] - 1
    place_of = places[thread]
    bucket = atomic_add(claimed, 0, 1)
    while bucket < buckets:
        begin, end = starts[bucket], starts[bucket + 1]
        low = bucket << shift
        keys = min(1 << shift, num_keys - low)
        place_of[:keys] = 0
        for arc in range(begin, end):
            place_of[key_in[arc] - low] += 1
        position = begin
        for k in range(keys):
            count = place_of[k]
            offsets[low + k] = position
            place_of[k] = position
            position += count
        for arc in range(begin, end):
            k = key_in[arc] - low
            place = place_of[k]
            place_of[k] = place + 1
            other_out[place] = other_in[arc]
            if weighted:
                weight_out[place] = weight_in[arc]
        bucket = atomic_add(claimed, 0, 1)
    if thread == 0:
        offsets[num_keys] = starts[buckets]


def group_by(
    key: Array, other: Array, weight: Array | None, num_keys: int, *, mirror: bool = False
) -> tuple[Array, Array, Array | None]:
    """Sort arcs stably by ``key``.

    Parameters
    ----------
    key, other : int32 array, shape (k,)
        The end to sort by, values in ``[0, num_keys)``, and the other end.
    weight : array, shape (k,), or None
    num_keys : int
    mirror : bool
        True: sort each arc's reverse as well, a self-loop only once.

    Returns
    -------
    offsets : int32 or int64 array, shape (num_keys + 1,)
        Key k's arcs stand at ``offsets[k]:offsets[k + 1]``; int64 from 2³¹ arcs.
    other, weight
        In the new order, shape (m,): m = k, or with ``mirror`` 2k less the self-loops.

    Notes
    -----
    O(m + n) time. Beyond the result it holds one copy of the arcs, and 256 counters and
    n / 256 places for each thread. The result does not depend on the number of threads.
    """
    m = len(key)
    if mirror:
        m = 2 * m - int(np.count_nonzero(key == other))
    index_type = np.int32 if m < 2**31 else np.int64
    shift = max(0, (num_keys - 1).bit_length() - _BUCKET_BITS)
    buckets = -(-num_keys >> shift)
    threads = max(1, min(team.num_threads(), m // _ARCS_A_THREAD))
    weighted = weight is not None
    given = weight if weight is not None else np.empty(0, np.int32)
    many = m if weighted else 0
    offsets, other_out = np.empty(num_keys + 1, index_type), np.empty(m, np.int32)
    weight_out = np.empty(many, given.dtype)
    team.run(
        _group_by, threads,
        read_only(key), read_only(other), read_only(given), weighted, mirror, shift,
        np.empty((threads, buckets), np.int64), np.empty(buckets + 1, np.int64), np.zeros(1, np.int64),
        np.empty(m, np.int32), np.empty(m, np.int32), np.empty(many, given.dtype),
        np.empty((threads, 1 << shift), np.int64), offsets, other_out, weight_out,
    )  # fmt: skip
    return offsets, other_out, weight_out if weighted else None


@compiled
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
    source: Array, target: Array, weight: Array | None, n: int, *, mirror: bool = False
) -> tuple[Array, Array, Array | None]:
    """CSR with sorted rows; parallel arcs stay in the order in which they came.

    With ``mirror`` each arc's reverse is there as well (a self-loop only once). Parallel
    edges then stand in the same order in both directions, so that sums of their weights
    agree to the bit.
    """
    offsets, sources, weights = group_by(target, source, weight, n, mirror=mirror)
    return transpose(offsets, sources, weights)


def rows_are_sorted(offsets: Array, indices: Array) -> bool:
    """Whether no row of a CSR descends."""
    return bool(_rows_are_sorted(read_only(offsets), read_only(indices)))


@compiled
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
        See `segments.total`.
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
        weights = (segments.least if how == "min" else segments.total)(weights, places)
    counts = np.bincount(sources[places], minlength=len(offsets) - 1)
    merged = np.zeros(len(offsets), offsets.dtype)
    np.cumsum(counts, out=merged[1:])
    return merged, indices[places], weights


def read_only(array: Array) -> Array:
    """A view that cannot be written: kernels see one array type, users cannot break a graph."""
    array = np.ascontiguousarray(array)
    # Numba takes every array for an aligned one.
    view = array.view() if array.flags.aligned else array.copy()
    view.flags.writeable = False
    return view
