"""Are these the core numbers?"""

from typing import Any

import numpy as np

from warpath.errors import VerificationError
from warpath.graph.graph import Graph
from warpath.verify.simple import as_vertex_values, neighbours


def core_numbers(graph: Graph, numbers: Any) -> None:
    """Check that each vertex is in the core that it is said to be in, and in no deeper one.

    Parameters
    ----------
    graph : Graph
        Directions, parallel edges and self-loops do not count.
    numbers : integer array, shape (n,)
        The claimed core numbers.

    Raises
    ------
    VerificationError
        ``broken`` is ``core`` if a vertex of number k has fewer than k neighbours of number k or more. It is
        ``peeling`` if vertices cannot be removed by ascending number k, so that each has at most k neighbours left.
    ValueError
        Numbers of another shape, or that are no integers.

    See Also
    --------
    warpath.core_numbers : Finds them.

    Notes
    -----
    O(m + n c) for c different numbers. The first property shows that no number is too large. The second shows that
    none is too small. The first vertex of a K-core that is removed has K neighbours left. So its number is K or more,
    and so are those of all vertices that are removed later.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.generate.named("karate")
    >>> wp.verify.core_numbers(g, wp.core_numbers(g))
    """
    core = as_vertex_values(numbers, graph, "numbers", "integers")
    n = graph.num_vertices
    source, target = neighbours(graph)
    support = np.bincount(source[core[target] >= core[source]], minlength=n)
    for v in np.flatnonzero(support < core)[:1]:
        raise VerificationError(
            "core",
            f"numbers[{v}] is {core[v]}, but vertex number {v} has only {support[v]} neighbours of "
            "that number or more",
        )
    degree = np.bincount(source, minlength=n)
    offsets = np.r_[0, np.cumsum(degree)]
    left = np.ones(n, bool)
    for k in np.unique(core):
        members = np.flatnonzero(core == k)
        removed = members[degree[members] <= k]
        while len(removed):
            left[removed] = False
            counts = offsets[removed + 1] - offsets[removed]
            ends = np.cumsum(counts)
            arcs = np.arange(ends[-1]) + np.repeat(offsets[removed] - ends + counts, counts)
            touched, times = np.unique(target[arcs], return_counts=True)
            degree[touched] -= times
            removed = touched[left[touched] & (core[touched] == k) & (degree[touched] <= k)]
        for v in members[left[members]][:1]:
            raise VerificationError(
                "peeling",
                f"numbers[{v}] is {k}, but {degree[v]} neighbours of vertex number {v} are left after "
                f"all that can be removed with {k} neighbours or fewer",
            )
