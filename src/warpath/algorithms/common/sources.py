"""Where a traversal starts: the checks that all algorithms share."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.graph.check import as_vector, as_vertex, choose
from warpath.graph.graph import Graph

_FEW = 1000  # times fewer sources than vertices: then to hash them is cheaper than to mark them


def check_call(graph: Any, device: str, devices: Sequence[str] = ("auto", "cpu")) -> None:
    """Refuse what is no graph, and a device that is none of ``devices``."""
    if not isinstance(graph, Graph):
        raise TypeError(
            f"expected a warpath.Graph, not {type(graph).__name__}: wp.Graph(...) makes one"
        )
    choose("device", device, devices)


def as_sources(source: Any, n: int, what: str = "source") -> tuple[NDArray[np.int32], bool]:
    """Source ids as an int32 array, and whether a single one was given.

    Parameters
    ----------
    source : int, or sequence or array of k of them
    n : int
        Number of vertices.
    what : str
        What messages call one.

    Raises
    ------
    ValueError
        If a source is no integer or out of range, or there is none.
    """
    if type(source) is int:  # the most frequent: before all that takes time
        return np.array([as_vertex(source, n, what)], np.int32), True
    if isinstance(source, np.ndarray) and source.ndim == 0:
        source = source.item()
    if hasattr(source, "__index__") and getattr(source, "ndim", 0) == 0:
        return np.array([as_vertex(source, n, what)], np.int32), True
    if isinstance(source, (str, bytes, float, complex)) or source is None:
        raise ValueError(
            f"{what} must be an integer vertex id or a sequence of them, not {source!r}"
        )
    values = as_vector(source, f"{what}s")
    if len(values) == 0:
        raise ValueError(f"{what}s is empty: give at least one vertex")
    if values.dtype.kind not in "iu":
        raise ValueError(f"{what}s must be integer vertex ids, not {values.dtype}")
    for i in np.flatnonzero((values < 0) | (values >= n))[:1]:
        raise ValueError(f"{what}s[{i}] {values[i]} is out of range: the graph has {n} vertices")
    return values.astype(np.int32), False


def distinct(sources: NDArray[np.int32], n: int) -> NDArray[np.int32]:
    """Each source once, ascending: int32 array."""
    if len(sources) * _FEW < n:
        return np.unique(sources)
    is_source = np.zeros(n, bool)  # NumPy's `unique` hashes, at a microsecond a vertex
    is_source[sources] = True
    return np.flatnonzero(is_source).astype(np.int32)
