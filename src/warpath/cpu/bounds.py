"""Bounds of eccentricities: what some rows of distances say of all vertices of an undirected graph.

Source: F. W. Takes, W. A. Kosters, "Computing the eccentricity distribution of large graphs", Algorithms 6
(2013). A vertex v at distance d from a vertex of eccentricity ε has an eccentricity of at most ε + d, and at
least max(d, ε − d).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.parallel import team, thread_count
from warpath.parallel.atomics import unowned
from warpath.parallel.jit import compiled
from warpath.parallel.sync import barrier, share

Array = NDArray[Any]
_VERTICES_PER_THREAD = 32768  # of all rows together: a guess


@compiled
def _narrow(thread, threads, sync, rows, none, most, slack, part, far, lower, upper):  # type: ignore[no-untyped-def]
    """A thread has a share of the vertices, of all rows."""
    rows, lower, upper = unowned((rows, lower, upper))
    first, last = share(lower.shape[0], thread, threads)
    for i in range(rows.shape[0]):
        longest = far[i]
        for v in range(np.uint64(first), np.uint64(last)):
            if rows[i, v] != none:
                longest = max(longest, rows[i, v])
        part[thread, i] = longest
    if barrier(sync, threads):  # all parts of the eccentricities are there
        return
    for i in range(rows.shape[0]):
        longest = part[0, i]
        for t in range(threads):
            longest = max(longest, part[t, i])
        for v in range(np.uint64(first), np.uint64(last)):
            near = rows[i, v]
            if near == none:
                continue
            # No more than the largest number: integers do not wrap.
            bound = most if near > most - longest else (near + longest) * slack
            upper[v] = min(upper[v], bound)
            lower[v] = max(lower[v], max(near, longest - near))
        if thread == 0:
            far[i] = longest


def narrow(rows: Array, none: Any, lower: Array, upper: Array) -> Array:
    """Narrow the bounds of all vertices by rows of distances; returns these rows' eccentricities.

    Parameters
    ----------
    rows : array, shape (k, n)
        Distances from k sources; each reaches itself.
    none : scalar
        "No path", in the dtype of ``rows``.
    lower, upper : array of int64 or float64, shape (n,)
        Become narrower. The largest number says "no bound".

    Returns
    -------
    array of the bounds' dtype, shape (k,)

    Notes
    -----
    Sums of floats are off by half of ε per edge, in both directions, in what was found and what is bounded: upper
    bounds are that much larger. Lower bounds of floats are not exact.
    """
    n, wide = len(lower), lower.dtype.type
    if lower.dtype.kind == "f":
        most, slack = wide(np.inf), wide(1 + 4 * n * float(np.finfo(rows.dtype).eps))
    else:
        most, slack = wide(np.iinfo(lower.dtype).max), wide(1)
    threads = max(1, min(thread_count.num_threads(), rows.size // _VERTICES_PER_THREAD))
    far = np.zeros(len(rows), lower.dtype)
    part = np.zeros((threads, len(rows)), lower.dtype)
    team.run(_narrow, threads, rows, none, most, slack, part, far, lower, upper)
    return far
