"""Lines cut at fractions of their length, and joined along a path."""

import numpy as np
import pytest

from warpath.geo.lines import cut, route_line
from warpath.graph.geometry import Geometry, Lines


def joined(*lines):
    offsets = np.cumsum([0, *map(len, lines)])
    points = np.concatenate([np.array(line, float) for line in lines])
    return Lines(points, offsets)


def parts(lines):
    return [part.tolist() for part in np.split(lines.points, lines.offsets[1:-1])]


CORNER = [[0, 0], [3, 0], [3, 1]]


@pytest.mark.parametrize(
    ("begin", "end", "expected"),
    [
        (0, 1, CORNER),
        (0, 0.75, [[0, 0], [3, 0]]),
        (0.5, 1, [[2, 0], [3, 0], [3, 1]]),
        (0.25, 0.5, [[1, 0], [2, 0]]),
        (0.75, 0.75, [[3, 0], [3, 0]]),
        (1, 1, [[3, 1], [3, 1]]),
    ],
)
def test_cut(begin, end, expected):
    around = [[5, 5], [6, 6]]
    lines = joined(around, CORNER, around)
    found = cut(lines, np.array([0, begin, 0.5]), np.array([1, end, 1]), on_sphere=False)
    assert parts(found) == [around, expected, [[5.5, 5.5], [6, 6]]]


def test_cut_of_many_agrees_with_shapely():
    shapely = pytest.importorskip("shapely")
    ops = pytest.importorskip("shapely.ops")
    rng = np.random.default_rng(3)
    lines = [rng.normal(size=(count, 2)) for count in rng.integers(2, 9, 200)]
    begin, end = np.sort(rng.random((2, 200)), axis=0)
    found = cut(joined(*lines), begin, end, on_sphere=False)
    for line, b, e, part in zip(lines, begin, end, parts(found), strict=True):
        expected = ops.substring(shapely.LineString(line), b, e, normalized=True)
        assert np.allclose(part, expected.coords, rtol=0, atol=1e-12)


def test_a_line_without_length_and_repeated_points():
    lines = joined([[1, 1], [1, 1]], [[0, 0], [0, 0], [2, 0], [2, 0], [4, 0]])
    found = cut(lines, np.zeros(2), np.array([0.5, 0.75]), on_sphere=False)
    assert parts(found)[0] == [[1, 1], [1, 1]]
    assert parts(found)[1][0] == [0, 0]
    assert parts(found)[1][-1] == [3, 0]
    assert (
        cut(
            Lines(np.empty((0, 2)), np.zeros(1, int)), *np.empty((2, 0)), on_sphere=True
        ).points.size
        == 0
    )


def test_degrees_of_longitude_are_shorter_away_from_the_equator():
    lines = joined([[0, 60], [1, 60], [1, 61]])  # some 56 km, then 111
    (part,) = parts(cut(lines, np.zeros(1), np.array([1 / 3]), on_sphere=True))
    assert np.allclose(part[-1], [1, 60], atol=0.01)


def test_route_line():
    lines = joined([[0, 0], [1, 1], [2, 0]], [[9, 0], [9, 9]])
    geometry = Geometry(np.array([[0, 0], [2, 0], [5, 5]], float), None, lines)
    line = route_line(geometry, np.array([0, 1, 0]), np.array([0, 0]))
    assert line.tolist() == [[0, 0], [1, 1], [2, 0], [1, 1], [0, 0]]
    assert route_line(geometry, np.array([0, 1, 2]), None).tolist() == [[0, 0], [2, 0], [5, 5]]
    assert route_line(geometry, np.array([2]), np.array([], int)).tolist() == [[5, 5], [5, 5]]
