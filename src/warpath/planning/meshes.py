"""Whether a graph is a mesh: where neighbours' neighbours are mostly the same few vertices."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.graph.arrays import module_of, to_host
from warpath.graph.graph import Graph
from warpath.graph.on_gpus import GraphOnGpus
from warpath.planning.cache import kept

_VERTICES = 32  # that are looked at
_NEIGHBORS = 16  # the most of each, and of each of these: guesses
_SMALLEST = 2**15  # vertices that are worth the look, which takes up to 1 ms: a guess
# The share of different vertices among neighbours' neighbours, below which a graph is a mesh. Triangulations have 0.43,
# meshes of finite elements 0.53 to 0.62, cage15 0.33, kkt_power 0.67 and grids 0.72; roads 0.93, G(n, m) and R-MATs
# without hubs 0.98 to 1.
_DIFFERENT = 0.85


def is_mesh(graph: Graph) -> bool | None:
    """Whether the part of a graph that paths reach grows slowly with their length, from a sample.

    Returns
    -------
    bool or None
        None where it is not known: small graphs, and those in parts.
    """
    if graph.num_vertices < _SMALLEST or graph.num_arcs == 0 or isinstance(graph, GraphOnGpus):
        return None
    return _by_a_sample(graph)


@kept
def _by_a_sample(graph: Graph) -> bool:
    n, m = graph.num_vertices, graph.num_arcs
    places: NDArray[np.int64] = np.arange(_VERTICES, dtype=np.int64) * m // _VERTICES
    start = _taken(graph.resident.column_indices, places)
    near = _neighbors(graph, start)
    near[near == start[:, None]] = -1
    beyond = _neighbors(graph, near)
    is_path = (beyond >= 0) & (beyond != start[:, None, None]) & (beyond != near[:, :, None])
    # Numbers of vertices, apart for each start.
    first = n * np.arange(_VERTICES)[:, None]
    ends = (first[:, :, None] + beyond)[is_path]
    new = np.setdiff1d(ends, (first + near)[near >= 0])
    return len(new) < _DIFFERENT * len(ends)


def _neighbors(graph: Graph, vertices: NDArray[np.int64]) -> NDArray[np.int64]:
    """Some neighbours of each vertex, spread over its row, each once, on a new axis; -1 where there are no more, or no vertex."""
    csr, of = graph.resident, vertices.ravel()
    rows = np.maximum(of, 0)
    begin, end = _taken(csr.row_offsets, np.stack([rows, rows + 1]))[:, :, None]
    degree, place = end - begin, np.arange(_NEIGHBORS)
    is_there = (place < degree) & (of >= 0)[:, None]
    spread = np.where(degree > _NEIGHBORS, place * degree // _NEIGHBORS, place)
    found = _taken(csr.column_indices, np.where(is_there, begin + spread, 0).ravel())
    neighbors = np.sort(np.where(is_there, found.reshape(is_there.shape), -1))
    neighbors[:, 1:][neighbors[:, 1:] == neighbors[:, :-1]] = -1  # of parallel arcs
    return neighbors.reshape(*vertices.shape, -1)


def _taken(array: Any, places: NDArray[np.int64]) -> NDArray[np.int64]:
    """Elements of an array on the host or a GPU."""
    return to_host(array[module_of(array).asarray(places)]).astype(np.int64)
