"""`MultiGpuPaths`: the answer of a search of a graph on several GPUs."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.display import ReprMixin, Row, counted, duration
from warpath.distributed.paths import DistributedPaths, check_single, path_to
from warpath.graph.arrays import to_host

Array = NDArray[Any]


class MultiGpuPaths(ReprMixin):
    """Shortest paths from sources of a `MultiGpuGraph`.

    Attributes
    ----------
    parts : list of DistributedPaths
        What each GPU has, in ``own_distance`` and ``own_predecessor``: CuPy's arrays of its vertices.
    source : int, or int32 array of shape (k,)
    weighted, limit, nearest
        As in `warpath.distributed.DistributedPaths`.
    seconds : float
        Wall time of the search.
    frontier, edges : list of int
        Vertices expanded in each level, or before each exchange, on all GPUs; arcs out of them, of levels.
    direction : list of str
        That of each level of a breadth-first search.

    See Also
    --------
    warpath.Paths : Those of a graph in one piece.

    Examples
    --------
    >>> import warpath as wp
    >>> r = wp.bfs(wp.generate.grid(8), 0, devices=2)  # doctest: +SKIP
    >>> r.verify()  # doctest: +SKIP
    >>> r.distance[:3].tolist()  # doctest: +SKIP
    [0, 1, 2]
    """

    def __init__(
        self, run: Callable[[Callable[[int], Any]], list[Any]], parts: list[DistributedPaths]
    ) -> None:
        self._run, self.parts = run, parts
        first = parts[0]
        self.source, self.weighted, self.limit = first.source, first.weighted, first.limit
        self.nearest = first.nearest
        self.frontier, self.edges, self.direction = first.frontier, first.edges, first.direction
        self.seconds = max(one.seconds for one in parts)

    @cached_property
    def distance(self) -> Array:
        """Distances of all vertices, shape (n,) or (k, n): NumPy's, copied from the GPUs when first asked for."""
        return np.concatenate([to_host(one.own_distance) for one in self.parts], axis=-1)

    @cached_property
    def predecessor(self) -> NDArray[np.int32]:
        """Predecessors of all vertices, likewise: of all that make a distance the smallest one."""
        return np.concatenate([to_host(one.own_predecessor) for one in self.parts], axis=-1)

    @cached_property
    def reached(self) -> NDArray[np.bool_]:
        """Whether each vertex has a path, likewise."""
        return np.concatenate([to_host(one.reached) for one in self.parts], axis=-1)

    def path(self, v: int) -> list[int]:
        """The vertices of a shortest path to ``v``, the source first.

        Raises
        ------
        ValueError
            If no path leads to ``v``, or there are several answers, one for each source.
        """
        check_single(self.parts[0].own_distance)
        return path_to(v, self.source, self.predecessor)

    def verify(self) -> None:
        """Check the certificate on the GPUs, where the parts lie.

        Raises
        ------
        VerificationError
            If a property of shortest paths does not hold.
        """
        self._run(lambda rank: self.parts[rank].verify())

    def _line(self) -> str:
        kind = "shortest paths" if self.weighted else "fewest arcs"
        n = self.parts[0].graph.num_vertices
        return f"{kind} from {self.source} to {n:,} vertices, on {counted(len(self.parts), 'GPU')}"

    def _rows(self) -> list[Row]:
        return [
            ("from", str(self.source)),
            ("vertices", f"{self.parts[0].graph.num_vertices:,}"),
            ("reached", f"{np.count_nonzero(self.reached):,}"),
            ("exchanges", f"{len(self.frontier):,}"),
            ("time", duration(self.seconds)),
        ]
