"""Is this the answer of a breadth-first search?"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.graph.graph import Graph, check_graph
from warpath.graph.names import Vertex, by_name
from warpath.verify.claim import Claim, as_sources, together
from warpath.verify.properties import check

Array = NDArray[Any]


@by_name("source")
def bfs(
    graph: Graph,
    source: Vertex | Sequence[Vertex] | Array,
    distance: Any,
    predecessor: Any = None,
    *,
    depth_limit: int | None = None,
) -> None:
    """Check the levels, and the tree, of a breadth-first search.

    Parameters
    ----------
    graph : Graph
    source : vertex, or sequence or array of vertices
        One source, or several: the distances are then from the nearest.
    distance : int32 array, shape (n,)
        Arcs on a shortest path, -1 where there is none.
    predecessor : int32 array, shape (n,), optional
        The vertex before on a shortest path, -1 for sources and the unreached. Without
        it, each distance is checked to be that of some path.
    depth_limit : int, optional
        Vertices farther than this are claimed to read as unreached.

    Raises
    ------
    VerificationError
        If the answer is wrong; ``broken`` is one of `warpath.verify.PROPERTIES`.
    ValueError
        If ``source`` is no vertex, or ``depth_limit`` is negative.

    See Also
    --------
    sssp : The same for weights.
    warpath.Paths.verify : Checks a result.

    Notes
    -----
    O(V + E) time.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.generate.grid(3)
    >>> r = wp.bfs(g, 0)
    >>> wp.verify.bfs(g, 0, r.distance, r.predecessor)
    """
    check_graph(graph)
    if depth_limit is not None and depth_limit < 0:
        raise ValueError(f"depth_limit must be 0 or more, not {depth_limit}")
    distance, predecessor = together(graph, distance, predecessor)
    claim = Claim(
        graph.without_weights(),
        as_sources(source, graph.num_vertices),
        distance,
        predecessor,
        unreachable=-1,
        dtypes=(np.dtype(np.int32),),
        limit=depth_limit,
    )
    check(claim)
