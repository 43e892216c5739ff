"""Connected components on a CUDA device."""

from typing import Any

import numpy as np

from warpath.balance import Technique
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.execute import kernel, suggested_grid_size
from warpath.cuda.instances import components_kernel
from warpath.cuda.program import Search


def connected_components(
    graph: DeviceGraph, balance: Technique, labels: Any, *, initialized: bool = False
) -> None:
    """Fill ``labels`` with the smallest vertex of each vertex's weak component.

    Everything is queued on the current stream; nothing is waited for.

    Parameters
    ----------
    graph : DeviceGraph
        It has a vertex.
    balance : Technique
        One that launches no child grids.
    labels : cupy array of int32, shape (n,)
    initialized : bool
        Whether it holds roots of vertices that are known to be connected: the smallest of them. Others have their own number.

    Notes
    -----
    Takes a queue and its prefix sums, 8 bytes per vertex (12 with 64-bit offsets), from CuPy's pool.
    See ``algorithms/components.cuh``.
    """
    instance = graph.offset_bytes, graph.directed, initialized, balance
    Search(
        kernel(
            "algorithms/components.cuh", components_kernel, *instance,
            blocks=suggested_grid_size(graph),
        ),
        "Components", graph, balance, np.empty(0, np.int32), labels, None, graph.num_vertices,
        trace=False,
    ).launch()  # fmt: skip
