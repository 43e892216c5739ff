"""What a kernel leaves behind about each of its iterations."""

import numpy as np
from numpy.typing import NDArray

from warpath.parallel.jit import compiled
from warpath.planning.memory import trace_rows

VERTICES, EDGES, DIRECTION = 0, 1, 2
TOP_DOWN, BOTTOM_UP = 0, 1


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
