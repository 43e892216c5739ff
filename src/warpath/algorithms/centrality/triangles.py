"""Triangles, and how many of a vertex's neighbours know each other."""

from typing import Any

import numpy as np

from warpath.algorithms.common.device_measure import measure_of
from warpath.algorithms.primitives.arrays import (
    arrays_of,
    ends_of,
    module_of_arcs,
    simple_graph,
)
from warpath.algorithms.primitives.edges import advance
from warpath.algorithms.primitives.frontier import Frontier
from warpath.graph.arrays import padded
from warpath.graph.graph import Graph
from warpath.language import atomic_add, operator
from warpath.planning.threads import threads_for
from warpath.schedule import ScheduleLike, schedule_for
from warpath.typing import DeviceName

_ARCS_AT_ONCE = 2**27  # whose ends are compared: a guess, some 2 GB of temporary arrays


@operator
def _meet(u, v, offsets, columns, count):  # type: ignore[no-untyped-def]
    """Count the common neighbours of an edge's ends: two ascending lists, merged."""
    i = offsets[u]
    j = offsets[v]
    found = 0
    while i < offsets[u + 1] and j < offsets[v + 1]:
        a = columns[i]
        b = columns[j]
        if a == b:
            atomic_add(count, a, 1)
            found += 1
        i += np.int64(a <= b)
        j += np.int64(b <= a)
    if found > 0:
        atomic_add(count, u, found)
        atomic_add(count, v, found)


def triangles(graph: Graph, *, device: DeviceName = "auto", schedule: ScheduleLike = None) -> Any:
    """How many triangles each vertex is a corner of.

    Parameters
    ----------
    graph : Graph
        Directions, parallel edges and self-loops do not count.
    device : as of `connected_components`
    schedule : Schedule, str or Technique, optional
        On a GPU, the balance by which lists are merged; by default they are looked up instead.

    Returns
    -------
    int64 array, shape (n,)
        Their sum is three times the number of triangles.

    Raises
    ------
    ValueError, DeviceUnavailableError, MemoryError
        See `connected_components`.

    See Also
    --------
    clustering : Triangles as a share of the pairs of neighbours.

    Notes
    -----
    Each edge is directed to its end of more neighbours, so that a vertex keeps at most √(2m) of them. It marks these, and looks
    up its neighbours' (T. Schank, D. Wagner, WEA 2005: "forward"). O(m^1.5). On a GPU the marks are a hash table in
    shared memory (S. Pandey et al., "TRUST: triangle counting reloaded on GPUs", IEEE TPDS 2021).

    Examples
    --------
    >>> import warpath as wp
    >>> wp.triangles(wp.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3])).tolist()
    [1, 1, 1, 0]
    """
    problem = triangles_problem(graph, device=device, schedule=schedule)
    return problem.run(lambda xp: triangles_and_neighbours(graph, xp, problem.schedule)[0])


def clustering(graph: Graph, *, device: DeviceName = "auto", schedule: ScheduleLike = None) -> Any:
    """The share of the pairs of a vertex's neighbours that are neighbours of each other.

    Parameters
    ----------
    graph : Graph
        Directions, parallel edges and self-loops do not count.
    device, schedule : as of `triangles`

    Returns
    -------
    float64 array, shape (n,)
        The local clustering coefficients (Watts, Strogatz, 1998); 0 for fewer than two neighbours.

    Raises
    ------
    ValueError, DeviceUnavailableError, MemoryError
        See `connected_components`.

    See Also
    --------
    triangles : How many triangles there are.

    Examples
    --------
    >>> import warpath as wp
    >>> wp.clustering(wp.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3])).round(2).tolist()
    [1.0, 1.0, 0.33, 0.0]
    """
    problem = clustering_problem(graph, device=device, schedule=schedule)

    def shares(xp: Any) -> Any:
        found, degree = triangles_and_neighbours(graph, xp, problem.schedule)
        pairs = degree * (degree - 1) / 2
        return found / (pairs + (pairs == 0))

    return problem.run(shares)


_BOTH: dict[str, Any] = {
    "answer_per_vertex": 8, "per_vertex": 32, "per_arc": 40, "reads_weights": False,
    "balanced": False,
}  # fmt: skip
_WHY = "each triangle is found at one edge"
triangles_problem = measure_of("triangles", "forward", _WHY, np.dtype(np.int64), **_BOTH)
clustering_problem = measure_of("clustering", "forward", _WHY, np.dtype(np.float64), **_BOTH)


def triangles_and_neighbours(
    graph: Graph, xp: Any, schedule: ScheduleLike = None
) -> tuple[Any, Any]:
    """The triangles and the neighbours of each vertex, in arrays of ``xp``.

    Parameters
    ----------
    graph : Graph
    xp : module
        NumPy or CuPy.
    schedule : Schedule, str or Technique, optional

    Returns
    -------
    count, neighbours : int64 array, shape (n,)
    """
    simple = simple_graph(graph, xp)
    degree = arrays_of(simple, xp).degree
    if xp is np:
        from warpath.cpu.triangles import triangles as by_marks

        return by_marks(simple, degree, threads_for(simple)), degree
    up = _oriented(simple, module_of_arcs(simple, xp))
    count = xp.zeros(graph.num_vertices, np.int64)
    if up.num_arcs and schedule_for("triangles", schedule).technique is None:
        from warpath.cuda.device_graph import on_device
        from warpath.cuda.triangles import count_triangles

        count_triangles(on_device(up), count)
    elif up.num_arcs:
        arrays = arrays_of(up, xp)
        advance(up, Frontier(up), _meet, arrays.offsets, arrays.columns, count, schedule=schedule)
    return count, degree


def _oriented(graph: Graph, xp: Any) -> Graph:
    """Each edge of a simple graph once, from the end of fewer neighbours, or of two such ends from the smaller number."""
    n, degree = graph.num_vertices, arrays_of(graph, xp).degree.astype(np.int32)
    source, target = ends_of(graph, xp)
    kept, counts = [xp.empty(0, np.int32)], xp.zeros(n, np.int64)
    for begin in range(0, graph.num_arcs, _ARCS_AT_ONCE):
        u, v = (ends[begin : begin + _ARCS_AT_ONCE] for ends in (source, target))
        ahead = (degree[u] < degree[v]) | ((degree[u] == degree[v]) & (u < v))
        kept.append(v[ahead])
        counts += xp.bincount(u[ahead], minlength=n)
    offsets = xp.concatenate([xp.zeros(1, np.int64), xp.cumsum(counts)])
    return Graph._from_parts(offsets, padded(xp, kept), None, True)
