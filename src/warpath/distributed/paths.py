"""`DistributedPaths`: the answer of a search of a graph in parts."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from warpath.answer_rows import AnswerRows
from warpath.display import ReprMixin, Row, duration
from warpath.distributed.certificate import Certificate
from warpath.distributed.graph import DistributedGraph
from warpath.distributed.sssp import Found
from warpath.errors import NoPathError
from warpath.graph.arrays import to_host
from warpath.graph.check import as_vertex
from warpath.graph.distance import unreachable
from warpath.graph.frames import as_column, frame_of_paths

if TYPE_CHECKING:
    import polars

Array = NDArray[Any]


@dataclass(frozen=True, eq=False, repr=False)
class DistributedPaths(AnswerRows["DistributedPaths"], ReprMixin):
    """Shortest paths from sources of a `DistributedGraph`; each rank has its vertices'.

    Attributes
    ----------
    graph : DistributedGraph
    source : int, or int32 array of shape (k,)
    own_distance, own_predecessor : arrays, shape (j,), or (k, j) with one row per source
        Those of ``graph.vertices``, which this rank owns, in the form of `warpath.Paths`: NumPy's,
        or CuPy's where the search ran on GPUs. The predecessor is the smallest of all
        vertices that make the distance. With negative weights, and on GPUs that run together, any of them is
        found. None: they were not asked for.
    weighted : bool
        Whether distances are made of weights, or numbers of arcs.
    limit : number, array of shape (k,), or None
        Vertices farther than this were not asked for (``depth_limit``, ``cutoff``, ``target``).
    nearest : bool
        Whether distances are those from the nearest of several sources.
    seconds : float
        Wall time of the call.
    frontier, edges : list of int
        Vertices expanded in each level, or before each exchange, and arcs, on all ranks; one source after the
        other.
    direction : list of str
        That of each level of a breadth-first search, "asynchronous" for a bucket of levels.

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
    source: Any
    own_distance: Array
    own_predecessor: NDArray[np.int32] | None
    weighted: bool
    limit: Any
    nearest: bool
    seconds: float
    frontier: list[int] = field(repr=False)
    edges: list[int] = field(repr=False)
    direction: list[str] = field(repr=False)

    @property
    def reached(self) -> NDArray[np.bool_]:
        """Whether each vertex that this rank owns has a path: boolean array like ``own_distance``."""
        return self.own_distance != self._none  # type: ignore[no-any-return]

    @property
    def _none(self) -> Any:
        return unreachable(self.own_distance.dtype) if self.weighted else -1

    @property
    def distance(self) -> Array:
        """The distances of all vertices, on each rank; all ranks ask for them."""
        return self._gathered("distance", self.own_distance)

    @property
    def predecessor(self) -> NDArray[np.int32] | None:
        """The predecessors of all vertices, on each rank; all ranks ask for them."""
        own = self.own_predecessor
        return None if own is None else self._gathered("predecessor", own)

    def _gathered(self, what: str, own: Array) -> Array:
        # No `cached_property`: in Python 3.11 it has one lock, and ranks may be threads.
        kept: Array | None = self.__dict__.get(f"_{what}")
        if kept is None:
            graph = self.graph
            with self._together(f".{what}"):
                xp = graph.part.xp
                rows = xp.atleast_2d(own)
                parts = graph.transport.gather(rows.ravel())
                kept = xp.concatenate([part.reshape(len(rows), -1) for part in parts], axis=1)
                place = graph.renumbering("place", xp)
                kept = kept if place is None else kept[:, place]
                kept = self.__dict__[f"_{what}"] = kept if own.ndim == 2 else kept[0]
        return kept

    @property
    def _told(self) -> dict[str, Any]:
        """What ranks compare of an answer: all that tells it from others of the same graph."""
        return {
            "source": np.asarray(self.source).tolist(),
            "weighted": self.weighted,
            "dtype": str(self.own_distance.dtype),
            "limit": np.asarray(self.limit).tolist(),
            "without_predecessors": self.own_predecessor is None,
            "nearest": self.nearest,
        }

    @property
    def _values(self) -> Array:
        return self.own_distance

    def __getitem__(self, which: Any) -> Any:
        """The distance of a vertex, on each rank, for which all ranks ask; of several sources' rows, the row at a place.

        Parameters
        ----------
        which : int
            A vertex, if there is one answer: its distance as Python's number, None without a path.
            The place of a source, if sources have rows of their own: its `DistributedPaths`.

        Raises
        ------
        ValueError
            No such vertex.
        IndexError
            No such row.
        """
        if self.own_distance.ndim == 1:
            return self._distance_of(which)
        row = self._row(which)
        return replace(
            self,
            source=int(self.source[row]),
            own_distance=self.own_distance[row],
            own_predecessor=None if self.own_predecessor is None else self.own_predecessor[row],
            limit=None if self.limit is None else self.limit[row],
        )

    def _distance_of(self, v: Any) -> Any:
        """As its owner knows it."""
        with self._together(f"[{v}]"):
            here, found = self._local_index(as_vertex(v, self.graph.num_vertices)), None
            if here is not None:
                value = self.own_distance[here].item()
                found = None if value == self._none else value
            return self._from_owner(found)

    def _local_index(self, v: int) -> int | None:
        """Where this rank's arrays have a vertex; None: another rank owns it."""
        graph = self.graph
        place = v if graph.place is None else int(graph.place[v])
        first, last = graph.part.bounds[graph.transport.rank :][:2].tolist()
        return place - first if first <= place < last else None

    def _from_owner(self, something: Any) -> Any:
        """What one rank knows; None if none does."""
        said = self.graph.transport.gather_objects(something)
        return next((one for one in said if one is not None), None)

    def _together(self, what: str) -> AbstractContextManager[None]:
        """All ranks ask for the same of the same answer."""
        graph = self.graph
        return graph.transport.together(f"Paths{what}", graph=graph.number, **self._told)

    def to_frame(self) -> "polars.DataFrame":
        """A Polars frame with a row for each vertex that this rank owns.

        Columns ``vertex``, ``distance`` and, if there are predecessors, ``predecessor``; where sources have rows of their own,
        ``source`` before them. No path and no predecessor are null.

        Returns
        -------
        polars.DataFrame
            j rows for each answer.
        """
        own, source = to_host(self.own_distance), None
        if own.ndim == 2:
            source = as_column(self.source).gather(np.repeat(np.arange(len(own)), own.shape[1]))
        parents = self.own_predecessor
        vertices = np.asarray(self.graph.vertices, np.int32)
        return frame_of_paths(
            None, vertices, own, own != self._none, None if parents is None else to_host(parents), source
        )  # fmt: skip

    def path(self, v: int) -> list[int]:
        """The vertices of a shortest path to ``v``, the source first; all ranks ask for it.

        Owners follow it through their vertices, and tell the others: a message each time that it leaves a part.

        Raises
        ------
        NoPathError
            If no path leads to ``v``, or none within `limit`.
        ValueError
            If there is no vertex ``v``, predecessors were not asked for, or there are several answers, one for each
            source.
        """
        if self.own_distance.ndim == 2:
            raise ValueError("paths from several sources: ask one of them, paths[i].path(v)")
        if self.own_predecessor is None:
            raise ValueError("predecessors=False kept no predecessors to follow")
        parents = to_host(self.own_predecessor)
        with self._together(f".path({v})"):
            walk = [as_vertex(v, self.graph.num_vertices, "target")]
            while walk[-1] >= 0:
                walk += self._from_owner(self._follow(walk[-1], parents))
        walk.pop()
        if len(walk) == 1 and walk[0] not in np.atleast_1d(self.source):
            raise NoPathError(self.source, walk[0], self.limit)
        return walk[::-1]

    def _follow(self, v: int, parents: NDArray[np.int32]) -> list[int] | None:
        """The predecessors up to the first that another rank owns, or up to -1 at the end; None if another rank owns ``v``."""
        here, walk = self._local_index(v), []
        while here is not None:
            walk.append(int(parents[here]))
            here = self._local_index(walk[-1]) if walk[-1] >= 0 else None
        return walk or None

    def verify(self) -> None:
        """Check the certificate where the parts lie; all ranks call it.

        Raises
        ------
        VerificationError
            If a property of shortest paths does not hold: on all ranks.
        """
        graph = self.graph
        sources = graph.numbered(np.atleast_1d(self.source))
        of_rows = sources[:, None] if self.own_distance.ndim == 2 else [sources]
        xp = graph.part.xp
        distances = xp.atleast_2d(self.own_distance)
        parents: list[Any] = [None] * len(distances)
        if self.own_predecessor is not None:
            parents = [graph.numbered(row) for row in xp.atleast_2d(self.own_predecessor)]
        limits = [None] * len(distances) if self.limit is None else np.atleast_1d(self.limit)
        with self._together(".verify"):
            for starts, distance, parent, limit in zip(
                of_rows, distances, parents, limits, strict=True
            ):
                Certificate(
                    graph, starts, distance, parent, self._none,
                    weighted=self.weighted, limit=limit,
                ).check()  # fmt: skip

    def _line(self) -> str:
        kind = "shortest paths" if self.weighted else "fewest arcs"
        return f"{kind} from {self.source}, {self.own_distance.shape[-1]:,} of {self.graph.num_vertices:,} vertices here"

    def _rows(self) -> list[Row]:
        return [
            ("from", str(self.source)),
            ("vertices here", f"{self.own_distance.shape[-1]:,}"),
            ("reached here", f"{int(self.reached.sum()):,}"),
            ("exchanges", f"{len(self.frontier):,}"),
            ("time", duration(self.seconds)),
        ]


def paths_of(
    graph: DistributedGraph,
    sources: NDArray[np.int32],
    single: bool,
    nearest: bool,
    runs: Sequence[Found],
    *,
    weighted: bool,
    began: float,
) -> DistributedPaths:
    """What this rank has of an answer.

    Parameters
    ----------
    runs : sequence of Found
        One of the only source or of all of them, or one for each.
    began : float
        When the call did, by `time.perf_counter`.
    """
    first, stack = runs[0], graph.part.xp.stack
    distance, predecessor, limit = first.distance, first.predecessor, first.limit
    if not (single or nearest):
        distance = stack([found.distance for found in runs])
        if predecessor is not None:
            predecessor = stack([found.predecessor for found in runs])
        limit = None if limit is None else np.array([found.limit for found in runs])
    return DistributedPaths(
        graph=graph,
        source=int(sources[0]) if single else sources,
        own_distance=distance,
        own_predecessor=None if predecessor is None else graph.originals(predecessor),
        weighted=weighted,
        limit=limit,
        nearest=nearest,
        seconds=perf_counter() - began,
        frontier=[count for found in runs for count in found.frontier],
        edges=[count for found in runs for count in found.edges],
        direction=[way for found in runs for way in found.direction],
    )
