"""SciPy's functions about traversal and components."""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csgraph as scipys
from scipy.sparse import csr_array

from warpath.algorithms.traversal.components import connected_components as weak_components
from warpath.algorithms.traversal.strong_components import (
    strongly_connected_components as strong_components,
)
from warpath.cpu.breadth_first_order import breadth_first_order as discover
from warpath.csgraph.call import NO_PREDECESSOR
from warpath.csgraph.matrices import (
    arcs_of,
    device_for,
    is_cupys,
    like,
    to_csr,
    to_graph,
    to_host,
)
from warpath.graph import components
from warpath.graph.arrays import to_host as to_numpy
from warpath.graph.check import as_vertex
from warpath.typing import DeviceName


def breadth_first_order(
    csgraph: Any, i_start: int, directed: bool = True, return_predecessors: bool = True
) -> Any:
    """The vertices in breadth-first order: SciPy's ``breadth_first_order``, the same order.

    Vertices that one vertex discovers come in the order of its row, and with
    ``directed=False`` those of its column after them.

    Parameters
    ----------
    csgraph : sparse, dense or masked, shape (N, N)
        See `shortest_path`; weights are ignored.
    i_start : int
        Where to begin.
    directed : bool
        False: each entry is an edge in both directions.
    return_predecessors : bool

    Returns
    -------
    node_array : int32 array
        All vertices that can be reached, ``i_start`` first.
    predecessors : int32 array, shape (N,)
        Only with ``return_predecessors``: the vertex that each was discovered from; -9999 for
        ``i_start`` and what cannot be reached.

    Raises
    ------
    ValueError
        A matrix that is not square, or whose arrays contradict each other; a vertex out of range.
    TypeError
        See `shortest_path`.

    See Also
    --------
    warpath.bfs : Distances, in parallel.

    Notes
    -----
    One thread of the CPU, wherever the matrix lies. For distances see `warpath.bfs`.

    Examples
    --------
    >>> from warpath import csgraph
    >>> graph = [[0, 2, 1], [0, 0, 0], [0, 0.5, 0]]
    >>> csgraph.breadth_first_order(graph, 0, return_predecessors=False)
    array([0, 1, 2], dtype=int32)
    """
    matrix = to_host(csgraph)
    if not directed and getattr(matrix, "format", "") == "csc":
        matrix = matrix.T  # as SciPy does: columns go first
    csr = to_csr(matrix)
    n = csr.shape[0]
    if n == 0 and i_start == 0:  # as SciPy: a loop over no vertices begins there
        none = like(csgraph, np.empty(0, np.int32))
        return (none, none.copy()) if return_predecessors else none
    start = as_vertex(i_start, n, "i_start")
    offsets, indices = arcs_of(csr)
    back = None
    if not directed:
        # SciPy's conversion: a counting sort, of any data; the smallest takes the least time.
        arcs = csr_array((np.empty(len(indices), np.int8), indices, offsets), shape=csr.shape)
        back = arcs_of(arcs.T.tocsr())
    predecessors = np.full(n, NO_PREDECESSOR, np.int32)
    order = like(csgraph, discover(offsets, indices, back, start, predecessors))
    return (order, like(csgraph, predecessors)) if return_predecessors else order


def breadth_first_tree(csgraph: Any, i_start: int, directed: bool = True) -> Any:
    """The tree of `breadth_first_order`: SciPy's ``breadth_first_tree``.

    Parameters
    ----------
    csgraph, i_start, directed
        See `breadth_first_order`.

    Returns
    -------
    cstree : sparse, shape (N, N)
        The arcs from each vertex's predecessor, with their weights.

    Raises
    ------
    ValueError, TypeError
        See `breadth_first_order`.

    See Also
    --------
    breadth_first_order : The vertices in their order.

    Examples
    --------
    >>> from warpath import csgraph
    >>> graph = [[0, 2, 1], [0, 0, 0], [0, 0.5, 0]]
    >>> csgraph.breadth_first_tree(graph, 0).toarray()
    array([[0., 2., 1.],
           [0., 0., 0.],
           [0., 0., 0.]])
    """
    matrix = csgraph.get() if is_cupys(csgraph) else csgraph
    _, predecessors = breadth_first_order(matrix, i_start, directed)
    tree = scipys.reconstruct_path(matrix, predecessors, directed)  # of PyData's matrix PyData's
    return like(csgraph, tree)


def connected_components(
    csgraph: Any,
    directed: bool = True,
    connection: Literal["weak", "strong"] = "weak",
    return_labels: bool = True,
    *,
    device: DeviceName = "auto",
) -> Any:
    """Connected components: SciPy's ``connected_components``.

    Parameters
    ----------
    csgraph : sparse, dense or masked, shape (N, N)
        See `shortest_path`; weights are ignored.
    directed : bool
        False: the components of the undirected graph, whatever ``connection`` says.
    connection : {"weak", "strong"}
        "weak": as if each arc led in both directions, on the CPU found by all threads. "strong":
        vertices that reach each other, on the CPU found by SciPy.
    return_labels : bool
    device : {"auto", "cpu", "cuda"}
        Where to run. By default on the GPU for CuPy's matrices, and else on the CPU.

    Returns
    -------
    n_components : int
    labels : int32 array, shape (N,)
        Only with ``return_labels``. Weak components are numbered by their smallest vertices, and so are strong
        ones on a GPU.

    Raises
    ------
    ValueError
        A matrix that is not square, or whose arrays contradict each other; an unknown connection or device.
    TypeError, DeviceUnavailableError
        See `shortest_path`.

    See Also
    --------
    warpath.connected_components : The same of a graph.

    Examples
    --------
    >>> from warpath import csgraph
    >>> graph = [[0, 2, 1], [0, 0, 0], [0, 0.5, 0]]
    >>> csgraph.connected_components(graph)
    (1, array([0, 0, 0], dtype=int32))
    """
    kind = connection.lower()
    if kind not in ("weak", "strong"):
        raise ValueError(f"connection must be 'weak' or 'strong', not {connection!r}")
    if device_for(csgraph, device) == "cuda":
        found = strong_components if directed and kind == "strong" else weak_components
        labels, count = found(to_graph(csgraph, True, unweighted=True), device="cuda")
        labels = _numbered(to_numpy(labels))
    elif directed and kind == "strong":
        csr = to_csr(csgraph)
        if not csr.has_canonical_format:  # on duplicates SciPy's function does not end
            csr = csr.copy()
            csr.sum_duplicates()
        count, labels = scipys.connected_components(csr, connection="strong")
    else:
        graph = to_graph(to_host(csgraph), True, unweighted=True)
        smallest, count = components.connected_components(graph)
        labels = _numbered(smallest)
    return (count, like(csgraph, labels)) if return_labels else count


def _numbered(smallest: NDArray[np.int32]) -> NDArray[np.int32]:
    """Numbers of components from 0, in the order of their smallest vertices."""
    number = np.cumsum(smallest == np.arange(len(smallest)), dtype=np.int32) - 1
    return number[smallest]
