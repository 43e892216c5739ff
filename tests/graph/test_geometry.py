"""Coordinates of vertices: given, kept by graphs made of a graph, and searched for the nearest."""

import copy
import pickle

import numpy as np
import pytest

import warpath as wp
from warpath.graph.geometry import EARTH_RADIUS, Geometry, Lines, crs_name, geometry_of
from warpath.graph.symmetrize import symmetrized


@pytest.fixture(params=[True, False], ids=["directed", "undirected"])
def graph(request):
    """Two components of 5 and 3 vertices that lie on a line of longitudes."""
    graph = wp.Graph.from_edges(
        [0, 1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 0, 6, 7, 5], range(1, 9),
        directed=request.param, labels=list("hgfedcba"), edge_ids=True,
    )  # fmt: skip
    return graph.with_coordinates(np.arange(8), -np.arange(8), crs="epsg:4326")


def places(graph):
    """The coordinates of each vertex by its name."""
    return dict(zip(graph.labels.tolist(), graph.coordinates.tolist(), strict=True))


def test_other_graphs_keep_them(graph, tmp_path):
    here = places(graph)
    assert here["h"] == [0, -0.0]
    assert here["a"] == [7, -7]
    file = tmp_path / "g.npz"
    wp.write(graph, file)
    weights = graph.weights * 2
    others = (
        graph.reverse, graph.without_weights(), graph.with_weights(weights), wp.read(file),
        copy.deepcopy(graph), pickle.loads(pickle.dumps(graph)), symmetrized(graph),
        graph.reverse.reverse, graph.without_weights().reverse,
    )  # fmt: skip
    for other in others:
        assert places(other) == here
        assert other.crs == "EPSG:4326"
    assert graph.without_labels().coordinates is graph.coordinates
    assert graph.without_labels().reverse.coordinates is graph.coordinates
    for part in (graph.largest_component(), graph.subgraph(["c", "a"])):
        assert places(part) == {name: here[name] for name in part.labels}
    if not graph.directed:
        assert places(wp.minimum_spanning_forest(graph)) == here
        assert places(wp.read(file, directed=True)) == here


@pytest.mark.parametrize("directed", [True, False])
def test_a_file_keeps_the_lines_of_edges(directed, tmp_path):
    graph = wp.Graph.from_edges([2, 0, 0], [0, 1, 2], directed=directed, edge_ids=True)
    lines = Lines(np.array([[0, 0], [5, 5], [2, 0], [9, 9.5]]), np.array([0, 3, 3, 4]))
    graph = graph._lying(geometry_of(np.array([[0.0, 0], [1, 0], [2, 0]]), None, lines))
    wp.write(graph, tmp_path / "g.npz")
    for found in (wp.read(tmp_path / "g.npz"), wp.read(tmp_path / "g.npz", directed=True)):
        assert found.geometry.lines.points.tolist() == lines.points.tolist()
        assert found.geometry.lines.offsets.tolist() == lines.offsets.tolist()
        assert np.array_equal(found.edge_ids, graph.edge_ids)


@pytest.mark.parametrize(
    ("member", "value", "message"),
    [
        ("line_points", np.zeros((1, 3)), r"'line_points' of shape \(1, 3\) are no pairs"),
        ("line_points", np.zeros((1, 2), np.float32), "are no pairs of float64"),
        ("line_points", np.array([[0, np.nan]]), r"line_points\[0\] is .*finite"),
        ("line_offsets", np.zeros(2), "'line_offsets' are no int64"),
        ("line_offsets", np.array([0, 2]), "line_offsets must run from 0 to 1"),
        ("line_offsets", np.array([0, 2, 1]), "line_offsets descends at 1"),
        ("edge_ids", np.array([1]), "1 lines of edges whose ids go up to 1"),
    ],
)
def test_lines_of_a_file_that_do_not_fit(member, value, message, tmp_path):
    file = tmp_path / "g.npz"
    graph = wp.Graph.from_edges([0], [1], edge_ids=True)
    lines = Lines(np.zeros((1, 2)), np.array([0, 1]))
    wp.write(graph._lying(geometry_of(np.zeros((2, 2)), None, lines)), file)
    np.savez(file, **{**np.load(file), member: value})
    with pytest.raises(wp.GraphFormatError, match=message):
        wp.read(file)


def test_a_file_without_a_reference_system(tmp_path):
    graph = wp.Graph.from_edges([0], [1]).with_coordinates([1e9, 0.5], [2, 3])
    wp.write(graph, tmp_path / "g.npz")
    other = wp.read(tmp_path / "g.npz")
    assert other.crs is None
    assert other.coordinates.tolist() == [[1e9, 2], [0.5, 3]]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"coordinates": np.zeros((3, 2))}, r"'coordinates' of shape \(3, 2\) for 2 vertices"),
        ({"coordinates": np.zeros(2)}, "'coordinates' of shape"),
        ({"coordinates": np.array([[0, 0], [np.nan, 0]])}, r"x\[1\] is nan"),
        ({"coordinates": np.zeros((2, 2)), "crs": np.array([1])}, "'crs' is not one text"),
    ],
)  # fmt: skip
def test_damaged_files(tmp_path, changes, message):
    file = tmp_path / "g.npz"
    wp.write(wp.Graph.from_edges([0], [1]), file)
    with np.load(file) as arrays:
        members = dict(arrays)
    np.savez(file, **members | changes)
    with pytest.raises(wp.GraphFormatError, match=message):
        wp.read(file)


def test_they_are_read_only_and_graphs_do_not_change():
    graph = wp.Graph.from_edges([0], [1])
    x = np.array([1.0, 2.0])
    other = graph.with_coordinates(x, x)
    x[:] = 0
    assert other.coordinates.tolist() == [[1, 1], [2, 2]]
    assert graph.coordinates is graph.crs is None
    with pytest.raises(ValueError, match="read-only"):
        other.coordinates[0] = 3


@pytest.mark.parametrize(
    ("x", "y", "crs", "message"),
    [
        ([0], [0, 1], None, "1 values of x but 2 of y"),
        ([0, 1, 2], [0, 1, 2], None, "3 coordinates for 2 vertices"),
        ([0, np.nan], [0, 1], None, r"x\[1\] is nan: coordinates are finite numbers"),
        ([0, 1], [np.inf, 1], None, r"y\[0\] is inf"),
        ([0, None], [0, 1], None, r"x must hold numbers, not missing values \(x\[1\]\)"),
        (["a", "b"], [0, 1], None, "x must hold numbers, not <U1"),
        ([0, object()], [0, 1], None, "x must hold numbers"),
        ([0, 586400], [0, 1], 4326, r"x\[1\] is 586400.0: in EPSG:4326, x is a longitude"),
        ([0, 1], [0, 1], "nowhere", "crs='nowhere': Invalid projection"),
        ([0, 1], [0, -90.5], "OGC:CRS84", r"y\[1\] is -90.5: in OGC:CRS84"),
    ],
)  # fmt: skip
def test_bad_coordinates(x, y, crs, message):
    with pytest.raises(ValueError, match=message):
        wp.Graph.from_edges([0], [1]).with_coordinates(x, y, crs=crs)


def test_names_of_reference_systems():
    assert [crs_name(crs) for crs in (None, 4326, "4326", "epsg:4326", "EPSG:25832", np.int64(4326))] == [
        None, "EPSG:4326", "EPSG:4326", "EPSG:4326", "EPSG:25832", "EPSG:4326"
    ]  # fmt: skip
    pyproj = pytest.importorskip("pyproj")
    assert crs_name(pyproj.CRS.from_epsg(4326)) == "EPSG:4326"
    points = np.zeros((1, 2))
    spheres = [geometry_of(points, crs).is_on_sphere for crs in (None, 4326, 4258, 25832)]
    assert spheres == [False, True, True, False]


def test_nearest_in_a_plane():
    rng = np.random.default_rng(1)
    points, asked = rng.integers(0, 1000, (2, 300, 2))
    graph = wp.Graph.from_edges([0], [299]).with_coordinates(*points.T)
    away = np.hypot(*(asked[:, None] - points[None]).T).T
    vertices, distance = graph.nearest_vertices(*asked.T, return_distance=True)
    assert vertices.dtype == np.int32
    assert np.allclose(distance, away.min(axis=1), rtol=1e-15, atol=0)
    assert np.array_equal(away[np.arange(300), vertices], away.min(axis=1))


def _haversine(a, b):
    """Metres between two points, the textbook's formula."""
    (lon, lat), (lon2, lat2) = np.radians(a), np.radians(b)
    half = (
        np.sin((lat2 - lat) / 2) ** 2 + np.cos(lat) * np.cos(lat2) * np.sin((lon2 - lon) / 2) ** 2
    )
    return 2 * EARTH_RADIUS * np.arcsin(np.sqrt(half))


def test_nearest_on_the_sphere():
    rng = np.random.default_rng(2)
    points, asked = rng.uniform([-180, -90], [180, 90], (2, 60, 2))
    graph = wp.Graph.from_edges([0], [59], labels=[f"v{i}" for i in range(60)])
    graph = graph.with_coordinates(*points.T, crs="EPSG:4326")
    for point in asked:
        vertex, distance = graph.nearest_vertices(*point, return_distance=True)
        each = [_haversine(point, other) for other in points]
        assert vertex == f"v{np.argmin(each)}"
        assert distance == pytest.approx(min(each), rel=1e-9)


def test_nearest_across_the_date_line_and_at_a_pole():
    graph = wp.Graph.from_edges([0, 1], [1, 2]).with_coordinates(
        [179.9, -170, 0], [0, 0, 89.9], crs="EPSG:4326"
    )
    assert graph.nearest_vertices([-179.9, 180, -175], [0, 89, 0]).tolist() == [0, 2, 1]
    # Seen from (0, 60), 5° of longitude are 278 km and 3.5° of latitude 389 km.
    far = wp.Graph.from_edges([0], [1]).with_coordinates([5, 0], [60, 63.5], crs="EPSG:4326")
    assert far.nearest_vertices(0, 60) == 0


def test_nearest_refuses():
    graph = wp.Graph.from_edges([0], [1])
    with pytest.raises(
        ValueError, match="nearest_vertices needs coordinates, and the graph has none"
    ):
        graph.nearest_vertices(0, 0)
    graph = graph.with_coordinates([0, 1], [0, 1], crs=4326)
    with pytest.raises(ValueError, match=r"y\[0\] is nan"):
        graph.nearest_vertices(0, np.nan)
    with pytest.raises(ValueError, match=r"x\[1\] is 200.0"):
        graph.nearest_vertices([0, 200], [0, 0])
    with pytest.raises(ValueError, match="has no vertices"):
        wp.Graph.from_edges([], []).with_coordinates([], []).nearest_vertices(0, 0)


def test_polylines_follow_the_direction_that_is_asked_for():
    points = np.array([[0, 0], [1, 2], [4, 0], [4, 0], [6, 6], [4, 4]], float)
    lines = Lines(points, np.array([0, 3, 3, 6]))
    geometry = Geometry(np.array([[0, 0], [4, 0], [4, 4]], float), None, lines)
    found = geometry.polylines(
        np.array([0, 1, 1, 2]), np.array([1, 0, 2, 1]), np.array([0, 0, 1, 2])
    )
    each = [part.tolist() for part in np.split(found.points, found.offsets[1:-1])]
    assert each == [
        [[0, 0], [1, 2], [4, 0]],
        [[4, 0], [1, 2], [0, 0]],
        [[4, 0], [4, 4]],  # without a line
        [[4, 4], [6, 6], [4, 0]],
    ]
    straight = geometry.polylines(np.array([0]), np.array([1]), None)
    assert straight.points.tolist() == [[0, 0], [4, 0]]
    none = geometry.polylines(*np.empty((3, 0), int))
    assert len(none.points) == 0
    assert none.offsets.tolist() == [0]
