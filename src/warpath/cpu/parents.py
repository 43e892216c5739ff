"""Negative cycles, seen in the predecessors.

While labels are only ever lowered along arcs, the arcs (predecessor(v), v) hold a cycle
only if its weight is negative. If a negative cycle is reachable, they hold one after
finitely many rounds (B. V. Cherkassky, A. V. Goldberg, "Negative-cycle detection
algorithms", Math. Programming 85 (1999)). Walking them takes O(n), so a method that does
it once in n relaxations finds a cycle early, for at most a constant factor.
"""

import numpy as np

from warpath.cpu.unsigned import ONE
from warpath.parallel.jit import compiled


@compiled
def find_cycle(predecessor, seen):  # type: ignore[no-untyped-def]
    """A vertex on a cycle of predecessors, or -1.

    ``seen`` is an int32 array of shape (n,) to work in: the first vertex of the walk
    which came to v, plus 1.
    """
    n = np.uint64(predecessor.shape[0])
    seen[:] = 0
    for start in range(n):
        walk = np.int32(start + ONE)
        v = np.int64(start)
        while v >= 0 and seen[np.uint64(v)] == 0:
            seen[np.uint64(v)] = walk
            v = np.int64(predecessor[np.uint64(v)])
        if v >= 0 and seen[np.uint64(v)] == walk:
            return v
    return np.int64(-1)


def cycle_through(predecessor, v):  # type: ignore[no-untyped-def]
    """The cycle of predecessors through ``v``, in the direction of the arcs."""
    cycle = [int(v)]
    u = int(predecessor[v])
    while u != v:
        cycle.append(u)
        u = int(predecessor[u])
    return cycle[::-1]
