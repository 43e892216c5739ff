"""Is this a maximal independent set?"""

from typing import Any

import numpy as np

from warpath.errors import VerificationError
from warpath.graph.graph import Graph
from warpath.verify.simple import as_vertex_values, neighbours


def maximal_independent_set(graph: Graph, chosen: Any) -> None:
    """Check that no two vertices of a set are neighbours, and that no vertex can be added.

    Parameters
    ----------
    graph : Graph
        Directions, parallel edges and self-loops do not count.
    chosen : bool array, shape (n,)
        Whether each vertex is in the set.

    Raises
    ------
    VerificationError
        ``broken`` is ``independent`` if two vertices of the set are neighbours, ``maximal`` if a vertex is neither in
        the set nor a neighbour of one that is.
    ValueError
        An array of another shape or dtype.

    See Also
    --------
    warpath.maximal_independent_set : Finds one.

    Notes
    -----
    O(n + m log m).

    Examples
    --------
    >>> import numpy as np, warpath as wp
    >>> wp.verify.maximal_independent_set(wp.generate.grid(1, 3), np.array([True, False, True]))
    """
    inside = as_vertex_values(chosen, graph, "chosen", "truths")
    source, target = neighbours(graph)
    for i in np.flatnonzero(inside[source] & inside[target])[:1]:
        raise VerificationError(
            "independent",
            f"vertices number {source[i]} and {target[i]} are neighbours, and both are in the set",
        )
    covered = inside.copy()
    covered[target[inside[source]]] = True
    for v in np.flatnonzero(~covered)[:1]:
        raise VerificationError(
            "maximal", f"vertex number {v} can be added: no neighbour of it is in the set"
        )
