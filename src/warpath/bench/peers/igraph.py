"""igraph by python-igraph."""

from typing import Any

import numpy as np

from warpath.bench import clock
from warpath.bench.peers.peer import Answer, Peer, distances, has_negative
from warpath.graph.graph import Graph


class IGraph(Peer):
    """igraph: compiled, one thread."""

    name = "igraph"
    module = "igraph"
    package = "igraph"
    rules = (
        "wall time of Graph.bfs (order, layers and parents; levels are derived from the layers "
        "outside the clock) or of Graph.distances by Dijkstra's algorithm (Bellman-Ford where a "
        "weight is negative; no predecessors)"
    )

    def prepare(self, graph: Graph) -> Any:
        """An igraph graph; weights under "w"."""
        import igraph

        source, target, weight = graph.edges()
        other = igraph.Graph(
            n=graph.num_vertices, edges=np.column_stack([source, target]), directed=graph.directed
        )
        if weight is not None:
            other.es["w"] = weight.tolist()
        return other, "bellman_ford" if has_negative(graph) else "dijkstra"

    def run(self, handle: Any, algorithm: str, source: int) -> Answer:
        """See `Peer.run`."""
        other, method = handle
        if algorithm == "bfs":
            (order, starts, _), seconds = clock.on_host(lambda: other.bfs(source, mode="out"))
            level = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
            return distances(other.vcount(), algorithm, order, level), seconds
        weights = "w" if "w" in other.es.attributes() else None
        found, seconds = clock.on_host(
            lambda: other.distances(source, weights=weights, algorithm=method, mode="out")
        )
        return np.array(found[0], np.float64), seconds
