"""`DistributedPaths`: the answer of a search of a graph in parts."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.display import ReprMixin, Row, duration
from warpath.distributed.certificate import Certificate
from warpath.distributed.graph import DistributedGraph

Array = NDArray[Any]


@dataclass(frozen=True, eq=False, repr=False)
class DistributedPaths(ReprMixin):
    """Shortest paths from a source of a `DistributedGraph`; each rank has its vertices'.

    Attributes
    ----------
    graph : DistributedGraph
    source : int
    own_distance, own_predecessor : arrays
        What this rank owns, ``graph.vertices``, in the form of `warpath.Paths`. The
        predecessor is the smallest of all vertices that make the distance.
    weighted : bool
        Whether distances are made of weights, or numbers of arcs.
    limit : int or None
        The ``depth_limit``.
    seconds : float
        Wall time of the call.
    frontier, edges : list of int
        Vertices expanded in each level, or before each exchange, and arcs, on all ranks.
    direction : list of str
        That of each level of a breadth-first search.

    See Also
    --------
    warpath.Paths : Those of a graph in one piece.

    Examples
    --------
    >>> import warpath as wp
    >>> r = wp.bfs(wp.distributed.distribute(wp.generate.grid(3)), 0)
    >>> r.path(8), r.own_distance.tolist()
    ([0, 1, 2, 5, 8], [0, 1, 2, 1, 2, 3, 2, 3, 4])
    >>> r.verify()
    """

    graph: DistributedGraph
    source: int
    own_distance: Array
    own_predecessor: NDArray[np.int32]
    weighted: bool
    limit: int | None
    seconds: float
    frontier: list[int] = field(repr=False)
    edges: list[int] = field(repr=False)
    direction: list[str] = field(repr=False)

    @property
    def reached(self) -> NDArray[np.bool_]:
        """Whether each vertex that this rank owns has a path."""
        return self.own_distance != self._none  # type: ignore[no-any-return]

    @property
    def _none(self) -> Any:
        dtype = self.own_distance.dtype
        if not self.weighted:
            return -1
        return np.inf if dtype.kind == "f" else np.iinfo(dtype).max

    @property
    def distance(self) -> Array:
        """The distances of all vertices, on each rank; all ranks ask for them."""
        return self._gathered("distance", self.own_distance)

    @property
    def predecessor(self) -> NDArray[np.int32]:
        """The predecessors of all vertices, on each rank; all ranks ask for them."""
        return self._gathered("predecessor", self.own_predecessor)

    def _gathered(self, what: str, own: Array) -> Array:
        # No `cached_property`: in Python 3.11 it has one lock, and ranks may be threads.
        kept: Array | None = self.__dict__.get(f"_{what}")
        if kept is None:
            transport = self.graph.transport
            with transport.together(f"Paths.{what}", graph=self.graph.number, source=self.source):
                kept = self.__dict__[f"_{what}"] = np.concatenate(transport.gather(own))
        return kept

    def path(self, v: int) -> list[int]:
        """The vertices of a shortest path to ``v``, the source first; all ranks ask for it.

        Raises
        ------
        ValueError
            If no path leads to ``v``.
        """
        parents = self.predecessor
        if v != self.source and not (0 <= v < len(parents) and parents[v] >= 0):
            raise ValueError(f"no path from {self.source} to {v}")
        walk = [v]
        while (u := int(parents[walk[-1]])) >= 0:
            walk.append(u)
        return walk[::-1]

    def verify(self) -> None:
        """Check the certificate where the parts lie; all ranks call it.

        Raises
        ------
        VerificationError
            If a property of shortest paths does not hold: on all ranks.
        """
        graph = self.graph
        with graph.transport.together("Paths.verify", graph=graph.number, source=self.source):
            Certificate(
                graph, self.source, self.own_distance, self.own_predecessor, self._none,
                weighted=self.weighted, limit=self.limit,
            ).check()  # fmt: skip

    def _line(self) -> str:
        kind = "shortest paths" if self.weighted else "fewest arcs"
        return f"{kind} from {self.source}, {len(self.own_distance):,} of {self.graph.num_vertices:,} vertices here"

    def _rows(self) -> list[Row]:
        return [
            ("from", str(self.source)),
            ("vertices here", f"{len(self.own_distance):,}"),
            ("reached here", f"{np.count_nonzero(self.reached):,}"),
            ("exchanges", f"{len(self.frontier):,}"),
            ("time", duration(self.seconds)),
        ]
