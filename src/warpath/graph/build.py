"""From arcs in any order to CSR, by a parallel counting sort.

A counting sort over all vertices at once writes to as many places as there are
vertices, and misses the cache at each. So arcs are sorted in two steps. First they are distributed
to some hundred buckets by the high bits of their source, one stream of writes per bucket. Then each
bucket, whose counters and arcs fit the cache, is sorted by source and target.

Arcs may come in batches, which are freed one after the other as they are distributed; and the buckets are
freed one after the other as they become rows. So building takes little more memory than either
the arcs or the graph, whichever is larger.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpath.graph import segments
from warpath.graph.scratch import Scratch
from warpath.parallel import team, thread_count
from warpath.parallel.atomics import atomic_add
from warpath.parallel.jit import compiled
from warpath.parallel.sync import barrier, share, stopping
from warpath.progress import Progress

Array = NDArray[Any]

# Measured on 2 Zen 5 cores, 2²⁰ vertices, 2²⁵ arcs: 6 to 10 differ by little more than noise.
_BUCKET_BITS = 8
_EDGES_PER_THREAD = 65536  # guess: some 0.3 ms of work, against some 20 µs to start a team
# For whose sources no kernel is compiled: NumPy takes some 25 µs (2026-11).
_FEW_EDGES = 8192
# Sorted in one step by one thread. Of that many random edges it takes 8.5 ms, two threads with buckets 10.1; of a
# grid's in order 4 and 7, shuffled 13 and 11; of four times as many 57 and 38. Buckets take 2 s to compile (2026-11).
_ONE_STEP_EDGES = 1 << 18
_NO_WEIGHTS = np.empty(0, np.int32)
_ONE = np.uint64(1)
_DIGIT_BITS = 11  # of targets, sorted at a time: 2048 counters are half of a 32 KB cache
_MAX_SLICES = 16  # after which buckets are freed: guess, so 1/16 of the memory is there twice
_BATCH = 1 << 25  # edges distributed at a time, which takes up to some 0.5 s: a guess
_BUCKETS_PER_THREAD = 2  # at least, in a slice: a guess


class Batch(NamedTuple):
    """Some arcs: int32 arrays of their ends, and their weights or None."""

    source: Array
    target: Array
    weight: Array | None

    def rows(self, some: Any) -> "Batch":
        """Some of them: a slice or a mask."""
        weight = None if self.weight is None else self.weight[some]
        return Batch(self.source[some], self.target[some], weight)

    def renumbered(self, number: Any) -> "Batch":
        """The same with other numbers of the vertices: an int32 array of all."""
        return Batch(number[self.source], number[self.target], self.weight)


@compiled
def _distribute(  # type: ignore[no-untyped-def]
    thread, threads, sync, source, target, weight, weighted, mirror, shift, whole, only_count,
    counts, free, source_in, target_in, weight_in,
):  # fmt: skip
    """Distribute my share of a batch's arcs to the buckets.

    Bucket b holds the sources u with ``u >> shift == b``; ``free[b]`` is the place of its
    next arc. ``counts[t, b]``: first how many arcs thread t has for bucket b, then where its next one
    goes. Threads are in order, and each has its arcs in order, so that any number of threads keeps the
    order of arcs. If the batch is the ``whole`` list, buckets begin where the ones before end. With
    ``only_count``, ``free[b]`` counts the arcs of bucket b.
    """
    buckets = free.shape[0] - 1
    begin, end = share(source.shape[0], thread, threads)
    mine = counts[thread]
    mine[:] = 0
    for arc in range(begin, end):
        mine[source[arc] >> shift] += 1
        if mirror and source[arc] != target[arc]:
            mine[target[arc] >> shift] += 1
    barrier(sync, threads)  # all counts are there

    if thread == 0:
        position = 0
        for b in range(buckets):
            if not whole:
                position = free[b]
            for t in range(threads):
                count = counts[t, b]
                counts[t, b] = position
                position += count
            free[b] = position
        if whole:
            free[buckets] = position
    if only_count:
        return
    if barrier(sync, threads):  # counts now hold places
        return

    for arc in range(begin, end):
        u, v = source[arc], target[arc]
        place = mine[u >> shift]
        mine[u >> shift] = place + 1
        source_in[place] = u
        target_in[place] = v
        if weighted:
            weight_in[place] = weight[arc]
        if mirror and u != v:
            place = mine[v >> shift]
            mine[v >> shift] = place + 1
            source_in[place] = v
            target_in[place] = u
            if weighted:
                weight_in[place] = weight[arc]


@compiled
def _sort_buckets(  # type: ignore[no-untyped-def]
    thread, threads, sync, claimed, first, last, shift, known, digits, digit_bits, starts,
    source_in, target_in, weight_in, weighted, places, latest_targets,
    offsets, indices, weights,
):  # fmt: skip
    """Sort one bucket after another stably by source and target, and write its rows.

    Bucket b's arcs stand at ``starts[b]:starts[b + 1]``, in the ``_in`` arrays as in the rows. Where the
    targets of each source ascend already, which may be ``known`` and is so in most files, one counting sort
    is enough. Else it is the last step of a radix sort: by the digits of the target first.
    """
    n = offsets.shape[0] - 1
    place_of, latest = places[thread], latest_targets[thread]
    other_source = np.empty(0, source_in.dtype)
    other_target = np.empty(0, target_in.dtype)
    other_weight = np.empty(0, weight_in.dtype)
    counters = np.empty(1 << digit_bits, np.int64)
    mask = (1 << digit_bits) - 1
    bucket = first + atomic_add(claimed, 0, 1)
    while bucket < last and not stopping(sync):
        begin, end = starts[bucket], starts[bucket + 1]
        low = bucket << shift
        keys = np.minimum(1 << shift, n - low)
        place_of[:keys] = 0
        latest[:keys] = -1
        ascending = True
        if known:
            for arc in range(begin, end):
                place_of[source_in[arc] - low] += 1
        else:
            for arc in range(begin, end):
                k, v = source_in[arc] - low, target_in[arc]
                place_of[k] += 1
                ascending &= latest[k] <= v
                latest[k] = v
        position = begin
        for k in range(keys):
            count = place_of[k]
            offsets[low + k] = position
            place_of[k] = position
            position += count

        u_of, v_of = source_in[begin:end], target_in[begin:end]
        w_of = weight_in[begin:end] if weighted else weight_in[:0]
        if not ascending:
            size = end - begin
            if other_target.shape[0] < size:
                other_source = np.empty(size, source_in.dtype)
                other_target = np.empty(size, target_in.dtype)
                if weighted:
                    other_weight = np.empty(size, weight_in.dtype)
            to_u, to_v, to_w = other_source, other_target, other_weight
            for digit in range(digits):
                by = digit * digit_bits
                counters[:] = 0
                for arc in range(size):
                    counters[(v_of[arc] >> by) & mask] += 1
                position = 0
                for d in range(counters.shape[0]):
                    count = counters[d]
                    counters[d] = position
                    position += count
                for arc in range(size):
                    v = v_of[arc]
                    d = (v >> by) & mask
                    place = counters[d]
                    counters[d] = place + 1
                    to_u[place] = u_of[arc]
                    to_v[place] = v
                    if weighted:
                        to_w[place] = w_of[arc]
                u_of, to_u = to_u, u_of
                v_of, to_v = to_v, v_of
                w_of, to_w = to_w, w_of
        for arc in range(end - begin):
            k = u_of[arc] - low
            place = place_of[k]
            place_of[k] = place + 1
            indices[place] = v_of[arc]
            if weighted:
                weights[place] = w_of[arc]
        bucket = first + atomic_add(claimed, 0, 1)


def csr_from_batches(
    batches: list[Batch], n: int, *, mirror: bool = False, ascending: bool = False
) -> tuple[Array, Array, Array | None]:
    """CSR with sorted rows; parallel arcs stay in the order in which they came.

    Parameters
    ----------
    batches : list of Batch
        At least one; ends in ``[0, n)``, weights all of one dtype, or None. The list is emptied: a
        batch to which nothing else refers is freed as soon as its arcs are distributed.
    n : int
        The number of vertices.
    mirror : bool
        True: each arc's reverse is there as well, a self-loop only once. Parallel edges then
        stand in the same order in both directions, so that sums of their weights agree to the bit.
    ascending : bool
        True: it is known that the targets of each source come in ascending order.

    Returns
    -------
    offsets : int32 or int64 array, shape (n + 1,)
        The arcs of u stand at ``offsets[u]:offsets[u + 1]``; int64 from 2³¹ arcs.
    targets, weights
        In that order, shape (m,).

    Notes
    -----
    O(m + n) time. Beyond batches and result it holds one copy of the arcs, 256 counters and
    n / 256 places for each thread. The result does not depend on the number of threads, nor on how
    arcs are cut into batches.
    """
    sides = 2 if mirror else 1
    arcs = sum(len(batch.source) for batch in batches) * sides
    if any(len(batch.source) > _BATCH for batch in batches):
        batches = _cut(batches)
    shift = max(0, (n - 1).bit_length() - _BUCKET_BITS)
    buckets = -(-n >> shift)
    threads = max(1, min(thread_count.num_threads(), arcs // _EDGES_PER_THREAD))
    whole, weighted, dtype = len(batches) == 1, False, np.dtype(np.int32)
    if batches[0].weight is not None:
        weighted, dtype = True, batches[0].weight.dtype
    many = arcs if weighted else 0
    sizes = (arcs, np.int32), (arcs, np.int32), (many, dtype)
    into = [Scratch(*size, piecewise=not whole) for size in sizes]
    counts, free = np.empty((threads, buckets), np.int64), np.zeros(buckets + 1, np.int64)

    def distribute(batch: Batch, *, only_count: bool) -> None:
        given = np.empty(0, dtype) if batch.weight is None else batch.weight
        team.run(
            _distribute, max(1, min(threads, len(batch.source) // _EDGES_PER_THREAD)),
            *map(read_only, (batch.source, batch.target, given)),
            weighted, mirror, shift, whole, only_count, counts, free, *(part.array for part in into),
        )  # fmt: skip

    if not whole:
        for batch in batches:
            distribute(batch, only_count=True)
        free[1:] = np.cumsum(free[:-1])
        free[0] = 0
    starts = free.copy()
    batches.reverse()
    with Progress("Building the graph", 2 * arcs, "steps") as progress:
        while batches:
            size = len(batches[-1].source)
            distribute(batches.pop(), only_count=False)
            progress.advance(sides * size)
        starts[1:] = free[:-1]  # where each bucket ends
        m = int(starts[-1])
        offsets = np.empty(n + 1, np.int32 if m < 2**31 else np.int64)
        offsets[n] = m
        targets, arc_weights = np.empty(m, np.int32), np.empty(m if weighted else 0, dtype)

        bits = max(1, (n - 1).bit_length())
        digits = -(-bits // _DIGIT_BITS)
        slices = max(
            1, min(_MAX_SLICES, buckets // (_BUCKETS_PER_THREAD * threads), m // _EDGES_PER_THREAD)
        )
        places = np.empty((threads, 1 << shift), np.int64)
        latest = np.empty((threads, 1 << shift), np.int32)
        for k in range(slices):
            first, last = buckets * k // slices, buckets * (k + 1) // slices
            team.run(
                _sort_buckets, threads,
                np.zeros(1, np.int64), first, last, shift, ascending, digits, -(-bits // digits), starts,
                *(part.array for part in into), weighted, places, latest, offsets, targets, arc_weights,
            )  # fmt: skip
            for part in into[: 3 if weighted else 2]:
                part.release(int(starts[last]))
            progress.advance(int(starts[last] - starts[first]))
    return offsets, targets, arc_weights if weighted else None


def _cut(batches: list[Batch]) -> list[Batch]:
    """Batches of at most `_BATCH` edges, as views; ``batches`` is emptied."""
    parts: list[Batch] = []
    batches.reverse()
    while batches:
        batch = batches.pop()
        begins = range(0, len(batch.source), _BATCH)
        parts += [batch.rows(slice(begin, begin + _BATCH)) for begin in begins]
    return parts


def csr_from_arcs(
    source: Array, target: Array, weight: Array | None, n: int, *, mirror: bool = False
) -> tuple[Array, Array, Array | None]:
    """As `csr_from_batches`, of arcs in one batch."""
    if len(source) >= _ONE_STEP_EDGES:
        return csr_from_batches([Batch(source, target, weight)], n, mirror=mirror)
    given = _NO_WEIGHTS if weight is None else weight
    loops = int(np.count_nonzero(source == target)) if mirror else 0
    m = len(source) * (2 if mirror else 1) - loops
    offsets, place = np.zeros(n + 1, np.int32), np.zeros(n + 1, np.int32)
    by_target, targets = np.empty(m, np.int32), np.empty(m, np.int32)
    weights = np.empty(m if len(given) else 0, given.dtype)
    _sort_in_one_step(
        *map(read_only, (source, target, given)),
        mirror,
        place,
        by_target,
        offsets,
        targets,
        weights,
    )
    return offsets, targets, None if weight is None else weights


@compiled
def _sort_in_one_step(source, target, weight, mirror, place, by_target, offsets, targets, weights):  # type: ignore[no-untyped-def]
    """Sort arcs by target, then stably by source, with a counter for each vertex.

    Arc 2e is edge e, arc 2e + 1 its reverse. ``place`` and ``offsets`` are 0 at first. It makes no array and has
    unsigned indices, without which LLVM needs ten times as long (2 s, 2026-11).
    """
    edges, n, weighted = np.uint64(len(source)), np.uint64(len(offsets)) - _ONE, len(weight) > 0
    for e in range(edges):
        u, v = np.uint64(source[e]), np.uint64(target[e])
        offsets[u + _ONE] += 1
        place[v + _ONE] += 1
        if mirror and u != v:
            offsets[v + _ONE] += 1
            place[u + _ONE] += 1
    for k in range(n):
        offsets[k + _ONE] += offsets[k]
        place[k + _ONE] += place[k]
    for e in range(edges):
        u, v = np.uint64(source[e]), np.uint64(target[e])
        by_target[place[v]] = e << _ONE
        place[v] += 1
        if mirror and u != v:
            by_target[place[u]] = e << _ONE | _ONE
            place[u] += 1
    for k in range(n):
        place[k] = offsets[k]
    for i in range(np.uint64(len(by_target))):
        edge = np.uint64(by_target[i]) >> _ONE
        u, v = np.uint64(source[edge]), np.uint64(target[edge])
        if by_target[i] & 1:
            u, v = v, u
        arc = np.uint64(place[u])
        place[u] += 1
        targets[arc] = v
        if weighted:
            weights[arc] = weight[edge]


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
    if m < _FEW_EDGES:
        return np.repeat(np.arange(len(offsets) - 1, dtype=np.int32), np.diff(offsets))
    sources = np.empty(m, np.int32)
    threads = max(1, min(thread_count.num_threads(), m // _EDGES_PER_THREAD))
    team.run(_expand, threads, read_only(offsets), sources)
    return sources


def transpose(
    offsets: Array, indices: Array, weights: Array | None
) -> tuple[Array, Array, Array | None]:
    """The CSR of the reversed arcs; its rows are sorted."""
    n, sources = len(offsets) - 1, expand_sources(offsets)
    if len(indices) < _ONE_STEP_EDGES:
        return csr_from_arcs(indices, sources, weights, n)
    return csr_from_batches([Batch(indices, sources, weights)], n, ascending=True)


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
