"""What certificates of vertices share: the simple graph, and claimed values."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.graph.check import as_vector
from warpath.graph.graph import Graph, check_graph

Array = NDArray[Any]


def neighbours(graph: Graph) -> tuple[Array, Array]:
    """The edges of the simple undirected graph: source and target, each edge in both directions, sorted."""
    n = np.int64(max(graph.num_vertices, 1))
    source, target, _ = graph.coo()
    key = np.unique(np.r_[source * n + target, target * n + source])
    source, target = key // n, key % n
    apart = source != target
    return source[apart], target[apart]


_KINDS = {"integers": "iu", "truths": "b"}  # of dtypes, as NumPy calls them


def as_vertex_values(values: Any, graph: Graph, name: str, of: str) -> Array:
    """An array with an element for each vertex.

    Parameters
    ----------
    values : array
        NumPy's or CuPy's.
    graph : Graph
    name : str
        What messages call it.
    of : {"integers", "truths"}

    Raises
    ------
    TypeError
        No graph.
    ValueError
        Another shape or dtype.
    """
    check_graph(graph)
    array = as_vector(values, name)
    if array.shape != (graph.num_vertices,):
        raise ValueError(
            f"{name} has shape {array.shape}, and the graph {graph.num_vertices} vertices"
        )
    if array.dtype.kind not in _KINDS[of]:
        raise ValueError(f"{name} must hold {of}, not {array.dtype}")
    return array
