"""Where a graph lies: coordinates of vertices, lines of edges, and the vertices nearest to points."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpath.graph.build import read_only
from warpath.graph.check import as_vector, check_not_missing

Array = NDArray[Any]

LONGITUDE_LATITUDE = "EPSG:4326"
_SAME = (LONGITUDE_LATITUDE, "OGC:CRS84")  # always as longitude, latitude, in this order
EARTH_RADIUS = 6_371_009.0  # metres, the mean one; OSMnx's
_LARGEST = (180.0, 90.0)  # degrees of longitude and of latitude


class Lines(NamedTuple):
    """Lines: that number i runs through ``points[offsets[i]:offsets[i + 1]]``.

    Attributes
    ----------
    points : float64 array, shape (p, 2)
    offsets : int64 array, shape (k + 1,)
    """

    points: Array
    offsets: Array


@dataclass(frozen=True, eq=False)
class Geometry:
    """Where the vertices and edges of a graph lie.

    Attributes
    ----------
    coordinates : float64 array, shape (n, 2)
        x and y of each vertex.
    crs : str or None
        Their coordinate reference system; None: a plane.
    lines : Lines or None
        The line of each edge, by the graph's `edge_ids`; of less than two points, where the edge is
        straight. None: all are.
    """

    coordinates: Array
    crs: str | None = None
    lines: Lines | None = None

    def of_vertices(self, numbers: Array) -> "Geometry":
        """The geometry of some of the vertices, in this order."""
        return replace(self, coordinates=read_only(self.coordinates[numbers]))

    @cached_property
    def is_on_sphere(self) -> bool:
        """Whether coordinates are longitudes and latitudes in degrees."""
        return is_geographic(self.crs)

    def polylines(self, source: Array, target: Array, edges: Array | None) -> Lines:
        """The lines of some edges, from source to target.

        Parameters
        ----------
        source, target : integer arrays, shape (k,)
            Numbers of vertices.
        edges : integer array, shape (k,), or None
            The edges' ids; None: straight lines.
        """
        begin, end = self.coordinates[source], self.coordinates[target]
        count = np.full(len(source), 2)
        first = np.zeros(len(source), np.int64)
        straight = np.ones(len(source), bool)
        if self.lines is not None and edges is not None:
            points, offsets = self.lines
            number = offsets[edges + 1] - offsets[edges]
            straight = number < 2
            count = np.where(straight, 2, number)
            first = np.where(straight, 0, offsets[edges])
        joined = np.zeros(len(source) + 1, np.int64)
        np.cumsum(count, out=joined[1:])
        line = np.repeat(np.arange(len(source)), count)
        place = np.arange(joined[-1]) - joined[line]
        found = np.where((place == 0)[:, None], begin[line], end[line])
        if not straight.all():
            last = first + count - 1
            gap = [_squared(points[first] - one) + _squared(points[last] - two)
                   for one, two in ((begin, end), (end, begin))]  # fmt: skip
            turned = gap[1] < gap[0]
            of_line = np.where(turned[line], last[line] - place, first[line] + place)
            found = np.where(straight[line, None], found, points[of_line])
        return Lines(found, joined)

    @cached_property
    def _tree(self) -> Any:
        from scipy.spatial import cKDTree

        return cKDTree(self._in_space(self.coordinates))

    def _in_space(self, points: Array) -> Array:
        """Points where straight distances order as distances do: on the unit sphere, or as they are."""
        return on_unit_sphere(points) if self.is_on_sphere else points

    def nearest(self, points: Array) -> tuple[NDArray[np.int32], Array]:
        """The number of the vertex nearest to each point, and how far it is: metres on a sphere."""
        away, number = self._tree.query(self._in_space(points))
        if self.is_on_sphere:
            away = 2 * EARTH_RADIUS * np.arcsin(np.minimum(away / 2, 1))
        return number.astype(np.int32), away


def geometry_of(points: Array, crs: Any = None, lines: Lines | None = None) -> Geometry:
    """The geometry of vertices at ``points``, which are right: see `points_of`."""
    return Geometry(read_only(points), crs_name(crs), lines)


def points_of(x: Any, y: Any, crs: Any) -> Array:
    """Coordinates as a float64 array of shape (k, 2).

    Raises
    ------
    ValueError
        If one is missing or infinite, no number, or of longitude and latitude none of these.
    """
    columns = []
    for values, name in zip((x, y), "xy", strict=True):
        column = as_vector(values, name)
        if column.dtype.kind == "O":
            check_not_missing(column, name, f"{name} must hold numbers")
        if column.dtype.kind not in "iufO":
            raise ValueError(f"{name} must hold numbers, not {column.dtype}")
        try:
            column = column.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{name} must hold numbers: {error}") from None
        for i in np.flatnonzero(~np.isfinite(column))[:1]:
            raise ValueError(f"{name}[{i}] is {column[i]}: coordinates are finite numbers")
        columns.append(column)
    if len(columns[0]) != len(columns[1]):
        raise ValueError(f"{len(columns[0])} values of x but {len(columns[1])} of y")
    if is_geographic(crs):
        for column, name, most in zip(columns, "xy", _LARGEST, strict=True):
            for i in np.flatnonzero(np.abs(column) > most)[:1]:
                raise ValueError(
                    f"{name}[{i}] is {column[i]}: in {crs_name(crs)}, x is a longitude (-180 … 180) "
                    "and y a latitude (-90 … 90); name another coordinate reference system by crs="
                )
    return np.column_stack(columns)


def crs_name(crs: Any) -> str | None:
    """A coordinate reference system as text, as PROJ knows it: of a number that of EPSG."""
    if crs is None:
        return None
    name = str(crs)
    name = f"EPSG:{name}" if name.isdigit() else name
    return name.upper() if name.upper() in _SAME else name


def is_longitude_latitude(crs: Any) -> bool:
    """Whether it is GeoJSON's coordinate reference system."""
    return crs_name(crs) in _SAME


def is_geographic(crs: Any) -> bool:
    """Whether coordinates are longitudes and latitudes in degrees.

    Others than `LONGITUDE_LATITUDE` are known only where pyproj is installed; else they are planes.

    Raises
    ------
    ValueError
        If pyproj does not know it.
    """
    if crs is None or is_longitude_latitude(crs):
        return crs is not None
    try:
        from pyproj import CRS
        from pyproj.exceptions import CRSError
    except ModuleNotFoundError:
        return False
    try:
        return bool(CRS.from_user_input(crs).is_geographic)
    except CRSError as error:
        raise ValueError(f"crs={crs!r}: {error}") from None


def on_unit_sphere(points: Array) -> Array:
    """Longitudes and latitudes as points in space: float64 array of shape (k, 3)."""
    longitude, latitude = np.radians(points).T
    around = np.cos(latitude)
    return np.column_stack(
        [around * np.cos(longitude), around * np.sin(longitude), np.sin(latitude)]
    )


def _squared(differences: Array) -> Array:
    return (differences**2).sum(axis=1)  # type: ignore[no-any-return]
