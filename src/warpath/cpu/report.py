"""What an engine's run says about itself."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Report(NamedTuple):
    """Counts of one run.

    Attributes
    ----------
    trace : int64 array, shape (iterations, 3)
        See `warpath.cpu.trace`.
    iterations, threads : int
    improvements : int
        How often a distance was lowered.
    cycle : int
        A vertex on a negative cycle of predecessors, or -1.
    wrapped : bool
        Whether an integer distance fell below its dtype.
    """

    trace: NDArray[Any]
    iterations: int
    threads: int
    improvements: int = 0
    cycle: int = -1
    wrapped: bool = False


def joined(reports: Sequence[Report]) -> Report:
    """Of runs that raised nothing, one after the other."""
    return Report(
        trace=np.concatenate([report.trace for report in reports]),
        iterations=sum(report.iterations for report in reports),
        threads=max(report.threads for report in reports),
        improvements=sum(report.improvements for report in reports),
    )
