"""What an engine's run says about itself."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.trace import DIRECTION, EDGES, VERTICES


class Report(NamedTuple):
    """Counts of one run.

    Attributes
    ----------
    rows : int64 array, shape (iterations, 3) or (3 · iterations,)
        Those of `trace`.
    iterations, threads : int
    improvements : int
        How often a distance was lowered.
    cycle : int
        A vertex on a negative cycle of predecessors, or -1.
    wrapped : bool
        Whether an integer distance fell below its dtype.
    ways : tuple of str
        What the directions in the trace are called; () if it has none.
    mode, balance : tuple of str
        Only a GPU has some.
    """

    rows: NDArray[Any]
    iterations: int
    threads: int
    improvements: int = 0
    cycle: int = -1
    wrapped: bool = False
    ways: tuple[str, ...] = ()
    mode: tuple[str, ...] = ()
    balance: tuple[str, ...] = ()

    @property
    def trace(self) -> NDArray[np.int64]:
        """A row for each iteration: see `warpath.cpu.trace`."""
        return self.rows.reshape(-1, 3)

    @property
    def frontier(self) -> NDArray[np.int64]:
        """Vertices expanded in each iteration."""
        return self.trace[:, VERTICES]

    @property
    def edges(self) -> NDArray[np.int64]:
        """Edges inspected in each iteration."""
        return self.trace[:, EDGES]

    @property
    def direction(self) -> tuple[str, ...]:
        """The direction of each iteration."""
        codes = self.trace[:, DIRECTION].tolist() if self.ways else ()
        return tuple(map(self.ways.__getitem__, codes))

    @property
    def nanoseconds(self) -> NDArray[np.int64]:
        """Only a GPU measures them."""
        return np.empty(0, np.int64)

    def without_rows(self) -> "Report":
        """The same, with the counts alone."""
        return self._replace(rows=np.empty(0, np.int64))


def joined(reports: Sequence[Report]) -> Report:
    """The report of several runs, one after the other, that raised nothing."""
    return Report(
        rows=np.concatenate([report.trace for report in reports]),
        iterations=sum(report.iterations for report in reports),
        threads=max(report.threads for report in reports),
        improvements=sum(report.improvements for report in reports),
        ways=reports[0].ways if reports else (),
    )
