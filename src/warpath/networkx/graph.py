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


class Arcs(NamedTuple):
    """Arcs by their sources, and their weights.

    Attributes
    ----------
    adjacency : Adjacency
    weights : int64 or float64 array, shape (m,), or None
        None: each arc counts 1.
    """

    adjacency: Adjacency
    weights: Array | None


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
    may_change : bool
        Whether edge attributes are read again at each call; False at first.

    See Also
    --------
    from_networkx : Makes it.

    Examples
    --------
    >>> import networkx as nx
    >>> from warpath.networkx import from_networkx
    >>> H = from_networkx(nx.path_graph(3))
    >>> nx.has_path(H, 0, 2)
    True
    """

    __networkx_backend__ = NAME

    def __init__(self, source: Any, names: list[Any], adjacency: Adjacency, numbered: bool) -> None:
        self.source, self.names, self.adjacency = source, names, adjacency
        self.numbered = numbered
        self.__networkx_cache__: dict[str, Any] = {}
        self.may_change = False
        self._attributes: dict[Any, tuple[Any, Array]] = {}
        self._graphs: dict[Any, tuple[Array | None, Graph]] = {}
        self._forward: BackendGraph | None = None  # this is its reverse

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
        TypeError
            If what cannot be hashed is asked for with `networkx.NetworkXError`: of such nodes
            NetworkX wants the neighbors at once, of others it asks whether they are in the graph.
        """
        try:
            return self.index[node]
        except KeyError:
            raise error(missing.format(node)) from None
        except TypeError:
            if error is nx.NetworkXError:
                raise
            raise error(missing.format(node)) from None

    # -- arcs -----------------------------------------------------------------------------

    @property
    def num_arcs(self) -> int:
        """In an undirected graph each edge is two arcs, a self-loop one."""
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
        other.__dict__["reversed"] = other._forward = self
        other.may_change = self.may_change
        return other

    def arcs(self, weight: Weight) -> Arcs:
        """The arcs that a weight shows, in NetworkX's order, with their weights.

        Parameters
        ----------
        weight : str, callable or None
            An attribute, 1 where it is missing; NetworkX's weight function; None: each arc 1.

        Raises
        ------
        NotImplementedError
            See `arc_weights`.
        """
        if not callable(weight):
            return Arcs(self.adjacency, self.arc_weights(weight))
        return _shown(self.adjacency, *weights.called(self.source, weight))

    def arcs_both_ways(self, weight: Weight) -> tuple[Arcs, Arcs]:
        """`arcs`, and the same arcs by their targets, in the order of `reverse_adjacency`.

        Raises
        ------
        NotImplementedError
            See `arc_weights`; and for a weight function where an edge may have other attributes in
            each direction: NetworkX gives it those of one direction for the other.
        """
        if callable(weight):
            if not self.is_directed() and shows_directed(self.source):
                raise NotImplementedError(
                    "a weight function on an undirected view of a directed graph"
                )
            values, shown = weights.called(self.source, weight)
            there = _shown(self.adjacency, values, shown)
            place = self._opposite
            shown = None if shown is None else shown[place]
            return there, _shown(self.reverse_adjacency, values[place], shown)
        there = Arcs(self.adjacency, self.arc_weights(weight))
        if there.weights is None or not self.is_directed():
            return there, Arcs(self.reverse_adjacency, there.weights)
        return there, Arcs(self.reverse_adjacency, there.weights[self._opposite])

    def arc_weights(self, weight: str | None) -> Array | None:
        """The weight of each arc of `adjacency`, of parallel edges the least; int64 or float64.

        Parameters
        ----------
        weight : str or None
            An attribute, 1 where it is missing; None: each arc 1.

        Returns
        -------
        array, shape (m,), or None
            None if ``weight`` is.

        Raises
        ------
        NotImplementedError
            Weights that are not 64-bit integers or finite floats.
        """
        return None if weight is None else self.attribute(weight)

    def attribute(self, name: str | None, missing: float = 1) -> Array:
        """An edge attribute of each arc, or ``missing``; see `arc_weights`.

        The array is the one of the last call as long as the attribute's values are the same
        objects. They are read again by each call unless ``may_change`` is False: to write
        ``G[u][v]["weight"] = 2`` is not seen otherwise.
        """
        kept = self._attributes.get((name, missing))
        if kept is not None and not self.may_change:
            return kept[1]
        if self._forward is not None:
            array = self._forward.attribute(name, missing)
            if kept is None or kept[0] is not array:
                kept = self._attributes[name, missing] = array, array[self._forward._opposite]
            return kept[1]
        edges = self._edge_data
        values = edges.read(name, missing)
        if kept is None or not weights.unchanged(values, kept[0]):
            array = weights.as_array(edges.by_arc(values), name)
            kept = self._attributes[name, missing] = values, self._of_all_arcs(array)
        return kept[1]

    @property
    def _asks_once(self) -> bool:
        """Whether an undirected edge's attributes are read once.

        What is slow is that edges' dicts lie all over the memory, or in a small graph, in which
        each arc is asked, to find out which they are. A view may have others in each direction.
        """
        return not (self.is_directed() or is_view(self.source) or self.num_arcs <= _FEW_ARCS)

    @cached_property
    def _first_seen(self) -> NDArray[np.bool_]:
        """In an undirected graph, one of the two arcs of each edge."""
        offsets, neighbors = self.adjacency
        first: NDArray[np.bool_] = neighbors >= expand_sources(offsets)
        return first

    @cached_property
    def _edge_data(self) -> weights.EdgeData:
        return weights.EdgeData(self.source, self._first_seen.tolist() if self._asks_once else None)

    def _of_all_arcs(self, values: Array) -> Array:
        """The values of `_edge_data` on each arc."""
        if self._asks_once:
            array = np.empty(self.num_arcs, values.dtype)
            array[self._first_seen] = array[self._opposite[self._first_seen]] = values
            return array
        return values

    def is_symmetric(self, values: Array | None) -> bool:
        """Whether an undirected graph's arcs weigh the same in both directions.

        In an undirected view of a directed graph each may have a weight of its own.
        """
        if self.is_directed() or values is None or not is_view(self.source):
            return not self.is_directed()
        return np.array_equal(values, values[self._opposite])

    def check_symmetric(self, weight: str | None) -> None:
        """Leave an undirected graph whose arcs weigh more in one direction to NetworkX.

        Raises
        ------
        NotImplementedError
        """
        if not (self.is_directed() or self.is_symmetric(self.arc_weights(weight))):
            raise NotImplementedError(
                "an undirected view of a directed graph with other weights in each direction: "
                "NetworkX sees now the one, now the other"
            )

    @cached_property
    def _opposite(self) -> Array:
        """Where each arc of `reverse_adjacency` stands in `adjacency`.

        Sorted by source and then by target, the arcs of both stand in the same order.
        """
        numbers = np.arange(self.num_arcs, dtype=self.adjacency.offsets.dtype)
        here = transpose(*transpose(*self.adjacency, numbers))[2]
        there = transpose(*self.reverse_adjacency, numbers)[2]
        opposite = np.empty_like(numbers)
        opposite[there] = here
        return opposite

    def to_graph(self, weight: Weight = None) -> Graph:
        """The graph as warpath's own, less the arcs that a weight function hides.

        Parameters
        ----------
        weight
            See `arcs`. It is kept without weights, and while attributes do not change.

        Raises
        ------
        NotImplementedError
            See `arc_weights`.
        """
        return self.graph_of(self.arcs(weight), weight)

    def graph_of(self, arcs: Arcs, weight: Weight = None) -> Graph:
        """`to_graph` of arcs that are there already: those of ``weight``."""
        if callable(weight):
            return self.graph_by(arcs)
        kept = self._graphs.get(weight)
        if kept is None or kept[0] is not arcs.weights:
            symmetric = self.is_symmetric(arcs.weights)
            kept = self._graphs[weight] = arcs.weights, self.graph_by(arcs, symmetric)
        return kept[1]

    def graph_by(self, arcs: Arcs, symmetric: bool = False) -> Graph:
        """warpath's graph with these arcs.

        Parameters
        ----------
        arcs : Arcs
        symmetric : bool
            Whether the arcs are those of an undirected graph, the same in both directions.
        """
        directed = self.is_directed() or not symmetric
        back = transpose(*arcs.adjacency, arcs.weights)  # rows sorted
        rows, columns, values = transpose(*back) if directed else back  # or its own reverse
        return Graph._from_parts(
            read_only(rows),
            read_only(columns),
            None if values is None else read_only(values),
            directed,
        )


def counted(arcs: Arcs) -> Array:
    """The weights of arcs, ones where there are none."""
    if arcs.weights is None:
        return np.ones(len(arcs.adjacency.neighbors), np.int64)
    return arcs.weights


def is_view(G: Any) -> bool:
    """Whether a NetworkX graph shows another one, whose changes it does not hear of."""
    return hasattr(G, "_graph")


def shows_directed(G: Any) -> bool:
    """Whether a NetworkX graph is a view, at some remove, of a directed one."""
    while is_view(G):
        G = G._graph
        if G.is_directed():
            return True
    return False


def _shown(adjacency: Adjacency, values: Array, shown: NDArray[np.bool_] | None) -> Arcs:
    """The arcs with these values, less those that are not shown."""
    if shown is None:
        return Arcs(adjacency, values)
    offsets, neighbors = adjacency
    ends = np.concatenate([[0], np.cumsum(shown)])[offsets]
    left = Adjacency(read_only(ends.astype(offsets.dtype)), read_only(neighbors[shown]))
    return Arcs(left, values[shown])


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


def is_symmetric(adjacency: Adjacency) -> bool:
    """Whether each arc has one in the other direction."""
    by_target = transpose(*adjacency, None)
    by_source = transpose(*by_target)
    return all(map(np.array_equal, by_target[:2], by_source[:2]))
