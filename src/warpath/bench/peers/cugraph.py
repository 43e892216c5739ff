"""cuGraph by pylibcugraph, the layer beneath its data frames."""

import importlib.metadata
from typing import Any

import numpy as np

from warpath import devices
from warpath.bench.peers.peer import Answer, Peer, distances, has_parallel_arcs, refuse_negative
from warpath.graph.graph import Graph


class CuGraph(Peer):
    """RAPIDS cuGraph on one GPU."""

    name = "cugraph"
    module = "pylibcugraph"
    package = "pylibcugraph-cu13"
    device = "cuda"
    rules = (
        "time between two CUDA events around pylibcugraph.bfs or .sssp with predecessors, its "
        "check of the source and its copies of the answer within the device included; bfs is "
        "direction-optimizing where the graph is undirected; weights are float64"
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
        weights = np.ones(graph.num_arcs) if graph.weights is None else graph.weights
        resources = pylibcugraph.ResourceHandle()
        there = pylibcugraph.SGGraph(
            resources,
            pylibcugraph.GraphProperties(
                is_symmetric=not graph.directed, is_multigraph=has_parallel_arcs(graph)
            ),
            cupy.asarray(graph.row_offsets),
            cupy.asarray(graph.column_indices),
            weight_array=cupy.asarray(weights.astype(np.float64)),
            store_transposed=False,
            renumber=False,
            do_expensive_check=False,
            input_array_format="CSR",
        )
        return resources, there, not graph.directed, graph.num_vertices

    def run(self, handle: Any, algorithm: str, source: int) -> Answer:
        """See `Peer.run`."""
        import cupy
        import pylibcugraph

        resources, there, symmetric, n = handle
        begin, end = cupy.cuda.Event(), cupy.cuda.Event()
        if algorithm == "bfs":
            sources = cupy.asarray([source], cupy.int32)
            begin.record()
            found, _, vertices = pylibcugraph.bfs(
                resources, there, sources, symmetric, -1, True, False
            )
        else:
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
