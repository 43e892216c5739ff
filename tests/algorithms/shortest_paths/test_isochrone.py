"""Isochrones by hand, and on a real network; random ones are in tests/differential."""

import numpy as np
import polars as pl
import pytest

import streets
import warpath as wp


def rows(isochrone):
    return sorted(isochrone.to_frame().rows())


@pytest.fixture
def line():
    """a → b → c of 60 and 80, and back from c to b of 20."""
    return wp.Graph.from_edges(["a", "b", "c"], ["b", "c", "b"], [60, 80, 20], edge_ids=True)


def test_limits_end_inside_edges(line):
    found = wp.isochrone(line, "a", [100, 50, 145, 50])
    assert found.limits.tolist() == [50, 100, 145]
    assert found.source == "a"
    assert rows(found) == [
        ("a", "b", 0, 50.0, 0.0, 50 / 60),
        ("a", "b", 0, 100.0, 50 / 60, 1.0),
        ("b", "c", 1, 100.0, 0.0, 0.5),
        ("b", "c", 1, 145.0, 0.5, 1.0),
        ("c", "b", 2, 145.0, 0.0, 0.25),
    ]
    assert found.vertices().tolist() == ["a", "b", "c"]
    assert found.vertices(100).tolist() == ["a", "b"]
    assert found.paths["c"] == 140
    with pytest.raises(ValueError, match=r"limit 150 is beyond 145.0, the largest"):
        found.vertices(150)
    with pytest.raises(ValueError, match="limit must be a number, not 'far'"):
        found.vertices("far")


def test_towards_the_source(line):
    found = wp.isochrone(line, "b", 30, towards=True)
    assert rows(found) == [("a", "b", 0, 30.0, 0.5, 1.0), ("b", "c", 1, 30.0, 0.875, 1.0),
                           ("c", "b", 2, 30.0, 0.0, 1.0)]  # fmt: skip
    assert found.vertices().tolist() == ["b", "c"]


def test_an_undirected_edge_is_reached_from_both_ends():
    graph = wp.Graph.from_edges([0, 1, 0], [1, 2, 2], [2, 10, 4], directed=False, edge_ids=True)
    found = wp.isochrone(graph, 0, [6, 20])
    # Along 1 – 2, of 10 from distances 2 and 4, the ways meet at distance 8, 0.6 from 1.
    assert rows(found) == [(0, 1, 0, 6.0, 0.0, 1.0), (0, 2, 2, 6.0, 0.0, 1.0),
                           (1, 2, 1, 6.0, 0.0, 0.4), (1, 2, 1, 6.0, 0.8, 1.0),
                           (1, 2, 1, 20.0, 0.4, 0.6), (1, 2, 1, 20.0, 0.6, 0.8)]  # fmt: skip
    assert rows(wp.isochrone(graph, 0, [6, 20], towards=True)) == rows(found)


def test_loops_weights_of_zero_and_none():
    loop = wp.Graph.from_edges([0], [0], [10], directed=False)
    assert rows(wp.isochrone(loop, 0, 2)) == [(0, 0, 2.0, 0.0, 0.2), (0, 0, 2.0, 0.8, 1.0)]
    free = wp.Graph.from_edges([0, 1], [1, 2], [0, 5])
    assert rows(wp.isochrone(free, 0, 0)) == [(0, 1, 0.0, 0.0, 1.0)]
    assert rows(wp.isochrone(wp.Graph.from_edges([0, 1], [1, 2], [0, 5], directed=False), 0, [0, 5])) == [
        (0, 1, 0.0, 0.0, 1.0), (1, 2, 5.0, 0.0, 1.0)
    ]  # fmt: skip
    plain = wp.Graph.from_edges([0, 1], [1, 2])
    assert rows(wp.isochrone(plain, 0, 1.5)) == [(0, 1, 1.5, 0.0, 1.0), (1, 2, 1.5, 0.0, 0.5)]


def test_the_nearest_of_several_sources(line):
    found = wp.isochrone(line, ["a", "c"], 10)
    assert list(found.source) == ["a", "c"]
    assert rows(found) == [("a", "b", 0, 10.0, 0.0, 1 / 6), ("c", "b", 2, 10.0, 0.0, 0.5)]


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32, np.float64])
@pytest.mark.parametrize("directed", [True, False])
def test_edges_of_the_tree_have_no_slivers(dtype, directed):
    rng = np.random.default_rng(7)
    weights = (rng.random(2000) * 1000).astype(dtype)
    graph = wp.Graph.from_edges(*rng.integers(0, 500, (2, 2000)), weights, directed=directed)
    found = wp.isochrone(graph, 0, [900, 1500])
    parts = found.parts
    assert (parts.end - parts.begin > 1e-9).all()
    away = found.paths.distance
    parent = found.paths.predecessor
    whole = {  # arcs along which the search went, within the first limit
        (int(parent[v]), v) for v in np.flatnonzero(parent >= 0).tolist() if away[v] <= 900
    }
    ends = [one.tolist() for one in (parts.source, parts.target)]
    complete = {
        (u, v)
        for u, v, band, begin, end in zip(*ends, *parts[3:], strict=True)
        if (band, begin, end) == (0, 0, 1)
    }
    if not directed:
        complete |= {(v, u) for u, v in complete}
    assert len(whole) > 20
    assert whole <= complete


def test_maps_need_coordinates(line):
    found = wp.isochrone(line, "a", 10)
    for draw in (found.to_geojson, found.to_geodataframe, found.areas, found.plot):
        with pytest.raises(ValueError, match="a map of an isochrone needs coordinates"):
            draw()


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ([], "limits must be one number or several"),
        ([[1, 2]], "limits must be one number or several"),
        ("far", "limits must be numbers, not 'far'"),
        ("50", "limits must be numbers, not '50'"),
        ([1, 2**53 + 1], r"limits\[1\] is 9007199254740993, which float64 does not hold"),
        (["50", b"100"], r"limits must be numbers, not \['50', b'100'\]"),
        (True, "limits must be numbers, not True"),
        ([5, -1], r"limits\[1\] is -1.0: a limit is a finite number of 0 or more"),
        (np.inf, r"limits\[0\] is inf"),
        ([np.nan], r"limits\[0\] is nan"),
    ],
)
def test_bad_limits(line, limits, message):
    with pytest.raises(ValueError, match=message):
        wp.isochrone(line, "a", limits)


def test_bad_calls(line):
    with pytest.raises(ValueError, match="source 'z' is not in the graph"):
        wp.isochrone(line, "z", 1)
    with pytest.raises(ValueError, match="weights that are not negative; there is -1"):
        wp.isochrone(wp.Graph.from_edges([0], [1], [-1]), 0, 1)
    with pytest.raises(ValueError, match="unknown device"):
        wp.isochrone(line, "a", 1, device="abacus")
    with pytest.raises(TypeError, match=r"expected a warpath\.Graph"):
        wp.isochrone("line", "a", 1)
    found = wp.isochrone(line.with_coordinates([0, 1, 2], [0, 0, 1]), "a", 90)
    for options in ({"buffer": 0}, {"buffer": -1}, {"buffer": np.inf}, {"buffer": np.nan}):
        with pytest.raises(ValueError, match="buffer must be a positive number"):
            found.areas(**options)
    with pytest.raises(ValueError, match="ratio must be in 0 … 1, not 2"):
        found.areas(ratio=2)


@pytest.fixture(scope="module")
def real():
    return wp.Graph.from_osmnx(*streets.hatfield()).largest_component()


def test_a_real_network(real, tmp_path):
    """Lines are as long as their parts of edges are, and areas contain them."""
    shapely = pytest.importorskip("shapely")
    source = real.nearest_vertices(*real.coordinates.mean(axis=0))
    found = wp.isochrone(real, source, [150, 300])
    lines = found.to_geodataframe()
    assert lines.crs.to_epsg() == 4326
    lengths = dict(zip(real.edge_ids.tolist(), real.weights.tolist(), strict=True))
    expected = [
        (end - begin) * lengths[edge]
        for edge, begin, end in lines[["edge", "begin", "end"]].itertuples(index=False)
    ]
    metres = lines.to_crs("EPSG:32630").length
    assert np.allclose(metres, expected, rtol=0.005, atol=0.05)  # UTM's scale differs by 0.0004
    assert set(lines["limit"]) == {150, 300}
    assert len(lines) > 20
    collection = found.to_geojson(tmp_path / "a.geojson")
    assert len(collection["features"]) == len(lines)
    large, small = found.areas(buffer=20).to_geodataframe().geometry
    assert large.buffer(1e-6).contains(small)
    reached = lines[lines["limit"] == 150].union_all()
    assert small.buffer(1e-6).contains(reached)
    assert not small.contains(lines.union_all())
    areas = found.areas().to_geojson()["features"]
    assert [area["properties"] for area in areas] == [{"limit": 300.0}, {"limit": 150.0}]
    for area in areas:
        polygon = shapely.geometry.shape(area["geometry"])
        assert polygon.is_valid
        assert not polygon.is_empty


def test_parts_of_a_street_with_bends(real):
    """A limit inside a bent street ends on its line."""
    shapely = pytest.importorskip("shapely")
    _, edges = streets.hatfield()
    bends = edges.geometry.count_coordinates().to_numpy().copy()
    bends[~edges.index.get_level_values("u").isin(real.labels)] = 0
    bent = int(bends.argmax())
    u, v, _ = edges.index[bent]
    length = edges["length"].iloc[bent]
    found = wp.isochrone(real, u, 0.4 * length)
    frame = found.to_geodataframe()
    (part,) = frame.geometry.to_crs("EPSG:32630")[frame["edge"] == bent]
    line = edges.geometry.to_crs("EPSG:32630").iloc[bent]
    assert len(part.coords) > 3
    metres = part.hausdorff_distance(shapely.ops.substring(line, 0, 0.4, normalized=True))
    assert metres < 0.1
    assert (frame[frame["edge"] == bent][["source", "target"]].to_numpy() == [u, v]).all()


def test_to_pandas():
    graph = wp.Graph.from_edges(["a", "b"], ["b", "c"], [60, 80])
    found = wp.isochrone(graph, "a", [50, 100])
    assert found.to_pandas().to_dict("list") == found.to_frame().to_dict(as_series=False)


@pytest.mark.parametrize(
    ("weight", "limit"),
    [
        (np.float32(0.1), 0.1),  # is a little more than 0.1
        (np.int64(2**53 + 1), float(2**53)),  # is the limit if it becomes a float64
        (np.float64(5e-324), 0.5),  # a division by it overflows
        (np.float32(3e38), 3e38),  # so does the sum of two
    ],
)
def test_a_limit_is_a_cutoff_however_it_is_given(weight, limit):
    graph = wp.Graph.from_edges([0, 1], [1, 2], np.array([weight, weight]))
    right = np.flatnonzero(wp.sssp(graph, 0, cutoff=limit).reached).tolist()
    for given in (limit, [limit / 2, limit], [limit, 1.01 * limit]):
        found = wp.isochrone(graph, 0, given)
        assert found.vertices(limit).tolist() == right
        assert found.vertices(np.float64(limit)).tolist() == right
        if graph.weight_dtype.kind == "f":  # integers that large end within their last one
            ends = found.to_frame().filter((pl.col("end") == 1) & (pl.col("limit") <= limit))
            assert len(ends) == len(right) - 1
