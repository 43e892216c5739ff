"""How deep in the core of a graph each vertex is: peeling, by operators."""

from typing import Any

import numpy as np

from warpath.algorithms.common.device_measure import measure_of
from warpath.algorithms.primitives.arrays import arrays_of, simple_graph
from warpath.algorithms.primitives.edges import traverse
from warpath.algorithms.primitives.frontier import Frontier
from warpath.algorithms.primitives.vertices import compute, filter, reduce
from warpath.balance import Technique
from warpath.cpu.peeling import peel
from warpath.graph.graph import Graph
from warpath.language import atomic_add, operator
from warpath.planning.fitted_balance import fitted
from warpath.planning.threads import threads_for
from warpath.schedule import ScheduleLike
from warpath.typing import DeviceName

# Threads that are faster together, a traversal for each number, than one vertex by vertex: two take as long (grid) to 4 times
# as long (R-MAT 16). A guess.
_TEAM = 8


@operator
def _degree(v, degree):  # type: ignore[no-untyped-def]
    return degree[v]


@operator
def _is_low(v, degree, k):  # type: ignore[no-untyped-def]
    return degree[v] <= k


@operator
def _is_left(v, core):  # type: ignore[no-untyped-def]
    return core[v] < 0


@operator
def _set(v, core, k):  # type: ignore[no-untyped-def]
    core[v] = k


@operator
def _peel(u, v, degree, core, k):  # type: ignore[no-untyped-def]
    """Take u away from v. One edge alone lowers v's degree to k, and then v goes as well."""
    if atomic_add(degree, v, -1) == k + 1:
        core[v] = k
        return True
    return False


def core_numbers(
    graph: Graph, *, device: DeviceName = "auto", schedule: ScheduleLike = None
) -> Any:
    """Core numbers: the largest k such that a vertex is in the k-core.

    The k-core is the largest part of the graph in which each vertex has at least k neighbours.

    Parameters
    ----------
    graph : Graph
        Directions, parallel edges and self-loops do not count.
    device, schedule : as of `connected_components`

    Returns
    -------
    int32 array, shape (n,)
        The vertices of the k-core are those of number k or more.

    Raises
    ------
    ValueError, DeviceUnavailableError, MemoryError
        See `connected_components`.

    See Also
    --------
    verify.core_numbers : Check them.
    triangles : How many triangles each vertex is a corner of.

    Notes
    -----
    Peeling: vertices of the smallest degree k are removed, and those whose degree falls to k by that: one
    `warpath.traverse` for each k on a CPU, one launch for all on a GPU. O(m + n c) for c different core numbers. S. B. Seidman, "Network structure and minimum
    degree", 1983; in parallel: N. S. Dasari, D. Ranjan, M. Zubair, "ParK", IEEE Big Data 2014. By fewer than eight threads of a
    CPU on one of them, O(n + m): V. Batagelj, M. Zaveršnik, arXiv cs/0310049, 2003.

    Examples
    --------
    >>> import warpath as wp
    >>> wp.core_numbers(wp.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3])).tolist()
    [2, 2, 2, 1]
    """
    problem = core_numbers_problem(graph, device=device, schedule=schedule)
    return problem.run(lambda xp: peeled(simple_graph(graph, xp), xp, problem.schedule.technique))


def _threads(graph: Graph) -> int:
    threads = threads_for(graph)
    return threads if threads >= _TEAM else 1


core_numbers_problem = measure_of(
    "core_numbers", "peeling", "vertices of the smallest degree first", np.dtype(np.int32),
    answer_per_vertex=4, per_vertex=48, per_arc=24, reads_weights=False, threads=_threads,
)  # fmt: skip


def peeled(graph: Graph, xp: Any, balance: Technique | None = None) -> Any:
    """Core numbers, where parallel edges count.

    Parameters
    ----------
    graph : Graph
        Undirected, without self-loops.
    xp : module
        NumPy or CuPy.
    balance : Technique, optional
        On a GPU.
    """
    degree = arrays_of(graph, xp).degree.astype(np.int32)
    if xp is not np and graph.num_vertices:
        from warpath.cuda.cores import core_numbers as run
        from warpath.cuda.device_graph import on_device

        run(on_device(graph), fitted(balance, graph), degree)
        return degree
    if _threads(graph) == 1:
        peel(graph.row_offsets, graph.column_indices, degree)
        return degree
    core = xp.full(graph.num_vertices, -1, np.int32)
    left = Frontier.of(graph, xp.arange(graph.num_vertices, dtype=np.int32))
    while left:
        k = reduce(left, _degree, degree, by="min")
        low = filter(left, _is_low, degree, k)
        compute(low, _set, core, k)
        traverse(graph, low, _peel, degree, core, k)
        left = filter(left, _is_left, core)
    return core
