"""SciPy's validation of a graph, for callers of it."""

from typing import Any

import numpy as np
from numpy.typing import DTypeLike
from scipy.sparse import csgraph as scipys
from scipy.sparse import issparse

from warpath.csgraph.matrices import to_host
from warpath.csgraph.scipys import there_and_back


@there_and_back
def validate_graph(
    csgraph: Any,
    directed: bool,
    dtype: DTypeLike = np.float64,
    csr_output: bool = True,
    dense_output: bool = True,
    copy_if_dense: bool = False,
    copy_if_sparse: bool = False,
    null_value_in: float = 0,
    null_value_out: float = np.inf,
    infinity_null: bool = True,
    nan_null: bool = True,
) -> Any:
    """The matrix as a float64 CSR matrix or dense array, as SciPy's ``validate_graph``.

    Parameters
    ----------
    csgraph : sparse, dense or masked, shape (N, N)
    directed : bool
        False: of a CSC matrix the transpose will do.
    dtype : dtype
        Not looked at, as in SciPy: entries become float64.
    csr_output, dense_output : bool
        What may be returned. Both: sparse stays sparse, dense stays dense.
    copy_if_dense, copy_if_sparse : bool
        Whether to copy what fits as it is.
    null_value_in, infinity_null, nan_null
        What says "no arc" in a dense matrix: see SciPy's ``csgraph_from_dense``.
    null_value_out : float
        What says it in a dense answer.

    Returns
    -------
    CSR matrix or array, shape (N, N)
        float64.

    Raises
    ------
    ValueError
        If the matrix is not square or its arrays contradict each other, or both outputs are declined.
    TypeError
        See `shortest_path`.

    See Also
    --------
    shortest_path : Takes such a matrix.

    Examples
    --------
    >>> from warpath import csgraph
    >>> graph = [[0, 2, 1], [0, 0, 0], [0, 0.5, 0]]
    >>> csgraph.validate_graph(graph, True, dense_output=False).nnz
    3
    """
    if not (csr_output or dense_output):
        raise ValueError("Internal: dense or csr output must be true")
    csgraph = to_host(csgraph)
    if issparse(csgraph):
        if not directed and csgraph.format == "csc":
            csgraph = csgraph.T
        if csr_output:
            answer = csgraph.tocsr(copy=copy_if_sparse).astype(np.float64, copy=False)
        else:
            answer = scipys.csgraph_to_dense(csgraph, null_value=null_value_out)
    elif np.ma.isMaskedArray(csgraph):
        if dense_output:
            answer = _filled(csgraph, copy_if_dense, null_value_out)
        else:
            answer = scipys.csgraph_from_masked(csgraph)
    else:
        if not isinstance(csgraph, np.ndarray):
            csgraph = np.asarray(csgraph)
        nulls: dict[str, Any] = {
            "null_value": null_value_in,
            "nan_null": nan_null,
            "infinity_null": infinity_null,
        }
        if dense_output:
            masked = scipys.csgraph_masked_from_dense(csgraph, copy=copy_if_dense, **nulls)
            answer = _filled(masked, False, null_value_out)
        else:
            answer = scipys.csgraph_from_dense(csgraph, **nulls)
    if answer.ndim != 2:
        raise ValueError("compressed-sparse graph must be 2-D")
    if answer.shape[0] != answer.shape[1]:
        raise ValueError("compressed-sparse graph must be shape (N, N)")
    return answer


def _filled(masked: Any, copy: bool, null_value: float) -> Any:
    convert = np.array if copy else np.asarray
    dense = convert(masked.data, dtype=np.float64)
    dense[masked.mask] = null_value
    return dense
