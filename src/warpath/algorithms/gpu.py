"""Breadth-first search on a GPU: when, and how its answer is made."""

import time
from typing import Any

import numpy as np

from warpath import balance as balances
from warpath import devices
from warpath.algorithms.search import Answer, Search
from warpath.algorithms.sources import choose
from warpath.algorithms.stats import DeviceStats
from warpath.balance import Technique
from warpath.graph.graph import Graph

# What ``device="auto"`` finds worth copying to a GPU: a guess.
_MANY_ARCS = 2**22
_VERTEX_BYTES = 21  # beyond the graph, with predecessors and 64-bit offsets


DEVICES = ("auto", "cpu", "cuda")
LOOPS = ("device", "host")


def check_options(device: str, balance: str | Technique | None, loop: str | None) -> Technique:
    """The technique that a call asks for, or the default.

    Raises
    ------
    ValueError
        An unknown balance or loop, or options of a GPU for the CPU.
    """
    technique = balances.lookup(balances.DEFAULT if balance is None else balance)
    choose("loop", loop or "device", LOOPS)
    for name, given in (("balance", balance), ("loop", loop)):
        if device == "cpu" and given is not None:
            raise ValueError(f"{name}={str(given)!r} is for device='cuda', not 'cpu'")
    return technique


def is_worth_it(graph: Graph, *, asked_for: bool) -> bool:
    """Whether ``device="auto"`` is a GPU.

    Parameters
    ----------
    asked_for : bool
        Whether the call has options that only a GPU has.
    """
    if is_at_home(graph, asked_for=asked_for):
        return True
    return graph.num_arcs >= _MANY_ARCS and devices.missing() is None


def is_at_home(graph: Graph, *, asked_for: bool) -> bool:
    """Whether ``device="auto"`` is a GPU though little is to be done; parameters as above."""
    return (asked_for or graph.device == "cuda") and devices.missing() is None


def fitted(balance: Technique, graph: Graph) -> Technique:
    """A technique as it suits a graph."""
    if not balance.adapts:
        return balance
    mean = graph.num_arcs / max(graph.num_vertices, 1)
    return balance.fitted(graph.largest_degree, mean)


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
    from warpath.cuda.batch import bfs_rows, pays
    from warpath.cuda.device_graph import on_device

    graph, sources, n = search.graph, search.sources, search.graph.num_vertices
    balance = fitted(balance, graph)
    alpha = cuda.ALPHA if search.alpha is None else search.alpha
    beta = cuda.BETA if search.beta is None else search.beta

    def run(start: Any, distance: Any, predecessor: Any) -> Any:
        return cuda.bfs(
            on_device(graph), start, search.direction, alpha, beta, search.limit,
            distance, predecessor, balance, loop, trace,
        )  # fmt: skip

    rows = None if search.one_answer else len(sources)
    shape = (n,) if rows is None else (rows, n)
    try:
        distance = cupy.empty(shape, np.int32)
        predecessor = cupy.empty(shape, np.int32) if search.predecessors else None
        if rows is None:
            start = sources if len(sources) == 1 else np.unique(sources)
            reports = [run(start, distance, predecessor)]
        elif _may_batch(search, loop) and pays(on_device(graph), rows, balance):
            device = on_device(graph)
            reports = [bfs_rows(device, sources, search.limit, distance, predecessor, trace)]
        else:
            reports = [
                run(
                    sources[i : i + 1], distance[i], None if predecessor is None else predecessor[i]
                )
                for i in range(rows)
            ]
    except MemoryError:
        with devices.memory_for(
            f"the graph of {n:,} vertices and {graph.num_arcs:,} arcs takes {graph_bytes(graph):,} bytes, "
            f"and each vertex up to {_VERTEX_BYTES} more"
        ):
            raise
    seconds = time.perf_counter() - began
    return distance, predecessor, DeviceStats(search.method, search.why, seconds, model, reports)


def _may_batch(search: Search, loop: str) -> bool:
    """Whether nothing is asked for that searches at once, top-down, do not have."""
    free = search.alpha is None and search.beta is None and search.direction != "bottom-up"
    return free and loop == "device"


def graph_bytes(graph: Graph) -> int:
    """Of its copies on a device, the reverse included."""
    return 4 * (graph.num_vertices + graph.num_arcs) * (2 if graph.directed else 1)
