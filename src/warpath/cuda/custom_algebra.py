"""Algebras of users' own on a CUDA device: kernels' headers with their functions."""

from typing import Any

import numpy as np

from warpath.cuda.generated_header import write_header
from warpath.language.cpp import rule_header
from warpath.operators import PathAlgebra


def header_for(
    header: str, algebra: PathAlgebra, dtype: np.dtype[Any], weight_dtype: np.dtype[Any]
) -> str:
    """Where the kernels of ``header`` are for an algebra: there, or in a file that is written for it.

    Parameters
    ----------
    header : str
        A header of kernels that relax edges.
    algebra : PathAlgebra
    dtype, weight_dtype : dtype
        Those of distances and of weights.
    """
    if algebra.extension is None:
        return header
    function = algebra.extension.typed(dtype.name, weight_dtype.name)
    start = algebra.keys(algebra.source(dtype)).item()
    last = algebra.last_key(dtype)
    return write_header(
        rule_header(header, function, dtype.name, start, last, algebra.larger_is_better)
    )
