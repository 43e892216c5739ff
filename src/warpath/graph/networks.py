"""Graphs from and to NetworkX, and from igraph. Neither is imported before it is needed."""

from collections.abc import Collection
from itertools import chain
from typing import Any, Self

import numpy as np

from warpath.graph.check import object_array, wrong_kind
from warpath.graph.from_arrays import FromArrays

_DEFAULT_WEIGHT = "weight"


class Networks(FromArrays):
    """What a `warpath.Graph` has to do with graphs of other libraries."""

    @classmethod
    def from_networkx(cls, graph: Any, *, weight: str | None = "weight") -> Self:
        """A graph of a NetworkX (multi)graph; its nodes become 0 … n − 1 in its own order.

        Parameters
        ----------
        graph : networkx.Graph, DiGraph, MultiGraph or MultiDiGraph
        weight : str or None
            The edge attribute that holds the weight; edges without it weigh 1. None: the graph has
            no weights, as where no edge has the attribute "weight".

        Returns
        -------
        Graph
            With ``labels`` when the nodes are not 0 … n − 1 in order.

        Raises
        ------
        ValueError
            If no edge has another attribute than "weight" that was asked for.

        Examples
        --------
        >>> import networkx as nx
        >>> import warpath as wp
        >>> roads = nx.Graph()
        >>> roads.add_edge("Ulm", "Bonn", km=12)
        >>> roads.add_edge("Bonn", "Kiel", km=5)
        >>> wp.sssp(wp.Graph.from_networkx(roads, weight="km"), "Ulm").path("Kiel")
        ['Ulm', 'Bonn', 'Kiel']
        """
        if not hasattr(graph, "is_multigraph"):
            raise wrong_kind("a graph of NetworkX", graph)
        nodes = list(graph)
        index = {node: i for i, node in enumerate(nodes)}
        edges = list(graph.edges(data=weight) if weight else graph.edges(data="", default=None))
        source = np.fromiter((index[u] for u, _, _ in edges), np.int32, len(edges))
        target = np.fromiter((index[v] for _, v, _ in edges), np.int32, len(edges))
        weights = None
        if any(w is not None for _, _, w in edges):
            weights = np.asarray([1 if w is None else w for _, _, w in edges])
        elif weight not in (None, _DEFAULT_WEIGHT):
            attributes = {name for _, _, data in graph.edges(data=True) for name in data}
            _check_attribute(weight, attributes, len(edges))
        labels: Any = None
        if any(node is not i and node != i for i, node in enumerate(nodes)):
            labels = object_array(nodes)
        return cls.from_edges(
            source, target, weights, n=len(nodes), directed=graph.is_directed(), labels=labels
        )

    @classmethod
    def from_igraph(cls, graph: Any, *, weight: str | None = "weight") -> Self:
        """A graph of an igraph one, with the same numbers of vertices.

        Parameters
        ----------
        graph : igraph.Graph
        weight : str or None
            The edge attribute that holds the weight. None: the graph has no weights, as without an
            attribute "weight".

        Returns
        -------
        Graph
            With ``labels`` where vertices have an attribute "name".

        Raises
        ------
        ValueError
            If no edge has another attribute than "weight" that was asked for.

        Examples
        --------
        >>> import igraph
        >>> import warpath as wp
        >>> roads = igraph.Graph([(0, 1), (1, 2)], edge_attrs={"km": [12, 5]})
        >>> roads.vs["name"] = ["Ulm", "Bonn", "Kiel"]
        >>> wp.sssp(wp.Graph.from_igraph(roads, weight="km"), "Ulm")["Kiel"]
        17
        """
        if not hasattr(graph, "get_edgelist"):
            raise wrong_kind("a graph of igraph", graph)
        _check_attribute(weight, graph.es.attributes(), graph.ecount())
        ends = np.fromiter(chain.from_iterable(graph.get_edgelist()), np.int32, 2 * graph.ecount())
        names = graph.vs["name"] if "name" in graph.vs.attributes() else None
        return cls.from_edges(
            ends[::2], ends[1::2],
            np.asarray(graph.es[weight]) if weight in graph.es.attributes() else None,
            n=graph.vcount(), directed=graph.is_directed(),
            labels=None if names is None else object_array(names),
        )  # fmt: skip

    def to_networkx(self) -> Any:
        """A NetworkX graph with the same vertices and edges, weights under ``"weight"``.

        Returns
        -------
        networkx.Graph or DiGraph, or if there are parallel edges MultiGraph or MultiDiGraph
            Its nodes are the graph's `labels` where there are any, else 0 … n − 1.

        Examples
        --------
        >>> import warpath as wp
        >>> wp.Graph.from_edges([0, 1], [1, 2], [7, 2]).to_networkx().edges(data="weight")
        OutEdgeDataView([(0, 1, 7), (1, 2, 2)])
        """
        import networkx as nx

        source, target, weight = self.edges()
        parallel = bool(np.any((source[1:] == source[:-1]) & (target[1:] == target[:-1])))
        kinds = {
            (True, False): nx.DiGraph,
            (True, True): nx.MultiDiGraph,
            (False, False): nx.Graph,
            (False, True): nx.MultiGraph,
        }
        other = kinds[self.directed, parallel]()
        names = range(self.num_vertices) if self.labels is None else self.labels.tolist()
        other.add_nodes_from(names)
        ends = [names[u] for u in source.tolist()], [names[v] for v in target.tolist()]
        if weight is None:
            other.add_edges_from(zip(*ends, strict=True))
        else:
            other.add_weighted_edges_from(zip(*ends, weight.tolist(), strict=True))
        return other


def _check_attribute(weight: str | None, attributes: Collection[str], edges: int) -> None:
    """Refuse a weight that no edge has: only the default may be absent."""
    if weight not in (None, _DEFAULT_WEIGHT, *attributes) and edges:
        those = ", ".join(sorted(map(repr, attributes))) or "none"
        raise ValueError(f"no edge has the attribute {weight!r}; there are {those}")
