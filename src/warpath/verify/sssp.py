"""Are these the shortest paths from a source?"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.graph.check import WEIGHT_DTYPES
from warpath.graph.graph import Graph
from warpath.verify.claim import Claim, as_sources
from warpath.verify.properties import check

Array = NDArray[Any]


def sssp(
    graph: Graph,
    source: int | Sequence[int] | Array,
    distance: Any,
    predecessor: Any = None,
    *,
    cutoff: float | None = None,
) -> None:
    """Check the distances, and the tree, of shortest paths.

    Parameters
    ----------
    graph : Graph
        Weights of any sign; without weights each arc weighs 1.
    source : int, or sequence or array of int
        One source, or several: the distances are then from the nearest.
    distance : int32, int64, float32 or float64 array, shape (n,)
        Unreachable is inf, for integers the dtype's largest. Each distance must be the
        sum of a path's weights from left to right in this very dtype, to the bit; only
        float distances are right for float weights.
    predecessor : int32 array, shape (n,), optional
        The vertex before on a shortest path, -1 for sources and the unreached. Without
        it, each distance is checked to be that of some path.
    cutoff : number, optional
        Vertices farther than this, as the distances' dtype rounds it (integers:
        downwards), are claimed to read as unreached. Only for weights of 0 or more.

    Raises
    ------
    VerificationError
        If the answer is wrong; ``broken`` is one of `warpath.verify.PROPERTIES`.
    ValueError
        If ``source`` is no vertex, ``cutoff`` is negative or NaN, or given with
        negative weights.

    Notes
    -----
    O(V + E) time, with zero-weight cycles O(E + V log V). Sums of integers do not wrap:
    they are made in 64 bits, and what does not fit there is detected.
    """
    distance = np.asarray(distance)
    floats = graph.weights is not None and graph.weights.dtype.kind == "f"
    claim = Claim(
        graph,
        as_sources(source, graph.num_vertices),
        distance,
        None if predecessor is None else np.asarray(predecessor),
        unreachable=_unreachable(distance.dtype),
        dtypes=tuple(dtype for dtype in WEIGHT_DTYPES if dtype.kind == "f" or not floats),
        limit=None if cutoff is None else _limit(graph, cutoff, distance.dtype),
    )
    check(claim)


def _unreachable(dtype: np.dtype[Any]) -> float | int:
    return int(np.iinfo(dtype).max) if dtype.kind in "iu" else math.inf


def _limit(graph: Graph, cutoff: float, dtype: np.dtype[Any]) -> Any:
    if not cutoff >= 0:
        raise ValueError(f"cutoff must be a number of 0 or more, not {cutoff}")
    if graph.weight_range[0] < 0:
        raise ValueError("cutoff has no meaning with negative weights: a path may come back below")
    if cutoff == math.inf:
        return None
    return dtype.type(cutoff) if dtype.kind == "f" else math.floor(cutoff)
