"""What an engine's run says about itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Report:
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


def joined(reports: Sequence[Report], keep: bool = True) -> NDArray[Any]:
    """The traces of runs, one after the other; without ``keep`` no row of them."""
    if len(reports) == 1 and keep:
        return reports[0].trace.copy()  # of a longer array, which is not to be kept
    return np.concatenate([report.trace if keep else report.trace[:0] for report in reports])
