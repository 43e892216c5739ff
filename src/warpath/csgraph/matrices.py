"""From SciPy's and CuPy's matrices to graphs, and answers back to where the matrix lies."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csgraph as scipys
from scipy.sparse import issparse

from warpath.graph.build import read_only
from warpath.graph.check import as_vertex_count, as_weights, choose
from warpath.graph.csr import sorted_rows
from warpath.graph.graph import Graph
from warpath.graph.sparse import check_sparse
from warpath.graph.symmetrize import symmetrized
from warpath.typing import DEVICES, BuildDeviceName, DeviceName

_WIDEST = 8  # bytes of a float: wider ones would lose digits, and no kernel knows them


def is_cupys(csgraph: Any) -> bool:
    """Whether a matrix, sparse or dense, is CuPy's."""
    return type(csgraph).__module__.partition(".")[0] in ("cupy", "cupyx")


def device_for(csgraph: Any, device: DeviceName) -> BuildDeviceName:
    """Where a function of all vertices runs: by "auto" where the matrix lies.

    Raises
    ------
    ValueError
        An unknown device.
    """
    choose("device", device, DEVICES)
    if device == "auto":
        return "cuda" if is_cupys(csgraph) else "cpu"
    return device


def to_host(csgraph: Any) -> Any:
    """The matrix in the host's memory, as SciPy knows it, once it is known to be right.

    Raises
    ------
    ValueError
        See `check`.
    TypeError
        See `check`.
    """
    if is_cupys(csgraph):
        csgraph = csgraph.get()
    elif hasattr(csgraph, "to_scipy_sparse"):  # PyData's
        csgraph = csgraph.to_scipy_sparse(accept_fv=[0, np.inf, np.nan])
    return check(csgraph)


def check(csgraph: Any) -> Any:
    """The matrix, an array if it was a list; refuse one that no search may be given.

    Raises
    ------
    ValueError
        If arrays of a sparse matrix contradict each other: see `check_sparse`.
    TypeError
        If weights are floats of more than 64 bits.
    """
    if hasattr(csgraph, "nnz"):
        check_sparse(csgraph)
    elif not isinstance(csgraph, np.ndarray) and not is_cupys(csgraph):
        csgraph = np.asarray(csgraph)
    dtype = csgraph.dtype
    if dtype.kind == "f" and dtype.itemsize > _WIDEST:
        raise TypeError(
            f"weights of {dtype} are not supported: convert the matrix by "
            "csgraph.astype(numpy.float64)"
        )
    return csgraph


def is_sparse(csgraph: Any) -> bool:
    """Whether fewer than a quarter of the pairs have an entry: where SciPy searches from each source."""
    shape = np.shape(csgraph)
    return len(shape) != 2 or _num_entries(csgraph) < shape[0] ** 2 / 4


def _num_entries(csgraph: Any) -> int:
    if hasattr(csgraph, "nnz"):
        return int(csgraph.nnz)
    if np.ma.isMaskedArray(csgraph):
        return int(csgraph.count())
    dense = csgraph if is_cupys(csgraph) else np.asarray(csgraph)
    return int(((dense != 0) & np.isfinite(dense)).sum())


def to_csr(csgraph: Any, *, sums: bool = True) -> Any:
    """The matrix as SciPy's CSR, of its own dtype where it was sparse.

    Entries are arcs as SciPy takes them: of a sparse matrix all that are stored, of a masked
    one all that are not masked, of a dense one all but 0, infinity and NaN.

    Parameters
    ----------
    csgraph : matrix, shape (N, N)
    sums : bool
        SciPy makes float64 of all other dtypes, and in doing so adds duplicates up and sorts
        rows, except for dense methods. False: except here.

    Raises
    ------
    ValueError
        If the matrix is not square, or its arrays contradict each other.
    TypeError
        See `check`.
    """
    csgraph = to_host(csgraph)
    if issparse(csgraph):
        _check_square(csgraph)
        csr = csgraph.tocsr()
        same = not sums or csr.dtype == np.float64 or csr.has_canonical_format
        return csr if same else csr.astype(np.float64)
    if np.ma.isMaskedArray(csgraph):
        # Where nothing is masked there may be no array of masks, which SciPy's function needs.
        csgraph = np.ma.masked_array(csgraph.data, np.ma.getmaskarray(csgraph))
        _check_square(csgraph)
        return scipys.csgraph_from_masked(csgraph)
    return scipys.csgraph_from_dense(csgraph)  # which checks


def arcs_of(csr: Any) -> tuple[NDArray[Any], NDArray[np.int32]]:
    """Offsets and column indices of a CSR matrix that was checked, in the order in which it has them.

    Raises
    ------
    ValueError
        If the matrix has more rows than a graph can have vertices.
    """
    as_vertex_count(csr.shape[0])
    offsets = csr.indptr.astype(np.int32 if len(csr.indices) < 2**31 else np.int64, copy=False)
    return read_only(offsets), read_only(csr.indices.astype(np.int32, copy=False))


def to_graph(csgraph: Any, directed: bool, *, unweighted: bool = False, sums: bool = True) -> Graph:
    """The graph of a matrix; with ``directed=False`` each entry is an undirected edge.

    Stored entries of infinity or NaN are no arcs that a path can take, and left out; where each
    arc counts 1, only dense methods leave them out, as SciPy's do.

    Parameters
    ----------
    csgraph, sums
        See `to_csr`.
    directed, unweighted : bool

    Raises
    ------
    ValueError
        If the matrix is not square, its arrays contradict each other, or a weight is -inf.
    TypeError
        See `check`.
    """
    if is_cupys(csgraph):
        return _graph_on_gpu(csgraph, directed, unweighted, sums)
    csr = to_csr(csgraph, sums=sums)
    weights = csr.data
    if weights.dtype == np.uint64:
        weights = weights.astype(np.float64)  # as SciPy does
    kept = None if unweighted and sums else _finite(weights)
    if unweighted:
        weights = None
    if kept is not None:
        coo = csr.tocoo(copy=False)
        given = None if weights is None else weights[kept]
        graph = Graph.from_edges(coo.row[kept], coo.col[kept], given, n=csr.shape[0])
    else:
        given = None if weights is None else as_weights(weights, "weights")
        graph = Graph._from_parts(*sorted_rows(*arcs_of(csr), given), True)
    return graph if directed else symmetrized(graph)


def like(csgraph: Any, answer: Any) -> Any:
    """An array or a sparse matrix of the answer where the matrix lies: CuPy's or the host's."""
    if is_cupys(csgraph):
        import cupy
        from cupyx.scipy.sparse import csr_matrix

        return csr_matrix(answer) if issparse(answer) else cupy.asarray(answer)
    return answer.get() if is_cupys(answer) else answer


def _graph_on_gpu(csgraph: Any, directed: bool, unweighted: bool, sums: bool) -> Graph:
    import cupy
    from cupyx.scipy.sparse import issparse

    _check_square(check(csgraph))
    if issparse(csgraph):
        coo = csgraph.tocsr().tocoo()
        source, target, weights = coo.row, coo.col, coo.data
    else:
        source, target = cupy.nonzero((csgraph != 0) & cupy.isfinite(csgraph))
        weights = csgraph[source, target]
    kept = None if unweighted and sums else _finite(weights)
    if unweighted:
        weights = None
    if kept is not None:
        source, target = source[kept], target[kept]
        weights = None if weights is None else weights[kept]
    return Graph.from_edges(
        source, target, weights, n=csgraph.shape[0], symmetrize=not directed, device="cuda"
    )


def _check_square(csgraph: Any) -> None:
    if csgraph.ndim != 2 or csgraph.shape[0] != csgraph.shape[1]:
        raise ValueError(f"compressed-sparse graph must be shape (N, N), not {csgraph.shape}")


def _finite(weights: Any) -> Any:
    """Which weights are below infinity and no NaN; None if all are."""
    if weights.dtype.kind != "f":
        return None
    kept = weights < np.inf
    return None if bool(kept.all()) else kept
