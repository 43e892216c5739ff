"""The lightest edges that hold a graph together."""

import numpy as np

from warpath.algorithms.sources import check_call
from warpath.cpu.boruvka import boruvka
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
        If the graph is directed.

    Notes
    -----
    Borůvka's algorithm, O((n + m) log n), in parallel. Of edges as heavy those count as lighter that
    come first in ``graph.edges()``, so the answer is the same for any number of threads.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.Graph.from_edges([0, 0, 1], [1, 2, 2], [4, 1, 2], directed=False)
    >>> source, target, weight = wp.minimum_spanning_forest(g).edges()
    >>> source.tolist(), target.tolist(), weight.tolist()
    ([0, 1], [2, 2], [1, 2])
    """
    check_call(graph, "cpu")
    if graph.directed:
        raise ValueError(
            "a spanning forest is of an undirected graph: "
            "Graph.from_edges(..., symmetrize=True) makes one"
        )
    source, target, weight = graph.edges()
    weights = np.zeros(len(source), np.int32) if weight is None else weight
    chosen = boruvka(graph.num_vertices, source, target, weights)
    return Graph.from_edges(
        source[chosen], target[chosen], None if weight is None else weight[chosen],
        n=graph.num_vertices, directed=False, labels=graph.labels,
    )  # fmt: skip
