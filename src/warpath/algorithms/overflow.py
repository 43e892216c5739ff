"""Distances that do not fit: found after the run, where it could not be ruled out before."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.graph.distance import unreachable
from warpath.graph.graph import Graph

_ARCS_AT_ONCE = 2**22


def check_reached(
    graph: Graph,
    weights: NDArray[Any],
    distance: NDArray[Any],
    wrapped: bool,
    cutoff: Any,
    target: int,
) -> None:
    """Raise if a distance left its dtype.

    The engines drop a sum that is too large, so a vertex that only such sums reach
    seems unreachable although an arc leads there from a reached one. With a cutoff,
    or a target that was reached, there is nothing to look for: such a vertex is farther.

    Parameters
    ----------
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
    sources, targets, _ = graph.coo()
    for begin in range(0, len(targets), _ARCS_AT_ONCE):
        part = slice(begin, begin + _ARCS_AT_ONCE)
        lost = (distance[sources[part]] != none) & (distance[targets[part]] == none)
        if lost.any():
            arc = begin + int(lost.argmax())
            u, v = int(sources[arc]), int(targets[arc])
            raise OverflowError(
                f"the distance of vertex {v} exceeds {dtype}: the arc {u} → {v} of weight "
                f"{weights[arc]} leaves from distance {distance[u]}; {_remedy(dtype)}"
            )


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
        raise OverflowError(
            f"the distance of vertex {v[-1]} is {distance[tuple(v)]}: too large for {dtype}; "
            "ask for dtype=int64"
        )
    return np.where(reached, distance, unreachable(dtype)).astype(dtype)


def _remedy(dtype: np.dtype[Any]) -> str:
    return "scale the weights down" if dtype.itemsize == 8 else "ask for a wider dtype="
