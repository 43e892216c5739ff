"""`AllPairs`: what `warpath.apsp` answers."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.common.on_host import OnHostMixin
from warpath.algorithms.common.result import Paths
from warpath.algorithms.common.stats import Stats
from warpath.display import Row, counted, duration
from warpath.graph.graph import Graph
from warpath.graph.names import Vertex, called, number_of
from warpath.typing import AlgebraName

Array = NDArray[Any]


@dataclass(frozen=True, eq=False, repr=False)
class AllPairs(OnHostMixin):
    """The best paths between all pairs of vertices.

    Attributes
    ----------
    graph : Graph
    distance : array, shape (n, n)
        What the best path from row to column is worth; "no path" is ``inf``, or the largest
        integer (of other algebras: see `warpath.sssp`). With ``device="cuda"`` a CuPy array, with
        ``out=`` memory-mapped and read-only.
    predecessor : int32 array, shape (n, n), or None
        ``predecessor[u, v]`` is the vertex before v on a best path from u; -1 where u is v and
        where there is no path. Each row is a tree.
    stats : Stats
    algebra : str
    exact : bool
        Whether distances are sums (or products) from left to right, as `warpath.sssp` makes them,
        to the bit. False only for floats by a dense method: these add up parts of paths.

    See Also
    --------
    apsp : Makes it.

    Examples
    --------
    >>> import warpath as wp
    >>> r = wp.apsp(wp.generate.grid(3), predecessors=True)
    >>> r.distance[0].reshape(3, 3).tolist()
    [[0, 1, 2], [1, 2, 3], [2, 3, 4]]
    >>> r.path(0, 8)
    [0, 1, 2, 5, 8]
    """

    graph: Graph
    distance: Array
    predecessor: NDArray[np.int32] | None
    stats: Stats
    algebra: AlgebraName = "shortest"
    exact: bool = True

    def _line(self) -> str:
        vertices = counted(len(self), "vertex", "vertices")
        return f"{self.algebra} paths between {vertices}, {self.distance.dtype}, by {self.stats.method}"

    def _rows(self) -> list[Row]:
        rows = [
            ("vertices", f"{len(self):,}"),
            ("algebra", self.algebra),
            ("distances", str(self.distance.dtype)),
            ("predecessors", "no" if self.predecessor is None else "yes"),
        ]
        return [*rows, ("method", self.stats.method), ("time", duration(self.stats.seconds))]

    def __len__(self) -> int:
        """Number of vertices."""
        return len(self.distance)

    def __getitem__(self, source: Vertex) -> Paths:
        """The paths from a vertex: a view of its row."""
        u = number_of(self.graph, source, "source")
        return Paths(
            graph=self.graph,
            source=called(self.graph, u),
            distance=self.distance[u],
            predecessor=None if self.predecessor is None else self.predecessor[u],
            stats=self.stats,
            weighted=True,
            algebra=self.algebra,
        )

    def _called(self, graph: Graph) -> "AllPairs":
        return replace(self, graph=graph)

    def path(self, u: Vertex, v: Vertex) -> list[Any]:
        """The vertices of a best path from ``u`` to ``v``, both included.

        Parameters
        ----------
        u, v : vertices
            The ends.

        Returns
        -------
        list of vertices
            ``u`` first, ``v`` last.

        Raises
        ------
        NoPathError
            If there is none.
        ValueError
            If ``u`` or ``v`` is no vertex, or predecessors were not asked for.
        """
        return self[u].path(v)

    def verify(self) -> None:
        """Check the certificate of every row: see `warpath.verify.apsp`.

        Raises
        ------
        VerificationError
            If a property of best paths does not hold.
        """
        from warpath import verify

        here = self._on_host
        verify.apsp(
            here.graph, here.distance, here.predecessor, algebra=here.algebra, exact=here.exact
        )
