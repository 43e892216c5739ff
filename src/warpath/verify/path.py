"""Is this a shortest path? Is there none?"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.errors import VerificationError
from warpath.graph.check import as_vertex
from warpath.graph.graph import Graph
from warpath.verify.bfs import bfs
from warpath.verify.reach import reachable
from warpath.verify.sssp import sssp
from warpath.verify.walk import lightest

Array = NDArray[Any]


def path(
    graph: Graph,
    vertices: Sequence[int],
    length: float,
    distance: Any,
    *,
    weighted: bool = True,
    limit: float | None = None,
) -> None:
    """Check that a path is there, is as long as it is said to be, and that none is shorter.

    Parameters
    ----------
    graph : Graph
    vertices : sequence of int
        From the source to the target, both included.
    length : int or float
        The claimed sum of the lightest arcs, from the source to the target.
    distance : array, shape (n,)
        Distances of all vertices from the source: the proof that no path is shorter. They
        come from another method than the path, and are checked in their turn, by
        `warpath.verify.sssp`, or `warpath.verify.bfs`.
    weighted : bool
        False: each arc counts 1, and distances are those of a breadth-first search.
    limit : number, optional
        Vertices farther than this are claimed to read as unreached in ``distance``.

    Raises
    ------
    VerificationError
        ``broken`` is ``arc`` (the path is empty, or one of its arcs is not in the graph),
        ``length`` (its arcs do not sum to ``length``, to the bit, in ``distance``'s dtype),
        ``shortest`` (there is a shorter one), or what the distances break, one of
        `warpath.verify.PROPERTIES`.
    ValueError
        If one of ``vertices`` is no vertex.

    Notes
    -----
    O(V + E) time.
    """
    if not weighted:
        graph = graph.without_weights()
    distance = np.asarray(distance)
    # As Python's numbers: comparing with NumPy's would round to their dtype first.
    length = np.asarray(length).item()
    walk = [as_vertex(v, graph.num_vertices, "vertex") for v in vertices]
    if not walk:
        raise VerificationError("arc", "the path is empty: it has at least its source")
    total = _sum(lightest(graph, np.array(walk), "path"), distance.dtype)
    if total != length:
        raise VerificationError("length", f"the path's arcs sum to {total}, not to {length}")
    if weighted:
        sssp(graph, walk[0], distance, cutoff=limit)
    else:
        bfs(graph, walk[0], distance, depth_limit=None if limit is None else int(limit))
    found = distance[walk[-1]].item()
    if found != length:
        raise VerificationError(
            "shortest", f"the path is {length} long, but {walk[-1]} is at distance {found}"
        )


def no_path(graph: Graph, source: int, target: int) -> None:
    """Check that no path leads from ``source`` to ``target``, by a search of SciPy's.

    Raises
    ------
    VerificationError
        ``broken`` is ``unreachable``.
    ValueError
        If ``source`` or ``target`` is no vertex.

    Notes
    -----
    O(V + E) time.
    """
    start = as_vertex(source, graph.num_vertices, "source")
    end = as_vertex(target, graph.num_vertices, "target")
    if reachable(graph.row_offsets, graph.column_indices, np.array([start]))[end]:
        raise VerificationError("unreachable", f"a path leads from {source} to {target}")


def _sum(weights: Array, dtype: np.dtype[Any]) -> int | float:
    """Their sum from left to right: as ``dtype`` rounds floats, integers exactly."""
    if dtype.kind != "f":
        exact: int = sum(weights.tolist())
        return exact
    with np.errstate(over="ignore"):  # inf is no length
        sums = np.cumsum(weights, dtype=dtype)
    return float(sums[-1]) if len(sums) else 0.0
