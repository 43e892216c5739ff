"""Which vertices hang together."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath import devices
from warpath.algorithms.common.problem import Measure
from warpath.algorithms.common.sources import check_call
from warpath.balance import Technique
from warpath.graph import components
from warpath.graph.graph import Graph
from warpath.planning.fitted_balance import fitted
from warpath.planning.placement import Placement, choose_place, only_on_gpus, run_on
from warpath.planning.plan import Plan, plan_for
from warpath.schedule import Schedule, ScheduleLike, schedule_for
from warpath.typing import DEVICES, DeviceName

_INT32 = np.dtype(np.int32)
_GPU_BYTES = 12  # per vertex, with 64-bit offsets: `warpath.cuda.components`


def connected_components(
    graph: Graph,
    *,
    device: DeviceName = "auto",
    schedule: ScheduleLike = None,
) -> tuple[Any, int]:
    """Connected components; of a directed graph the weak ones, as if its arcs had no direction.

    Parameters
    ----------
    graph : Graph
    device : {"auto", "cpu", "cuda"}
        "cuda" computes on the current GPU and gives its array. "auto" takes a GPU for graphs that are on
        one, or have at least four million arcs, if there is a GPU and its memory suffices; the labels are
        NumPy's.
    schedule : Schedule, str or Technique, optional
        How a GPU runs it: a balance without child grids, ``"virtual-warp:width=16"``.

    Returns
    -------
    labels : int32 array, shape (n,)
        The smallest vertex of the vertex's component. NumPy's, or CuPy's for ``device="cuda"``.
    count : int
        Number of components; an isolated vertex is one.

    Raises
    ------
    ValueError
        An unknown device, a schedule that is none or has something else, or one for
        ``device="cpu"``.
    DeviceUnavailableError
        ``device="cuda"``, or a schedule, without a GPU that can be used.
    MemoryError
        ``device="cuda"``, or a schedule, and a graph beyond the GPU's memory.

    See Also
    --------
    strongly_connected_components : Vertices that reach each other along arcs.
    minimum_spanning_forest : A tree of each component.
    statistics : How many components there are, and the largest one's size.

    Notes
    -----
    Almost O(n + m), in parallel. On the CPU 4n bytes; on a GPU 12n (16n with 64-bit offsets). Sutton,
    Ben-Nun, Barak: "Optimizing parallel graph connectivity computation via subgraph sampling"
    (Afforest), IPDPS 2018.

    Examples
    --------
    >>> import warpath as wp
    >>> labels, count = wp.connected_components(wp.Graph.from_edges([3, 2], [1, 4]))
    >>> labels.tolist(), count
    ([0, 1, 2, 1, 2], 3)
    """
    problem = components_problem(graph, device=device, schedule=schedule)

    def labelled(place: Placement) -> tuple[Any, int]:
        if place.device == "cpu":
            return components.connected_components(graph)
        labels, count = _on_gpu(graph, problem.schedule.technique)
        return (labels if device == "cuda" else labels.get()), count

    return run_on(device, problem.place, labelled, cpu_is_able=not problem.schedule.only_on_gpus)


@dataclass(eq=False)
class ComponentsProblem:
    """A call of `connected_components`, its input checked."""

    graph: Graph
    schedule: Schedule
    place: Placement

    def plan(self, place: Placement) -> Plan:
        """How it runs there."""
        graph, how, n = self.graph, self.schedule, self.graph.num_vertices
        if place.device == "cuda":
            how = Schedule(balance=fitted(how.technique, graph))
        return plan_for(
            graph, "connected_components", place, "afforest", "arcs of a sample are joined first", _INT32,
            answer=4 * n, workspace=_GPU_BYTES * n if place.device == "cuda" else 0, schedule=how,
            threads=components.threads_for_components(graph), reads_weights=False,
        )  # fmt: skip


def components_problem(
    graph: Graph, *, device: DeviceName = "auto", schedule: ScheduleLike = None
) -> ComponentsProblem:
    """What a call of `connected_components` asks for, checked."""
    check_call(graph, device, DEVICES)
    how = schedule_for("connected_components", schedule)
    needs = only_on_gpus(device, how)
    if how.technique is not None and how.technique.launches_children:
        raise ValueError(f"balance={how.balance!r} launches child grids, which components have not")
    return ComponentsProblem(graph, how, choose_place(graph, device, needs))


def _on_gpu(graph: Graph, technique: Technique | None) -> tuple[Any, int]:
    devices.require()
    import cupy

    from warpath.cuda.components import connected_components as fill
    from warpath.cuda.device_graph import on_device

    n = graph.num_vertices
    labels = cupy.empty(n, np.int32)
    if n == 0:
        return labels, 0
    with devices.memory_for(f"components of {n:,} vertices and {graph.num_arcs:,} arcs"):
        fill(on_device(graph), fitted(technique, graph), labels)
        return labels, int((labels == cupy.arange(n, dtype=np.int32)).sum())


def strongly_connected_components(graph: Graph) -> tuple[NDArray[np.int32], int]:
    """Strongly connected components: vertices that reach each other along arcs.

    Parameters
    ----------
    graph : Graph
        If it is undirected, these are its connected components.

    Returns
    -------
    labels : int32 array, shape (n,)
        The smallest vertex of the vertex's component.
    count : int
        Number of components.

    See Also
    --------
    connected_components : Vertices that a path joins, in either direction.
    Graph.largest_component : The graph of the largest one.

    Notes
    -----
    O(n + m), by SciPy on one thread (Pearce 2005).

    Examples
    --------
    >>> import warpath as wp
    >>> labels, count = wp.strongly_connected_components(wp.Graph.from_edges([0, 1, 1], [1, 0, 2]))
    >>> labels.tolist(), count
    ([0, 0, 2], 2)
    """
    strong_components_problem(graph)
    return components.strongly_connected_components(graph)


def strong_components_problem(graph: Graph) -> Measure:
    """What a call of `strongly_connected_components` asks for, checked."""
    check_call(graph, "cpu")
    n, m = graph.num_vertices, graph.num_arcs
    return Measure(
        graph=graph.without_weights(),
        search="strongly_connected_components",
        method="pearce" if graph.directed else "afforest",
        why="one thread of SciPy" if graph.directed else "each arc is there both ways",
        dtype=_INT32,
        answer=4 * n,
        # SciPy's copy of the arcs, without parallel ones, and its stacks.
        workspace=(24 * n + 13 * m) * graph.directed,
        threads=1 if graph.directed else components.threads_for_components(graph),
    )
