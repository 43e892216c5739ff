"""The lightest edges that hold a graph together."""

import numpy as np

from warpath.algorithms.common.problem import Measure
from warpath.algorithms.common.sources import check_call
from warpath.cpu.boruvka import boruvka, threads_for_edges
from warpath.graph.build import csr_from_sorted_edges
from warpath.graph.csr import check_symmetric
from warpath.graph.edges import select
from warpath.graph.graph import Graph


def minimum_spanning_forest(graph: Graph) -> Graph:
    """A spanning tree of each component, of the least total weight.

    Parameters
    ----------
    graph : Graph
        Undirected; weights may be negative. Without weights any edges will do.

    Returns
    -------
    Graph
        Undirected, with all vertices of ``graph`` and one edge less than that for each component.
        ``.edges()`` gives its edges once each.

    Raises
    ------
    ValueError
        If the graph is directed; the message says how to make it undirected.

    See Also
    --------
    connected_components : Which vertices a tree joins.
    sssp : The tree of shortest paths from a source.

    Notes
    -----
    Borůvka's algorithm, O((n + m) log n), in parallel. Among equal weights the edge counts
    as lighter that comes first in ``graph.edges()``, so the answer is the same for any number of threads.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.Graph.from_edges([0, 0, 1], [1, 2, 2], [4, 1, 2], directed=False)
    >>> source, target, weight = wp.minimum_spanning_forest(g).edges()
    >>> source.tolist(), target.tolist(), weight.tolist()
    ([0, 1], [2, 2], [1, 2])
    """
    forest_problem(graph)
    source, target, weight = graph.edges()
    weights = np.zeros(len(source), np.int32) if weight is None else weight
    chosen = boruvka(graph.num_vertices, source, target, weights)
    source, target, weight = select(chosen, source, target, weight)
    csr = csr_from_sorted_edges(source, target, weight, graph.num_vertices)
    return Graph._from_parts(*csr, False, graph.labels, geometry=graph.geometry)


def forest_problem(graph: Graph) -> Measure:
    """What a call of `minimum_spanning_forest` asks for, checked."""
    check_call(graph, "cpu")
    if graph.directed:
        raise ValueError(f"a spanning forest is of an undirected graph: {_remedy(graph)}")
    n, edges = graph.num_vertices, graph.num_edges
    dtype = np.dtype(np.int32) if graph.weight_dtype is None else graph.weight_dtype
    return Measure(
        graph=graph,
        search="minimum_spanning_forest",
        method="boruvka",
        why="trees are joined along their lightest edges",
        dtype=dtype,
        # A forest has less than n edges, each of them an arc in both directions.
        answer=4 * (n + 1) + 2 * n * (4 + dtype.itemsize * (graph.weight_dtype is not None)),
        workspace=16 * n + edges * (9 + 2 * (8 + dtype.itemsize)),
        threads=threads_for_edges(edges),
    )


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
