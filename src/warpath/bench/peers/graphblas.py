"""SuiteSparse:GraphBLAS by python-graphblas."""

import importlib
from typing import Any

import numpy as np

from warpath.bench import clock
from warpath.bench.peers.peer import Answer, Peer, distances, has_parallel_arcs, refuse_negative
from warpath.graph.graph import Graph
from warpath.parallel.thread_count import num_threads


class GraphBLAS(Peer):
    """python-graphblas: it has operations and no searches, so these are written in them here."""

    name = "graphblas"
    module = "graphblas"
    package = "python-graphblas"
    rules = (
        "wall time of a search written in its operations, a vector times the matrix for each "
        "level (any_pair, masked by what is found) or for the vertices that came nearer "
        "(min_plus: Bellman-Ford with a frontier); levels or distances, no predecessors"
    )

    def prepare(self, graph: Graph) -> Any:
        """The adjacency matrix, by rows."""
        gb = _graphblas()
        if has_parallel_arcs(graph):
            raise ValueError("a GraphBLAS matrix has one entry for each pair: merge parallel arcs")
        refuse_negative(graph, "the search that is written here")
        gb.ss.config["nthreads"] = num_threads()
        n = graph.num_vertices
        weights = np.ones(graph.num_arcs) if graph.weights is None else graph.weights
        return gb.Matrix.ss.import_csr(
            nrows=n,
            ncols=n,
            indptr=graph.row_offsets.astype(np.uint64),
            col_indices=graph.column_indices.astype(np.uint64),
            values=weights.astype(np.float64),
            sorted_cols=True,
        )

    def run(self, handle: Any, algorithm: str, source: int) -> Answer:
        """See `Peer.run`."""
        gb, n = _graphblas(), handle.nrows
        found, seconds = clock.on_host(
            lambda: (_bfs if algorithm == "bfs" else _sssp)(gb, handle, source)
        )
        vertices, values = found.to_coo()
        return distances(n, algorithm, vertices, values), seconds


def _graphblas() -> Any:
    """The package, with the parts of it that are loaded on demand."""
    importlib.import_module("graphblas.semiring")
    return importlib.import_module("graphblas")


def _bfs(gb: Any, matrix: Any, source: int) -> Any:
    """Levels of what the source reaches."""
    level = gb.Vector(gb.dtypes.INT32, matrix.nrows)
    frontier = gb.Vector(gb.dtypes.BOOL, matrix.nrows)
    frontier[source] = True
    depth = 0
    while frontier.nvals:
        level(frontier.S) << depth
        frontier(~level.S, replace=True) << frontier.vxm(matrix, gb.semiring.any_pair)
        depth += 1
    return level


def _sssp(gb: Any, matrix: Any, source: int) -> Any:
    """Distances of what the source reaches."""
    distance = gb.Vector(gb.dtypes.FP64, matrix.nrows)
    frontier = gb.Vector(gb.dtypes.FP64, matrix.nrows)
    distance[source] = 0.0
    frontier[source] = 0.0
    while frontier.nvals:
        reached = frontier.vxm(matrix, gb.semiring.min_plus).new()
        # Those that have a distance which is not larger are no nearer than they were.
        known = distance.ewise_mult(reached, gb.binary.le).new()
        frontier = reached.dup(mask=~known.V)
        distance(frontier.S) << frontier
    return distance
