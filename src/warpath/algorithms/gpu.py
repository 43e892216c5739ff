"""Breadth-first search on a GPU: when, and how its answer is made."""

import time
from typing import Any

import numpy as np

from warpath.algorithms.search import Answer, Search
from warpath.algorithms.stats import DeviceStats
from warpath.balance import Technique
from warpath.cuda import devices
from warpath.graph.graph import Graph

# What ``device="auto"`` finds worth copying to a GPU: a guess.
_MANY_ARCS = 2**22
# α and β reach the kernel as float32.
_LEAST, _MOST = float(np.finfo(np.float32).tiny), float(np.finfo(np.float32).max)


def is_worth_it(graph: Graph, *, asked_for: bool) -> bool:
    """Whether ``device="auto"`` is a GPU.

    Parameters
    ----------
    asked_for : bool
        Whether the call has options that only a GPU has.
    """
    return (asked_for or graph.num_arcs >= _MANY_ARCS) and devices.missing() is None


def run(search: Search, balance: Technique, loop: str, trace: bool, began: float) -> Answer:
    """Distances, predecessors (or None) and statistics by the CUDA engine; CuPy arrays.

    Raises
    ------
    DeviceUnavailableError
        If there is no GPU that can be used.
    MemoryError
        If the GPU's memory does not suffice.
    """
    model = devices.require().model
    import cupy

    from warpath.cuda import bfs as cuda
    from warpath.cuda.device_graph import on_device

    sources, n = search.sources, search.graph.num_vertices
    alpha = _as_float32(cuda.ALPHA if search.alpha is None else search.alpha)
    beta = _as_float32(cuda.BETA if search.beta is None else search.beta)

    def run(start: Any, distance: Any, predecessor: Any) -> Any:
        return cuda.bfs(
            on_device(search.graph), start, search.direction, alpha, beta, search.limit,
            distance, predecessor, balance, loop, trace,
        )  # fmt: skip

    rows = None if search.one_answer else len(sources)
    try:
        distance = cuda.new_row(n, rows)
        predecessor = cuda.new_row(n, rows) if search.predecessors else None
        if rows is None:
            reports = [run(np.unique(sources), distance, predecessor)]
        else:
            reports = [
                run(
                    sources[i : i + 1], distance[i], None if predecessor is None else predecessor[i]
                )
                for i in range(rows)
            ]
    except cupy.cuda.memory.OutOfMemoryError as error:
        free, all_of_it = cupy.cuda.runtime.memGetInfo()
        raise MemoryError(
            f"{model}: {error}. {free:,} of its {all_of_it:,} bytes are free; the graph of {n:,} "
            f"vertices and {search.graph.num_arcs:,} arcs takes {_bytes(search.graph):,} and each "
            "vertex up to 20 more: device='cpu' uses the host's memory"
        ) from error
    seconds = time.perf_counter() - began
    return distance, predecessor, DeviceStats(search.method, search.why, seconds, model, reports)


def _as_float32(value: float) -> float:
    return float(np.clip(value, _LEAST, _MOST))


def _bytes(graph: Graph) -> int:
    """Of its copies on a device, the reverse included."""
    return 4 * (graph.num_vertices + graph.num_arcs) * (2 if graph.directed else 1)
