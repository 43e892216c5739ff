"""NetworKit."""

from typing import Any

import numpy as np

from warpath.bench import clock
from warpath.bench.peers.peer import Answer, Peer, distances, refuse_negative
from warpath.graph.graph import Graph
from warpath.parallel.thread_count import num_threads


class NetworKit(Peer):
    """NetworKit: compiled; these two algorithms run on one thread."""

    name = "networkit"
    module = "networkit"
    package = "networkit"
    rules = (
        "wall time of distance.BFS or distance.Dijkstra, .run() with paths stored, made anew for "
        "each source; reading the distances out is outside the clock"
    )

    def prepare(self, graph: Graph) -> Any:
        """A NetworKit graph, weighted if the graph is."""
        import networkit

        # It would take them, and answer wrongly without a word.
        refuse_negative(graph, "NetworKit's Dijkstra")
        networkit.setNumberOfThreads(num_threads())
        source, target, weight = graph.edges()
        ends = (source.astype(np.uint64), target.astype(np.uint64))
        values = np.ones(len(source)) if weight is None else weight.astype(np.float64)
        return networkit.GraphFromCoo(
            (values, ends),
            n=graph.num_vertices,
            weighted=weight is not None,
            directed=graph.directed,
        )

    def run(self, handle: Any, algorithm: str, source: int) -> Answer:
        """See `Peer.run`."""
        from networkit.distance import BFS, Dijkstra

        search = (BFS if algorithm == "bfs" else Dijkstra)(handle, source, True, False)
        _, seconds = clock.on_host(search.run)
        distance = np.array(search.getDistances())
        # What is not reached has the largest double.
        reached = distance != np.finfo(np.float64).max
        return distances(len(distance), algorithm, reached, distance[reached]), seconds
