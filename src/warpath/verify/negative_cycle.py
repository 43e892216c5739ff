"""Is this a cycle of negative weight?"""

import math
from collections.abc import Sequence

import numpy as np

from warpath.errors import VerificationError
from warpath.graph.check import as_vertex
from warpath.graph.graph import Graph, check_graph
from warpath.graph.names import Vertex, VertexMessage, by_name
from warpath.verify.reach import reachable
from warpath.verify.walk import lightest


@by_name("cycle", "source")
def negative_cycle(graph: Graph, cycle: Sequence[Vertex], source: Vertex | None = None) -> None:
    """Check that a cycle proves that there are no shortest paths.

    Parameters
    ----------
    graph : Graph
    cycle : sequence of vertices
        Its vertices in order; an arc leads from the last back to the first.
    source : vertex, optional
        A vertex that the cycle is claimed to be reachable from.

    Raises
    ------
    VerificationError
        ``broken`` is ``arc`` (the cycle is empty, or one of its arcs is not in the graph),
        ``negative`` (the lightest arcs' exact sum is 0 or more) or ``reachable``.
    ValueError
        If ``source`` or a vertex of the cycle is no vertex.

    See Also
    --------
    warpath.NegativeCycleError : Has the cycle.

    Notes
    -----
    O(sum of the vertices' degrees) time; O(V + E) with a source.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.Graph.from_edges([0, 1, 2], [1, 2, 1], [4, 1, -3])
    >>> wp.verify.negative_cycle(g, [1, 2], source=0)
    """
    check_graph(graph)
    vertices = [as_vertex(v, graph.num_vertices, "cycle vertex") for v in cycle]
    if not vertices:
        raise VerificationError("arc", "the cycle is empty")
    weights = lightest(graph, np.array(vertices + vertices[:1]), "cycle")
    total = math.fsum(weights) if weights.dtype.kind == "f" else sum(weights.tolist())
    if total >= 0:
        raise VerificationError(
            "negative", f"the cycle's lightest arcs sum to {total}, not below 0"
        )
    if source is not None:
        start = np.array([as_vertex(source, graph.num_vertices, "source")])
        if not reachable(graph.row_offsets, graph.column_indices, start)[vertices[0]]:
            says = VertexMessage("no path leads from {} to {}", int(start[0]), vertices[0])
            raise VerificationError("reachable", says)
