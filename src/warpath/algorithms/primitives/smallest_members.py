"""A partition of the vertices, each part called by its smallest vertex."""

from typing import Any

import numpy as np

from warpath.algorithms.primitives.vertices import compute
from warpath.graph.graph import Graph
from warpath.language import atomic_min, operator


@operator
def _offer(v, part, smallest):  # type: ignore[no-untyped-def]
    atomic_min(smallest, part[v], v)


@operator
def _rename(v, part, smallest, label):  # type: ignore[no-untyped-def]
    label[v] = smallest[part[v]]


def smallest_members(graph: Graph, part: Any, xp: Any) -> tuple[Any, int]:
    """Labels of a partition, and how many parts it has.

    Parameters
    ----------
    graph : Graph
    part : int32 array, shape (n,)
        Vertices of one part have one number, 0 to n - 1.
    xp : module
        NumPy or CuPy, whose array ``part`` is.

    Returns
    -------
    labels : int32 array, shape (n,)
        The smallest vertex of the vertex's part.
    count : int
    """
    n = graph.num_vertices
    smallest, label = xp.full(n, n, np.int32), xp.empty(n, np.int32)
    compute(graph, _offer, part, smallest)
    compute(graph, _rename, part, smallest, label)
    return label, int((smallest < n).sum())
