"""Ranks that are threads of one process, or a single one."""

import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.distributed.transport import Transport
from warpath.errors import RankFailedError

Array = NDArray[Any]

_SECONDS = 60.0  # after which a rank that has not come is taken to have ended: a guess


class Shared:
    """What the ranks of a process share: a barrier, and what each sends.

    Parameters
    ----------
    size : int
        Number of ranks.
    timeout : float, optional
        Seconds after which a rank that has not come is taken to have ended.
    """

    def __init__(self, size: int, timeout: float | None = _SECONDS) -> None:
        self.barrier = threading.Barrier(size, timeout=timeout)
        self.sent: list[Any] = [None] * size


def _copies(blocks: Sequence[Array]) -> list[Array]:
    return [block.copy() for block in blocks]


class ThreadTransport(Transport):
    """A rank that is a thread."""

    def __init__(self, rank: int, size: int, shared: Shared) -> None:
        super().__init__(rank, size)
        self._shared = shared

    def swap(
        self, items: Any, receive: Callable[[Sequence[Array]], list[Array]] = _copies
    ) -> list[Any]:
        """Item q goes to rank q; what ``receive`` makes of the items for this rank, one of each rank."""
        self._shared.sent[self.rank] = items
        try:
            self._shared.barrier.wait()  # all have sent
            try:
                received = receive([items[self.rank] for items in self._shared.sent])
            finally:  # a rank that cannot receive stays in step, and says so next
                self._shared.barrier.wait()  # all have received
        except threading.BrokenBarrierError:
            raise RankFailedError("a rank has ended") from None
        return received

    def _swap_headers(self, header: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return np.stack(self.swap(header))

    def _swap_blocks(self, blocks: Sequence[Array], counts: Sequence[int]) -> list[Array]:
        return self.swap(blocks)


def joined(ranks: int) -> list[ThreadTransport]:
    """The transports of several ranks, each for a thread of its own."""
    shared = Shared(ranks)
    return [ThreadTransport(rank, ranks, shared) for rank in range(ranks)]
