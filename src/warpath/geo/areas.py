"""The area that lines cover: a concave hull, or all that is near them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.geo import need
from warpath.graph.geometry import EARTH_RADIUS, Lines

Array = NDArray[Any]

_STEPS = 200  # of the longer side, at which the lines of a hull have points; a guess


def area(
    lines: Lines, points: Array, *, on_sphere: bool, buffer: float | None, ratio: float
) -> dict[str, Any]:
    """The area of some lines and points, as GeoJSON has polygons; see `Isochrone.areas`.

    Notes
    -----
    Longitudes and latitudes are drawn in a plane for this, in metres around the middle of the lines:
    2000 km wide it is wrong by a few per cent.
    """
    shapely = need("shapely", "an area")
    everything = np.concatenate([lines.points, points])
    plane = _Plane(everything) if on_sphere else None
    drawn, single = (one if plane is None else plane.drawn(one) for one in (lines.points, points))
    count = np.diff(lines.offsets)
    streets = shapely.linestrings(drawn, indices=np.repeat(np.arange(len(count)), count))
    streets = streets[shapely.length(streets) > 0]
    if buffer is not None:
        shapes = [shapely.multilinestrings(streets), shapely.multipoints(single)]
        found = shapely.union_all(shapely.buffer(shapes, buffer))
    else:
        if len(streets):  # else a hull might cut long edges off
            streets = shapely.segmentize(streets, np.ptp(drawn, axis=0).max() / _STEPS)
        dots = np.concatenate([shapely.get_coordinates(streets), single])
        found = shapely.concave_hull(shapely.multipoints(dots), ratio=ratio)
    if found.geom_type not in ("Polygon", "MultiPolygon"):  # the hull of points on a line
        found = shapely.Polygon()
    if plane is not None:
        found = shapely.transform(found, plane.back)
    if not found.is_valid:  # a hull's ring may touch itself
        found = shapely.buffer(found, 0)
    shape: dict[str, Any] = shapely.geometry.mapping(found)
    return {"type": shape["type"], "coordinates": _lists(shape["coordinates"])}


class _Plane:
    """A map in metres around the middle of points: true along its middle parallel and meridians."""

    def __init__(self, points: Array) -> None:
        self.longitude, latitude = (points.min(axis=0) + points.max(axis=0)) / 2
        self.scale = np.radians(EARTH_RADIUS) * np.array([np.cos(np.radians(latitude)), 1])

    def drawn(self, points: Array) -> Array:
        return (points - [self.longitude, 0]) * self.scale  # type: ignore[no-any-return]

    def back(self, points: Array) -> Array:
        return points / self.scale + [self.longitude, 0]  # type: ignore[no-any-return]


def _lists(coordinates: Any) -> Any:
    """Nested tuples as lists."""
    return [_lists(one) for one in coordinates] if isinstance(coordinates, tuple) else coordinates
