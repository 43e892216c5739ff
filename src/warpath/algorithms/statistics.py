"""A graph in numbers, its diameter's lower bound included."""

from dataclasses import replace

import numpy as np

from warpath.algorithms.common.sources import check_call
from warpath.algorithms.traversal.bfs import bfs
from warpath.graph.check import check_flags
from warpath.graph.components import largest_component
from warpath.graph.graph import Graph
from warpath.graph.graph_statistics import Statistics
from warpath.graph.names import by_name


@by_name()
def statistics(graph: Graph, *, diameter: bool = True) -> Statistics:
    """What a paper's table says of a graph: size, degrees, components, diameter.

    Parameters
    ----------
    graph : Graph
    diameter : bool
        False: leave out the diameter, which takes two BFS (and of a directed graph its
        reverse).

    Returns
    -------
    Statistics
        ``diameter_at_least`` is a lower bound of the longest shortest path in arcs.

    Raises
    ------
    TypeError
        If ``graph`` is no `Graph`.
    ValueError
        If ``diameter`` is neither True nor False.

    See Also
    --------
    diameter : The exact diameter.
    connected_components : The component of each vertex.

    Notes
    -----
    Complexity: O(n + m) time.

    The bound is a double sweep: a BFS from the vertex of largest degree in the largest
    component, and one backwards from the farthest vertex that it found. Magnien, Latapy,
    Habib: Fast computation of empirically tight bounds for the diameter of massive
    graphs, 2009; for directed graphs Crescenzi et al., SEA 2012.

    Examples
    --------
    >>> import warpath as wp
    >>> numbers = wp.statistics(wp.generate.named("karate"))
    >>> numbers.vertices, numbers.edges, numbers.max_degree, numbers.diameter_at_least
    (34, 78, 17, 5)
    """
    check_call(graph, "cpu")
    check_flags(diameter=diameter)
    numbers = Statistics.of(graph)
    if not diameter or graph.num_vertices == 0:
        return numbers
    return replace(numbers, diameter_at_least=_double_sweep(graph))


def _double_sweep(graph: Graph) -> int:
    vertices = largest_component(graph)
    start = int(vertices[graph.degree[vertices].argmax()])
    first = bfs(graph, start, predecessors=False).distance
    farthest = int(np.argmax(first))
    second = bfs(graph.reverse, farthest, predecessors=False).distance
    return int(max(first.max(), second.max()))
