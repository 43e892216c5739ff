"""Counters of a kernel's steps, each on a cache line of its own.

Three sets rotate: step k counts in set k mod 3 while thread 0 clears set k + 1 mod 3, which no thread
has touched since step k − 2. So one barrier ends a step, and after it every thread computes the same
decision from the same counters.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.parallel.jit import compiled

LINE = 8
"""int64s of a cache line: counter i stands at ``i * LINE`` of a set."""


def new_counters(count: int) -> NDArray[Any]:
    """Three sets of as many counters."""
    return np.zeros((3, count * LINE), np.int64)


@compiled
def counters_of(thread, step, counters):  # type: ignore[no-untyped-def]
    """The set of a step, which has begun."""
    if thread == 0:
        counters[(step + 1) % 3, :] = 0
    return counters[step % 3]
