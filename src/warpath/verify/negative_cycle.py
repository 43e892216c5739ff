"""Is this a cycle of negative weight?"""

import math
from collections.abc import Sequence

import numpy as np

from warpath.errors import VerificationError
from warpath.graph.check import as_vertex
from warpath.graph.graph import Graph
from warpath.verify.reach import reachable


def negative_cycle(graph: Graph, cycle: Sequence[int], source: int | None = None) -> None:
    """Check that a cycle proves that there are no shortest paths.

    Parameters
    ----------
    graph : Graph
    cycle : sequence of int
        Its vertices in order; an arc leads from the last back to the first.
    source : int, optional
        A vertex that the cycle is claimed to be reachable from.

    Raises
    ------
    VerificationError
        ``broken`` is ``arc`` (the cycle is empty, or one of its arcs is not in the graph),
        ``negative`` (the lightest arcs' exact sum is 0 or more) or ``reachable``.
    ValueError
        If ``source`` or a vertex of the cycle is no vertex.

    Notes
    -----
    O(k log degree) time for k vertices; O(V + E) with a source.
    """
    vertices = [as_vertex(v, graph.num_vertices, "cycle vertex") for v in cycle]
    if not vertices:
        raise VerificationError("arc", "the cycle is empty")
    weights = [
        _lightest(graph, u, v) for u, v in zip(vertices, vertices[1:] + vertices[:1], strict=True)
    ]
    total = math.fsum(weights) if isinstance(weights[0], float) else sum(weights)
    if total >= 0:
        raise VerificationError(
            "negative", f"the cycle's lightest arcs sum to {total}, not below 0"
        )
    if source is not None:
        start = np.array([as_vertex(source, graph.num_vertices, "source")])
        if not reachable(graph.row_offsets, graph.column_indices, start)[vertices[0]]:
            raise VerificationError("reachable", f"no path leads from {source} to {vertices[0]}")


def _lightest(graph: Graph, u: int, v: int) -> int | float:
    """The least weight of the arcs u → v, as a Python number."""
    row = graph.neighbors(u)
    first, last = np.searchsorted(row, [v, v + 1])
    if first == last:
        raise VerificationError("arc", f"the cycle's arc {u} → {v} is not in the graph")
    if graph.weights is None:
        return 1
    lightest: int | float = graph.arc_weights(u)[first:last].min().item()
    return lightest
