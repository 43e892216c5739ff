"""Whether the arrays of a sparse matrix fit together.

The libraries' own conversions and searches trust them: they read, and write, wherever a wrong
offset or index leads.
"""

from collections.abc import Callable
from itertools import chain
from typing import Any

import numpy as np

from warpath.graph.check import as_ids, as_vector, check_offsets
from warpath.parallel.jit import compiled


def check_sparse(matrix: Any) -> None:
    """Refuse a sparse matrix whose offsets, indices and data contradict each other.

    Parameters
    ----------
    matrix : sparse matrix or array
        SciPy's or CuPy's, of any format; of other libraries those with the same attributes.

    Raises
    ------
    ValueError
        Offsets that do not start at 0, that decrease, or that do not end at the number of indices;
        indices out of range; arrays of unequal lengths or no integers. The message names the first.
    """
    check = _CHECKS.get(getattr(matrix, "format", ""))
    if check is not None:
        check(matrix)


def check_compressed(matrix: Any) -> None:
    """`check_sparse` of CSR, CSC and BSR."""
    offsets, indices, data = matrix.indptr, matrix.indices, matrix.data
    rows, columns = (1, *matrix.shape)[-2:]
    if matrix.format == "csc":
        rows, columns = columns, rows
    elif matrix.format == "bsr":
        rows, columns = rows // data.shape[1], columns // data.shape[2]
    _check_lengths(indices=indices, data=data)
    if len(offsets) != rows + 1:
        raise ValueError(
            f"indptr has {len(offsets)} offsets, but a {matrix.format} matrix of shape "
            f"{matrix.shape} has {rows + 1}"
        )
    if _may_run(offsets) and _may_run(indices) and _fit_together(offsets, indices, columns):
        return
    check_offsets(as_vector(offsets, "indptr", fetch=False), len(indices), "indptr")
    _check_indices(indices, columns, "indices")


def _may_run(array: Any) -> bool:
    """Whether the kernels below are compiled for such an array: integers as SciPy makes them."""
    if type(array) is not np.ndarray:
        return False
    dtype = array.dtype
    return dtype.char in "ilq" and dtype.isnative and array.flags.carray


@compiled
def _ascend(offsets, end):  # type: ignore[no-untyped-def]
    """Whether offsets run from 0 to ``end`` and never decrease."""
    # Counted, not returned at once: several fit into one instruction.
    descents = 0
    for row in range(offsets.shape[0] - 1):
        descents += offsets[row] > offsets[row + 1]
    return descents == 0 and offsets[0] == 0 and offsets[-1] == end


@compiled
def _fit_together(offsets, indices, size):  # type: ignore[no-untyped-def]
    """Whether offsets run from 0 to the number of indices, and these are below ``size``."""
    largest = np.uint64(0)
    for place in range(indices.shape[0]):
        largest = max(largest, np.uint64(indices[place]))  # of a negative one that is the largest
    inside = indices.shape[0] == 0 or largest < np.uint64(size)
    return inside and _ascend(offsets, indices.shape[0])


def _check_coordinates(matrix: Any) -> None:
    coordinates = getattr(matrix, "coords", None)
    names = [f"coords[{axis}]" for axis in range(len(matrix.shape))]
    if coordinates is None:
        coordinates, names = (matrix.row, matrix.col), ["row", "col"]
    for indices, size, name in zip(coordinates, matrix.shape, names, strict=True):
        _check_lengths(**{name: indices, "data": matrix.data})
        _check_indices(indices, size, name)


def _check_lists(matrix: Any) -> None:
    for rows, values in zip(matrix.rows, matrix.data, strict=True):
        _check_lengths(rows=rows, data=values)
    _check_lengths(rows=matrix.rows, shape=range((1, *matrix.shape)[-2]))
    _check_indices(np.array([*chain.from_iterable(matrix.rows)]), matrix.shape[-1], "rows")


def _check_keys(matrix: Any) -> None:
    keys = np.array([*matrix.keys()]).reshape(-1, len(matrix.shape))
    for axis, size in enumerate(matrix.shape):
        _check_indices(keys[:, axis], size, "keys")


def _check_diagonals(matrix: Any) -> None:
    _check_lengths(offsets=matrix.offsets, data=matrix.data)


_CHECKS: dict[str, Callable[[Any], None]] = {
    "csr": check_compressed,
    "csc": check_compressed,
    "bsr": check_compressed,
    "coo": _check_coordinates,
    "lil": _check_lists,
    "dok": _check_keys,
    "dia": _check_diagonals,
}


def _check_lengths(**arrays: Any) -> None:
    """Refuse two arrays, named, that are not as long as each other."""
    (one, first), (other, second) = arrays.items()
    if len(first) != len(second):
        raise ValueError(f"{one} has length {len(first)}, but {other} has {len(second)}")


def _check_indices(indices: Any, size: int, name: str) -> None:
    ids = as_ids(indices, name, fetch=False)
    if len(ids) and int(ids.max()) >= size:
        where = int(ids.argmax())
        raise ValueError(f"{name}[{where}] is {ids[where].item()}: out of range for size {size}")
