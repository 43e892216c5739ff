"""The shortest, or otherwise best, path between two vertices."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from warpath.algorithms.common.result import Paths, best_is_heaviest
from warpath.algorithms.common.stats import ReportedStats, Stats, Stopwatch
from warpath.algorithms.shortest_paths.path_problem import PathProblem, path_problem
from warpath.algorithms.shortest_paths.sssp import sssp
from warpath.algorithms.traversal.two_ended import ConnectionProblem, join
from warpath.cpu.bidirectional_dijkstra import bidirectional_dijkstra
from warpath.display import ReprMixin, Row, counted, duration, number
from warpath.errors import NoPathError
from warpath.geo.features import Features, GeoMixin, plain
from warpath.geo.lines import route_line
from warpath.graph.distance import distance_dtype
from warpath.graph.geometry import Lines
from warpath.graph.graph import Graph
from warpath.graph.names import Vertex, by_name, called
from warpath.operators import Algebra
from warpath.planning.placement import (
    Placement,
    run_on,
)
from warpath.schedule import ScheduleLike
from warpath.typing import AlgebraName, DeviceName, PathMethodName

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False, repr=False)
class ShortestPath(ReprMixin, GeoMixin):
    """A shortest, or otherwise best, path between two vertices.

    Attributes
    ----------
    graph : Graph
    vertices : list of vertices
        From the source to the target, both included.
    length : int, float or bool
        Sum of the weights, from the source to the target; or the number of arcs; or what the
        path is worth by another algebra.
    weighted : bool
        False: the number of arcs.
    stats : Stats
    algebra : str or Algebra
        See `warpath.sssp`.

    See Also
    --------
    shortest_path : Makes it.

    Examples
    --------
    >>> import warpath as wp
    >>> path = wp.shortest_path(wp.generate.grid(3, weights=(1, 9), seed=1), 0, 8)
    >>> path.vertices
    [0, 3, 4, 7, 8]
    """

    graph: Graph
    vertices: list[Any]
    length: int | float
    weighted: bool
    stats: Stats
    algebra: AlgebraName | Algebra = "shortest"

    def _line(self) -> str:
        arcs = counted(len(self.vertices) - 1, "arc")
        length = "" if not self.weighted else f", {self._worth()} {number(self.length)}"
        return f"{self.vertices[0]} → {self.vertices[-1]}{length}, {arcs}"

    def _worth(self) -> str:
        return "length" if self.algebra == "shortest" else str(self.algebra)

    def _rows(self) -> list[Row]:
        rows = [
            ("from", str(self.vertices[0])),
            ("to", str(self.vertices[-1])),
            ("arcs", f"{len(self.vertices) - 1:,}"),
        ]
        if self.weighted:
            rows.append((self._worth(), number(self.length)))
        return [*rows, ("method", self.stats.method), ("time", duration(self.stats.seconds))]

    def _called(self, graph: Graph) -> "ShortestPath":
        return replace(self, graph=graph, vertices=called(graph, self.vertices))

    @property
    def edges(self) -> list[int]:
        """The edges of the path, as rows of the frame or the arrays that made the graph.

        Among parallel edges it is the one that makes the length; where arcs are counted the first.

        Raises
        ------
        ValueError
            If the graph was not made with ``edge_ids=True``; by an algebra of your own.
        """
        graph = self.graph if self.weighted else self.graph.without_weights()
        larger = self.weighted and best_is_heaviest(self.algebra)
        return graph.path_edges(self.vertices, heaviest=larger)

    def _points(self) -> Any:
        """The points of the route's line."""
        geometry = self.graph._lies("a map of a path")
        numbers = self.graph.index(self.vertices)
        edges = None if self.graph.edge_ids is None else np.array(self.edges, np.int64)
        return route_line(geometry, numbers, edges)

    def features(self) -> Features:
        """The route as one line; properties ``source``, ``target``, ``length`` and, if known, ``edges``.

        Returns
        -------
        Features
            One line.

        Raises
        ------
        ValueError
            If the graph has no coordinates.
        """
        line = {"type": "LineString", "coordinates": self._points().tolist()}
        ends = {"source": plain(self.vertices[0]), "target": plain(self.vertices[-1])}
        properties = ends | {"length": self.length}
        if self.graph.edge_ids is not None:
            properties["edges"] = self.edges
        return Features([line], [properties], self.graph.crs)

    def plot(self, file: str | Path | None = None, *, axes: "Axes | None" = None) -> "Figure":
        """A picture: the network in grey, and the route.

        Parameters
        ----------
        file : path, optional
            Where to write it; the suffix says how (``.png``, ``.svg``, ``.pdf``).
        axes : matplotlib.axes.Axes, optional
            Where to draw; by default in a new figure.

        Returns
        -------
        matplotlib.figure.Figure

        Raises
        ------
        ValueError
            If the graph has no coordinates, or Matplotlib does not know the suffix.
        ModuleNotFoundError
            If Matplotlib is missing (extra ``plot``).
        """
        from warpath.geo.picture import ROUTE, Layer, draw

        points = self._points()
        route = Layer(Lines(points, np.array([0, len(points)])), ROUTE)
        ends = self.graph.index([self.vertices[0], self.vertices[-1]])
        return draw(self.graph, [route], ends, file, axes)

    def verify(self) -> None:
        """Check that this is a path, and that none is better: see `warpath.verify.path`.

        All distances from the source up to ``length`` are computed by `warpath.sssp` or
        `warpath.bfs`, and checked in their turn; that takes O(V + E) and more than the search did.

        Raises
        ------
        VerificationError
            If it is not so.
        """
        from warpath import verify
        from warpath.algorithms.traversal.bfs import bfs

        source, target = self.vertices[0], self.vertices[-1]
        if self.weighted:
            paths = sssp(self.graph, source, target=target, algebra=self.algebra)
        else:
            paths = bfs(self.graph, source)
        verify.path(
            self.graph,
            self.vertices,
            self.length,
            paths.distance,
            weighted=self.weighted,
            limit=paths.limit,
            algebra=self.algebra,
        )


@by_name("source", "target")
def shortest_path(
    graph: Graph,
    source: Vertex,
    target: Vertex,
    *,
    weighted: bool = True,
    algebra: AlgebraName | Algebra = "shortest",
    method: PathMethodName = "auto",
    device: DeviceName = "auto",
    schedule: ScheduleLike = None,
) -> ShortestPath:
    """A shortest path from ``source`` to ``target``, or the best by another measure.

    Parameters
    ----------
    graph : Graph
        Weights may be negative. A directed graph builds `Graph.reverse` at the first
        call that searches from both ends.
    source, target : vertices
    weighted : bool
        False: the fewest arcs, whatever they weigh. A graph without weights is always so.
    algebra : {"shortest", "widest", "most-reliable", "minimax", "reachability"} or Algebra
        What a path is worth, which ``length`` then holds: see `warpath.sssp`. Only sums, and
        "reachability", which is breadth-first, are searched for from both ends: where these
        meet says nothing else about the rest of a path.
    method : {"auto", "bidirectional"} or one of `warpath.sssp`'s
        "bidirectional": search from both ends until no shorter path can come, by
        Dijkstra's algorithm, or breadth-first where each arc counts 1. "auto": that, but
        `warpath.sssp` if the two searches do not meet soon or a weight is negative; on a GPU
        breadth-first from both ends, by weight from one.
    device : {"auto", "cpu", "cuda"}
        "cuda": the current CUDA device. Breadth-first it searches from both ends; by weight
        it is `warpath.sssp` with this target, which stops there, and the path is read from its
        predecessors on the device.
        "auto": where each arc counts 1, as `warpath.st_connected` has it. By weight, a GPU
        if there is one and the graph was built there, or ``schedule`` is given; for others
        `warpath.sssp` decides once the searches from both ends were given up.
    schedule : Schedule, str or Technique, optional
        How a GPU runs it: a balance, ``"virtual-warp:width=16"``, and a loop, ``"loop=host"``.

    Returns
    -------
    ShortestPath
        Its ``length`` is the distance of `warpath.sssp` (or `warpath.bfs`) to the bit.

    Raises
    ------
    NoPathError
        If no path leads there.
    NegativeCycleError
        If the source reaches a cycle of negative weight.
    ValueError
        A vertex out of range or no integer. An unknown method or device. A schedule that is none
        or has something else, or a schedule for the CPU. A method that cannot take the graph's
        weights, or none, or that the device does not have. Weights or a method that do not fit the
        algebra. ``weighted`` that is neither True nor False.
    OverflowError
        If the length does not fit in 64 bits: see `warpath.sssp`.
    DeviceUnavailableError
        ``device="cuda"``, a method that only GPUs have, or a schedule, where CUDA cannot be used:
        it says what is missing.
    MemoryError
        One of these, and a workspace beyond the GPU's memory.

    See Also
    --------
    sssp : Paths to all vertices.
    k_shortest_paths : The next best paths too.
    st_connected : Whether there is a path.

    Notes
    -----
    Complexity: O((n + m) log n) time at worst, O(n + m) without weights; far less where the searches
    from both ends meet soon.

    On the CPU takes 8 bytes per vertex breadth-first, 40 and four distances else, but touches only
    what it meets.

    References
    ----------
    I. Pohl, "Bi-directional search", Machine Intelligence 6 (1971).

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.Graph.from_edges([0, 0, 1, 2], [1, 2, 3, 3], [5, 1, 1, 2])
    >>> path = wp.shortest_path(g, 0, 3)
    >>> path.vertices, path.length
    ([0, 2, 3], 3)
    >>> path = wp.shortest_path(g, 0, 3, algebra="minimax")
    >>> path.vertices, path.length
    ([0, 2, 3], 2)
    """
    watch = Stopwatch()
    problem = path_problem(
        graph, source, target, weighted=weighted, algebra=algebra, method=method, device=device,
        schedule=schedule,
    )  # fmt: skip
    if problem.by_hops is not None:
        return _by_hops(problem, problem.by_hops, watch)
    if problem.from_both_ends:
        path = _from_both_ends(problem, watch)
        if path is not None:
            return path
        problem = replace(
            problem, from_both_ends=False, why="the searches from both ends did not meet soon"
        )

    def from_one_end(place: Placement) -> ShortestPath:
        return _from_one_end(problem, place, watch)

    return run_on(device, problem.place, from_one_end, cpu_is_able=problem.cpu_is_able)


def _by_hops(problem: PathProblem, search: ConnectionProblem, watch: Stopwatch) -> ShortestPath:
    found, counts = join(search, watch), problem.algebra.adds
    if found.path is None:
        raise NoPathError(problem.source, problem.target)
    length = len(found.path) - 1 if counts else True
    return ShortestPath(
        problem.graph, found.path, length, not counts, found.stats, problem.algebra.given
    )


def _from_both_ends(problem: PathProblem, watch: Stopwatch) -> ShortestPath | None:
    """The path by weight; None if "auto" gave up."""
    graph, source, target = problem.graph, problem.source, problem.target
    found = bidirectional_dijkstra(
        graph, source, target, distance_dtype(graph), problem.search_budget
    )
    if found is None:
        return None
    path, length, report = found
    if path is None:
        raise NoPathError(source, target)
    plan = problem.plan(problem.place)
    stats = ReportedStats(
        plan.method, plan.why, watch.read(), "cpu", (report,), plan=plan, threads=1
    )
    return ShortestPath(graph, path.tolist(), length, True, stats)


def _from_one_end(problem: PathProblem, place: Placement, watch: Stopwatch) -> ShortestPath:
    """The path by `warpath.sssp`."""
    source, target = problem.source, problem.target
    paths = sssp(problem.graph, source, **problem.of_sssp(place))
    if not paths.reached[target]:
        raise NoPathError(source, target)
    stats = paths.stats.of_call(watch, problem.why, problem.renamed(paths.stats.plan))
    length = paths.distance[target].item()
    return ShortestPath(problem.graph, _vertices(paths, target), length, True, stats, paths.algebra)


def _vertices(paths: Paths, target: int) -> list[int]:
    """The path to ``target``, of predecessors that are here or on a device."""
    if isinstance(paths.predecessor, np.ndarray):
        return paths.path(target)
    from warpath.cuda.walk import walk_back

    return walk_back(paths.predecessor, target)
