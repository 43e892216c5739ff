"""A NetworkX graph as arrays."""

from collections.abc import Callable, Hashable, Iterator
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from warpath.graph.build import expand_sources, read_only, transpose
from warpath.graph.graph import Graph
from warpath.networkx import weights

Array = NDArray[Any]
Weight = str | Callable[[Any, Any, Any], Any] | None

NAME = "warpath"
# Arcs up to which `BackendGraph.attribute` asks each. Measured with Zen 5, 2026-11: as fast at
# 2^14 to 2^15, 0.2 ms faster at 2^10.
_FEW_ARCS = 2**14


class Adjacency(NamedTuple):
    """Neighbours in NetworkX's order, parallel edges once.

    Attributes
    ----------
    offsets : int32 or int64 array, shape (n + 1,)
    neighbors : int32 array, shape (m,)
    """

    offsets: Array
    neighbors: Array


class BackendGraph:
    """A NetworkX graph that was converted: its nodes are the vertices 0 … n − 1, in its order.

    NetworkX's functions take it in place of a NetworkX graph, without converting it again.

    Parameters
    ----------
    source : networkx.Graph
        The graph that it was made of.
    names : list
        The nodes.
    adjacency : Adjacency
    numbered : bool
        Whether the nodes are the ints 0 … n − 1, in this order.

    Attributes
    ----------
    source, names, adjacency, numbered
    """

    __networkx_backend__ = NAME

    def __init__(self, source: Any, names: list[Any], adjacency: Adjacency, numbered: bool) -> None:
        self.source, self.names, self.adjacency = source, names, adjacency
        self.numbered = numbered
        self.__networkx_cache__: dict[str, Any] = {}
        self._weights: dict[Any, Array] = {}
        self._graphs: dict[Any, Graph] = {}

    # -- as NetworkX's graphs -------------------------------------------------------------

    @property
    def graph(self) -> dict[Any, Any]:
        """The graph's own attributes."""
        return self.source.graph  # type: ignore[no-any-return]

    def is_directed(self) -> bool:
        """Whether its edges are arcs."""
        return self.source.is_directed()  # type: ignore[no-any-return]

    def is_multigraph(self) -> bool:
        """Whether it may have parallel edges."""
        return self.source.is_multigraph()  # type: ignore[no-any-return]

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.names)

    def __contains__(self, node: object) -> bool:
        try:
            return node in self.index
        except TypeError:  # as NetworkX: what cannot be hashed is no node
            return False

    def __repr__(self) -> str:
        kind = type(self.source).__name__
        return f"<warpath's {kind} with {len(self)} nodes and {self.num_arcs} arcs>"

    # -- nodes and vertices ---------------------------------------------------------------

    @cached_property
    def index(self) -> dict[Any, int]:
        """The vertex of each node."""
        return dict(zip(self.names, range(len(self.names)), strict=True))

    @cached_property
    def names_array(self) -> Array:
        """The nodes as an array of objects: ``names_array[vertices].tolist()`` is fast."""
        array = np.empty(len(self.names), object)
        array[:] = self.names
        return array

    def nodes_of(self, vertices: Any) -> list[Any]:
        """The nodes of vertices: an array, or a list of ints."""
        if self.numbered:  # new ints lie side by side, the graph's all over the memory
            return np.asarray(vertices).tolist()  # type: ignore[no-any-return]
        return self.names_array[vertices].tolist()  # type: ignore[no-any-return]

    def vertex(self, node: Hashable, missing: str, error: type[Exception] = nx.NodeNotFound) -> int:
        """The vertex of a node.

        Parameters
        ----------
        node : hashable
        missing : str
            What to say if there is no such node, with ``{}`` for the node: NetworkX's words.
        error : type of exception

        Raises
        ------
        error
        """
        if node not in self:
            raise error(missing.format(node))
        return self.index[node]

    # -- arcs -----------------------------------------------------------------------------

    @property
    def num_arcs(self) -> int:
        """Of an undirected graph, each edge is two arcs, a self-loop one."""
        return len(self.adjacency.neighbors)

    @cached_property
    def reverse_adjacency(self) -> Adjacency:
        """Predecessors, in NetworkX's order; of an undirected graph its neighbours."""
        if not self.is_directed():
            return self.adjacency
        return self.reversed.adjacency

    @cached_property
    def reversed(self) -> "BackendGraph":
        """The graph with its arcs turned round; an undirected one is its own."""
        if not self.is_directed():
            return self
        source = self.source.reverse(copy=False)
        index = None if self.numbered else self.index
        other = BackendGraph(source, self.names, adjacency_of(source, index), self.numbered)
        other.__dict__["index"] = self.index
        return other

    def arc_weights(self, weight: Weight) -> Array | None:
        """The weight of each arc of `adjacency`, of parallel edges the least; int64 or float64.

        Parameters
        ----------
        weight : str, callable or None
            An attribute, 1 where it is missing; NetworkX's weight function; None: each arc 1.

        Returns
        -------
        array, shape (m,), or None
            None if ``weight`` is. `weights.hidden` says which arcs a weight function hid.

        Raises
        ------
        NotImplementedError
            Weights that are not 64-bit integers or finite floats.
        """
        if weight is None:
            return None
        if callable(weight):
            return weights.called(self.source, weight, self.num_arcs)
        if weight not in self._weights:
            self._weights[weight] = self.attribute(weight)
        return self._weights[weight]

    def attribute(self, name: str | None, missing: float = 1) -> Array:
        """An edge attribute of each arc: see `weights.attribute`.

        An undirected edge is asked once: what is slow is that edges' dicts lie all over the memory,
        or in a small graph, in which each arc is asked, to find out which they are.
        """
        if self.is_directed() or self.num_arcs <= _FEW_ARCS:
            return weights.attribute(self.source, name, missing)
        offsets, neighbors = self.adjacency
        asked = neighbors >= expand_sources(offsets)
        values = weights.attribute(self.source, name, missing, asked.tolist())
        array = np.empty(len(neighbors), values.dtype)
        array[asked] = array[self._opposite[asked]] = values
        return array

    @cached_property
    def _opposite(self) -> Array:
        """Of an undirected graph, the arc in the other direction of each arc.

        Sorted by target and then by source, arcs stand where those in the other direction stand
        that are sorted by source and then by target.
        """
        offsets, neighbors = self.adjacency
        numbers = np.arange(len(neighbors), dtype=offsets.dtype)
        by_target = transpose(offsets, neighbors, numbers)
        by_source = transpose(*by_target)
        opposite = np.empty_like(numbers)
        opposite[by_source[2]] = by_target[2]
        return opposite

    def to_graph(self, weight: Weight = None) -> Graph:
        """The graph as warpath's own.

        Parameters
        ----------
        weight
            See `arc_weights`. Of attributes, and without weights, it is kept.
        """
        if callable(weight):
            return self.graph_of(self.arc_weights(weight))
        if weight not in self._graphs:
            self._graphs[weight] = self.graph_of(self.arc_weights(weight), True)
        return self._graphs[weight]

    def graph_of(self, values: Array | None, symmetric: bool = False) -> Graph:
        """warpath's graph with these weights of the arcs, less the hidden ones.

        Parameters
        ----------
        values : array, shape (m,), or None
        symmetric : bool
            Whether an undirected graph's weights are known to be the same both ways.
        """
        offsets, neighbors = self.adjacency
        directed = self.is_directed() or not (symmetric or values is None)
        if values is not None and (hidden := weights.hidden(values)).any():
            seen = ~hidden
            degrees = np.bincount(expand_sources(offsets)[seen], minlength=len(self))
            offsets = np.concatenate([[0], np.cumsum(degrees)]).astype(offsets.dtype)
            neighbors, values = neighbors[seen], values[seen]
        back = transpose(offsets, neighbors, values)  # rows sorted
        csr = transpose(*back) if directed else back  # an undirected graph is its own reverse
        rows, columns, given = csr
        return Graph._from_parts(
            read_only(rows),
            read_only(columns),
            None if given is None else read_only(given),
            directed,
        )


def adjacency_of(G: Any, index: dict[Any, int] | None) -> Adjacency:
    """The neighbours of each node of a NetworkX graph, without a step of Python for an arc.

    Parameters
    ----------
    G : networkx.Graph
    index : dict, or None
        Vertices of the nodes; None: each node is its own vertex.
    """
    # A view's row is no dict, and some views' lengths are not how many they hold.
    rows = [row if type(row) is dict else list(row) for _, row in G.adjacency()]
    offsets = np.zeros(len(rows) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, rows), np.int64, len(rows)), out=offsets[1:])
    m = int(offsets[-1])
    arcs = chain.from_iterable(rows)
    vertices = arcs if index is None else map(index.__getitem__, arcs)
    neighbors = np.fromiter(vertices, np.int32, m)
    return Adjacency(
        read_only(offsets.astype(np.int32 if m < 2**31 else np.int64)), read_only(neighbors)
    )
