"""All pairs' shortest paths of a matrix that lies on the host, or in a file."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath import devices
from warpath.cuda import runtime
from warpath.cuda.apsp import check
from warpath.cuda.elimination import Elimination, factor_bytes, max_packed
from warpath.cuda.minplus import BASE, Relax, Rows, Words, closing_group
from warpath.cuda.product import Matrix, packed_words, paths_nbytes
from warpath.cuda.representation import Representation, represent
from warpath.cuda.staging import Staging
from warpath.cuda.streaming import SLOTS, Blocking, Pipeline, blocking, parts, rounds
from warpath.cuda.work_sharing import WorkSharing
from warpath.operators import lookup

_SHARE = 0.9  # of the device's free memory that a matrix may take: a guess
_ROWS_AT_ONCE = 256  # that a thread looks at

Better = Callable[..., None]
"""``better(C, CP, A, B, BP)``: ``C = best(C, A ⊗ B)`` of arrays of the host, in place.

C and CP have shape (rows, n), B and BP (k, n); A are k columns of C, as they are when it is called. The
predecessors may be None. Of equally good paths that in C counts, else the first one. Numbers are the
kernels': integers of "shortest" come as unsigned ones if none is negative, and half of their dtype's
largest is "no path".
"""


def free_bytes() -> int:
    """Bytes of the current device that a matrix may take: most of what is free.

    What CuPy's pool keeps for later is given back first.
    """
    xp = runtime.current().xp
    xp.get_default_memory_pool().free_all_blocks()
    return int(_SHARE * devices.free_memory(xp))


def floyd_warshall_out_of_core(
    distance: NDArray[Any],
    predecessor: NDArray[np.int32] | None = None,
    algebra: str = "shortest",
    *,
    device_bytes: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    lazy: bool = False,
    host: Better | None = None,
    squares: bool = False,
) -> float:
    """Close a matrix of arcs that need not fit into the device's memory, in place.

    Parameters
    ----------
    distance : array of int16, int32, int64, float32 or float64, shape (n, n)
        C-contiguous, in memory or memory-mapped; as `warpath.cuda.apsp.floyd_warshall` takes it.
    predecessor : array of int32, shape (n, n), optional
        Likewise.
    algebra : {"shortest", "minimax", "widest", "most-reliable"}
    device_bytes : int, optional
        That may be taken of the device's memory; by default `free_bytes`.
    progress : callable, optional
        Called with (work queued, all work); may raise to stop.
    lazy : bool
        See `warpath.cuda.apsp.floyd_warshall`.
    host : callable, optional
        What relaxes some of the rows on the host, on a thread of its own, while the device relaxes
        others: see `Better`. It should let other threads run.
    squares : bool
        Repeated squaring instead of Floyd-Warshall's algorithm; not with ``host``.

    Returns
    -------
    float
        The part of all relaxations that was made on the host.

    Raises
    ------
    ValueError
        Wrong shapes, dtypes, layouts or names; an array that cannot be written.
    OverflowError
        Integers, some of them negative, whose paths may be longer than an eighth of what the dtype
        holds: they need a wider one.
    MemoryError
        If not even the narrowest groups fit into ``device_bytes``.

    Notes
    -----
    What raises or is interrupted leaves arrays that are neither arcs nor distances.

    The rows of a group of s vertices lie on the device and are closed. Then all other rows are
    streamed past them in blocks of s / 8. Three blocks are on the device: one comes, one is relaxed
    through the group, one leaves. With e bytes per element the device holds about 1.4 s · n · e
    bytes, and the whole matrix goes in and out n / s times. Let R be relaxations per second, and B
    bytes per second in each direction. A group's blocks take max(n² s / R, n² e / B), so copies
    hide behind work from s = e · R / B on. For float32 that is 4 · 15.5 · 10¹² / 50 · 10⁹ = 1,240
    at PCIe's rate, 6,200 at 10 GB/s. 32 GiB hold groups of 43,712 of n = 131,072. Not overlapped
    are loading the groups' own rows, once the matrix in all, n² e / B; and the first block's and the last
    one's copies of each group. That a wide group needs so little bandwidth is why the host's
    array is not pinned but copied through pinned slabs by threads.

    With ``host`` there are two groups at least, as all rows of a single one are the device's; while a
    group is loaded and closed the host has nothing to do. `warpath.cuda.work_sharing` says which side takes which
    rows.

    Ties and trees: as `warpath.cuda.apsp.floyd_warshall`; each row is relaxed through groups in
    the same order, here or there.

    ``squares``: T. Tran, Y. Liu, B. Schmidt take products of matrices where the matrix exceeds the GPU's memory (survey
    4.1). Here a group's rows are not closed, but all rows, their own as well, are multiplied by them as they are. A
    pass through all groups is a product D ⊗ D at least, as later groups find what earlier ones made shorter. Passes end
    when one changes nothing, after log₂ n at most: each reads and writes what the whole of the above does.
    """
    dtype = check(distance, predecessor, algebra)
    for name, array in (("distances", distance), ("predecessors", predecessor)):
        if array is not None and not array.flags.writeable:
            raise ValueError(f"{name} are read-only: open the file with mode='r+'")
    n = len(distance)
    if n == 0:
        return 0.0
    bits = distance if dtype.kind == "i" else distance.view(f"i{dtype.itemsize}")
    how = represent(n, dtype, algebra, lambda: _range(bits, lookup(algebra).none(dtype)))
    unit = BASE * how.words.distances
    row_bytes = -(-n // unit) * unit * (dtype.itemsize + 4 * (predecessor is not None))
    max_bytes = free_bytes() if device_bytes is None else device_bytes
    needed = partial(_device_bytes, row_bytes, how.words, n if lazy else 0, SLOTS + squares)
    sizes = blocking(n, unit, needed, max_bytes, min_groups=2 if squares or host is not None else 1)
    if squares:
        sizes = Blocking(sizes.size, max(sizes.rows, unit))  # of a single group there are no others
    with Staging(n * 8) as inward, Staging(n * 8) as outward:
        run = _Run(distance, predecessor, how, sizes, unit, lazy, inward, outward, host)
        with ThreadPoolExecutor(1) as helper, run.pipeline:
            try:
                close = run.all_squares if squares else run.all_rounds
                close(progress or (lambda done, total: None), helper)
            finally:
                run.sharing.end()
        return run.host_work / n**2


def _device_bytes(
    row_bytes: int, words: Words, lazy_columns: int, slots: int, sizes: Blocking
) -> int:
    rows = sizes.size + slots * sizes.rows
    extra = _packed(sizes) * words.bytes + factor_bytes(words)
    if lazy_columns:
        extra += paths_nbytes(max(sizes.size, sizes.rows), lazy_columns, sizes.size)
    return rows * row_bytes + extra


def _packed(sizes: Blocking) -> int:
    """Words that left operands take at most."""
    blocks = packed_words(Relax(Rows(0, sizes.rows), 0, sizes.size))
    return max(blocks, max_packed(closing_group(0, sizes.size)))


def _range(numbers: NDArray[Any], none: Any) -> tuple[int, int]:
    """What `represent` asks of weights: the largest is looked for if the least makes it matter."""
    parts = [
        numbers[first : first + _ROWS_AT_ONCE] for first in range(0, len(numbers), _ROWS_AT_ONCE)
    ]
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        smallest = int(min(0, *threads.map(np.min, parts)))
        if smallest == 0:
            return 0, 0
        largest = threads.map(lambda part: part.max(where=part != none, initial=0), parts)
        return smallest, int(max(0, *largest))


class _Run:
    """The device's buffers of one run, and what is done with them."""

    def __init__(
        self, distance: NDArray[Any], predecessor: NDArray[np.int32] | None, how: Representation,
        sizes: Blocking, unit: int, lazy: bool, inward: Staging,
        outward: Staging, better: Better | None,
    ):  # fmt: skip
        self.host = [np.asarray(array) for array in (distance, predecessor) if array is not None]
        self.n, self.how, self.unit, self.sizes = len(distance), how, unit, sizes
        columns = -(-self.n // unit) * unit
        self.xp = xp = runtime.current().xp

        def buffer(rows: int) -> Matrix:
            return Matrix(
                xp.empty((rows, columns), distance.dtype),
                None if predecessor is None else xp.full((rows, columns), -1, np.int32),
                how.words,
            )

        self.group = buffer(sizes.size)
        self.slots = [buffer(sizes.rows) for _ in range(SLOTS if sizes.rows else 0)]
        self.elimination = Elimination(
            how.words, predecessor is not None, _packed(sizes), lazy_none=how.none if lazy else None
        )
        self.inward, self.outward = inward, outward
        self.better, self.sharing, self.host_work = better, WorkSharing(), 0
        self.is_last = False
        self.low = self.high = 0
        self.before: Any = None
        device = xp.cuda.Device()
        self.pipeline = Pipeline(self._load_block, self._relax_block, self._store_block, device.use)

    def all_rounds(self, progress: Callable[[int, int], None], helper: ThreadPoolExecutor) -> None:
        """Relax all rows through all groups."""
        # Other streams may use the buffers.
        self.xp.cuda.get_current_stream().synchronize()
        todo = list(rounds(self.n, self.sizes.size, self.sizes.rows))
        self.done, self.all, self.progress = 0, len(todo) * self.n, progress
        for group, blocks in todo:
            self.is_last = group is todo[-1].group
            self.low = group.first
            self.high = group.first + -(-group.size // self.unit) * self.unit
            self._load(self.group, group)
            self._prepare(self.group, group)
            self.elimination.close(self.group, closing_group(self.low, self.high))
            # It goes home while blocks are relaxed through it.
            worked = self._finish(self.group, group)
            stored = self.pipeline.storer.submit(self._store, self.group, group, worked)
            self.sharing.begin(blocks)
            helped = self._help(helper, group, stored)
            self.pipeline.run(self.sharing.blocks())
            stored.result()
            if helped is not None:
                helped.result()
                self._say()

    def all_squares(self, progress: Callable[[int, int], None], helper: ThreadPoolExecutor) -> None:
        """Multiply all rows by those of each group, until nothing changes."""
        self.xp.cuda.get_current_stream().synchronize()
        passes = max(1, (self.n - 1).bit_length())
        todo, blocks = parts(self.n, self.sizes.size), parts(self.n, self.sizes.rows)
        self.done, self.all, self.progress = 0, passes * len(todo) * self.n, progress
        self.is_last = True  # any may be: what goes home says "no path" as the dtype does
        self.before = self.xp.empty((self.sizes.rows, self.n), self.group.distance.dtype)
        for _ in range(passes):
            self.changed = self.xp.zeros((), bool)
            for group in todo:
                self.low = group.first
                self.high = group.first + -(-group.size // self.unit) * self.unit
                self._load(self.group, group)
                self._prepare(self.group, group)
                self.pipeline.run(blocks)
            if not bool(self.changed):
                break
        progress(self.all, self.all)

    def _help(
        self, helper: ThreadPoolExecutor, group: Rows, stored: Future[None]
    ) -> Future[None] | None:
        """Let the host take rows of this round, if it can."""
        # The last group goes home with numbers that cannot be computed with.
        if self.better is None or (self.is_last and self.how.limit is not None):
            return None
        return helper.submit(self._relax_on_host, self.better, group, stored)

    def _relax_on_host(self, better: Better, group: Rows, stored: Future[None]) -> None:
        """Relax parts of the round's rows through the group, once the group is in the host's memory."""
        try:
            stored.result()
            through = slice(group.first, group.first + group.size)
            distance, *tree = self.host
            if self.how.is_unsigned:
                distance = distance.view(f"u{distance.itemsize}")
            for rows in self.sharing.parts():
                mine = slice(rows.first, rows.first + rows.size)
                if self.how.limit is not None:
                    np.minimum(distance[mine], self.how.none, out=distance[mine])
                C, CP = distance[mine], tree[0][mine] if tree else None
                better(C, CP, C[:, through], distance[through], tree[0][through] if tree else None)
                self.host_work += rows.size * group.size
        except BaseException:
            self.sharing.end()
            raise

    def _load_block(self, slot: int, rows: Rows) -> None:
        self._load(self.slots[slot], rows)

    def _relax_block(self, slot: int, rows: Rows) -> Any:
        block = self.slots[slot]
        if self.before is not None:
            self.before[: rows.size] = block.distance[: rows.size, : self.n]
        self._prepare(block, rows)
        self.elimination.products.relax(block, Relax(rows, self.low, self.high), self.group)
        return self._finish(block, rows)

    def _store_block(self, slot: int, rows: Rows, worked: Any) -> None:
        self._store(self.slots[slot], rows, worked)
        self.sharing.stored(rows)

    def _load(self, to: Matrix, rows: Rows) -> None:
        to.first = rows.first
        for host, device in zip(self.host, _arrays(to), strict=True):
            self.inward.to_device(host[rows.first : rows.first + rows.size], device)

    def _store(self, of: Matrix, rows: Rows, worked: Any) -> None:
        for host, device in zip(self.host, _arrays(of), strict=True):
            self.outward.to_host(device, host[rows.first : rows.first + rows.size], worked)

    def _prepare(self, matrix: Matrix, rows: Rows) -> None:
        """No path to and from what pads the matrix, nor to vertices that are too far away."""
        matrix.distance[: rows.size, self.n :] = self.how.none
        if matrix is self.group:
            matrix.distance[rows.size :] = self.how.none
        self.how.replace_no_path(matrix.distance[: rows.size])

    def _finish(self, matrix: Matrix, rows: Rows) -> Any:
        """The event after which these rows may be stored."""
        if self.is_last:
            self.how.restore(*(array[: rows.size] for array in _arrays(matrix)))
        if self.before is not None:
            now = matrix.distance[: rows.size, : self.n]
            self.changed |= (now != self.before[: rows.size]).any()
        worked = self.xp.cuda.Event(disable_timing=True)
        worked.record()
        self.done += rows.size
        self._say()
        return worked

    def _say(self) -> None:
        """How much is queued, or done on the host."""
        self.progress(self.done + self.sharing.host.rows, self.all)


def _arrays(matrix: Matrix) -> Iterator[Any]:
    yield matrix.distance
    if matrix.predecessor is not None:
        yield matrix.predecessor
