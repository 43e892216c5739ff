"""Distances: the value that stands for "no path", and the dtype that holds every path."""

from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from warpath.graph.graph import Graph


def unreachable(dtype: DTypeLike) -> Any:
    """The value for "no path" as a scalar of ``dtype``: inf, or the largest integer."""
    known: np.dtype[Any] = np.dtype(dtype)
    return known.type(np.inf) if known.kind == "f" else np.iinfo(known).max


def longest_path(graph: Graph) -> int | float:
    """A bound of every simple path's length: (n − 1) · max |w|; inf where a float overflows."""
    low, high = graph.weight_range
    bound: int | float = max(graph.num_vertices - 1, 0) * max(abs(low), abs(high))
    return bound


def fits(bound: int | float, dtype: DTypeLike) -> bool:
    """Whether a path of length ``bound`` can be told from "no path" in ``dtype``."""
    dtype = np.dtype(dtype)
    # A Python number: comparing with a NumPy one would cast the bound to its dtype.
    largest = float(np.finfo(dtype).max) if dtype.kind == "f" else np.iinfo(dtype).max - 1
    return bool(bound <= largest)


def distance_dtype(graph: Graph) -> np.dtype[Any]:
    """The weights' dtype where no path can overflow it; for integers else int64.

    Without weights each arc counts 1 and distances are int32.
    """
    if graph.weights is None:
        return np.dtype(np.int32)
    dtype = graph.weights.dtype
    if dtype.kind == "i" and not fits(longest_path(graph), dtype):
        return np.dtype(np.int64)
    return dtype
