"""Whether a search on a GPU looks up a bit of an edge's end before its distance (``operators/prefiltered.cuh``)."""

from typing import Any

import numpy as np

from warpath.planning.degrees import Sized, is_sparse
from warpath.typing import SwitchName

METHODS = ("delta-stepping",)

# All measured on an H200, weights 1 … 255, 2026-11. Times with a prefilter over those without: R-MAT 16 1.08, 18 0.96,
# 20 0.93, 22 1.01, 23 0.95, 24 0.73, 27 0.58, R-MAT 22 with 64 edges 0.88.
_MANY_VERTICES = 2**17
# Where small frontiers are asynchronous, whose blocks look up distances only, it gains if distances miss L2, of
# which an H200 has 60 MB, an H100 50: G(2²², 2²⁶) 1.18, G(2²³, 2²⁷) 0.97, G(2²⁴, 2²⁸) 0.70, G(2²⁷, 2³¹) 0.80. Sparse graphs
# gain too little: with 2 edges per vertex R-MAT 24 takes 0.98, R-MAT 22 1.14.
_BEYOND_L2 = 48 * 2**20


def of_relaxation(
    graph: Sized, method: str, dtype: np.dtype[Any], *, asynchronous: bool
) -> SwitchName:
    """Whether a search for shortest paths does.

    Parameters
    ----------
    graph : Graph
    method : str
    dtype : dtype
        The distances'.
    asynchronous : bool
        Whether small frontiers are.

    Returns
    -------
    {"on", "off"}
    """
    n = graph.num_vertices
    many = n * dtype.itemsize > _BEYOND_L2 if asynchronous else n >= _MANY_VERTICES
    return "on" if method in METHODS and many and not is_sparse(graph) else "off"
