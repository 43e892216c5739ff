"""What a kernel leaves behind about each of its iterations."""

import numpy as np
from numpy.typing import NDArray

from warpath.parallel.jit import compiled

# Rows beyond this one are added to the last: a long path graph has as many
# iterations as vertices, and its trace must not outgrow its distances.
MAX_ROWS = 16384

VERTICES, EDGES, DIRECTION = 0, 1, 2
TOP_DOWN, BOTTOM_UP = 0, 1


def trace_rows(n: int) -> int:
    """How many rows the trace of a search of n vertices has, for at most n + 1 iterations."""
    return min(n + 1, MAX_ROWS)


def new_trace(n: int) -> NDArray[np.int64]:
    """Rows of (frontier vertices, arcs inspected, direction)."""
    return np.zeros((trace_rows(n), 3), np.int64)


@compiled
def record(trace, iteration, vertices, edges, direction):  # type: ignore[no-untyped-def]
    """Note one iteration, the next; one thread of the team calls this."""
    row = np.uint64(np.minimum(iteration, trace.shape[0] - 1))
    if row < np.uint64(iteration):  # the last row takes the rest
        vertices += trace[row, VERTICES]
        edges += trace[row, EDGES]
    trace[row, VERTICES] = vertices
    trace[row, EDGES] = edges
    trace[row, DIRECTION] = direction
