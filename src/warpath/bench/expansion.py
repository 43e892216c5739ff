"""One iteration whose frontier is all vertices: what balances are compared on."""

from math import isqrt

import numpy as np

from warpath.graph.arrays import module_of, padded
from warpath.graph.graph import Graph

LEVEL = 2
"""The level on which all vertices of the original graph stand."""


def fanned_out(graph: Graph) -> Graph:
    """The graph below a root from which each vertex is two arcs away; made once, where it is.

    To search from all vertices at once would do as well, but one block or cluster puts the sources
    into the queue, which takes longer than the iteration.

    Parameters
    ----------
    graph : Graph
        A graph of at least one vertex; its weights are left out.

    Returns
    -------
    Graph
        Directed. Its first n vertices have the arcs of ``graph``; behind them come √n that have arcs
        to √n of these each, by their numbers, and last the root.
    """
    key = ("fanned out",)
    if key not in graph.derived:
        csr = graph.resident
        xp, n, m = module_of(csr.column_indices), graph.num_vertices, graph.num_arcs
        width = max(1, isqrt(n))
        fans = -(-n // width)
        ends = m + xp.minimum(xp.arange(1, fans + 1, dtype=np.int64) * width, n)
        last = m + n + fans
        dtype = np.int32 if last < 2**31 else np.int64
        offsets = xp.concatenate(
            [csr.row_offsets.astype(np.int64), ends, xp.full(1, last, np.int64)]
        )
        below = xp.arange(n + fans, dtype=np.int32)
        columns = padded(xp, [csr.column_indices, below])
        graph.derived[key] = Graph._from_parts(offsets.astype(dtype), columns, None, directed=True)
    return graph.derived[key]  # type: ignore[no-any-return]
