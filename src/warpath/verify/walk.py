"""The best arcs along a walk: the lightest, or the heaviest."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.errors import VerificationError
from warpath.graph.graph import Graph

Array = NDArray[Any]


def lightest(graph: Graph, walk: Array, what: str, best: np.ufunc = np.minimum) -> Array:
    """The least weight of the arcs between each two vertices of a walk, O(sum of degrees).

    Parameters
    ----------
    graph : Graph
        Without weights each arc weighs 1.
    walk : integer array, shape (k,)
    what : str
        What the walk is, for the message.
    best : numpy.ufunc
        ``maximum``: the greatest weight.

    Returns
    -------
    array, shape (k - 1,)

    Raises
    ------
    VerificationError
        ``broken`` is ``arc``: one is not in the graph.
    """
    tails, heads = walk[:-1], walk[1:]
    first = graph.row_offsets[tails].astype(np.int64)
    degree = graph.row_offsets[tails + 1] - first
    step = np.repeat(np.arange(len(tails)), degree)  # whose arc is it?
    arc = np.arange(len(step)) + np.repeat(first - np.cumsum(degree) + degree, degree)
    fits = graph.column_indices[arc] == heads[step]
    step, arc = step[fits], arc[fits]
    missing = np.ones(len(tails), bool)
    missing[step] = False
    if missing.any():
        i = int(missing.argmax())
        raise VerificationError(
            "arc", f"the {what}'s arc {tails[i]} → {heads[i]} is not in the graph"
        )
    if graph.weights is None:
        return np.ones(len(tails), np.int32)
    # Each step has arcs, and they stand together.
    starts = np.flatnonzero(np.diff(step, prepend=-1))
    weights = graph.weights[arc]
    return best.reduceat(weights, starts) if len(starts) else weights
