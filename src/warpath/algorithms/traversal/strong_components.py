"""Which vertices reach each other: on the CPU by SciPy, on a GPU by operators."""

from typing import Any

import numpy as np

from warpath.algorithms.common.device_measure import DeviceMeasure, device_measure
from warpath.algorithms.primitives.arrays import arrays_of
from warpath.algorithms.primitives.edges import aggregate, traverse
from warpath.algorithms.primitives.frontier import Frontier
from warpath.algorithms.primitives.random_order import random_priorities
from warpath.algorithms.primitives.smallest_members import smallest_members
from warpath.algorithms.primitives.vertices import compute, filter
from warpath.algorithms.traversal.components import components_on_gpu
from warpath.graph import components
from warpath.graph.graph import Graph
from warpath.language import atomic_add, atomic_cas, atomic_min, operator
from warpath.schedule import ScheduleLike
from warpath.typing import DeviceName

# ``root[v]`` is a vertex of v's component, the same for all of them; -1: not known yet.


@operator
def _leads_there(u, v, root):  # type: ignore[no-untyped-def]
    return 1 if u != v and root[u] < 0 else 0


@operator
def _is_end(v, count, root):  # type: ignore[no-untyped-def]
    return count[v] == 0 and root[v] < 0


@operator
def _is_left(v, root):  # type: ignore[no-untyped-def]
    return root[v] < 0


@operator
def _set_alone(v, root):  # type: ignore[no-untyped-def]
    root[v] = v


@operator
def _trim(u, v, count, root):  # type: ignore[no-untyped-def]
    """u is a component of its own; so is v, if u was the last that led there."""
    return u != v and atomic_add(count, v, -1) == 1 and atomic_cas(root, v, -1, v)


@operator
def _reach(u, v, mark, root):  # type: ignore[no-untyped-def]
    return root[v] < 0 and atomic_cas(mark, v, 0, 1)


@operator
def _join(v, ahead, behind, root, pivot):  # type: ignore[no-untyped-def]
    """The pivot reaches v, and v reaches the pivot."""
    if ahead[v] == 1 and behind[v] == 1:
        root[v] = pivot


@operator
def _start(v, priority, color):  # type: ignore[no-untyped-def]
    color[v] = priority[v]


@operator
def _color(u, v, color, root):  # type: ignore[no-untyped-def]
    """Give v the smallest priority of the vertices that reach it."""
    return root[v] < 0 and atomic_min(color, v, color[u])


@operator
def _is_root(v, priority, color):  # type: ignore[no-untyped-def]
    return color[v] == priority[v]


@operator
def _collect(u, v, color, root):  # type: ignore[no-untyped-def]
    """v reaches the root of u's component. If that root reaches v, v has its color."""
    return color[v] == color[u] and atomic_cas(root, v, -1, root[u])


def strongly_connected_components(
    graph: Graph, *, device: DeviceName = "auto", schedule: ScheduleLike = None
) -> tuple[Any, int]:
    """Strongly connected components: vertices that reach each other along edges.

    Parameters
    ----------
    graph : Graph
        If it is undirected, these are its connected components.
    device : {"auto", "cpu", "cuda"}
        As of `connected_components`.
    schedule : Schedule, str or Technique, optional
        On a GPU, the balance.

    Returns
    -------
    labels : int32 array, shape (n,)
        The smallest vertex of the vertex's component. NumPy's, or CuPy's for ``device="cuda"``.
    count : int
        Number of components.

    Raises
    ------
    ValueError
        A schedule that is none, or has something other than a balance.
    DeviceUnavailableError
        ``device="cuda"``, or a schedule, without a GPU that can be used.
    MemoryError
        ``device="cuda"``, and a workspace beyond the GPU's memory.

    See Also
    --------
    connected_components : Vertices that a path joins, in either direction.
    Graph.largest_component : The graph of the largest one.

    Notes
    -----
    On the CPU O(n + m), by SciPy on one thread (Pearce 2005). On a GPU the multistep method: vertices without edges in,
    or out, are trimmed, again and again. The component of the vertex with the largest product of degrees, most often the
    giant one, is what is reached from it both forward and backward (L. K. Fleischer, B. Hendrickson, A. Pınar, 2000);
    then what is left is trimmed once more. Each vertex of the rest is colored by the smallest priority, a random number,
    of those that reach it. The vertices of its color that reach the one with that priority are its component. That is
    repeated with what is left: O(n + m) for each round, whose number is small where chains of components are short (S. Orzan,
    2004; G. M. Slota, S. Rajamanickam, K. Madduri, "BFS and coloring-based parallel algorithms for strongly connected
    components", IPDPS 2014).

    Examples
    --------
    >>> import warpath as wp
    >>> labels, count = wp.strongly_connected_components(wp.Graph.from_edges([0, 1, 1], [1, 0, 2]))
    >>> labels.tolist(), count
    ([0, 0, 2], 2)
    """
    problem = strong_components_problem(graph, device=device, schedule=schedule)

    def labelled(xp: Any) -> tuple[Any, int]:
        if xp is np:
            return components.strongly_connected_components(graph)
        if not graph.directed:
            return components_on_gpu(graph, problem.schedule.technique, xp)
        return multistep(graph, xp, problem.schedule)

    return problem.run(labelled)


def strong_components_problem(
    graph: Graph, *, device: DeviceName = "auto", schedule: ScheduleLike = None
) -> DeviceMeasure:
    """What a call of `strongly_connected_components` asks for, checked."""
    measure = device_measure(
        graph, "strongly_connected_components", "pearce", "SciPy's, on one thread",
        np.dtype(np.int32), device=device, schedule=schedule, answer_per_vertex=4,
        # SciPy's copy of the arcs, without parallel ones, and its stacks; or five numbers and the frontiers.
        per_vertex=60, per_arc=13, threads=lambda graph: 1, reads_weights=False,
    )  # fmt: skip
    if not graph.directed:
        measure.method, measure.why = "afforest", "each arc is there in both directions"
        measure.threads = components.threads_for_components(graph)
    elif measure.place.device == "cuda":
        measure.method, measure.why = (
            "multistep",
            "the giant component first, the others by coloring",
        )
    return measure


def multistep(graph: Graph, xp: Any, schedule: ScheduleLike = None) -> tuple[Any, int]:
    """Labels and their number, by operators; parameters as of `strongly_connected_components`.

    Parameters
    ----------
    graph : Graph
        Directed.
    xp : module
        NumPy or CuPy.
    schedule : Schedule, str or Technique, optional
    """
    root = xp.full(graph.num_vertices, -1, np.int32)
    if graph.num_vertices:
        _trim_all(graph, root, schedule)
        _find_giant(graph, root, xp, schedule)
        _trim_all(graph, root, schedule)
    _color_rest(graph, root, xp, schedule)
    return smallest_members(graph, root, xp)


def _trim_all(graph: Graph, root: Any, schedule: ScheduleLike) -> None:
    """Make components of vertices that no other leads to, or that lead to no other, until there are none."""
    for there in (graph, graph.reverse):
        count = aggregate(there, _leads_there, root, schedule=schedule)
        ends = filter(there, _is_end, count, root)
        compute(ends, _set_alone, root)
        traverse(there, ends, _trim, count, root, schedule=schedule)


def _find_giant(graph: Graph, root: Any, xp: Any, schedule: ScheduleLike) -> None:
    """Make a component of what a vertex of many edges reaches and is reached from."""
    degrees = [arrays_of(there, xp).degree for there in (graph, graph.reverse)]
    pivot = int(xp.where(root < 0, degrees[0] * degrees[1], -1).argmax())
    if int(root[pivot]) >= 0:
        return  # no vertex is left
    marks = []
    for there in (graph, graph.reverse):
        mark = xp.zeros(graph.num_vertices, np.int32)
        mark[pivot] = 1
        begin = Frontier.of(there, xp.full(1, pivot, np.int32))
        traverse(there, begin, _reach, mark, root, schedule=schedule)
        marks.append(mark)
    compute(graph, _join, *marks, root, pivot)


def _color_rest(graph: Graph, root: Any, xp: Any, schedule: ScheduleLike) -> None:
    """Find all components of what is left."""
    priority, color = random_priorities(graph, xp, 0), xp.empty(graph.num_vertices, np.int64)
    left = filter(graph, _is_left, root)
    while left:
        compute(left, _start, priority, color)
        traverse(graph, left, _color, color, root, schedule=schedule)
        roots = filter(left, _is_root, priority, color)
        compute(roots, _set_alone, root)
        traverse(graph.reverse, roots, _collect, color, root, schedule=schedule)
        left = filter(left, _is_left, root)
