"""Paths between two vertices as edges, lines and maps."""

import json

import pytest

import streets
import warpath as wp


def test_edges_and_the_line_of_a_route(tmp_path):
    graph = wp.Graph.from_edges(
        ["b", "a", "a"], ["c", "b", "b"], [3, 9, 7], edge_ids=True
    ).with_coordinates([0, 5, 5], [0, 0, 2], crs="EPSG:4326")  # fmt: skip
    assert wp.shortest_path(graph, "a", "c").edges == [2, 0]
    assert wp.shortest_path(graph, "a", "c", algebra="widest").edges == [1, 0]
    assert wp.shortest_path(graph, "a", "c", weighted=False).edges == [1, 0]
    route = wp.shortest_path(graph, "a", "c")
    found = route.to_geojson(tmp_path / "a.geojson")
    assert json.loads((tmp_path / "a.geojson").read_text()) == found
    (feature,) = found["features"]
    assert feature["geometry"] == {"type": "LineString", "coordinates": [[0, 0], [5, 0], [5, 2]]}
    assert feature["properties"] == {"source": "a", "target": "c", "length": 10, "edges": [2, 0]}
    assert wp.shortest_path(graph, "b", "b").to_geojson()["features"][0]["geometry"] == {
        "type": "LineString", "coordinates": [[5, 0], [5, 0]]
    }  # fmt: skip
    pytest.importorskip("geopandas")
    frame = route.to_geodataframe()
    assert frame.geometry.iloc[0].coords[:] == [(0, 0), (5, 0), (5, 2)]
    assert frame["length"].tolist() == [10]


def test_maps_need_coordinates():
    route = wp.shortest_path(wp.Graph.from_edges([0], [1]), 0, 1)
    for show in (route.to_geojson, route.to_geodataframe, route.plot):
        with pytest.raises(ValueError, match="a map of a path needs coordinates"):
            show()
    with pytest.raises(ValueError, match="no edge ids"):
        _ = route.edges


def test_a_route_follows_the_lines_of_its_streets():
    shapely = pytest.importorskip("shapely")
    nodes, edges = streets.hatfield()
    graph = wp.Graph.from_osmnx(nodes, edges).largest_component()
    ends = graph.coordinates.argmin(axis=0)
    route = wp.shortest_path(graph, *graph.labels[ends].tolist())
    assert len(route.vertices) > 5
    (line,) = route.to_geodataframe().geometry
    rows = edges.iloc[route.edges]
    assert rows.index.get_level_values("u").tolist() == route.vertices[:-1]
    assert rows.index.get_level_values("v").tolist() == route.vertices[1:]
    assert rows["length"].sum() == pytest.approx(route.length, rel=1e-12)
    assert line.equals_exact(shapely.line_merge(shapely.union_all(rows.geometry)), 1e-12) or (
        line.reverse().equals_exact(shapely.line_merge(shapely.union_all(rows.geometry)), 1e-12)
    )
