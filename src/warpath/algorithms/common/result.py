"""`Paths`: what a traversal answers."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.common.on_host import OnHostMixin
from warpath.algorithms.common.stats import Stats
from warpath.answer_rows import AnswerRows
from warpath.display import Row, counted, duration, number
from warpath.errors import NoPathError
from warpath.graph.arrays import module_of
from warpath.graph.frames import as_column, frame_of_paths, named, to_pandas
from warpath.graph.graph import Graph
from warpath.graph.names import Vertex, called, number_of
from warpath.operators import Algebra, lookup
from warpath.typing import AlgebraName

if TYPE_CHECKING:
    import polars

Array = NDArray[Any]


def roots(predecessor: Any) -> Any:
    """Where each vertex's path begins, by pointer jumping: O(n log n)."""
    xp = module_of(predecessor)
    root = xp.where(predecessor < 0, xp.arange(predecessor.shape[-1], dtype=np.int32), predecessor)
    while True:  # each step doubles how far it looks ahead
        further = xp.take_along_axis(root, root, -1)
        if xp.array_equal(further, root):
            return root
        root = further


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Paths(AnswerRows["Paths"], OnHostMixin):
    """Shortest paths from a source, from the nearest of several, or from each of several.

    Attributes
    ----------
    graph : Graph
    source : vertex, or array of vertices, shape (k,)
    distance : array, shape (n,), or (k, n) with one row per source
        BFS: int32, -1 where unreachable. SSSP: what the best path is worth by the algebra. For
        shortest paths unreachable is ``inf``, or the largest integer of the dtype. A mean or a plot
        takes that for a distance: `reached` and `to_frame` tell them apart. With ``device="cuda"`` a CuPy array: see `to_numpy`.
    predecessor : int32 array like ``distance``, or None
        The number of the vertex before, on a shortest path; -1 at sources and where unreachable.
    stats : Stats
    weighted : bool
        Whether distances are made of weights (SSSP), or numbers of arcs (BFS).
    limit : number, array of shape (k,), or None
        Vertices farther, or worth less, than this were not asked for (``cutoff=``, ``target=``,
        ``depth_limit=``) and read as unreachable.
    nearest : bool
        Whether ``distance`` is that of the nearest of several sources.
    algebra : str or Algebra
        What a path is worth, in SSSP: see `warpath.sssp`.

    See Also
    --------
    bfs : Makes them of numbers of edges.
    sssp : Makes them of weights.

    Examples
    --------
    >>> import warpath as wp
    >>> r = wp.sssp(wp.generate.grid(3, weights=(1, 9), seed=1), 0)
    >>> r.path(8)
    [0, 3, 4, 7, 8]
    >>> r.to_frame().shape
    (9, 3)
    >>> r.verify()
    """

    graph: Graph
    source: Any
    distance: Array
    predecessor: NDArray[np.int32] | None
    stats: Stats
    weighted: bool
    limit: Any
    nearest: bool
    algebra: AlgebraName | Algebra

    def __init__(
        self,
        graph: Graph,
        source: Any,
        distance: Array,
        predecessor: NDArray[np.int32] | None,
        stats: Stats,
        weighted: bool,
        limit: Any = None,
        nearest: bool = False,
        algebra: AlgebraName | Algebra = "shortest",
    ) -> None:
        # At once: a frozen dataclass sets one field after the other, for half a microsecond more.
        self.__dict__.update(
            graph=graph, source=source, distance=distance, predecessor=predecessor, stats=stats,
            weighted=weighted, limit=limit, nearest=nearest, algebra=algebra,
        )  # fmt: skip

    def _origin(self) -> str:
        """What the paths start from."""
        if np.ndim(self.source) == 0:
            return str(self.source)
        sources = counted(len(self.source), "source")
        return f"the nearest of {sources}" if self.nearest else sources

    def _line(self) -> str:
        what = f"{self.algebra} paths" if self.weighted else "fewest arcs"
        vertices = counted(self.graph.num_vertices, "vertex", "vertices")
        return f"{what} from {self._origin()} to {vertices}, {self.distance.dtype}, by {self.stats.method}"

    def _rows(self) -> list[Row]:
        here = self._on_host
        reached = here.distance[here.reached]
        algebra = lookup(self.algebra)
        rows = [
            ("from", self._origin()),
            ("vertices", f"{self.graph.num_vertices:,}"),
            ("reached", f"{len(reached):,}"),
        ]
        if len(reached):
            worst = reached.min() if self.weighted and algebra.larger_is_better else reached.max()
            rows.append(("farthest" if algebra.adds else "worst", number(worst.item())))
        return [*rows, ("method", self.stats.method), ("time", duration(self.stats.seconds))]

    @cached_property
    def reached(self) -> NDArray[np.bool_]:
        """Whether each vertex has a path: boolean array like ``distance``."""
        if not self.weighted:
            return self.distance >= 0
        none = lookup(self.algebra).none(self.distance.dtype)
        return cast("NDArray[np.bool_]", self.distance != none)

    @cached_property
    def nearest_source(self) -> NDArray[np.int32]:
        """The number of the source that each vertex's path begins at: int32 array.

        With ``nearest=True`` this is the nearest source, or one of them if several are as near;
        -1 where unreachable. Takes O(n log n) time.

        Raises
        ------
        ValueError
            If predecessors were not asked for.
        """
        if self.predecessor is None:
            raise ValueError("predecessors=False kept no predecessors to follow")
        here = self._on_host
        root = roots(here.predecessor)
        root[~here.reached] = -1
        return cast("NDArray[np.int32]", root)

    @property
    def _values(self) -> NDArray[Any]:
        return self.distance

    def __getitem__(self, which: Any) -> Any:
        """The distance of a vertex; of several sources' rows, the row at a place.

        Parameters
        ----------
        which : vertex; or int
            A vertex, if there is one answer: its distance as Python's number, None without a path.
            The place of a source, if sources have rows of their own: its `Paths`, which share the
            arrays.

        Raises
        ------
        ValueError
            No such vertex.
        IndexError
            No such row.
        """
        if self.distance.ndim == 1:
            v = number_of(self.graph, which)
            here = self._on_host
            return here.distance[v].item() if here.reached[v] else None
        row = self._row(which)
        return Paths(
            self.graph,
            np.asarray(self.source)[row : row + 1 or None].tolist()[0],
            self.distance[row],
            None if self.predecessor is None else self.predecessor[row],
            self.stats,
            self.weighted,
            None if self.limit is None else self.limit[row],
            algebra=self.algebra,
        )

    def _called(self, graph: Graph) -> "Paths":
        return replace(self, graph=graph, source=called(graph, self.source))

    def to_frame(self) -> "polars.DataFrame":
        """A Polars frame with a row for each vertex, in the order of their numbers.

        Columns ``vertex``, ``distance`` and, if there are predecessors, ``predecessor``; where
        there are several sources ``source`` before them, with ``nearest=True`` the nearest one (if
        there are predecessors). No path and no predecessor are null.

        Returns
        -------
        polars.DataFrame
            n rows for each answer.
        """
        here, n = self._on_host, self.graph.num_vertices
        labels = self.graph.labels
        names = None if labels is None else as_column(labels)
        source = None
        if here.distance.ndim == 2:
            source = as_column(here.source, labels).gather(np.repeat(np.arange(len(here)), n))
        elif here.nearest and here.predecessor is not None:
            source = named(names, here.nearest_source)
        vertices = np.arange(n, dtype=np.int32)
        return frame_of_paths(
            names, vertices, here.distance, here.reached, here.predecessor, source
        )

    def to_pandas(self) -> Any:
        """`to_frame` for pandas: no path is ``NA``, or NaN among floats.

        Returns
        -------
        pandas.DataFrame
            n rows for each answer.
        """
        return to_pandas(self.to_frame())

    def path(self, v: Vertex) -> list[Any]:
        """The vertices of a shortest path to ``v``, the source first.

        Takes as many steps as the path has arcs.

        Parameters
        ----------
        v : vertex
            Where the path ends.

        Returns
        -------
        list of vertices
            ``v`` is the last one.

        Raises
        ------
        NoPathError
            If no path leads to ``v``, or none within `limit`.
        ValueError
            If there is no vertex ``v``, predecessors were not asked for, or there are several answers
            (ask one: ``paths[i].path(v)``).
        """
        end = number_of(self.graph, v, "target")
        if self.distance.ndim == 2:
            raise ValueError("paths from several sources: ask one of them, paths[i].path(v)")
        if self.predecessor is None:
            raise ValueError("predecessors=False kept no predecessors to follow")
        here = self._on_host
        if not here.reached[end]:
            raise NoPathError(self.source, v, self.limit)
        parents = cast("NDArray[np.int32]", here.predecessor)
        walk = [end]
        while (u := int(parents[walk[-1]])) >= 0:
            walk.append(u)
        return called(self.graph, walk[::-1])  # type: ignore[no-any-return]

    def path_edges(self, v: Vertex) -> list[int]:
        """The edges of `path`, as rows of the frame or the arrays that made the graph.

        Among parallel edges it is the one that makes the distance, in a breadth-first search the first.

        Parameters
        ----------
        v : vertex
            Where the path ends.

        Returns
        -------
        list of int
            One less than the path has vertices.

        Raises
        ------
        NoPathError
            See `path`.
        ValueError
            See `path`; if the graph was not made with ``edge_ids=True``; by an algebra of your own.
        """
        graph = self.graph if self.weighted else self.graph.without_weights()
        larger = self.weighted and best_is_heaviest(self.algebra)
        return graph.path_edges(self.path(v), heaviest=larger)

    def verify(self) -> None:
        """Check the certificate of every row: see `warpath.verify`.

        A GPU checks it where graph and answer lie in its memory, but not by an algebra of your own.

        Raises
        ------
        VerificationError
            If a property of shortest paths does not hold.
        """
        from warpath import verify

        here = self if self.graph.device == "cuda" else self._on_host
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


def best_is_heaviest(algebra: AlgebraName | Algebra) -> bool:
    """Whether the best of parallel edges is the heaviest; else it is the lightest.

    Raises
    ------
    ValueError
        If that depends on a user's function.
    """
    measure = lookup(algebra)
    if measure.extension is not None:
        raise ValueError(
            "which of parallel edges is the best is up to the function of an algebra of your own: ask for the "
            "vertices, and choose among their edges"
        )
    return measure.larger_is_better
