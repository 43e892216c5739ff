"""Whether a GPU finds predecessors while it searches, and not in a sweep over all edges afterwards."""

from typing import Any

import numpy as np

METHODS = ("delta-stepping", "workfront-sweep")


def pack_with_distances(dtype: "np.dtype[Any]", least_step: Any) -> bool:
    """Whether a distance and the vertex before fit into the word of an atomic operation (``operators/relax_tree.cuh``).

    Asynchronous blocks have the sweep all the same: a grid of 1024² vertices takes 4 % longer without it (H200).

    Parameters
    ----------
    dtype : dtype
        The distances'.
    least_step : number
        How much longer an edge makes a path at least: edges of length 0 may lead round in circles.
    """
    return dtype == np.int32 and least_step > 0
