"""Which vertices hang together."""

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.sources import check_call
from warpath.graph import components
from warpath.graph.graph import Graph


def connected_components(graph: Graph) -> tuple[NDArray[np.int32], int]:
    """Connected components; of a directed graph the weak ones, as if its arcs had no direction.

    Parameters
    ----------
    graph : Graph

    Returns
    -------
    labels : int32 array, shape (n,)
        The smallest vertex of the vertex's component.
    count : int
        Number of components; an isolated vertex is one.

    Notes
    -----
    Almost O(n + m), 4n bytes, in parallel: `warpath.graph.components`.

    Examples
    --------
    >>> import warpath as wp
    >>> labels, count = wp.connected_components(wp.Graph.from_edges([3, 2], [1, 4]))
    >>> labels.tolist(), count
    ([0, 1, 2, 1, 2], 3)
    """
    check_call(graph, "cpu")
    return components.connected_components(graph)


def strongly_connected_components(graph: Graph) -> tuple[NDArray[np.int32], int]:
    """Strongly connected components: vertices that reach each other along arcs.

    Parameters
    ----------
    graph : Graph
        Of an undirected one these are its connected components.

    Returns
    -------
    labels : int32 array, shape (n,)
        The smallest vertex of the vertex's component.
    count : int
        Number of components.

    See Also
    --------
    connected_components
    Graph.largest_component : The graph of the largest one.

    Notes
    -----
    O(n + m), by SciPy on one thread (Pearce 2005).

    Examples
    --------
    >>> import warpath as wp
    >>> labels, count = wp.strongly_connected_components(wp.Graph.from_edges([0, 1, 1], [1, 0, 2]))
    >>> labels.tolist(), count
    ([0, 0, 2], 2)
    """
    check_call(graph, "cpu")
    return components.strongly_connected_components(graph)
