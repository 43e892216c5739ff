"""Brandes' algorithm by operators, level by level, for GPUs; `warpath.cpu.brandes` is the CPU's.

What is in the encoding:

- ``paths[v]`` is the number of shortest paths from the source to v: they are counted forward.
- ``share[v]`` is what each shortest path to v is worth to the edge that it comes by: 1 / paths[v], plus the
  shares of the vertices behind v. They are summed up backward. ``passing[v]`` grows by paths[v] times the shares behind v.
- Levels are known before paths are counted, so that no edge reads a level that another one stores.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.primitives.edges import advance
from warpath.algorithms.primitives.frontier import Frontier
from warpath.algorithms.primitives.vertices import compute, reduce
from warpath.graph.graph import Graph
from warpath.language import atomic_add, atomic_cas, operator
from warpath.schedule import ScheduleLike


@operator
def _visit(u, v, level):  # type: ignore[no-untyped-def]
    return atomic_cas(level, v, -1, level[u] + 1)


@operator
def _count(u, v, level, paths):  # type: ignore[no-untyped-def]
    if level[v] == level[u] + 1:
        atomic_add(paths, v, paths[u])


@operator
def _gather(u, v, level, share):  # type: ignore[no-untyped-def]
    if level[v] == level[u] + 1:
        atomic_add(share, u, share[v])


@operator
def _pass(v, paths, share, passing, ends):  # type: ignore[no-untyped-def]
    """All shares behind v are there."""
    passing[v] += paths[v] * share[v] + ends
    share[v] += 1 / paths[v]


@operator
def _paths(v, paths):  # type: ignore[no-untyped-def]
    return paths[v]


def passing_paths(
    graph: Graph,
    starts: NDArray[np.int32],
    xp: Any,
    *,
    endpoints: bool,
    schedule: ScheduleLike = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Any, int]:
    """The sum of dependencies of each vertex, over all shortest paths by edges.

    Parameters
    ----------
    graph : Graph
    starts : int32 array, shape (k,)
        The vertices to search from, one after the other.
    xp : module
        NumPy or CuPy.
    endpoints : bool
        Whether a path passes its ends as well.
    schedule : Schedule, str or Technique, optional
    progress : callable, optional
        Called with (sources done, all of them).

    Returns
    -------
    passing : float64 array, shape (n,)
        Its last bits depend on the order in which threads add; numbers of paths do not, below 2⁵³.
    countless : int
        A source with more shortest paths to some vertex than a float64 can say, or -1.
    """
    n = graph.num_vertices
    passing, level = xp.zeros(n), xp.empty(n, np.int32)
    paths, share = xp.empty(n), xp.empty(n)
    for done, source in enumerate(starts.tolist(), 1):
        level.fill(-1)
        paths.fill(0)
        share.fill(0)
        level[source] = 0
        paths[source] = 1
        frontiers = [Frontier.of(graph, xp.full(1, source, np.int32))]
        while frontiers[-1]:
            here = frontiers[-1]
            frontiers.append(advance(graph, here, _visit, level, schedule=schedule))
            advance(graph, here, _count, level, paths, schedule=schedule)
        if reduce(graph, _paths, paths, by="max") == np.inf:
            return passing, source
        for here in reversed(frontiers[1:-1]):
            advance(graph, here, _gather, level, share, schedule=schedule)
            compute(here, _pass, paths, share, passing, float(endpoints))
        passing[source] += float(endpoints) * sum(map(len, frontiers[1:]))
        if progress is not None:
            progress(done, len(starts))
    return passing, -1
