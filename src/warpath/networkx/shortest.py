"""Shortest paths by weight, for NetworkX's functions: what they have in common."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from functools import cached_property
from typing import Any, TypedDict, Unpack

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.all_pairs.johnson import potentials
from warpath.algorithms.common.result import Paths
from warpath.algorithms.shortest_paths.sssp import sssp
from warpath.errors import NegativeCycleError
from warpath.graph.build import expand_sources, read_only
from warpath.graph.distance import fits
from warpath.graph.graph import Graph
from warpath.networkx.finalization_order import Found, by_first_sight, settle, tied_predecessors
from warpath.networkx.graph import Arcs, BackendGraph, Weight, counted
from warpath.networkx.paths import paths_by_node
from warpath.networkx.versions import VERSION
from warpath.schedule import ScheduleLike
from warpath.typing import DeviceName, MethodName

Array = NDArray[Any]


class How(TypedDict, total=False):
    """Further keywords of functions with weights: `warpath.sssp` says what they mean."""

    device: DeviceName
    method: MethodName
    schedule: ScheduleLike


_BATCH_BYTES = 2**25  # of the distances of sources that are searched for at once: a guess


class Weighted:
    """A graph with one of its weights.

    Parameters
    ----------
    G : BackendGraph
    weight : str, callable or None
    **how
        See `How`.

    Attributes
    ----------
    G : BackendGraph
    adjacency : Adjacency
        That of ``G``, less the arcs that a weight function hides.
    weights : int64 or float64 array, shape (m,)
        The weights of its arcs.
    graph : Graph
    """

    def __init__(
        self,
        G: BackendGraph,
        weight: Weight,
        **how: Unpack[How],
    ) -> None:
        self.G, self._weight, self._how = G, weight, how
        self._arcs = G.arcs(weight)
        self.adjacency = self._arcs.adjacency
        self.weights = counted(self._arcs)

    @cached_property
    def graph(self) -> Graph:
        """warpath's, of the same arcs."""
        return self.G.graph_of(self._arcs, self._weight)

    @cached_property
    def signed(self) -> bool:
        """Whether a weight is negative."""
        return bool(self.weights.min(initial=0) < 0)

    def dijkstra(
        self, sources: Sequence[int], cutoff: Any = None, target: int | None = None
    ) -> Found:
        """Distances from the nearest source, in NetworkX's order.

        Parameters
        ----------
        sources : sequence of int
            In NetworkX's order.
        cutoff : number, optional
        target : int, optional
            Farther vertices are left out.
        """
        check_for_dijkstra(self.weights)
        starts = np.array(sources, np.int32)
        if cutoff is not None and cutoff < 0:  # a source is one, however near the end
            distance = np.zeros(len(sources), self.weights.dtype)
            return Found(starts, distance, np.full(len(self.G), -1, np.int32))
        found = self.search(starts, nearest=True, cutoff=cutoff, target=target)
        return self._settled(starts, found.distance, found.reached)

    def _settled(self, sources: Array, distance: Array, reached: Array) -> Found:
        return settle(self.adjacency, read_only(self.weights), sources, distance, reached)

    def each(self, cutoff: Any = None) -> Iterator[tuple[int, Found]]:
        """`dijkstra` from each vertex, a batch at a time."""
        check_for_dijkstra(self.weights)
        self._check_extent()
        n = len(self.G)
        if cutoff is not None and cutoff < 0:
            for u in range(n):
                yield u, self.dijkstra([u], cutoff)
            return
        batch = max(1, _BATCH_BYTES // (8 * max(n, 1)))
        for begin in range(0, n, batch):
            sources = np.arange(begin, min(begin + batch, n), dtype=np.int32)
            found = self.search(sources, cutoff=cutoff)
            for row, v in enumerate(sources.tolist()):
                source, distance, reached = (
                    sources[row : row + 1],
                    found.distance[row],
                    found.reached[row],
                )
                yield v, self._settled(source, distance, reached)

    def each_of_any_sign(self) -> Iterator[tuple[int, Found]]:
        """`bellman_ford` from each vertex."""
        if self.signed:
            self._check_extent()
            return ((v, self.bellman_ford(v)) for v in range(len(self.G)))
        return self.each()

    def _check_extent(self) -> None:
        """Leave paths beyond 64 bits to NetworkX before there is an answer.

        Raises
        ------
        NotImplementedError
            If there may be one.
        """
        if not fits((len(self.G) - 1) * _extent(self.weights), self.weights.dtype):
            raise NotImplementedError("a path's length may go beyond 64 bits")

    def bellman_ford(self, source: int) -> Found:
        """Distances from a source, weights of any sign; ordered by distance.

        Raises
        ------
        networkx.NetworkXUnbounded
            If a negative cycle can be reached.
        """
        if not self.signed:
            return self.dijkstra([source])
        starts = np.array([source], np.int32)
        with unbounded():
            found = self.search(starts, nearest=True, predecessors=True)
        vertices = np.flatnonzero(found.reached).astype(np.int32)
        order = vertices[np.argsort(found.distance[vertices], kind="stable")]
        assert found.predecessor is not None
        return Found(order, found.distance[order], found.predecessor)

    def reweighted(self) -> "Weighted":
        """The same paths by weights that are not negative, as Johnson's algorithm makes them.

        Raises
        ------
        NegativeCycleError
            If there is a negative cycle anywhere.
        NotImplementedError
            If a weight or a distance does not fit in 64 bits.
        """
        offsets, neighbors = self.adjacency
        try:
            h = potentials(self.graph, self.weights.dtype)
        except OverflowError as error:
            raise NotImplementedError(str(error)) from None
        if not fits(_extent(self.weights) + 2 * _extent(h), self.weights.dtype):
            raise NotImplementedError("weights that are made non-negative go beyond 64 bits")
        # Only rounding makes less than 0.
        shifted = np.maximum(self.weights + h[expand_sources(offsets)] - h[neighbors], 0)
        other = copy(self)
        other.weights = shifted
        other.__dict__.pop("signed", None)
        other.graph = self.G.graph_by(Arcs(self.adjacency, shifted))
        return other

    def has_negative_cycle(self) -> bool:
        """Whether there is one anywhere."""
        if not (self.signed or self._how):  # a search looks at the latter
            return False
        try:
            self.search(np.arange(len(self.G), dtype=np.int32), nearest=True)
        except NegativeCycleError:
            return True
        return False

    def search(self, sources: Array, *, predecessors: bool = False, **how: Any) -> Paths:
        """`warpath.sssp`; what overflows 64 bits is left to NetworkX.

        Raises
        ------
        NotImplementedError
        NegativeCycleError
        """
        try:
            return sssp(
                self.graph, sources, predecessors=predecessors, **how, **self._how
            ).to_numpy()
        except OverflowError as error:
            raise NotImplementedError(str(error)) from None

    def paths(self, found: Found, cutoff: Any = None, sources: int = 1) -> dict[Any, list[Any]]:
        """Paths of `dijkstra`, in the order in which NetworkX has them.

        That is the order of the distances; before NetworkX 3.6 that in which nodes are seen.
        """
        paths = paths_by_node(self.G, found)
        if VERSION >= (3, 6):
            return paths
        arcs = self.adjacency, read_only(self.weights)
        order = by_first_sight(*arcs, found, cutoff, sources)
        return {node: paths[node] for node in self.G.nodes_of(order)}

    def ties(self, found: Found, cutoff: Any = None) -> dict[Any, list[Any]]:
        """``{node: predecessors}`` on all shortest paths from a source.

        Where no weight is negative, in the order in which Dijkstra's algorithm sees the nodes.
        """
        if cutoff is not None and cutoff < 0:  # a source is reached, but no arc is followed
            return {node: [] for node in self.G.nodes_of(found.order)}
        arcs = self.adjacency, read_only(self.weights)
        order = found.order if self.signed else by_first_sight(*arcs, found, cutoff)
        return tie_lists(self.G, order, *tied_predecessors(*arcs, found))


def check_for_dijkstra(weights: Array) -> None:
    """Leave negative weights to NetworkX's own Dijkstra.

    Raises
    ------
    NotImplementedError
        If there is one.
    """
    least = weights.min(initial=0)
    if least < 0:
        raise NotImplementedError(
            f"Dijkstra's algorithm and a weight of {least}: whether it "
            "contradicts itself depends on how it runs; use a bellman_ford function"
        )


def _extent(values: Array) -> int | float:
    """The largest magnitude: a Python number, which does not wrap."""
    extent: int | float = max(-values.min(initial=0).item(), values.max(initial=0).item())
    return extent


def tie_lists(G: BackendGraph, order: Array, offsets: Array, ties: Array) -> dict[Any, list[Any]]:
    """The lists of vertices ``ties[offsets[v]:offsets[v + 1]]`` as nodes, by node."""
    nodes = G.nodes_of(ties)
    begins, ends = offsets[order].tolist(), offsets[order + 1].tolist()
    return {
        node: nodes[begin:end]
        for node, begin, end in zip(G.nodes_of(order), begins, ends, strict=True)
    }


def lengths(G: BackendGraph, found: Found, sources: int = 1) -> dict[Any, Any]:
    """``{node: distance}``; those of the sources are the integer 0, as NetworkX has it."""
    values = found.distance.tolist()
    values[:sources] = [0] * min(sources, len(values))
    return dict(zip(G.nodes_of(found.order), values, strict=True))


@contextmanager
def unbounded() -> Iterator[None]:
    """NetworkX's exception for a negative cycle.

    Raises
    ------
    networkx.NetworkXUnbounded
    """
    try:
        yield
    except NegativeCycleError as error:
        raise nx.NetworkXUnbounded("Negative cycle detected.") from error
