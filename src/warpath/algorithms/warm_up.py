"""Compiling ahead what searches use, so that the first one need not wait."""

import logging
import signal
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from warpath import devices, generate, kernel_cache
from warpath.algorithms.all_pairs.apsp import apsp
from warpath.algorithms.all_pairs.distance_matrix import distance_matrix
from warpath.algorithms.centrality.betweenness import betweenness
from warpath.algorithms.centrality.eccentricity import closeness, diameter, eccentricity
from warpath.algorithms.shortest_paths.k_shortest_paths import k_shortest_paths
from warpath.algorithms.shortest_paths.shortest_path import shortest_path
from warpath.algorithms.shortest_paths.sssp import sssp
from warpath.algorithms.shortest_paths.st_connectivity import st_connected
from warpath.algorithms.statistics import statistics
from warpath.algorithms.traversal.bfs import bfs
from warpath.algorithms.traversal.components import connected_components
from warpath.algorithms.trees.spanning_forest import minimum_spanning_forest
from warpath.graph.graph import Graph
from warpath.parallel import thread_count
from warpath.typing import AlgebraName, MethodName

_DTYPES = ("int32", "int64", "float32", "float64")
_WEIGHTED: tuple[MethodName, ...] = ("delta-stepping", "dijkstra", "bellman-ford")


@dataclass(frozen=True)
class Warm:
    """What `warm_up` found or made.

    Attributes
    ----------
    kernels : int
    nbytes : int
        The size of their entries on disk.
    folders : tuple of Path
        Where these are.
    """

    kernels: int
    nbytes: int
    folders: tuple[Path, ...]


def warm_up(device: str = "auto", progress: Callable[[int, int], None] | None = None) -> Warm:
    """Compile the kernels that searches commonly use, and keep them on disk.

    They are those of graphs with 32-bit ids and offsets (fewer than 2³¹ arcs):

    - `warpath.bfs`, components, statistics and generators,
    - `warpath.sssp` (its automatic method, "dijkstra", "bellman-ford") for int32, int64, float32
      and float64 weights, widest and minimax paths,
    - for int32 and float64 weights also paths between two vertices, distance matrices, all pairs,
      k shortest paths, betweenness, eccentricity and spanning forests.
    Others are compiled at their first call.

    Parameters
    ----------
    device : str
        ``"cpu"``; ``"cuda"``, for GPU kernels; ``"auto"``: both where there is a GPU.
    progress : callable, optional
        Is told how many groups of kernels are ready, and of how many.

    Raises
    ------
    ValueError
        An unknown device.
    DeviceUnavailableError
        ``device="cuda"`` where CUDA cannot be used: it says what is missing.
    OSError
        If kernels cannot be kept on disk.

    Notes
    -----
    Each core compiles in a process of its own: a Python program that calls this protects its main
    module by ``if __name__ == "__main__":``.
    """
    if device not in ("auto", "cpu", "cuda"):
        raise ValueError(f"device must be 'auto', 'cpu' or 'cuda', not {device!r}")
    if device == "cuda":
        devices.require()
    on_gpu = device == "cuda" or (device == "auto" and devices.missing() is None)
    names = [name for name, _ in _groups() if device != "cuda"]
    names += [name for name, _ in _gpu_groups() if on_gpu]
    found: dict[Path, int] = {}
    tell = progress or (lambda done, total: None)
    tell(0, len(names))
    workers = min(thread_count.num_threads(), len(names))
    with ProcessPoolExecutor(workers, get_context("spawn"), _begin_worker) as pool:
        groups = [pool.submit(_compile, name) for name in names]
        for done, group in enumerate(as_completed(groups), 1):
            found.update(group.result())
            tell(done, len(names))
    if not found:
        raise OSError(
            "compiled kernels cannot be kept: set WARPATH_CACHE to a folder of this user's own"
        )
    folders = sorted({file.parent for file in found})
    return Warm(len(found), sum(found.values()), tuple(folders))


def _begin_worker() -> None:
    """What goes wrong in a process of the pool, or takes long, its parent says."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    logging.getLogger("warpath").setLevel(logging.ERROR)
    warnings.simplefilter("ignore", RuntimeWarning)


def _compile(name: str) -> dict[Path, int]:
    """Run the calls of one group, in a process of the pool; the entries that it has used."""
    dict((*_groups(), *_gpu_groups()))[name]()
    return kernel_cache.kept


def _graph(dtype: str | None = None, directed: bool = True, sparse: bool = True) -> Any:
    """A small graph, on which every step of a search has something to do."""
    n, degree = 12, 2 if sparse else 8
    source = np.repeat(np.arange(n), degree)
    target = (source + np.tile(np.arange(degree), n) + 1) % n
    weights = None if dtype is None else (1 + np.arange(len(source)) * 7 % 5).astype(dtype)
    return Graph.from_edges(source, target, weights, directed=directed)


def _groups() -> Iterator[tuple[str, Callable[[], None]]]:
    """Groups of the CPU's kernels; those that take longest come first."""
    for dtype in ("int32", "float64"):
        yield f"{dtype} measures", partial(_measures, dtype)
        yield f"{dtype} pairs", partial(_pairs, dtype)
    for dtype in _DTYPES:
        yield f"{dtype} sssp", partial(_sssp, dtype)
    yield "algebras", _algebras
    yield "bfs", _bfs
    yield "unweighted", _unweighted
    yield "generators", _generators


def _bfs() -> None:
    for directed in (True, False):
        graph = _graph(directed=directed)
        bfs(graph, 0).verify()
        bfs(graph, 0, schedule="direction=bottom-up")
        bfs(graph, [0, 1])
        bfs(graph, [0, 1], nearest=True)
        shortest_path(graph, 0, 5)
        st_connected(graph, 0, 5)


def _sssp(dtype: str) -> None:
    for sparse in (True, False):
        graph = _graph(dtype, sparse=sparse)
        for method in _WEIGHTED:
            sssp(graph, 0, method=method)
        sssp(graph, [0, 1])
    graph = _graph(dtype, directed=False)
    sssp(graph, 0).verify()
    shortest_path(graph, 0, 5)


def _algebras() -> None:
    asked: list[tuple[AlgebraName, str]]
    asked = [("widest", "int32"), ("minimax", "int32"), ("widest", "float64")]
    for algebra, dtype in asked:
        for sparse in (True, False):
            sssp(_graph(dtype, sparse=sparse), 0, algebra=algebra)


def _pairs(dtype: str) -> None:
    for sparse in (True, False):
        graph = _graph(dtype, sparse=sparse)
        apsp(graph)
        distance_matrix(graph, [0, 1], [2, 3])
    apsp(graph, method="blocked-floyd-warshall")
    k_shortest_paths(graph, 0, 5, 3)


def _measures(dtype: str) -> None:
    graph = _graph(dtype, directed=False)
    betweenness(graph)
    eccentricity(graph)
    diameter(graph)
    closeness(graph)
    minimum_spanning_forest(graph)


def _unweighted() -> None:
    for directed in (True, False):
        graph = _graph(directed=directed)
        statistics(graph)
        connected_components(graph)
        apsp(graph)
        distance_matrix(graph, [0, 1], [2, 3])
        eccentricity(graph)
        betweenness(graph)


def _generators() -> None:
    for weights in (None, (1, 9)):
        generate.grid(4, keep=0.9, weights=weights)
        generate.rmat(4, weights=weights)
        generate.erdos_renyi(16, 32, weights=weights)
        generate.erdos_renyi(2**10, 2**18, weights=weights)  # its arcs are sorted by a team


def _gpu_groups() -> Iterator[tuple[str, Callable[[], None]]]:
    yield "GPU bfs", partial(_on_gpu, None)
    for dtype in _DTYPES:
        yield f"GPU {dtype}", partial(_on_gpu, dtype)


def _on_gpu(dtype: str | None) -> None:
    for directed in (True, False):
        for sparse in (True, False):
            graph = _graph(dtype, directed=directed, sparse=sparse)
            search = bfs if dtype is None else sssp
            search(graph, 0, device="cuda").to_numpy()
            search(graph, [0, 1], device="cuda").to_numpy()
            apsp(graph, device="cuda")
