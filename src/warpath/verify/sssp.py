"""Are these the shortest, or otherwise best, paths from a source?"""

import math
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.graph.check import WEIGHT_DTYPES
from warpath.graph.graph import Graph, check_graph
from warpath.graph.names import Vertex, by_name
from warpath.typing import AlgebraName
from warpath.verify.claim import Claim, as_sources, together
from warpath.verify.measure import Measure, Rule, as_scalar, measure_of
from warpath.verify.properties import check

Array = NDArray[Any]


@by_name("source")
def sssp(
    graph: Graph,
    source: Vertex | Sequence[Vertex] | Array,
    distance: Any,
    predecessor: Any = None,
    *,
    cutoff: float | None = None,
    algebra: AlgebraName | Rule = "shortest",
) -> None:
    """Check the distances, and the tree, of shortest, or otherwise best, paths.

    Parameters
    ----------
    graph : Graph
        Weights of any sign; without weights each arc weighs 1.
    source : vertex, or sequence or array of vertices
        One source, or several: the distances are then from the nearest.
    distance : int32, int64, float32 or float64 array, shape (n,)
        Unreachable is inf, for integers the dtype's largest. Each distance must be the
        sum of a path's weights from left to right in this very dtype, to the bit; only
        float distances are right for float weights. By another algebra: as `warpath.sssp`
        says.
    predecessor : int32 array, shape (n,), optional
        The vertex before on a shortest path, -1 for sources and the unreached. Without
        it, each distance is checked to be that of some path.
    cutoff : number, optional
        Vertices farther than this, as the distances' dtype rounds it (integers:
        downwards), or worth less, are claimed to read as unreached. For sums, weights must
        not be negative.
    algebra : str or Algebra
        What a path is worth: one of `warpath.sssp`'s, or your own, whose function is called for each arc in
        plain Python.

    Raises
    ------
    VerificationError
        If the answer is wrong; ``broken`` is one of `warpath.verify.PROPERTIES`.
    ValueError
        If ``source`` is no vertex, ``cutoff`` is negative or NaN, or given with
        negative weights; an unknown algebra.

    See Also
    --------
    bfs : The same for levels.
    warpath.Paths.verify : Checks a result.

    Notes
    -----
    O(V + E) time, with zero-weight cycles O(E + V log V). Sums of integers do not wrap:
    they are made in 64 bits, and what does not fit there is detected.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.generate.grid(3, weights=(1, 9))
    >>> r = wp.sssp(g, 0)
    >>> wp.verify.sssp(g, 0, r.distance, r.predecessor)
    """
    check_graph(graph)
    measure = measure_of(algebra)
    # A user's rule takes NumPy's.
    distance, predecessor = together(
        graph, distance, predecessor, on_gpu=isinstance(measure.extend, np.ufunc)
    )
    claim = Claim(
        graph.without_weights() if measure.extend is np.logical_and else graph,
        as_sources(source, graph.num_vertices),
        distance,
        predecessor,
        unreachable=as_scalar(measure.none, distance.dtype),
        dtypes=_dtypes(graph, measure),
        limit=None if cutoff is None else _limit(graph, measure, cutoff, distance.dtype),
        measure=measure,
    )
    check(claim)


def _dtypes(graph: Graph, measure: Measure) -> tuple[np.dtype[Any], ...]:
    """Those that distances may have."""
    if measure.extend is np.logical_and:
        return (np.dtype(bool),)
    floats = graph.weights is not None and graph.weights.dtype.kind == "f"
    only_floats = floats or measure.extend is np.multiply
    return tuple(dtype for dtype in WEIGHT_DTYPES if dtype.kind == "f" or not only_floats)


def _limit(graph: Graph, measure: Measure, cutoff: float, dtype: np.dtype[Any]) -> Any:
    cutoff = np.asarray(cutoff).item()  # floor would make NumPy's integers floats first
    if measure.extend is np.add:
        if not cutoff >= 0:
            raise ValueError(f"cutoff must be a number of 0 or more, not {cutoff}")
        if graph.weight_range[0] < 0:
            raise ValueError(
                "cutoff has no meaning with negative weights: a path may come back below"
            )
    if abs(cutoff) > sys.float_info.max:  # integers too, of any size: no dtype holds it
        cutoff = math.inf if cutoff > 0 else -math.inf
    if cutoff != cutoff:
        raise ValueError(f"cutoff must be a number, not {cutoff}")
    if cutoff == measure.none:
        return None
    if dtype.kind == "f":
        with np.errstate(over="ignore"):
            return dtype.type(cutoff)
    if not math.isinf(cutoff):
        cutoff = math.floor(cutoff) if measure.better is np.less else math.ceil(cutoff)
    return cutoff
