"""Weights in device memory, in the dtype that a run adds them up in."""

from typing import Any

import numpy as np

from warpath.cuda.device_graph import DeviceGraph


def weights_as(graph: DeviceGraph, dtype: np.dtype[Any]) -> Any:
    """The graph's weights in ``dtype``, ones if it has none; converted on the device, once.

    Parameters
    ----------
    graph : DeviceGraph
    dtype : {int32, int64, float32, float64}
        One that holds them.

    Returns
    -------
    cupy array, shape (m,)
    """
    own = graph.weights
    if own is not None and own.dtype == dtype:
        return own
    key = "weights", dtype
    if key not in graph.derived:
        weights = graph.empty_arcs(dtype)
        weights[...] = 1 if own is None else own
        graph.derived[key] = weights
    return graph.derived[key]
