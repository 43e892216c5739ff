"""The lightest edges that hold a graph together."""

from typing import Any

import numpy as np

from warpath.algorithms.common.device_measure import DeviceMeasure, device_measure
from warpath.algorithms.common.sources import check_call
from warpath.algorithms.trees.boruvka import forest_edges
from warpath.cpu.boruvka import boruvka, threads_for_edges
from warpath.cpu.upper_edges import upper_edges
from warpath.graph.arrays import Csr
from warpath.graph.csr import check_symmetric
from warpath.graph.edges import select
from warpath.graph.graph import Graph
from warpath.graph.sorted_edges import csr_from_sorted_edges
from warpath.schedule import ScheduleLike
from warpath.typing import DEVICES, DeviceName


def minimum_spanning_forest(
    graph: Graph, *, device: DeviceName = "auto", schedule: ScheduleLike = None
) -> Graph:
    """A spanning tree of each component, of the least total weight.

    Parameters
    ----------
    graph : Graph
        Undirected; weights may be negative. Without weights any edges will do.
    device : {"auto", "cpu", "cuda"}
        "cuda" leaves the forest on the GPU; see `connected_components`.
    schedule : Schedule, str or Technique, optional
        On a GPU, the balance.

    Returns
    -------
    Graph
        Undirected, with all vertices of ``graph`` and one edge less than that for each component.
        ``.edges()`` gives its edges once each.

    Raises
    ------
    ValueError
        If the graph is directed; the message says how to make it undirected.
    DeviceUnavailableError, MemoryError
        See `connected_components`.

    See Also
    --------
    connected_components : Which vertices a tree joins.
    sssp : The tree of shortest paths from a source.

    Notes
    -----
    Borůvka's algorithm, O((n + m) log n), in parallel. Among equal weights the edge counts
    as lighter that comes first in ``graph.edges()``, so the answer is the same on every device.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.Graph.from_edges([0, 0, 1], [1, 2, 2], [4, 1, 2], directed=False)
    >>> source, target, weight = wp.minimum_spanning_forest(g).edges()
    >>> source.tolist(), target.tolist(), weight.tolist()
    ([0, 1], [2, 2], [1, 2])
    """
    problem = forest_problem(graph, device=device, schedule=schedule)

    def edges(xp: Any) -> tuple[Any, Any, Any]:
        if xp is np:
            return _on_cpu(graph)
        return forest_edges(graph, xp, problem.schedule)

    source, target, weight = problem.run(edges)
    if device == "cuda":
        forest = Graph.from_edges(
            source, target, weight, n=graph.num_vertices, directed=False, device="cuda"
        )
        csr = forest.resident
    else:
        csr = Csr(*csr_from_sorted_edges(source, target, weight, graph.num_vertices))
    return Graph._from_parts(*csr, False, graph.labels, geometry=graph.geometry)


def _on_cpu(graph: Graph) -> tuple[Any, Any, Any]:
    """Source, target and weight of the forest's edges."""
    source, target, weight = upper_edges(graph)
    weights = np.zeros(len(source), np.int32) if weight is None else weight
    chosen = boruvka(graph.num_vertices, source, target, weights)
    return select(chosen, source, target, weight)


def forest_problem(
    graph: Graph, *, device: DeviceName = "auto", schedule: ScheduleLike = None
) -> DeviceMeasure:
    """What a call of `minimum_spanning_forest` asks for, checked."""
    check_call(graph, device, DEVICES)
    if graph.directed:
        raise ValueError(f"a spanning forest is of an undirected graph: {_remedy(graph)}")
    dtype = np.dtype(np.int32) if graph.weight_dtype is None else graph.weight_dtype
    # A forest has fewer than n edges, each of them two arcs; so are the graph's.
    return device_measure(
        graph, "minimum_spanning_forest", "boruvka", "trees are joined along their lightest edges",
        dtype, device=device, schedule=schedule,
        answer_per_vertex=12 + 2 * dtype.itemsize * (graph.weight_dtype is not None),
        per_vertex=68, per_arc=(9 + 2 * (8 + dtype.itemsize)) // 2,
        threads=lambda graph: threads_for_edges(graph.num_edges),
    )  # fmt: skip


def _remedy(graph: Graph) -> str:
    """How to make an undirected graph of a directed one."""
    try:
        check_symmetric(graph.resident)
    except ValueError:
        return (
            "Graph.from_edges(..., symmetrize=True) makes one, of the lighter of two arcs between "
            "two vertices"
        )
    return (
        "each arc's reverse is there with the same weight, so make the graph with directed=False, "
        "as in wp.Graph(matrix, directed=False)"
    )
