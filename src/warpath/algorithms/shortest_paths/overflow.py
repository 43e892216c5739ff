"""Distances that do not fit: found after the run, where it could not be ruled out before.

A plan's run passes here if (n − 1) · max |w| exceeds the run's dtype; with negative weights,
2n · max |w| more. Every function whose distances are those of `warpath.sssp` has such a plan:
`distance_matrix`, the measures of eccentricity, `apsp` by rows. Others ask for room before they run:
dense methods (`warpath.planning.all_pairs.work_dtype`), searches from both ends and k shortest
paths (twice the longest path). Johnson's algorithm and betweenness look at their own sums.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.graph.distance import fits, unreachable
from warpath.graph.graph import Graph
from warpath.graph.names import VertexMessage
from warpath.operators import ALGEBRAS, Algebra

_ARCS_AT_ONCE = 2**22


def check_reached(
    graph: Graph,
    weights: NDArray[Any],
    distance: NDArray[Any],
    wrapped: bool,
    cutoff: Any,
    target: int,
    algebra: Algebra = ALGEBRAS["shortest"],
) -> None:
    """Raise if a distance left its dtype.

    The engines drop a sum that is too large, so a vertex that only such sums reach
    seems unreachable although an arc leads there from a reached one. With a cutoff,
    or a target that was reached, there is nothing to look for: such a vertex is farther.
    Products that are too small read as "no path" likewise.

    Parameters
    ----------
    distance : array, shape (n,)
        Keys of the algebra.
    wrapped : bool
        Whether the engine has seen an integer fall below its dtype.

    Raises
    ------
    OverflowError
        Naming the arc.
    """
    dtype = distance.dtype
    lowest = distance == -np.inf if dtype.kind == "f" else np.zeros(1, bool)
    if wrapped or lowest.any():
        raise OverflowError(f"a distance is below what {dtype} holds; {_remedy(dtype)}")
    none = unreachable(dtype)
    most = np.inf if dtype.kind == "f" else int(none) - 1
    if cutoff < most or (target >= 0 and distance[target] != none):
        return
    if not may_leave(weights, distance, algebra):
        return
    sources, targets, _ = graph.coo()
    for begin in range(0, len(targets), _ARCS_AT_ONCE):
        part = slice(begin, begin + _ARCS_AT_ONCE)
        lost = (distance[sources[part]] != none) & (distance[targets[part]] == none)
        if algebra.multiplies:
            lost &= weights[part] > 0
        if lost.any():
            arc = begin + int(lost.argmax())
            u, v = int(sources[arc]), int(targets[arc])
            here = algebra.values(distance[u])
            if algebra.multiplies:
                text = (
                    f"the reliability of vertex {{1}} is too small for {dtype}: the arc {{0}} → {{1}} "
                    f"of weight {weights[arc]} leaves from {here}; give a cutoff=, or ask for a wider "
                    "dtype="
                )
            else:
                text = (
                    f"the distance of vertex {{1}} exceeds {dtype}: the arc {{0}} → {{1}} of weight "
                    f"{weights[arc]} leaves from distance {here}; {_remedy(dtype)}"
                )
            raise OverflowError(VertexMessage(text, u, v))


def may_leave(weights: Any, distance: Any, algebra: Algebra) -> bool:
    """Whether the farthest vertex's path, extended by the worst weight, leaves the dtype.

    Parameters
    ----------
    weights, distance : array, shapes (m,) and (n,)
        NumPy's or CuPy's; distances are keys. Some vertex is reached.
    """
    dtype = distance.dtype
    farthest = distance[distance != unreachable(dtype)].max()
    if len(weights) == 0:
        return False
    if algebra.multiplies:
        # Those above 0 by their bits: CuPy's comparisons take subnormal numbers for 0.
        kept = weights[weights.view(f"i{weights.dtype.itemsize}") > 0]
        with np.errstate(under="ignore"):
            return len(kept) > 0 and bool(farthest * kept.min() == 0)
    return not fits(farthest.item() + weights.max().item(), dtype)


def narrow(distance: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Distances in the dtype that was asked for.

    Raises
    ------
    OverflowError
        Naming the first vertex whose distance does not fit.
    """
    if distance.dtype == dtype:
        return distance
    reached = distance != unreachable(distance.dtype)
    bounds = np.iinfo(dtype)
    bad = reached & ((distance < bounds.min) | (distance >= bounds.max))
    if bad.any():
        v = np.argwhere(bad)[0]
        text = (
            f"the distance of vertex {{}} is {distance[tuple(v)]}: too large for {dtype}; "
            "ask for dtype=int64"
        )
        raise OverflowError(VertexMessage(text, int(v[-1])))
    return np.where(reached, distance, unreachable(dtype)).astype(dtype)


def _remedy(dtype: np.dtype[Any]) -> str:
    return "scale the weights down" if dtype.itemsize == 8 else "ask for a wider dtype="
