"""NetworkX, without a backend."""

from typing import Any

from warpath.bench import clock
from warpath.bench.peers.peer import Answer, Peer, distances, has_negative
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
        found, seconds = clock.on_host(lambda: dict(search(G, source, backend="networkx")))
        return distances(len(G), algorithm, list(found), list(found.values())), seconds
