"""SciPy's function about spanning trees."""

from typing import Any

import numpy as np
from scipy.sparse import csgraph as scipys

from warpath.algorithms.trees.boruvka import lightest_edges
from warpath.cpu.boruvka import boruvka
from warpath.csgraph.matrices import arcs_of, device_for, like, to_csr
from warpath.graph.arrays import module_for
from warpath.graph.build import expand_sources
from warpath.typing import DeviceName


def minimum_spanning_tree(
    csgraph: Any, overwrite: bool = False, *, device: DeviceName = "auto"
) -> Any:
    """A spanning tree of each component: SciPy's ``minimum_spanning_tree``, the same edges.

    Parameters
    ----------
    csgraph : sparse, dense or masked, shape (N, N)
        See `shortest_path`. An entry is an edge, wherever it stands: of (u, v) and (v, u) the
        lighter one counts.
    overwrite : bool
        Allows what is never done: to write to ``csgraph``.
    device : {"auto", "cpu", "cuda"}
        Where to run. By default on the GPU for CuPy's matrices, and else on the CPU.

    Returns
    -------
    span_tree : sparse, shape (N, N)
        CSR, float64: the entries that are chosen, where they stood. Among equal entries the first
        is chosen. Edges of weight 0 are in the tree, but not among its entries.

    Raises
    ------
    ValueError
        A matrix that is not square, or whose arrays contradict each other; an unknown device.
    TypeError, DeviceUnavailableError
        See `shortest_path`.

    See Also
    --------
    warpath.minimum_spanning_forest : The same of a graph.

    Notes
    -----
    Borůvka's algorithm, on the CPU by all threads; see `warpath.minimum_spanning_forest`. PyData's matrices make
    PyData's trees, by SciPy on the CPU.

    Examples
    --------
    >>> from warpath import csgraph
    >>> graph = [[0, 2, 1], [0, 0, 0], [0, 0.5, 0]]
    >>> csgraph.minimum_spanning_tree(graph).toarray()
    array([[0. , 0. , 1. ],
           [0. , 0. , 0. ],
           [0. , 0.5, 0. ]])
    """
    there = device_for(csgraph, device)
    csr = to_csr(csgraph).astype(np.float64, copy=False)
    if hasattr(csgraph, "to_scipy_sparse"):  # PyData's matrix makes PyData's tree
        if there == "cuda":
            raise ValueError(
                "device='cuda' is for SciPy's and CuPy's matrices: give csgraph.to_scipy_sparse()"
            )
        return scipys.minimum_spanning_tree(csgraph)
    offsets, target = arcs_of(csr)
    weights = csr.data
    if np.isnan(weights).any():  # they come last
        weights = np.empty(len(weights), np.int64)
        weights[np.argsort(csr.data, kind="stable")] = np.arange(len(weights))
    edges = csr.shape[0], expand_sources(offsets), target, weights
    if there == "cuda":
        chosen = np.sort(lightest_edges(*edges, module_for("cuda")))
    else:
        chosen = boruvka(*edges)
    chosen = chosen[csr.data[chosen] != 0]
    indptr = np.searchsorted(chosen, offsets).astype(np.int32)  # a tree has few
    return like(csgraph, type(csr)((csr.data[chosen], target[chosen], indptr), shape=csr.shape))
