"""Areas of lines: hulls and buffers, in metres on the sphere."""

import sys

import numpy as np
import pytest

from warpath.geo.areas import area
from warpath.graph.geometry import EARTH_RADIUS, Lines

shapely = pytest.importorskip("shapely")

SQUARE = np.array([[0, 0], [4, 0], [4, 0], [4, 4], [4, 4], [0, 4], [0, 4], [0, 0]], float)
OFFSETS = np.array([0, 2, 4, 6, 8])
NONE = Lines(np.empty((0, 2)), np.zeros(1, int))


def shape(lines, points=(), **options):
    given = {"on_sphere": False, "buffer": None, "ratio": 0.2} | options
    points = np.array(points, float).reshape(-1, 2)
    return shapely.geometry.shape(area(lines, points, **given))


def test_hull():
    assert shape(Lines(SQUARE, OFFSETS)).area == pytest.approx(16)
    # Long edges are not cut off, however tight the hull is.
    assert shape(Lines(SQUARE, OFFSETS), ratio=0.05).area == pytest.approx(16, rel=0.05)
    assert shape(Lines(SQUARE, OFFSETS), [[6, 2]], ratio=1).area == pytest.approx(20)


def test_buffer():
    line = Lines(np.array([[0, 0], [10, 0]], float), np.array([0, 2]))
    assert shape(line, buffer=2).area == pytest.approx(40 + 4 * np.pi, rel=0.01)
    apart = shape(line, [[100, 0]], buffer=2)
    assert apart.geom_type == "MultiPolygon"
    assert apart.area == pytest.approx(40 + 8 * np.pi, rel=0.01)
    assert shape(NONE, [[1, 1]], buffer=1).area == pytest.approx(np.pi, rel=0.01)


def test_nothing_with_an_extent_is_an_empty_polygon():
    for lines, points in (
        (NONE, [[1, 1]]),
        (NONE, [[1, 1], [2, 2]]),
        (Lines(np.ones((2, 2)), np.array([0, 2])), []),
        (Lines(np.array([[0, 0], [5, 5]], float), np.array([0, 2])), []),
    ):
        found = shape(lines, points)
        assert found.is_empty
        assert found.geom_type == "Polygon"


def test_metres_on_the_sphere():
    found = shape(NONE, [[10, 60]], on_sphere=True, buffer=1000)
    west, south, east, north = found.bounds
    metres = np.radians(EARTH_RADIUS)
    assert (north - south) * metres == pytest.approx(2000)
    assert (east - west) * metres * np.cos(np.radians(60)) == pytest.approx(2000)
    assert found.centroid.coords[0] == pytest.approx((10, 60))


def test_without_shapely(monkeypatch):
    monkeypatch.setitem(sys.modules, "shapely", None)
    with pytest.raises(ModuleNotFoundError, match="an area needs shapely: pip install"):
        area(NONE, np.zeros((1, 2)), on_sphere=False, buffer=1, ratio=0.2)
