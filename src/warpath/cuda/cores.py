"""Core numbers on a CUDA device."""

from typing import Any

import numpy as np

from warpath.balance import Technique
from warpath.cuda.bfs import SMALL_FRONTIER_MAX_EDGES
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.execute import CLUSTER, kernel, suggested_grid_size
from warpath.cuda.instances import cores_kernel
from warpath.cuda.program import Search

ALGORITHM = "SmallFrontiers Peeling"


def core_numbers(graph: DeviceGraph, balance: Technique, degree: Any) -> None:
    """Turn degrees into core numbers, where parallel edges count; nothing is waited for.

    Parameters
    ----------
    graph : DeviceGraph
        Undirected, without self-loops; it has a vertex.
    balance : Technique
        One that launches no child grids.
    degree : cupy array of int32, shape (n,)

    Notes
    -----
    Takes two queues and their prefix sums, two lists and a bit per vertex: 24 bytes per vertex (32 with 64-bit
    offsets). See ``algorithms/cores.cuh``.
    """
    program = kernel(
        "algorithms/cores.cuh", cores_kernel, graph.offset_bytes, balance,
        blocks=suggested_grid_size(graph), cluster=CLUSTER,
    )  # fmt: skip
    Search(
        program, ALGORITHM, graph, balance, np.empty(0, np.int32), degree, None, graph.num_vertices,
        trace=False, delta=1, max_delta=1, small_frontier_max_edges=SMALL_FRONTIER_MAX_EDGES,
    ).launch()  # fmt: skip
