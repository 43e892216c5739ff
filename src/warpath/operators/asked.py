"""What callers ask for in terms of an algebra: the dtype of distances, and their limit."""

from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from warpath.graph.check import WEIGHT_DTYPES, as_number, as_numpy_dtype
from warpath.operators.algebra import PathAlgebra


def as_limit(graph: Any, algebra: PathAlgebra, cutoff: Any) -> int | float | None:
    """The number that ``cutoff=`` asks for, if any.

    Raises
    ------
    ValueError
        If it is none, the algebra's values cannot be compared with it, or a weight is negative.
    """
    if cutoff is None:
        return None
    if algebra.is_boolean:
        raise ValueError(f"algebra {algebra.name!r} takes no cutoff: a path is there or is not")
    limit = as_number(cutoff, "cutoff")
    if algebra.adds and limit < 0:
        raise ValueError(f"cutoff must not be negative, not {cutoff!r}")
    if algebra.multiplies and not 0 <= limit <= 1:
        raise ValueError(f"cutoff must be a reliability from 0 to 1, not {cutoff!r}")
    if algebra.adds and graph.weight_range[0] < 0:
        raise ValueError(
            "cutoff needs non-negative weights: a path may leave its limit and come back"
        )
    return limit


def as_dtype(graph: Any, algebra: PathAlgebra, dtype: DTypeLike | None) -> np.dtype[Any]:
    """The dtype of the distances that ``dtype=`` asks for.

    Parameters
    ----------
    graph : Graph
    algebra : PathAlgebra
    dtype : dtype, optional
        By default what the algebra makes of the graph's weights: `PathAlgebra.dtype`.

    Raises
    ------
    ValueError
        If it is not one of distances, or the algebra or the graph's weights do not allow it.
    """
    if dtype is None:
        return algebra.dtype(graph)
    wanted = as_numpy_dtype(dtype)
    if algebra.is_boolean and wanted != np.dtype(bool):
        raise ValueError(f"algebra {algebra.name!r} makes bool distances, not {dtype!r}")
    if algebra.multiplies and wanted.kind == "i":
        raise ValueError(f"algebra {algebra.name!r} makes float distances, not {wanted}")
    if algebra.is_boolean:
        return wanted
    if wanted not in WEIGHT_DTYPES:
        raise ValueError(f"distances are int32, int64, float32 or float64, not {dtype!r}")
    if wanted.kind == "i" and graph.weight_dtype is not None and graph.weight_dtype.kind == "f":
        raise ValueError(f"float weights make no {wanted} distances; round the weights first")
    return wanted
