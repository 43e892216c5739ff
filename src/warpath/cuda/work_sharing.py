"""Rows that a device and the host's threads relax together: which side takes which.

No CUDA here. The hybrid of K. Matsumoto, N. Nakasato, S. Sedukhin, Blocked all-pairs shortest paths
algorithm for hybrid CPU-GPU system, HPCC 2011, with shares that need not be known before. The rows
of a round are one queue. The device takes blocks from its front and the host parts from its back,
until it is empty. So each side's share is proportional to its speed. The last parts decide which side
waits: the host takes half of its fair share of what is left, so that its parts become small (guided
self-scheduling), and none that would keep the device waiting.
"""

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from threading import Lock

from warpath.cuda.minplus import Rows

# Rows that the host takes at once. Tiles of `warpath.cpu.minplus` have up to 64 of them, in each of which
# the group is read once: fewer rows are slower, more make others wait. Guesses; with parts of 128 rows alone
# an H200 waited for a Xeon's last part in each round.
MIN_ROWS, MAX_ROWS = 16, 128


@dataclass
class Throughput:
    """What one side has done: rows, and the seconds that they took."""

    rows: int = 0
    seconds: float = 0.0

    def seconds_for(self, rows: int) -> float:
        """What further ``rows`` should take."""
        return rows * self.seconds / self.rows


class WorkSharing:
    """The queue of a round's rows, and both sides' throughput in all rounds.

    Parameters
    ----------
    min_rows, max_rows : int
        Rows that the host takes at once.
    clock : callable

    Attributes
    ----------
    device, host : Throughput
    """

    def __init__(
        self,
        min_rows: int = MIN_ROWS,
        max_rows: int = MAX_ROWS,
        clock: Callable[[], float] = time.perf_counter,
    ):
        self.min_rows, self.max_rows, self.clock = min_rows, max_rows, clock
        self.device, self.host = Throughput(), Throughput()
        self.queue: deque[Rows] = deque()
        self.lock = Lock()
        self.begin(())

    def begin(self, blocks: Iterable[Rows]) -> None:
        """Start a round of these blocks, none of which has gaps."""
        self.queue = deque(blocks)
        self.on_device = 0  # rows that the device has taken and not stored
        self.last = self.clock()  # when it stored some, or began

    def end(self) -> None:
        """Let neither side take anything more of this round."""
        with self.lock:
            self.queue.clear()

    def blocks(self) -> Iterator[Rows]:
        """What the device takes, one block after the other."""
        while True:
            with self.lock:
                if not self.queue:
                    return
                rows = self.queue.popleft()
                self.on_device += rows.size
            yield rows

    def stored(self, rows: Rows) -> None:
        """Note that a block of the device is done."""
        with self.lock:
            now = self.clock()
            self.device.rows += rows.size
            self.device.seconds += now - self.last
            self.on_device -= rows.size
            self.last = now

    def parts(self) -> Iterator[Rows]:
        """What the host takes; it has done a part when it asks for the next."""
        while (rows := self._part()) is not None:
            began = self.clock()
            yield rows
            self.host.seconds += self.clock() - began
            self.host.rows += rows.size

    def _part(self) -> Rows | None:
        with self.lock:
            if not self.queue:
                return None
            last = self.queue[-1]
            rest = self.on_device + sum(rows.size for rows in self.queue)
            size = self.min_rows
            is_known = self.host.rows > 0 and self.device.rows > 0
            if is_known:
                mine, its = self.host.seconds_for(rest), self.device.seconds_for(rest)
                fair = rest * its / (mine + its)
                size = min(max(int(fair / 2) // size, 1) * size, self.max_rows)
            size = min(size, last.size)
            if is_known and self.host.seconds_for(size) > self.device.seconds_for(rest - size):
                return None
            self.queue.pop()
            if last.size > size:
                self.queue.append(Rows(last.first, last.size - size))
            return Rows(last.first + last.size - size, size)
