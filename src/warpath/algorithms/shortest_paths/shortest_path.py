"""The shortest, or otherwise best, path between two vertices."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from warpath.algorithms.common.result import Paths, best_is_heaviest
from warpath.algorithms.common.sources import check_call
from warpath.algorithms.common.stats import ReportedStats, Stats, Stopwatch
from warpath.algorithms.shortest_paths.sssp import sssp
from warpath.algorithms.traversal.two_ended import ConnectionProblem, join
from warpath.cpu.bidirectional_dijkstra import bidirectional_dijkstra, rounding
from warpath.display import ReprMixin, Row, counted, duration, number
from warpath.errors import NoPathError
from warpath.geo.features import Features, GeoMixin, plain
from warpath.geo.lines import route_line
from warpath.graph.check import as_flag, as_vertex, choose
from warpath.graph.distance import distance_dtype, fits, longest_path
from warpath.graph.geometry import Lines
from warpath.graph.graph import Graph
from warpath.graph.names import Vertex, by_name, called
from warpath.operators import Algebra, lookup
from warpath.planning.methods import METHODS
from warpath.planning.placement import (
    Placement,
    choose_place_from_both_ends,
    only_on_gpus,
    resident_on_gpu,
    run_on,
)
from warpath.schedule import ScheduleLike, schedule_for
from warpath.typing import DEVICES, AlgebraName, DeviceName, PathMethodName

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BIDIRECTIONAL = "bidirectional"
# "auto" gives up a search from both ends that has settled n / _SHARE vertices, and at least
# _MIN_SEARCH_BUDGET, some 5 ms: then all cores together are faster. Measured on 2 cores: searches that pay
# most settle less than n / 1000 (R-MAT 14 and 18, G(n, m)). On road networks the median one
# settles n / 4 and is faster than delta-stepping up to some 250,000 vertices; on Florida's and
# on a 1000² grid it takes twice as long.
_SHARE, _MIN_SEARCH_BUDGET = 64, 2**15
# Rounding that would extend the searches by more than this part of the path's length beyond where they
# meet is left to one search: in the plane, 1.25² of half the area each. A guess.
_MOST_ROUNDING = 0.25


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
    check_call(graph, device, DEVICES)
    weighted = as_flag(weighted, "weighted")
    how = schedule_for("shortest_path", schedule)
    needs = only_on_gpus(device, how)
    source = as_vertex(source, graph.num_vertices, "source")
    target = as_vertex(target, graph.num_vertices, "target")
    choose("method", method, (*METHODS, BIDIRECTIONAL))
    measure = lookup(algebra)
    both_ends = method in (BIDIRECTIONAL, "auto")
    if not weighted and not measure.adds:
        raise ValueError(f"weighted=False counts arcs: leave it out for algebra {measure.name!r}")
    if measure.is_boolean and not both_ends:
        raise ValueError(f"algebra {measure.name!r} is a breadth-first search, not {method!r}")
    if not weighted and not both_ends:
        raise ValueError(
            f"weighted=False is a breadth-first search: method {method!r} adds weights"
        )
    if method == BIDIRECTIONAL and not (measure.adds or measure.is_boolean):
        raise ValueError(
            f"method {method!r} by weight is for sums, not for algebra {measure.name!r}"
        )
    counts = measure.adds and (not weighted or graph.weight_dtype is None)
    if both_ends and (counts or measure.is_boolean):
        problem = ConnectionProblem(
            graph=graph,
            source=source,
            target=target,
            device=device,
            schedule=how,
            place=choose_place_from_both_ends(graph, device, needs),
            cpu_is_able=not needs,
            why="each arc counts 1" if counts else "weights do not matter",
            wants_path=True,
        )
        found = join(problem, watch)
        if found.path is None:
            raise NoPathError(source, target)
        length = len(found.path) - 1 if counts else True
        return ShortestPath(graph, found.path, length, not counts, found.stats, measure.given)
    if method == BIDIRECTIONAL and (device == "cuda" or needs):
        raise ValueError(f"method {method!r} by weight is for device='cpu'; use 'auto'")
    on_gpu = device == "cuda" or (device == "auto" and resident_on_gpu(graph, needs))
    why = None
    if both_ends and measure.adds and (method == BIDIRECTIONAL or not on_gpu):
        why = _obstacle(graph)
        if why is not None and method == BIDIRECTIONAL:
            raise ValueError(f"method {method!r} does not fit this graph: {why}; use 'auto'")
        if why is None:
            path = _from_both_ends(graph, source, target, method, watch)
            if path is not None:
                return path
            why = "the searches from both ends did not meet soon"
    options = {"algebra": measure, "method": method, "schedule": how}

    def from_one_end(place: Placement) -> ShortestPath:
        where = place.device if place.device == "cuda" else device  # "auto": `sssp` decides
        return _from_one_end(graph, source, target, why, watch, device=where, **options)

    there = on_gpu and "cuda" in METHODS[method].devices
    place = Placement("cuda" if there else "cpu", "")
    return run_on(device, place, from_one_end, cpu_is_able=not needs)


def _obstacle(graph: Graph) -> str | None:
    """Why a search by weight cannot go from both ends; None if it can."""
    if graph.weight_range[0] < 0:
        return "a weight is negative"
    dtype = distance_dtype(graph)
    widest = dtype if dtype.kind == "f" else np.dtype(np.int64)
    if not fits(2 * longest_path(graph), widest):
        return f"sums of weights may exceed {widest}"
    if rounding(graph.num_vertices, dtype) > _MOST_ROUNDING:
        return f"{dtype} rounds too much for paths of {graph.num_vertices:,} vertices"
    return None


def _from_both_ends(
    graph: Graph, source: int, target: int, method: str, watch: Stopwatch
) -> ShortestPath | None:
    """The path by weight; None if "auto" gave up."""
    n = graph.num_vertices
    search_budget = 2 * n if method == BIDIRECTIONAL else max(n // _SHARE, _MIN_SEARCH_BUDGET)
    found = bidirectional_dijkstra(graph, source, target, distance_dtype(graph), search_budget)
    if found is None:
        return None
    path, length, report = found
    if path is None:
        raise NoPathError(source, target)
    why = "as asked" if method == BIDIRECTIONAL else "no weight is negative"
    stats = ReportedStats("bidirectional-dijkstra", why, watch.read(), "cpu", (report,), threads=1)
    return ShortestPath(graph, path.tolist(), length, True, stats)


def _from_one_end(
    graph: Graph, source: int, target: int, why: str | None, watch: Stopwatch, **options: Any
) -> ShortestPath:
    """The path by `warpath.sssp`, with these options."""
    paths = sssp(graph, source, target=target, **options)
    if not paths.reached[target]:
        raise NoPathError(source, target)
    stats = paths.stats.of_call(watch, why)
    length = paths.distance[target].item()
    return ShortestPath(graph, _vertices(paths, target), length, True, stats, paths.algebra)


def _vertices(paths: Paths, target: int) -> list[int]:
    """The path to ``target``, of predecessors that are here or on a device."""
    if isinstance(paths.predecessor, np.ndarray):
        return paths.path(target)
    from warpath.cuda.walk import walk_back

    return walk_back(paths.predecessor, target)
