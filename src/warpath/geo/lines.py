"""Lines cut to a part of their length, and joined."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.graph.geometry import Geometry, Lines

Array = NDArray[Any]


def cut(lines: Lines, begin: Array, end: Array, *, on_sphere: bool) -> Lines:
    """The part of each line between two fractions of its length.

    Parameters
    ----------
    lines : Lines
        Each of two points or more.
    begin, end : float64 arrays, shape (k,)
        0 is a line's first point, 1 its last; ``begin`` ≤ ``end``.
    on_sphere : bool
        Whether points are longitudes and latitudes.
    """
    points, offsets = lines
    count = np.diff(offsets)
    if not len(count):
        return lines
    line = np.repeat(np.arange(len(count)), count)
    # Fractions of line i stand at 2i … 2i + 1: one search finds places in all lines.
    along = 2 * line + _fractions(lines, line, on_sphere)
    ends = []
    for fraction in (begin, end):
        places = 2 * np.arange(len(count)) + fraction
        ends.append(np.column_stack([np.interp(places, along, axis) for axis in points.T]))
    fraction = along - 2 * line
    inside = np.flatnonzero((fraction > begin[line]) & (fraction < end[line]))
    number = np.bincount(line[inside], minlength=len(count))
    joined = np.zeros(len(count) + 1, np.int64)
    np.cumsum(number + 2, out=joined[1:])
    found = np.empty((joined[-1], 2))
    found[joined[:-1]], found[joined[1:] - 1] = ends
    rank = np.arange(len(inside)) - (np.cumsum(number) - number)[line[inside]]
    found[joined[line[inside]] + 1 + rank] = points[inside]
    return Lines(found, joined)


def _fractions(lines: Lines, line: Array, on_sphere: bool) -> Array:
    """The part of its line's length at which each point lies; of a line without length, by count."""
    points, offsets = lines
    steps = np.diff(points, axis=0)
    if on_sphere:
        middle = np.radians((points[1:, 1] + points[:-1, 1]) / 2)
        steps[:, 0] *= np.cos(middle)
    lengths = np.zeros(len(points))
    lengths[1:] = np.hypot(*steps.T)
    lengths[offsets[:-1]] = 0
    run = np.cumsum(lengths)
    at = run - run[offsets[:-1]][line]
    whole = at[offsets[1:] - 1][line]
    first, last = offsets[:-1][line], offsets[1:][line] - 1
    by_count = (np.arange(len(points)) - first) / (last - first)
    fraction = np.divide(at, whole, out=by_count, where=whole > 0)
    return np.minimum(fraction, 1)  # type: ignore[no-any-return]


def route_line(geometry: Geometry, vertices: Array, edges: Array | None) -> Array:
    """The line along a path, as points, shape (k, 2); at least two, of one vertex twice itself."""
    if len(vertices) == 1:
        return geometry.coordinates[np.repeat(vertices, 2)]  # type: ignore[no-any-return]
    points, offsets = geometry.polylines(vertices[:-1], vertices[1:], edges)
    repeated = np.zeros(len(points), bool)
    repeated[offsets[1:-1]] = (points[offsets[1:-1]] == points[offsets[1:-1] - 1]).all(axis=1)
    return points[~repeated]
