"""Dijkstra's algorithm up to a limit, on SciPy's own arrays: it may end before a graph could be built."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from warpath.cpu.dijkstra import search
from warpath.cpu.relax import ALGEBRAS
from warpath.cpu.unsigned import unsigned
from warpath.csgraph.call import Call
from warpath.csgraph.matrices import arcs_of, to_csr
from warpath.graph.build import read_only
from warpath.parallel.team import interruptible

# It settles one of so many vertices, or this many, then gives up: that wastes a few percent. Guesses.
_PART, _MIN = 64, 512


def bounded_dijkstra(
    call: Call, sources: NDArray[np.int32], limit: float
) -> tuple[NDArray[np.float64], NDArray[np.int32]] | None:
    """Distances up to a limit from the nearest of the sources, and predecessors.

    None if many vertices are within the limit, and for what needs a graph: a matrix that is not
    SciPy's CSR, weights that are not float64, negative or NaN, edges both ways, a GPU.
    """
    matrix: Any = call.csgraph
    if not (
        issparse(matrix) and matrix.format == "csr" and matrix.dtype == call.dtype == np.float64
    ):
        return None
    if not call.directed or call.unweighted or call.device == "cuda":
        return None
    csr = to_csr(matrix)
    if not csr.data.min(initial=0) >= 0:
        return None
    n = csr.shape[0]
    distance, predecessor = np.empty(n), np.empty(n, np.int32)
    with interruptible() as sync:
        ended = search(
            sync, ALGEBRAS["shortest"],
            *map(unsigned, arcs_of(csr)), read_only(csr.data), unsigned(sources),
            0.0, float(limit), np.inf, -1, max(n // _PART, _MIN), distance, predecessor,
            np.empty(n, np.uint32), np.empty(n), np.empty(n, np.int32), np.zeros(3, np.int64),
        )  # fmt: skip
    return (distance, predecessor) if ended else None
