"""Calls of operators that are checked and bound once, and run again and again: a loop's launches then follow closely."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from warpath.algorithms.primitives.arguments import Arguments
from warpath.algorithms.primitives.checks import checking, raise_if_any
from warpath.cpu.arithmetic import FAULTS
from warpath.language import Operator


@dataclass(frozen=True, eq=False)
class Prepared:
    """An operator with its arguments, which may be run any number of times.

    Whether indices are checked is settled when it is prepared.

    Attributes
    ----------
    operator : Operator
    given : Arguments
        Each run reads and writes these arrays.
    launch : callable
        Runs it on the CPU, or queues it on a GPU.
    faults : int64 array, shape (4,), or None
        See `warpath.cpu.arithmetic`.
    out : array or None
        What each run writes.
    start : number or None
        What each element of ``out`` is before a run; None: what it happens to be.
    """

    operator: Operator
    given: Arguments
    launch: Callable[[], object]
    faults: Any
    out: Any = None
    start: Any = None

    def run(self) -> Any:
        """Run it, and return ``out``. A GPU is not waited for, unless indices are checked.

        Raises
        ------
        IndexError
            An index out of range, if they are.
        """
        if self.start is not None:
            self.out.fill(self.start)
        if self.faults is not None:
            self.faults.fill(0)
        self.launch()
        raise_if_any(self.operator, self.given.function, self.given.given, self.faults)
        return self.out


def faults_of(xp: Any) -> Any:
    """Where a run notes its first fault: `Prepared.faults`. On a GPU to look at them waits for all that is queued."""
    return xp.zeros(FAULTS, np.int64) if xp is np or checking() else None
