"""How a matrix that lies on the host goes past a device, block by block.

No CUDA here: `Pipeline` is told how to load, work and store.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

from warpath.cuda.minplus import Rows
from warpath.planning.partition import multiple_of

SLOTS = 3  # blocks on the device: one is loaded, one worked on, one stored
# Rows of a block, as a part of a group's: more is memory that groups could have, less is small
# products. A guess.
_BLOCKS_A_GROUP = 8


class Blocking(NamedTuple):
    """Vertices whose rows are closed on the device at once, and the rows of a block of others.

    No rows, if there are no others.
    """

    size: int
    rows: int


class Round(NamedTuple):
    """All rows are relaxed through a group's; first its own, then the blocks' in any order."""

    group: Rows
    blocks: list[Rows]


def blocking(
    n: int, unit: int, nbytes: Callable[[Blocking], int], max_bytes: int, min_groups: int = 1
) -> Blocking:
    """As few groups as fit, but at least ``min_groups``.

    Parameters
    ----------
    n, unit : int
        Vertices; sizes of groups and blocks are multiples of ``unit``.
    nbytes : callable
        What the device must hold.
    max_bytes : int
        Bytes that it may.
    min_groups : int

    Raises
    ------
    MemoryError
        If not even groups and blocks of ``unit`` rows fit.
    """
    max_groups = -(-n // unit)
    for groups in range(min(min_groups, max_groups), max_groups + 1):
        size = multiple_of(-(-n // groups), unit)
        rows = 0 if groups == 1 else multiple_of(-(-size // _BLOCKS_A_GROUP), unit)
        if nbytes(Blocking(size, rows)) <= max_bytes:
            return Blocking(size, rows)
    min_bytes = nbytes(Blocking(unit, unit))
    raise MemoryError(
        f"device_bytes={max_bytes:,}: rows of {n:,} vertices take at least {min_bytes:,} bytes of the device"
    )


def parts(n: int, size: int) -> list[Rows]:
    """All rows, at most ``size`` at a time."""
    return [Rows(first, min(size, n - first)) for first in range(0, n, size)]


def rounds(n: int, size: int, rows: int) -> Iterator[Round]:
    """Groups of ``size`` rows, one after the other, each with the others in blocks of at most ``rows``."""
    for low in range(0, n, size):
        high = min(low + size, n)
        yield Round(
            Rows(low, high - low),
            [
                Rows(first, min(rows, end - first))
                for begin, end in ((0, low), (high, n))
                for first in range(begin, end, max(rows, 1))
            ],
        )


class Pipeline:
    """Loads, work and stores of blocks, all three at once, each of them in order.

    Parameters
    ----------
    load : callable
        ``load(slot, rows)`` returns when these rows are in this slot.
    work : callable
        ``work(slot, rows)`` may return before it has happened, with what ``store`` waits for.
    store : callable
        ``store(slot, rows, worked)`` returns when they are back on the host.
    begin : callable
        Called in each of the two threads, in which blocks are loaded and stored.
    """

    def __init__(
        self,
        load: Callable[[int, Rows], None],
        work: Callable[[int, Rows], Any],
        store: Callable[[int, Rows, Any], None],
        begin: Callable[[], None],
    ):
        self.load, self.work, self.store = load, work, store
        self.loader = ThreadPoolExecutor(1, initializer=begin)
        self.storer = ThreadPoolExecutor(1, initializer=begin)

    def __enter__(self) -> "Pipeline":
        return self

    def __exit__(self, *_: object) -> None:
        """Wait for what has begun; nothing else begins."""
        self.loader.shutdown(cancel_futures=True)
        self.storer.shutdown(cancel_futures=True)

    def run(self, blocks: Iterable[Rows]) -> None:
        """Load, work on and store each of the blocks; raises what the callables raise.

        A block is taken when it is the next for which there will be a slot.
        """
        coming = iter(blocks)
        loads = deque(
            (slot, rows, self.loader.submit(self.load, slot, rows))
            for slot, rows in zip(range(SLOTS), coming, strict=False)
        )
        stores: list[Future[None]] = []
        while loads:
            slot, rows, load = loads.popleft()
            load.result()
            stored = self.storer.submit(self.store, slot, rows, self.work(slot, rows))
            stores.append(stored)
            following = next(coming, None)
            if following is not None:
                load = self.loader.submit(self._reload, stored, slot, following)
                loads.append((slot, following, load))
        for store in stores:
            store.result()

    def _reload(self, stored: Future[None], slot: int, rows: Rows) -> None:
        stored.result()
        self.load(slot, rows)
