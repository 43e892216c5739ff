"""SciPy's csgraph."""

from typing import Any

import numpy as np

from warpath.bench import clock
from warpath.bench.peers.peer import Answer, Peer, has_negative, has_parallel_arcs
from warpath.graph.graph import Graph
from warpath.parallel.jit import compiled


class SciPy(Peer):
    """`scipy.sparse.csgraph`: compiled, one thread."""

    name = "scipy"
    module = "scipy"
    package = "scipy"
    rules = (
        "wall time of breadth_first_order (order and predecessors, no levels: they are derived "
        "outside the clock) or of dijkstra with predecessors (bellman_ford where a weight is "
        "negative), on a CSR array of the weights as they are; of integers it makes float64 in "
        "each call"
    )

    def prepare(self, graph: Graph) -> Any:
        """A CSR array, and the function for its shortest paths."""
        from scipy.sparse import csgraph

        if has_parallel_arcs(graph):
            raise ValueError("SciPy adds parallel arcs up: merge them first")
        return graph.to_scipy(), csgraph.bellman_ford if has_negative(graph) else csgraph.dijkstra

    def run(self, handle: Any, algorithm: str, source: int) -> Answer:
        """See `Peer.run`."""
        from scipy.sparse import csgraph

        matrix, shortest_paths = handle
        if algorithm == "bfs":
            (order, predecessors), seconds = clock.on_host(
                lambda: csgraph.breadth_first_order(matrix, source)
            )
            level = np.full(matrix.shape[0], -1, np.int32)
            _levels(order, predecessors, level)
            return level, seconds
        (distance, _), seconds = clock.on_host(
            lambda: shortest_paths(matrix, indices=source, return_predecessors=True)
        )
        return distance, seconds


@compiled
def _levels(order, predecessors, level):  # type: ignore[no-untyped-def]
    """One more than the predecessor's, which stands before in the order."""
    level[order[0]] = 0
    for v in order[1:]:
        level[v] = level[predecessors[v]] + 1
