"""`DistributedGraph`: a graph of which each rank holds a part."""

from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from warpath.display import ReprMixin, Row, counted
from warpath.distributed.part import Part
from warpath.distributed.transport import Transport
from warpath.graph.graph import Graph


class DistributedGraph(ReprMixin):
    """A graph in parts, one on each rank.

    `warpath.read` and `warpath.generate.rmat` make one with ``distributed=True``, and
    `warpath.distributed.distribute` of a `Graph`. `warpath.bfs`, `warpath.sssp` and
    `warpath.connected_components` take it; all ranks call them, with the same arguments.

    Attributes
    ----------
    part : Part
        What this rank holds.
    transport : Transport
        What joins the ranks.
    directed : bool
    num_vertices, num_arcs, num_self_loops, num_edges : int
        Those of the whole graph.
    weight_dtype : numpy.dtype or None
    weight_range : tuple of two numbers
        The least and the largest weight, (1, 1) without weights.
    mean_weight, mean_arc_degree : float
        As of `warpath.Graph`.
    order, place : int32 arrays, shape (n,), or None
        If ranks do not own consecutive vertices: which vertices they own, one rank after the other, and
        where in that order each vertex stands.
    derived : dict
        What functions made of the graph and keep with it.
    number : int
        Which of the distributed graphs it is, on all ranks the same.
    labels : None
        Vertices are called by their numbers.
    not_one_graph : str
        What functions say that take no parts.

    See Also
    --------
    warpath.distributed.init : Joins the ranks.

    Examples
    --------
    >>> import warpath as wp
    >>> wp.generate.rmat(8, distributed=True)
    <DistributedGraph: 256 vertices, 4,096 edges, undirected, rank 0 of 1: vertices 0 … 255>
    """

    labels = None
    not_one_graph = "wp.bfs, wp.sssp and wp.connected_components take graphs in parts, and r.verify() checks their answers"

    def __init__(
        self,
        transport: Transport,
        part: Part,
        directed: bool,
        order: NDArray[np.int32] | None = None,
        whole: Graph | None = None,
    ) -> None:
        """``whole``, if ranks have it, says what else they would have to add up."""
        self.transport, self.part, self.directed = transport, part, directed
        self.order = order
        self.place = None if order is None else np.argsort(order).astype(np.int32)
        self.derived: dict[Any, Any] = {}
        self.number = transport.graphs
        transport.graphs += 1
        self.num_vertices = int(part.bounds[-1])
        self.weight_range: tuple[Any, Any] = 1, 1
        self.mean_weight = 1.0
        if whole is not None:
            self.weight_dtype = whole.weight_dtype
            self.num_arcs, self.num_self_loops = whole.num_arcs, whole.num_self_loops
            self.weight_range, self.mean_weight = whole.weight_range, whole.mean_weight
            self.mean_arc_degree = whole.mean_arc_degree
            return
        graph = part.graph
        weights = graph.weights
        self.weight_dtype = graph.weight_dtype
        sums = transport.reduce(np.array([graph.num_arcs, graph.num_self_loops]))
        self.num_arcs, self.num_self_loops = (int(value) for value in sums)
        squares = transport.reduce(np.array([graph.mean_arc_degree * graph.num_arcs]))[0]
        self.mean_arc_degree = float(squares) / max(self.num_arcs, 1)
        if weights is not None:
            lightest, heaviest = _ends(weights)
            low = transport.reduce(np.array([lightest], weights.dtype), "min")[0].item()
            high = transport.reduce(np.array([heaviest], weights.dtype), "max")[0].item()
            with np.errstate(over="ignore"):  # then all paths are in one bucket
                total = transport.reduce(np.array([weights.sum(dtype=np.float64)]))[0]
            if self.num_arcs:
                self.weight_range = low, high
                self.mean_weight = float(total) / self.num_arcs

    @cached_property
    def num_edges(self) -> int:
        """Edges: an undirected one is two arcs, a self-loop one."""
        if self.directed:
            return self.num_arcs
        return (self.num_arcs + self.num_self_loops) // 2

    @property
    def vertices(self) -> range | NDArray[np.int32]:
        """The vertices that this rank owns: a range, or an array if they are not consecutive."""
        first, last = self._owned
        return range(first, last) if self.order is None else self.order[first:last]

    @property
    def _owned(self) -> tuple[int, int]:
        first, last = self.part.bounds[self.transport.rank :][:2].tolist()
        return first, last

    def numbered(self, vertices: NDArray[np.int32]) -> NDArray[np.int32]:
        """The ids by which parts know some vertices; -1 stays."""
        return self._mapped(vertices, "place")

    def originals(self, ids: NDArray[np.int32]) -> NDArray[np.int32]:
        """The vertices that parts know by these ids; -1 stays."""
        return self._mapped(ids, "order")

    def renumbering(self, which: Literal["order", "place"], xp: Any) -> Any:
        """``order`` or ``place``, if there is one, as an array of NumPy or CuPy."""
        array = getattr(self, which)
        if array is None or xp is np:
            return array
        if which not in self.derived:
            self.derived[which] = xp.asarray(array)
        return self.derived[which]

    def _mapped(
        self, vertices: NDArray[np.int32], which: Literal["order", "place"]
    ) -> NDArray[np.int32]:
        xp = np if isinstance(vertices, np.ndarray) else self.part.xp
        to = self.renumbering(which, xp)
        if to is None:
            return vertices
        return xp.where(vertices < 0, np.int32(-1), to[vertices])  # type: ignore[no-any-return]

    def _line(self) -> str:
        kind = "directed" if self.directed else "undirected"
        first, last = self._owned
        mine = (
            f"vertices {first:,} … {last - 1:,}"
            if self.order is None and last > first
            else counted(last - first, "vertex", "vertices")
        )
        return (
            f"{counted(self.num_vertices, 'vertex', 'vertices')}, {counted(self.num_edges, 'edge')}, {kind}, "
            f"rank {self.transport.rank} of {self.transport.size}: {mine}"
        )

    def _rows(self) -> list[Row]:
        return [
            ("vertices", f"{self.num_vertices:,}"),
            ("edges", f"{self.num_edges:,}"),
            ("directed", "yes" if self.directed else "no"),
            ("ranks", f"{self.transport.size:,}"),
            ("vertices here", f"{len(self.vertices):,}"),
            ("arcs here", f"{self.part.graph.num_arcs:,}"),
            ("ghosts here", f"{len(self.part.ids) - len(self.vertices):,}"),
        ]


def _ends(weights: Any) -> tuple[Any, Any]:
    """The least and largest weight; of none what changes no minimum and no maximum."""
    if len(weights):
        return weights.min(), weights.max()
    if weights.dtype.kind == "f":
        return np.inf, -np.inf
    return np.iinfo(weights.dtype).max, np.iinfo(weights.dtype).min
