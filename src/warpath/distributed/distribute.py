"""A graph that each rank has, in parts."""

import hashlib

import numpy as np

from warpath.distributed.construct import part_of_edges
from warpath.distributed.context import current
from warpath.distributed.graph import DistributedGraph
from warpath.graph.build import Batch
from warpath.graph.graph import Graph


def distribute(graph: Graph) -> DistributedGraph:
    """Cut a graph that all ranks have into parts, one for each rank.

    Parameters
    ----------
    graph : Graph
        The same on all ranks, without labels.

    Returns
    -------
    DistributedGraph
        With the same vertices and arcs.

    Raises
    ------
    TypeError
        If it is no graph.
    ValueError
        If it has labels.
    RanksDisagreeError
        If ranks have different graphs.

    See Also
    --------
    warpath.generate.rmat : Makes the parts of a graph that no rank holds as a whole.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.distributed.distribute(wp.generate.grid(3))
    >>> wp.bfs(g, 0).distance.tolist()
    [0, 1, 2, 1, 2, 3, 2, 3, 4]
    """
    if not isinstance(graph, Graph):
        raise TypeError(f"expected a warpath.Graph, not {type(graph).__name__}")
    if graph.labels is not None:
        raise ValueError("the graph has labels: distribute graph.without_labels()")
    transport = current()
    digest = hashlib.sha256()
    for array in graph.resident:
        if array is not None:
            digest.update(np.ascontiguousarray(array).data)
    with transport.together(
        "distribute",
        vertices=graph.num_vertices,
        edges=graph.num_edges,
        digest=digest.hexdigest()[:16],
    ):
        source, target, weight = graph.coo() if graph.directed else graph.edges()
        m = len(source)
        mine = slice(
            m * transport.rank // transport.size, m * (transport.rank + 1) // transport.size
        )
        share = Batch(source[mine], target[mine], None if weight is None else weight[mine])
        part = part_of_edges(transport, graph.num_vertices, [share], directed=graph.directed)
        return DistributedGraph(transport, part, graph.directed)
