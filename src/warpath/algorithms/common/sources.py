"""Where a traversal starts: the checks that all algorithms share."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.graph.check import choose
from warpath.graph.graph import check_graph

_FEW = 1000  # times fewer sources than vertices: then to hash them is cheaper than to mark them


def check_call(graph: Any, device: str, devices: Sequence[str] = ("auto", "cpu")) -> None:
    """Refuse what is no graph, and a device that is none of ``devices``."""
    check_graph(graph)
    choose("device", device, devices)


def distinct(sources: NDArray[np.int32], n: int) -> NDArray[np.int32]:
    """Each source once, ascending: int32 array."""
    if len(sources) * _FEW < n:
        return np.unique(sources)
    is_source = np.zeros(n, bool)  # NumPy's `unique` hashes, at a microsecond a vertex
    is_source[sources] = True
    return np.flatnonzero(is_source).astype(np.int32)
