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

from warpath.graph.arrays import module_of, to_host
from warpath.graph.distance import fits, remedy, unreachable
from warpath.graph.graph import Graph
from warpath.graph.names import VertexMessage
from warpath.operators import ALGEBRAS, PathAlgebra, laws
from warpath.verify.measure import on_arrays

_ARCS_AT_ONCE = 2**22


def check_reached(
    graph: Graph,
    weights: NDArray[Any],
    distance: NDArray[Any],
    wrapped: bool,
    cutoff: Any,
    target: int,
    algebra: PathAlgebra = ALGEBRAS["shortest"],
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
        raise OverflowError(f"a distance is below what {dtype} holds; {remedy(dtype)}")
    none = unreachable(dtype)
    most = np.inf if dtype.kind == "f" else int(none) - 1
    if cutoff < most or (target >= 0 and distance[target] != none):
        return
    if not may_leave(graph, weights, distance, algebra):
        return
    sources, targets, _ = graph.coo()
    for begin in range(0, len(targets), _ARCS_AT_ONCE):
        part = slice(begin, begin + _ARCS_AT_ONCE)
        tail, head = distance[sources[part]], distance[targets[part]]
        if algebra.extension is not None:
            lost = _does_not_fit(algebra, tail, weights[part], head)
        else:
            lost = (tail != none) & (head == none)
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
                    f"{weights[arc]} leaves from distance {here}; {remedy(dtype)}"
                )
            raise OverflowError(VertexMessage(text, u, v))


def _does_not_fit(algebra: PathAlgebra, tail: Any, weights: Any, head: Any) -> Any:
    """Which arcs make an integer that the dtype does not hold, and that is missed, or was taken for another."""
    dtype, none = tail.dtype, unreachable(tail.dtype)
    ends, reached = np.iinfo(dtype), tail != none
    value = algebra.values(tail).astype(np.int64)
    total = on_arrays(algebra.extend)(value, weights.astype(np.int64))
    outside = (total < ends.min) | (total > ends.max) | algebra.better(total, value)
    taken = (head == none) | (algebra.values(head) == total.astype(dtype))
    if dtype.itemsize == 8:  # what wraps within 64 bits is seen in Python's integers
        for arc in np.flatnonzero(reached & taken & ~outside):
            outside[arc] = laws.is_outside(algebra, value[arc], weights[arc], ends)
    return reached & outside & taken


def may_leave(graph: Graph, weights: Any, distance: Any, algebra: PathAlgebra) -> bool:
    """Whether the farthest vertex's path, extended by the worst weight, leaves the dtype.

    Parameters
    ----------
    weights, distance : array, shapes (m,) and (n,)
        NumPy's or CuPy's; distances are keys. Some vertex is reached.
    """
    dtype = distance.dtype
    if len(weights) == 0:
        return False
    if algebra.extension is not None:
        # "No path", the largest integer, becomes the smallest.
        farthest = (distance + dtype.type(1)).max().item() - 1
        return laws.leaves(algebra, graph, algebra.values(dtype.type(farthest)), dtype)
    if algebra.multiplies:
        farthest = distance[distance != unreachable(dtype)].max()
        # Those above 0 by their bits: CuPy's comparisons take subnormal numbers for 0.
        kept = weights[weights.view(f"i{weights.dtype.itemsize}") > 0]
        with np.errstate(under="ignore"):
            return len(kept) > 0 and bool(farthest * kept.min() == 0)
    reached = distance != unreachable(dtype)
    farthest = module_of(distance).where(reached, distance, distance.min()).max().item()
    return not fits(farthest + weights.dtype.type(graph.weight_range[1]).item(), dtype)


def in_dtype(distance: Any, dtype: np.dtype[Any]) -> Any:
    """Distances in the dtype that was asked for, of NumPy or CuPy.

    Raises
    ------
    OverflowError
        Naming the first vertex whose distance does not fit.
    """
    if distance.dtype == dtype:
        return distance
    xp, none = module_of(distance), unreachable(dtype)
    reached = distance != unreachable(distance.dtype)
    if dtype.itemsize > distance.dtype.itemsize:
        return xp.where(reached, distance.astype(dtype), none)
    bounds = np.iinfo(dtype)
    bad = reached & ((distance < bounds.min) | (distance >= bounds.max))
    if bool(bad.any()):
        v = to_host(xp.argwhere(bad)[0])
        text = f"the distance of vertex {{}} is {distance[tuple(v)]}: too large for {dtype}; {remedy(dtype)}"
        raise OverflowError(VertexMessage(text, int(v[-1])))
    return xp.where(reached, distance, none).astype(dtype)
