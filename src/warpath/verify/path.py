"""Is this a shortest, or otherwise best, path? Is there none?"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.errors import VerificationError
from warpath.graph.check import as_vertex, check_flags
from warpath.graph.graph import Graph, check_graph
from warpath.graph.names import Vertex, VertexMessage, by_name
from warpath.typing import AlgebraName
from warpath.verify.bfs import bfs
from warpath.verify.measure import Measure, Rule, as_scalar, measure_of
from warpath.verify.reach import reachable
from warpath.verify.sssp import sssp
from warpath.verify.walk import lightest

Array = NDArray[Any]


@by_name("vertices")
def path(
    graph: Graph,
    vertices: Sequence[Vertex],
    length: float,
    distance: Any,
    *,
    weighted: bool = True,
    limit: float | None = None,
    algebra: AlgebraName | Rule = "shortest",
) -> None:
    """Check that a path is there, is as long as it is said to be, and that none is shorter.

    By another algebra than sums: that it is worth what it is said to be, and that none is better.

    Parameters
    ----------
    graph : Graph
    vertices : sequence of vertices
        From the source to the target, both included.
    length : int or float
        The claimed sum of the lightest arcs, from the source to the target; by another
        algebra what its best arcs make of it.
    distance : array, shape (n,)
        Distances of all vertices from the source: the proof that no path is shorter. They
        come from another method than the path, and are checked in their turn, by
        `warpath.verify.sssp`, or `warpath.verify.bfs`.
    weighted : bool
        False: each arc counts 1, and distances are those of a breadth-first search.
    limit : number, optional
        Vertices farther than this, or worth less, are claimed to read as unreached in
        ``distance``.
    algebra : str or Algebra
        What a path is worth: one of `warpath.sssp`'s, or your own.

    Raises
    ------
    VerificationError
        ``broken`` is ``arc`` if the path is empty, or one of its arcs is not in the graph. It is
        ``length`` if its arcs do not sum to ``length``, to the bit, in ``distance``'s dtype. It is
        ``shortest`` if there is a shorter, or better, one. Else it is what the distances break,
        one of `warpath.verify.PROPERTIES`.
    ValueError
        If one of ``vertices`` is no vertex; an unknown algebra, or one that is not of sums
        with ``weighted=False``.

    See Also
    --------
    no_path : There is none.
    warpath.ShortestPath.verify : Checks a result.

    Notes
    -----
    O(V + E) time.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.generate.grid(3)
    >>> wp.verify.path(g, [0, 1, 2], 2, wp.bfs(g, 0).distance, weighted=False)
    """
    check_graph(graph)
    check_flags(weighted=weighted)
    measure = measure_of(algebra)
    if not weighted and algebra != "shortest":
        raise ValueError(f"weighted=False counts arcs, which is no path's value by {algebra!r}")
    if not weighted or measure.extend is np.logical_and:
        graph = graph.without_weights()
    distance = np.asarray(distance)
    # As Python's numbers: comparing with NumPy's would round to their dtype first.
    length = np.asarray(length).item()
    walk = [as_vertex(v, graph.num_vertices, "vertex") for v in vertices]
    if not walk:
        raise VerificationError("arc", "the path is empty: it has at least its source")
    best = np.minimum if measure.better is np.less else np.maximum
    arcs = lightest(graph, np.array(walk), "path", best)
    if isinstance(measure.extend, np.ufunc):
        value = _value(arcs, measure, distance.dtype)
    else:
        value = _best_value(graph, walk, measure, distance.dtype)
    if value != length:
        makes = "sum to" if measure.extend is np.add else "make"
        raise VerificationError("length", f"the path's arcs {makes} {value}, not {length}")
    if weighted:
        sssp(graph, walk[0], distance, cutoff=limit, algebra=algebra)
    else:
        bfs(graph, walk[0], distance, depth_limit=None if limit is None else int(limit))
    found = distance[walk[-1]].item()
    if found != length:
        says = f"the path is {length} long, but {{}} is at distance {found}"
        if measure.extend is not np.add:
            says = f"the path is worth {length}, but the best one to {{}} is worth {found}"
        raise VerificationError("shortest", VertexMessage(says, walk[-1]))


@by_name("source", "target")
def no_path(
    graph: Graph, source: Vertex, target: Vertex, *, algebra: AlgebraName = "shortest"
) -> None:
    """Check that no path leads from ``source`` to ``target``, by a search of SciPy's.

    Parameters
    ----------
    graph : Graph
    source, target : vertices
    algebra : str
        By "most-reliable" an arc of weight 0 is none.

    Raises
    ------
    VerificationError
        ``broken`` is ``unreachable``.
    ValueError
        If ``source`` or ``target`` is no vertex; an unknown algebra.

    See Also
    --------
    path : There is one, and it is shortest.

    Notes
    -----
    O(V + E) time.

    Examples
    --------
    >>> import warpath as wp
    >>> wp.verify.no_path(wp.Graph.from_edges([0], [1]), 1, 0)
    """
    check_graph(graph)
    start = as_vertex(source, graph.num_vertices, "source")
    end = as_vertex(target, graph.num_vertices, "target")
    measure, offsets, targets = measure_of(algebra), graph.row_offsets, graph.column_indices
    if measure.extend is np.multiply and graph.weights is not None:
        there = graph.weights != 0
        offsets, targets = np.append(0, np.cumsum(there))[offsets], targets[there]
    if reachable(offsets, targets, np.array([start]))[end]:
        says = VertexMessage("a path leads from {} to {}", start, end)
        raise VerificationError("unreachable", says)


def _value(weights: Array, measure: Measure, dtype: np.dtype[Any]) -> Any:
    """What they make, from left to right, of a source's value: as ``dtype`` rounds floats."""
    source = as_scalar(measure.source, dtype)
    if measure.extend is np.add and dtype.kind != "f":
        return sum(weights.tolist())  # exactly
    if len(weights) == 0:
        return source
    with np.errstate(over="ignore", under="ignore"):  # inf is no length
        values = np.concatenate([np.array([source], dtype), weights.astype(dtype)])
        return measure.extend.accumulate(values, dtype=dtype)[-1].item()  # type: ignore[attr-defined]


def _best_value(graph: Graph, walk: list[int], measure: Measure, dtype: np.dtype[Any]) -> Any:
    """What a user's measure makes along a walk, of parallel arcs the best."""
    own = dtype if dtype.kind == "f" else np.dtype(np.int64)
    value = np.array([as_scalar(measure.source, dtype)], own)
    for u, v in pairwise(walk):
        begin, end = graph.row_offsets[u : u + 2].tolist()
        there = np.flatnonzero(graph.column_indices[begin:end] == v) + begin
        weights = np.ones(len(there), own) if graph.weights is None else graph.weights[there]
        made = measure.extend(np.repeat(value, len(there)), weights.astype(own))
        value = made[[made.argmin() if measure.better is np.less else made.argmax()]]
    return value[0].item()
