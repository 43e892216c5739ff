"""A graph that each rank has, in parts."""

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.distributed.construct import edges_in_order, part_of_edges
from warpath.distributed.context import current
from warpath.distributed.graph import DistributedGraph
from warpath.distributed.transport import Transport
from warpath.graph.build import Batch
from warpath.graph.check import choose
from warpath.graph.graph import Graph, check_graph
from warpath.planning.partition import cut
from warpath.planning.parts import sizes_together
from warpath.typing import PARTITIONS, PartitionName


def distribute(graph: Graph, partition: PartitionName = "blocks") -> DistributedGraph:
    """Cut a graph that all ranks have into parts, one for each rank.

    Parameters
    ----------
    graph : Graph
        The same on all ranks, without labels.
    partition : {"blocks", "metis"}
        Which vertices a rank owns. "blocks": consecutive ones, with about as many arcs as the others'. "metis": a
        part of few arcs to other parts, which suits roads and meshes; rank 0 cuts the graph
        (``pip install 'warpath[partition]'``).

    Returns
    -------
    DistributedGraph
        With the same vertices and arcs.

    Raises
    ------
    TypeError
        If it is no graph.
    ValueError
        If it has labels, or the partition is unknown.
    ModuleNotFoundError
        If METIS is asked for and not installed.
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
    check_one_piece(graph)
    transport = current()
    digest = hashlib.sha256()
    for array in graph.resident:
        if array is not None:
            digest.update(array.dtype.str.encode())
            digest.update(np.ascontiguousarray(array).data)
    with transport.together(
        "distribute",
        vertices=graph.num_vertices,
        edges=graph.num_edges,
        directed=graph.directed,
        digest=digest.hexdigest()[:16],
        partition=partition,
    ):
        choose("partition", partition, PARTITIONS)
        order = bounds = None
        if partition == "metis":
            order, bounds = _metis(transport, graph)
        source, target, weight = edges_in_order(graph, order)
        m = len(source)
        mine = slice(
            m * transport.rank // transport.size, m * (transport.rank + 1) // transport.size
        )
        share = Batch(source, target, weight).rows(mine)
        part = part_of_edges(
            transport, graph.num_vertices, [share], directed=graph.directed, bounds=bounds
        )
        return DistributedGraph(transport, part, graph.directed, order)


def check_one_piece(graph: Any) -> None:
    """Refuse what cannot be cut into parts.

    Raises
    ------
    TypeError
        If it is no graph.
    ValueError
        If it has labels.
    """
    check_graph(graph)
    if graph.labels is not None:
        raise ValueError("the graph has labels: distribute graph.without_labels()")


def _metis(transport: Transport, graph: Graph) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Vertices in the order of METIS's parts, and about where each part begins, as rank 0 cuts the graph."""
    if transport.rank == 0:
        parts = cut(graph, transport.size)
        order, bounds = parts.order, sizes_together(parts.starts)
    else:
        order, bounds = np.empty(0, np.int32), np.empty(0, np.int64)
    return transport.gather(order)[0], transport.gather(bounds)[0]
