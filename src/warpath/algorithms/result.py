"""`Paths`: what a traversal answers."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.stats import Stats
from warpath.graph.check import as_vertex
from warpath.graph.graph import Graph
from warpath.operators import lookup

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Paths:
    """Shortest paths from a source, from the nearest of several, or from each of several.

    Attributes
    ----------
    graph : Graph
    source : int, or int32 array of shape (k,)
    distance : array, shape (n,), or (k, n) with one row a source
        BFS: int32, -1 where unreachable. SSSP: what the best path is worth by the algebra;
        for shortest paths unreachable is ``inf``, or the largest integer of the dtype. With ``device="cuda"`` a CuPy array: see `to_numpy`.
    predecessor : int32 array like ``distance``, or None
        The vertex before, on a shortest path; -1 at sources and where unreachable.
    stats : Stats
    weighted : bool
        Whether distances are made of weights (SSSP), or numbers of arcs (BFS).
    limit : number, array of shape (k,), or None
        Vertices farther, or worth less, than this were not asked for (``cutoff=``, ``target=``,
        ``depth_limit=``) and read as unreachable.
    nearest : bool
        Of several sources, whether ``distance`` is the nearest one's.
    algebra : str
        Of SSSP: see `warpath.sssp`.
    """

    graph: Graph
    source: int | NDArray[np.int32]
    distance: Array
    predecessor: NDArray[np.int32] | None
    stats: Stats
    weighted: bool
    limit: Any = None
    nearest: bool = False
    algebra: str = "shortest"

    @cached_property
    def reached(self) -> NDArray[np.bool_]:
        """Whether each vertex has a path: boolean array like ``distance``."""
        if not self.weighted:
            return self.distance >= 0
        none = lookup(self.algebra).none(self.distance.dtype)
        return cast("NDArray[np.bool_]", self.distance != none)

    def to_numpy(self) -> "Paths":
        """These paths with NumPy arrays, whatever device they were found on.

        Arrays of a GPU are copied once, which waits for it; NumPy's are left as they are.
        """
        return self._on_host

    @cached_property
    def _on_host(self) -> "Paths":
        if isinstance(self.distance, np.ndarray):
            return self
        parents: Any = self.predecessor
        return replace(
            self,
            distance=self.distance.get(),
            predecessor=None if parents is None else parents.get(),
        )

    def __len__(self) -> int:
        """Number of sources with a row of their own.

        Raises
        ------
        TypeError
            If there is only one answer.
        """
        if self.distance.ndim == 1:
            raise TypeError("these are the paths of one answer; only several have a length")
        return len(self.distance)

    def __bool__(self) -> bool:
        """True: an answer is an answer, also where nothing is reached."""
        return True

    def __getitem__(self, row: int) -> "Paths":
        """The answer for the source number ``row``; shares its arrays."""
        if not -len(self) <= row < len(self):
            raise IndexError(f"row {row} of {len(self)} sources")
        return Paths(
            self.graph,
            int(np.asarray(self.source)[row]),
            self.distance[row],
            None if self.predecessor is None else self.predecessor[row],
            self.stats,
            self.weighted,
            None if self.limit is None else self.limit[row],
            algebra=self.algebra,
        )

    def path(self, v: int) -> list[int]:
        """The vertices of a shortest path to ``v``, the source first.

        Takes as many steps as the path has arcs.

        Raises
        ------
        ValueError
            If no path leads to ``v``, predecessors were not asked for, or there are
            several answers (ask one: ``paths[i].path(v)``).
        """
        v = as_vertex(v, self.graph.num_vertices, "target")
        if self.distance.ndim == 2:
            raise ValueError("paths from several sources: ask one of them, paths[i].path(v)")
        if self.predecessor is None:
            raise ValueError("predecessors=False kept no predecessors to follow")
        here = self._on_host
        if not here.reached[v]:
            limit = "" if self.limit is None else f" within {self.limit}"
            raise ValueError(f"no path from {self.source} to {v}{limit}")
        parents = cast("NDArray[np.int32]", here.predecessor)
        walk = [v]
        while (u := int(parents[walk[-1]])) >= 0:
            walk.append(u)
        return walk[::-1]

    def verify(self) -> None:
        """Check the certificate of every row: see `warpath.verify`.

        Raises
        ------
        VerificationError
            If a property of shortest paths does not hold.
        """
        from warpath import verify

        here = self._on_host
        if here.distance.ndim == 2:
            for row in range(len(here)):
                here[row].verify()
        elif here.weighted:
            verify.sssp(
                here.graph, here.source, here.distance, here.predecessor,
                cutoff=here.limit, algebra=here.algebra,
            )  # fmt: skip
        else:
            verify.bfs(
                here.graph, here.source, here.distance, here.predecessor, depth_limit=here.limit
            )
