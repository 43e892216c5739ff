"""Isochrones: how far one comes along edges within some limits."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.common.result import Paths
from warpath.algorithms.common.sources import check_call
from warpath.algorithms.shortest_paths.sssp import sssp
from warpath.geo.areas import area
from warpath.geo.features import Features, GeoMixin, line_strings, plain
from warpath.geo.lines import cut
from warpath.graph.check import as_flag, as_number
from warpath.graph.edges import select
from warpath.graph.frames import as_column, to_pandas
from warpath.graph.geometry import Geometry, Lines
from warpath.graph.graph import Graph
from warpath.graph.names import Vertex, by_name, called
from warpath.typing import DeviceName

if TYPE_CHECKING:
    import polars
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Array = NDArray[Any]

_ROUNDING = 1e-9  # of an edge: what is left of it there is due to rounding


class Parts(NamedTuple):
    """Parts of edges, one an entry: arrays of one length.

    Attributes
    ----------
    source, target : int32 arrays
        Numbers of the edge's ends.
    edge : integer array or None
        Its id, if the graph has `edge_ids`.
    band : integer array
        The place of the first limit that reaches the part.
    begin, end : float64 arrays
        Where it begins and ends: 0 is the source, 1 the target.
    """

    source: Array
    target: Array
    edge: Array | None
    band: Array
    begin: Array
    end: Array


@dataclass(frozen=True, eq=False)
class Isochrone(GeoMixin):
    """What is reached within some limits: vertices, and edges as far as they are reached.

    Attributes
    ----------
    graph : Graph
    source : vertex, or array of vertices
    limits : float64 array
        Ascending, in the unit of the graph's weights.
    paths : Paths
        Shortest paths up to the largest limit (to the source, if ``towards``: their graph is the
        reverse).
    towards : bool
        Whether it is about ways to the source, not from it.

    See Also
    --------
    isochrone : Makes it.

    Examples
    --------
    >>> import warpath as wp
    >>> reached = wp.isochrone(wp.generate.grid(3, weights=(4, 4)), 0, 6)
    >>> reached.vertices().tolist()
    [0, 1, 3]
    >>> reached.to_frame().height
    6
    """

    graph: Graph
    source: Any
    limits: Array
    paths: Paths = field(repr=False)
    towards: bool = False

    def _called(self, graph: Graph) -> "Isochrone":
        turned = graph.reverse if self.towards else graph
        paths = self.paths._called(turned)
        return replace(self, graph=graph, source=paths.source, paths=paths)

    @cached_property
    def parts(self) -> Parts:
        """The parts of edges that are reached, each in the band of the first limit that does.

        If an undirected edge is reached from both ends, each point of it is in one part. The parts
        that only the largest limit reaches come first, so that on a map those that are reached sooner
        lie on top: in a street of both directions, one is reached before the other.
        """
        graph = self.graph
        source, target, weight = graph.coo()
        here, distance = self.paths.reached, self.paths.distance
        if graph.directed:
            chosen = here[target if self.towards else source]
        else:
            chosen = (source <= target) & (here[source] | here[target])
        ids = None if graph.edge_ids is None else graph.edge_ids[chosen]
        source, target, weight = select(chosen, source, target, weight)
        weights = np.ones(len(source)) if weight is None else weight.astype(np.float64)
        away = distance.astype(np.float64)
        away[~here] = np.inf
        first, last = away[source], away[target]
        whole = np.ones(len(source))
        if not graph.directed:
            with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
                meet = np.clip((last - first + weights) / (2 * weights), 0, 1)
            # Where one end is reached through the edge from the other: without rounding.
            meet[_beyond(last, weights, distance.dtype) <= first] = 0
            meet[_beyond(first, weights, distance.dtype) <= last] = 1
            sides = [(first, meet, False), (last, 1 - meet, True)]
        elif self.towards:
            sides = [(last, whole, True)]
        else:
            sides = [(first, whole, False)]
        found = []
        for start, most, from_target in sides:
            beyond = _beyond(start, weights, distance.dtype)
            reach = np.zeros(len(source))
            for place, limit in enumerate(self.limits):
                with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                    further = np.clip((limit - start) / weights, 0, most)
                further = np.where(
                    (beyond <= float(self._cutoff(limit))) | (further > most - _ROUNDING),
                    most,
                    further,
                )
                at = np.flatnonzero(further > reach)
                begin, end = reach[at], further[at]
                if from_target:
                    begin, end = 1 - end, 1 - begin
                found.append((at, np.full(len(at), place), begin, end))
                reach = further
        edge, band, begin, end = (np.concatenate(one) for one in zip(*found, strict=True))
        order = np.lexsort((begin, edge, -band))
        edge, band, begin, end = edge[order], band[order], begin[order], end[order]
        of_edge = None if ids is None else ids[edge]
        return Parts(source[edge], target[edge], of_edge, band, begin, end)

    def vertices(self, limit: float | None = None) -> Any:
        """The vertices within a limit, by default the largest, as an array.

        Parameters
        ----------
        limit : number, optional
            Up to the largest of `limits`.

        Returns
        -------
        array of vertices
            Ascending by number.

        Raises
        ------
        ValueError
            If the limit is larger: what lies there was not searched. If it is no number.
        """
        most = self.limits[-1]
        limit = most if limit is None else as_number(limit, "limit")
        if not limit <= most:
            raise ValueError(f"limit {limit} is beyond {most}, the largest of the isochrone")
        return called(self.graph, self._numbers(limit))

    def _numbers(self, limit: float) -> Array:
        """The numbers of the vertices within a limit."""
        within = self.paths.distance <= self._cutoff(limit)
        return np.flatnonzero(self.paths.reached & within).astype(np.int32)

    def _cutoff(self, limit: float) -> Any:
        """A limit as `sssp` takes it as a cutoff: the distances' dtype rounds it."""
        dtype = self.paths.distance.dtype
        with np.errstate(over="ignore"):
            return dtype.type(limit) if dtype.kind == "f" else math.floor(limit)

    def to_frame(self) -> "polars.DataFrame":
        """A Polars frame of the reached parts of edges, one per row.

        Columns ``source``, ``target``, ``edge`` (the id, if the graph has `edge_ids`), ``limit`` (the
        smallest that reaches the part), ``begin`` and ``end`` (0 is the source, 1 the target).

        Returns
        -------
        polars.DataFrame
            One row for each part of an edge and each limit that it lies between.
        """
        import polars as pl

        parts = self.parts
        labels = self.graph.labels
        ends = (as_column(np.asarray(called(self.graph, one)), labels) for one in parts[:2])
        columns: dict[str, Any] = dict(zip(("source", "target"), ends, strict=True))
        if parts.edge is not None:
            columns["edge"] = parts.edge
        columns |= {"limit": self.limits[parts.band], "begin": parts.begin, "end": parts.end}
        return pl.DataFrame(columns)

    def to_pandas(self) -> Any:
        """`to_frame` for pandas.

        Returns
        -------
        pandas.DataFrame
            One row for each part of an edge and each limit that it lies between.
        """
        return to_pandas(self.to_frame())

    def _lines(self) -> tuple[Geometry, Lines]:
        """The lines of `parts`."""
        geometry = self.graph._lies("a map of an isochrone")
        parts = self.parts
        whole = geometry.polylines(parts.source, parts.target, parts.edge)
        lines = cut(whole, parts.begin, parts.end, on_sphere=geometry.is_on_sphere)
        return geometry, lines

    def features(self) -> Features:
        """The reached parts of edges as lines, with the columns of `to_frame` as properties.

        Returns
        -------
        Features
            One line for each part of an edge.

        Raises
        ------
        ValueError
            If the graph has no coordinates.
        """
        geometry, lines = self._lines()
        frame = self.to_frame()
        rows = [{name: plain(one) for name, one in row.items()} for row in frame.to_dicts()]
        return Features(line_strings(lines), rows, geometry.crs)

    def areas(self, *, buffer: float | None = None, ratio: float = 0.2) -> Features:
        """The area that is reached within each limit, the largest first, with a property ``limit``.

        Each contains the ones after it, as far as ``ratio`` lets it.

        Parameters
        ----------
        buffer : float, optional
            Take all that is this near to a reached part of an edge: in metres where coordinates are
            longitudes and latitudes, else in their unit. By default, the concave hull of the parts.
        ratio : float
            Shape of the concave hull: 0 is the tightest, 1 the convex hull (`shapely.concave_hull`).

        Returns
        -------
        Features
            Polygons; empty ones where nothing but points on one line is reached.

        Raises
        ------
        ValueError
            If the graph has no coordinates, ``buffer`` is not positive or ``ratio`` not in 0 … 1.
        ModuleNotFoundError
            If Shapely is missing (extra ``geo``).
        """
        if buffer is not None and not 0 < buffer < np.inf:
            raise ValueError(f"buffer must be a positive number, not {buffer!r}")
        if not 0 <= ratio <= 1:
            raise ValueError(f"ratio must be in 0 … 1, not {ratio!r}")
        geometry, lines = self._lines()
        areas, properties = [], []
        for band in reversed(range(len(self.limits))):
            limit = self.limits[band].item()
            reached = _chosen(lines, self.parts.band <= band)
            points = geometry.coordinates[self._numbers(limit)]
            areas.append(
                area(reached, points, on_sphere=geometry.is_on_sphere, buffer=buffer, ratio=ratio)
            )
            properties.append({"limit": limit})
        return Features(areas, properties, geometry.crs)

    def plot(
        self, file: str | Path | None = None, *, axes: "Axes | None" = None, unit: str = ""
    ) -> "Figure":
        """A picture: the network in grey, what is reached in a colour for each limit.

        Parameters
        ----------
        file : path, optional
            Where to write it; the suffix says how (``.png``, ``.svg``, ``.pdf``).
        axes : matplotlib.axes.Axes, optional
            Where to draw; by default in a new figure.
        unit : str
            Written after the limits in the legend.

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
        from warpath.geo.picture import Layer, draw, shades

        _, lines = self._lines()
        layers = [
            Layer(_chosen(lines, self.parts.band == band), color, f"≤ {limit:g} {unit}".rstrip())
            for band, (limit, color) in enumerate(
                zip(self.limits, shades(len(self.limits)), strict=True)
            )
        ][::-1]
        sources = np.atleast_1d(self.graph.index(self.source))
        return draw(self.graph, layers, sources, file, axes)


def _beyond(start: Array, weights: Array, dtype: np.dtype[Any]) -> Array:
    """The distance at the other end of an edge, rounded as a search rounds it."""
    with np.errstate(over="ignore"):
        there = start + weights
        return there.astype(dtype).astype(np.float64) if dtype.kind == "f" else there


def _chosen(lines: Lines, chosen: Array) -> Lines:
    """Some of the lines."""
    count = np.diff(lines.offsets)
    offsets = np.zeros(np.count_nonzero(chosen) + 1, np.int64)
    np.cumsum(count[chosen], out=offsets[1:])
    return Lines(lines.points[np.repeat(chosen, count)], offsets)


@by_name("source")
def isochrone(
    graph: Graph,
    source: Vertex | Sequence[Vertex] | NDArray[Any],
    limits: float | Sequence[float] | NDArray[Any],
    *,
    towards: bool = False,
    device: DeviceName = "auto",
) -> Isochrone:
    """How far one comes from a source within one or several limits, also in the middle of edges.

    Parameters
    ----------
    graph : Graph
        No weight is negative. Without weights, each edge counts 1. Maps of it need coordinates
        (`Graph.from_osmnx`, `Graph.with_coordinates`); `Isochrone.to_frame` does not.
    source : vertex, or sequence of vertices
        The nearest of several counts.
    limits : number, or sequence of numbers
        In the unit of the weights: metres for OSMnx's "length", seconds for its "travel_time", so
        ten minutes are 600. Along an edge, the weight grows evenly with its length.
    towards : bool
        True: from where one comes to the source within the limits.
    device : {"auto", "cpu", "cuda"}
        Where the search runs: see `warpath.sssp`.

    Returns
    -------
    Isochrone
        Its `to_geojson`, `to_geodataframe`, `areas` and `plot` show it on a map.

    Raises
    ------
    ValueError
        A limit that is negative or no finite number, or none at all; a negative weight; a source that
        is no vertex; ``towards`` that is neither True nor False.
    OverflowError, DeviceUnavailableError, MemoryError
        See `warpath.sssp`.

    See Also
    --------
    sssp : Distances to all vertices.
    distance_matrix : Distances from some vertices to others.

    Notes
    -----
    Complexity: that of `sssp` with the largest limit as ``cutoff``, and O(m) for the parts of edges.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.Graph.from_edges(["a", "b"], ["b", "c"], [60, 80])
    >>> reached = wp.isochrone(g, "a", [50, 100])
    >>> reached.vertices().tolist()
    ['a', 'b']
    >>> reached.to_frame().select("source", "limit", "end").rows()[1]
    ('b', 100.0, 0.5)
    """
    check_call(graph, device, ("auto", "cpu", "cuda"))
    towards = as_flag(towards, "towards")
    bands = _as_limits(limits)
    if graph.weight_range[0] < 0:
        raise ValueError(
            f"an isochrone is of weights that are not negative; there is {graph.weight_range[0]}"
        )
    searched = graph.reverse if towards else graph
    nearest = np.iterable(source)  # names are numbers here
    paths = sssp(
        searched, source, cutoff=float(bands[-1]), nearest=nearest, device=device, trace=False
    ).to_numpy()
    return Isochrone(graph, paths.source, bands, paths, towards)


def _as_limits(limits: Any) -> Array:
    """Limits, ascending, each once."""
    try:
        if np.asarray(limits).dtype.kind in "bSU":  # NumPy would make numbers of them
            raise TypeError
        given = np.atleast_1d(np.asarray(limits, np.float64))
    except (TypeError, ValueError):
        raise ValueError(f"limits must be numbers, not {limits!r}") from None
    if given.ndim != 1 or not len(given):
        raise ValueError(f"limits must be one number or several, not {limits!r}")
    for i in np.flatnonzero(~(np.isfinite(given) & (given >= 0)))[:1]:
        raise ValueError(f"limits[{i}] is {given[i]}: a limit is a finite number of 0 or more")
    for i, limit in enumerate(np.atleast_1d(np.asarray(limits)).tolist()):
        if isinstance(limit, int) and limit != int(given[i]):
            raise ValueError(
                f"limits[{i}] is {limit}, which float64 does not hold: scale the weights down"
            )
    return np.unique(given)
