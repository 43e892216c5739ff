"""NetworkX, without a backend."""

from typing import Any

import numpy as np

from warpath.bench.peers.peer import Answer, Peer, has_negative, timed
from warpath.graph.graph import Graph

_MOST_ARCS = 4_000_000  # guess: some 400 bytes each; and the peer would take minutes a source


class NetworkX(Peer):
    """NetworkX: Python, one thread."""

    name = "networkx"
    module = "networkx"
    package = "networkx"
    rules = (
        "wall time of single_source_shortest_path_length or single_source_dijkstra_path_length "
        "(…_bellman_ford_… where a weight is negative), which give distances in a dictionary and "
        "no predecessors; only graphs of at most four million arcs"
    )

    def prepare(self, graph: Graph) -> Any:
        """A NetworkX graph."""
        if graph.num_arcs > _MOST_ARCS:
            raise ValueError(f"{graph.num_arcs:,} arcs: NetworkX gets no more than {_MOST_ARCS:,}")
        if graph.labels is not None:
            raise ValueError("NetworkX would name the vertices by their labels: drop them")
        return graph.to_networkx(), has_negative(graph)

    def run(self, handle: Any, algorithm: str, source: int) -> Answer:
        """See `Peer.run`."""
        import networkx as nx

        G, negative = handle
        if algorithm == "bfs":
            search = nx.single_source_shortest_path_length
        elif negative:
            search = nx.single_source_bellman_ford_path_length
        else:
            search = nx.single_source_dijkstra_path_length
        # Its own code, whatever backends are installed and preferred.
        found, seconds = timed(lambda: dict(search(G, source, backend="networkx")))
        if algorithm == "bfs":
            distance = np.full(len(G), -1, np.int32)
        else:
            distance = np.full(len(G), np.inf)
        distance[list(found)] = list(found.values())
        return distance, seconds
