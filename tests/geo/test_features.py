"""Features as GeoJSON and as frames of GeoPandas."""

import json
import sys

import numpy as np
import pytest

from warpath.geo.features import Features, plain

LINE = {"type": "LineString", "coordinates": [[9.0, 48.0], [9.5, 48.5]]}
RING = {"type": "Polygon", "coordinates": [[[9.0, 48.0], [9.5, 48.0], [9.5, 48.5], [9.0, 48.0]]]}


def test_geojson_needs_no_package_and_is_written(tmp_path, monkeypatch):
    for module in ("pyproj", "shapely", "geopandas"):
        monkeypatch.setitem(sys.modules, module, None)
    file = tmp_path / "a.geojson"
    file.write_text("old")
    for crs in ("EPSG:4326", "OGC:CRS84", None):
        found = Features([LINE, RING], [{"name": "Straße"}, {}], crs).to_geojson(file)
        assert found == {
            "type": "FeatureCollection",
            "features": [
                {"type": "Feature", "properties": {"name": "Straße"}, "geometry": LINE},
                {"type": "Feature", "properties": {}, "geometry": RING},
            ],
        }
        assert json.loads(file.read_text(encoding="utf-8")) == found
    assert list(tmp_path.iterdir()) == [file]
    assert Features([], [], None).to_geojson() == {"type": "FeatureCollection", "features": []}


def test_other_reference_systems_are_converted():
    pyproj = pytest.importorskip("pyproj")
    convert = pyproj.Transformer.from_crs("EPSG:4326", "EPSG:32632", always_xy=True)
    places = [convert.transform(*point) for point in LINE["coordinates"]]
    flat = Features([LINE | {"coordinates": places}], [{}], "EPSG:32632")
    ring = [convert.transform(*point) for point in RING["coordinates"][0]]
    area = Features([RING | {"coordinates": [ring]}], [{}], "EPSG:32632")
    for features, expected in ((flat, LINE), (area, RING)):
        (feature,) = features.to_geojson()["features"]
        found = np.array(feature["geometry"]["coordinates"])
        assert np.allclose(found, expected["coordinates"], rtol=0, atol=1e-9)
    empty = Features([RING | {"coordinates": []}], [{}], "EPSG:32632").to_geojson()
    assert empty["features"][0]["geometry"]["coordinates"] == []


def test_frames():
    pytest.importorskip("geopandas")
    frame = Features([LINE, RING], [{"limit": 1}, {"limit": 2}], "EPSG:4326").to_geodataframe()
    assert frame["limit"].tolist() == [1, 2]
    assert frame.crs.to_epsg() == 4326
    assert frame.geometry.geom_type.tolist() == ["LineString", "Polygon"]
    assert len(Features([], [], None).to_geodataframe()) == 0


@pytest.mark.parametrize("module", ["geopandas", "shapely"])
def test_a_missing_package_is_named(monkeypatch, module):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'warpath\[geo\]'"):
        Features([LINE], [{}], None).to_geodataframe()


def test_a_missing_pyproj_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyproj", None)
    with pytest.raises(
        ModuleNotFoundError, match="GeoJSON of a graph in 'EPSG:32632' needs pyproj"
    ):
        Features([LINE], [{}], "EPSG:32632").to_geojson()


def test_names_as_json_has_them():
    assert [plain(one) for one in (np.int64(3), "a", 2.5, None, (1, 2))] == [
        3,
        "a",
        2.5,
        None,
        "(1, 2)",
    ]
