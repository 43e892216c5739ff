"""Dijkstra's algorithm up to a limit, on SciPy's own arrays: it may end before a graph could be built."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from warpath.cpu.arcs import Arcs
from warpath.cpu.dijkstra import settle
from warpath.cpu.heap import new_heap
from warpath.cpu.method import TOTALS, Search
from warpath.cpu.relax import ALGEBRAS
from warpath.cpu.unsigned import unsigned
from warpath.csgraph.call import Call
from warpath.csgraph.matrices import arcs_of, to_csr
from warpath.graph.build import read_only
from warpath.parallel.interruption import interruptible

# It settles one `_PART`th of the vertices, or `_MIN`, then gives up: that wastes a few percent. Guesses.
_PART, _MIN = 64, 512


def bounded_dijkstra(
    call: Call, sources: NDArray[np.int32], limit: float
) -> tuple[NDArray[np.float64], NDArray[np.int32]] | None:
    """Distances up to a limit from the nearest of the sources, and predecessors.

    None if many vertices are within the limit, and for what needs a graph: a matrix that is not
    SciPy's CSR, weights that are not float64, negative or NaN, undirected edges, a GPU.
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
    offsets, indices = map(unsigned, arcs_of(csr))
    search = Search(
        algebra=ALGEBRAS["shortest"],
        arcs=Arcs(offsets, indices, read_only(csr.data)),
        sources=unsigned(sources),
        start=0.0,
        cutoff=float(limit),
        unreached=np.inf,
        target=-1,
        signed=False,
        distance=distance,
        predecessor=predecessor,
        trace=np.zeros((1, 3), np.int64),
        totals=np.zeros(TOTALS, np.int64),
    )
    max_settled = np.uint64(max(n // _PART, _MIN))
    with interruptible() as sync:
        settled = settle(sync, search, new_heap(n, np.float64), max_settled)
    return (distance, predecessor) if settled <= max_settled else None
