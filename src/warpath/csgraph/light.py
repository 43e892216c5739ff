"""Calls that SciPy's own function answers, as right and before ours has begun.

A call of ours builds a graph and plans a search, some 30 µs: more than SciPy's searches take in a
matrix of a hundred vertices. Weights must not be negative, for there the answers differ, and what
is wrong with the arguments is not looked for here: such calls are not light.
"""

from math import inf
from typing import Any

import numpy as np
from scipy.sparse import csr_array, csr_matrix

from warpath.graph.sparse import fit_together, may_run
from warpath.parallel.jit import compiled
from warpath.typing import DeviceName

# Vertices and entries, times sources, up to which SciPy is faster. Measured with Zen 5, 2026-11.
_WORK = 2**13
# The same of searches that may end early, and of one that takes edges both ways: ours goes through
# all entries before it, to check them, or to join each with its reverse.
_SEARCH = 2**16
# Vertices, for Floyd and Warshall's method, without predecessors and with them; measured likewise.
_DENSE = 96, 128
_EDGES = 2**11  # vertices and entries, for spanning trees; measured likewise
CSR = frozenset({csr_array, csr_matrix})
_NUMBERS = "?bBhHiIlLqQfd"  # characters of the dtypes that SciPy and Numba know
_HERE = frozenset({"auto", "cpu"})


def dijkstra(
    csgraph: Any,
    indices: Any,
    dtype: Any,
    device: DeviceName,
    *,
    directed: bool = True,
    limit: Any = inf,
    together: bool = False,
) -> bool:
    """Whether SciPy's ``dijkstra`` answers, also for methods that could take negative weights.

    Parameters
    ----------
    csgraph, indices, dtype, device, directed, limit
        See `warpath.csgraph.dijkstra`.
    together : bool
        Whether one search is from all sources.
    """
    if dtype is not None or device not in _HERE:
        return False
    if type(limit) not in (float, int) or not limit >= 0:
        return False
    n, entries = _size(csgraph)
    if not 0 < n + entries <= _SEARCH:
        return False
    sources = _sources(indices, n)
    if sources == 0:
        return False
    searches = 1 if together else sources
    early = limit < inf or (searches == 1 and not directed)
    most = _SEARCH if early else _WORK
    return (n + entries) * searches <= most and _is_plain(csgraph)


def floyd_warshall(
    csgraph: Any, predecessors: bool, overwrite: bool, dtype: Any, device: DeviceName
) -> bool:
    """Whether SciPy's ``floyd_warshall`` answers, which knows arrays in C's order alone."""
    if dtype is not None or device not in _HERE or overwrite:
        return False
    if type(csgraph) is np.ndarray and not csgraph.flags.c_contiguous:
        return False
    return 0 < _size(csgraph)[0] <= _DENSE[bool(predecessors)] and _is_plain(csgraph)


def breadth_first_order(csgraph: Any, i_start: Any) -> bool:
    """Whether SciPy's ``breadth_first_order`` answers, and its ``breadth_first_tree``."""
    n, entries = _size(csgraph)
    if n + entries > _WORK or type(i_start) is not int or not 0 <= i_start < n:
        return False
    return _is_plain(csgraph)


def yen(csgraph: Any, ends: tuple[Any, Any], K: Any, dtype: Any, device: DeviceName) -> bool:
    """Whether SciPy's ``yen`` answers, which wants 32-bit indices and two ends."""
    if dtype is not None or device not in _HERE or type(K) is not int or ends[0] == ends[1]:
        return False
    n, entries = _size(csgraph)
    if not (0 < (n + entries) * K <= _WORK and all(type(v) is int and 0 <= v < n for v in ends)):
        return False
    if type(csgraph) is not np.ndarray and csgraph.indices.dtype != np.int32:
        return False
    return _is_plain(csgraph)


def minimum_spanning_tree(csgraph: Any) -> bool:
    """Whether SciPy's ``minimum_spanning_tree`` answers, for weights of either sign."""
    n, entries = _size(csgraph)
    if not 0 < n + entries <= _EDGES:
        return False
    if type(csgraph) is np.ndarray:
        return csgraph.dtype.char in _NUMBERS
    return _is_native(csgraph) and bool(fit_together(csgraph.indptr, csgraph.indices, n))


def _size(csgraph: Any) -> tuple[int, int]:
    """Vertices and entries of a square matrix of NumPy's or SciPy's CSR; of others (0, 0)."""
    kind = type(csgraph)
    if kind is np.ndarray:
        entries = int(np.count_nonzero(csgraph)) if csgraph.size <= _SEARCH else csgraph.size
    elif kind in CSR:
        entries = len(csgraph.indices)
    else:
        return 0, 0
    shape = csgraph.shape
    return (shape[0], entries) if len(shape) == 2 and shape[0] == shape[1] else (0, 0)


def _sources(indices: Any, n: int) -> int:
    """How many sources there are; 0 if one is none."""
    if indices is None:
        return n
    if type(indices) is int:
        return 1 if -n <= indices < n else 0
    given = np.asarray(indices)
    if given.dtype.kind not in "iu" or given.size == 0 or given.size > _SEARCH:
        return 0
    return given.size if -n <= int(given.min()) and int(given.max()) < n else 0


def _is_plain(csgraph: Any) -> bool:
    """Whether no weight is negative, and the arrays of a sparse matrix fit together."""
    if type(csgraph) is np.ndarray:
        return csgraph.dtype.char in _NUMBERS and not (csgraph < 0).any()
    return _is_native(csgraph) and bool(
        _none_wrong(csgraph.data, csgraph.indptr, csgraph.indices, csgraph.shape[0])
    )


def _is_native(csgraph: Any) -> bool:
    """Whether the arrays of a CSR matrix are as long as they should be, and kernels know their dtypes."""
    weights, offsets, columns = csgraph.data, csgraph.indptr, csgraph.indices
    if not (len(weights) == len(columns) and len(offsets) == csgraph.shape[0] + 1):
        return False
    if not (weights.dtype.char in _NUMBERS and weights.dtype.isnative and weights.flags.carray):
        return False  # Numba would compile for each other kind of array
    return offsets.dtype == columns.dtype and may_run(offsets) and may_run(columns)


@compiled
def none_negative(weights):  # type: ignore[no-untyped-def]
    """Whether no weight is negative or NaN."""
    # Counted, not returned at once: many fit into one instruction.
    negative = 0
    for arc in range(len(weights)):
        negative += not weights[arc] >= 0
    return negative == 0


@compiled
def _none_wrong(weights, offsets, columns, n):  # type: ignore[no-untyped-def]
    """Whether no weight is negative or NaN, and offsets and columns fit together."""
    return none_negative(weights) and fit_together(offsets, columns, n)
