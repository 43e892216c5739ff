"""A step of breadth-first search with one queue, for kernels of one thread that need its order.

``visit(state, u, v)`` looks at an arc u → v and says whether v is `NEW`, which appends it to the queue,
or was `MET` before, or whether to `STOP`. It is a function of the kernel's, an ``inlined`` one, so
each search is compiled as if it had a loop of its own.
"""

import numpy as np

from warpath.cpu.arcs import arc_range
from warpath.cpu.unsigned import ONE, ZERO
from warpath.parallel.jit import inlined

MET, NEW, STOP = 0, 1, 2


@inlined
def expand(visit, state, arcs, queue, begin, end, size):  # type: ignore[no-untyped-def]
    """Visit the arcs out of ``queue[begin:end]``; what is new goes behind ``queue[:size]``.

    Returns
    -------
    size, arcs, tail, head
        Vertices in the queue now; arcs looked at; the arc tail → head at which it stopped, or -1, -1.
    """
    inspected = ZERO
    for i in range(begin, end):
        u = np.uint64(queue[i])
        first, last = arc_range(arcs, u)
        for arc in range(first, last):
            v = np.uint64(arcs.indices[arc])
            seen = visit(state, u, v)
            if seen == NEW:
                queue[size] = v
                size += ONE
            elif seen == STOP:
                return size, inspected + (arc - first) + ONE, np.int64(u), np.int64(v)
        inspected += last - first
    return size, inspected, np.int64(-1), np.int64(-1)
