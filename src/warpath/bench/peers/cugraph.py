"""cuGraph by pylibcugraph, the layer beneath its data frames."""

import importlib.metadata
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from warpath import devices
from warpath.bench.measures import TOLERANCE
from warpath.bench.peers.peer import Answer, Peer, distances, has_parallel_arcs, refuse_negative
from warpath.graph.graph import Graph

_ITERATIONS = 100  # of PageRank, at most


class CuGraph(Peer):
    """RAPIDS cuGraph on one GPU."""

    name = "cugraph"
    module = "pylibcugraph"
    package = "pylibcugraph-cu13"
    device = "cuda"
    rules = (
        "time between two CUDA events around pylibcugraph.bfs or .sssp with predecessors, its "
        "check of the source and its copies of the answer within the device included; bfs is "
        "direction-optimizing where the graph is undirected; weights are float64; likewise around "
        "pagerank, weakly_connected_components, betweenness_centrality and triangle_count, of the "
        "graph without weights; betweenness is not compared, since samples are scaled in another way"
    )

    @property
    def version(self) -> str:
        """The version of the package for this CUDA version."""
        for package in (self.package, "pylibcugraph-cu12", "pylibcugraph"):
            try:
                return importlib.metadata.version(package)
            except importlib.metadata.PackageNotFoundError:
                continue
        return "unknown"

    def missing(self) -> str | None:
        """Why it cannot be used here."""
        return devices.missing() or super().missing()

    def prepare(self, graph: Graph) -> Any:
        """A graph on the device."""
        import cupy
        import pylibcugraph

        refuse_negative(graph, "cuGraph's sssp")
        weights = None if graph.weights is None else cupy.asarray(graph.weights.astype(np.float64))
        resources = pylibcugraph.ResourceHandle()
        there = pylibcugraph.SGGraph(
            resources,
            pylibcugraph.GraphProperties(
                is_symmetric=not graph.directed, is_multigraph=has_parallel_arcs(graph)
            ),
            cupy.asarray(graph.row_offsets),
            cupy.asarray(graph.column_indices),
            weight_array=weights,
            store_transposed=False,
            renumber=False,
            do_expensive_check=False,
            input_array_format="CSR",
        )
        return resources, there, not graph.directed, graph.num_vertices, weights is not None

    def run(self, handle: Any, algorithm: str, source: int) -> Answer:
        """See `Peer.run`."""
        import cupy
        import pylibcugraph

        resources, there, symmetric, n, weighted = handle
        begin, end = cupy.cuda.Event(), cupy.cuda.Event()
        if algorithm == "bfs":
            sources = cupy.asarray([source], cupy.int32)
            begin.record()
            found, _, vertices = pylibcugraph.bfs(
                resources, there, sources, symmetric, -1, True, False
            )
        else:
            if not weighted:
                raise ValueError("its sssp takes weights")
            begin.record()
            vertices, found, _ = pylibcugraph.sssp(resources, there, source, np.inf, True, False)
        end.record()
        end.synchronize()
        seconds = cupy.cuda.get_elapsed_time(begin, end) / 1e3
        values = cupy.asnumpy(found)
        # What is not reached has the largest number of the type.
        largest = (np.iinfo if values.dtype.kind == "i" else np.finfo)(values.dtype).max
        reached = values != largest
        return distances(n, algorithm, cupy.asnumpy(vertices)[reached], values[reached]), seconds

    def measure(self, handle: Any, algorithm: str, sources: Sequence[int]) -> tuple[Any, float]:
        """See `Peer.measure`."""
        import cupy
        import pylibcugraph

        resources, there, symmetric, n, _ = handle
        if algorithm == "triangles" and not symmetric:
            raise ValueError("triangle_count takes undirected graphs")
        begins = cupy.asarray(sources, cupy.int32)
        calls: dict[str, Callable[[], Any]] = {
            "pagerank": lambda: pylibcugraph.pagerank(
                resources, there, None, None, None, None, 0.85, TOLERANCE, _ITERATIONS, False
            ),
            "components": lambda: pylibcugraph.weakly_connected_components(
                resources, there, None, None, None, None, False
            ),
            "betweenness": lambda: pylibcugraph.betweenness_centrality(
                resources, there, begins, None, False, True, False
            ),
            "triangles": lambda: pylibcugraph.triangle_count(resources, there, None, False),
        }
        begin, end = cupy.cuda.Event(), cupy.cuda.Event()
        begin.record()
        vertices, values = calls[algorithm]()[:2]
        end.record()
        end.synchronize()
        seconds = cupy.cuda.get_elapsed_time(begin, end) / 1e3
        if algorithm == "betweenness":
            return None, seconds
        found = cupy.zeros(n, values.dtype)
        found[vertices] = values
        return found, seconds
