"""What certificates of vertices share: the simple graph, and claimed values."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.graph.arrays import is_on_gpu, to_host
from warpath.graph.graph import Graph

Array = NDArray[Any]


def neighbours(graph: Graph) -> tuple[Array, Array]:
    """The edges of the simple undirected graph: source and target, each edge in both directions, sorted."""
    n = np.int64(max(graph.num_vertices, 1))
    source, target, _ = graph.coo()
    key = np.unique(np.r_[source * n + target, target * n + source])
    source, target = key // n, key % n
    apart = source != target
    return source[apart], target[apart]


def as_vertex_values(values: Any, n: int, name: str, kinds: str) -> Array:
    """An array with an element for each vertex.

    Parameters
    ----------
    values : array
        NumPy's or CuPy's.
    n : int
    name : str
        What messages call it.
    kinds : str
        The kinds of dtype that it may have, as NumPy calls them.

    Raises
    ------
    ValueError
        Another shape or kind.
    """
    array = to_host(values) if is_on_gpu(values) else np.asarray(values)
    if array.shape != (n,):
        raise ValueError(f"{name} has shape {array.shape}, and the graph {n} vertices")
    if array.dtype.kind not in kinds:
        raise ValueError(f"{name} is of dtype {array.dtype}: see its description")
    return array
