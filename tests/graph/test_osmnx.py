"""Street networks of OSMnx: graphs, frames, and what each edge id leads back to."""

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest

import streets
import warpath as wp


@pytest.fixture(scope="module")
def real():
    return streets.hatfield()


def same(graph, other):
    for name in ("row_offsets", "column_indices", "weights", "labels", "edge_ids", "coordinates"):
        assert np.array_equal(getattr(graph, name), getattr(other, name)), name
    assert (graph.directed, graph.crs) == (other.directed, other.crs)


def test_a_graph_and_its_frames():
    graph = streets.multigraph()
    made = wp.Graph.from_osmnx(graph)
    assert repr(made) == "<Graph: 25 vertices, 80 edges, directed, float64 weights>"
    assert made.labels.tolist() == list(graph)
    assert made.coordinates.tolist() == [
        [data["x"], data["y"]] for _, data in graph.nodes(data=True)
    ]
    assert made.crs == "EPSG:4326"
    same(wp.Graph(graph), made)
    nodes, edges = streets.frames()
    same(wp.Graph.from_osmnx(nodes, edges), made)
    same(wp.Graph.from_osmnx(nodes.reset_index(), edges.reset_index()), made)
    frames = pl.from_pandas(nodes.reset_index()), pl.from_pandas(edges.reset_index())
    same(wp.Graph.from_osmnx(*frames), made)


def test_edge_ids_lead_back_to_keys():
    graph = nx.MultiDiGraph(crs="EPSG:4326")
    graph.add_nodes_from([(9, {"x": 0, "y": 0}), (3, {"x": 1, "y": 1}), (5, {"x": 2, "y": 2})])
    for u, v, key, length in [(3, 9, 0, 7.0), (9, 3, 0, 5.0), (9, 3, 2, 4.0), (3, 5, 1, 1.0)]:
        graph.add_edge(u, v, key, length=length)
    made = wp.Graph(graph)
    keys = [*graph.edges(keys=True)]
    source, target, weight = made.coo()
    for u, v, w, i in zip(source, target, weight, made.edge_ids, strict=True):
        assert keys[i][:2] == (made.labels[u], made.labels[v])
        assert graph.edges[keys[i]]["length"] == w
    route = wp.shortest_path(made, 9, 5)
    assert [keys[i] for i in route.edges] == [(9, 3, 2), (3, 5, 1)]
    assert route.length == 5


def test_distances_as_networkx_has_them(real):
    nodes, edges = real
    graph = wp.Graph.from_osmnx(nodes, edges)
    assert graph.num_vertices == len(nodes)
    other = nx.MultiDiGraph()
    other.add_weighted_edges_from(
        (u, v, w) for (u, v, _), w in edges["length"].items()
    )  # fmt: skip
    source = graph.largest_component().labels[0].item()
    expected = nx.single_source_dijkstra_path_length(other, source)
    found = wp.sssp(graph, source)
    assert {v: found[v] for v in nodes.index.tolist() if found[v] is not None} == expected
    assert len(expected) > 30


def test_lines_of_a_real_network(real):
    nodes, edges = real
    graph = wp.Graph.from_osmnx(nodes, edges)
    points, offsets = graph.geometry.lines
    for i, line in enumerate(edges.geometry):
        assert points[offsets[i] : offsets[i + 1]].tolist() == [
            list(point) for point in line.coords
        ]
    part = graph.largest_component()
    source, target, _ = part.coo()
    lines = part.geometry.polylines(source, target, part.edge_ids)
    assert np.array_equal(lines.points[lines.offsets[:-1]], part.coordinates[source])
    assert np.array_equal(lines.points[lines.offsets[1:] - 1], part.coordinates[target])


def test_what_osmnx_makes(real):
    """OSMnx's own graph of the frames, and its nearest nodes."""
    ox = pytest.importorskip("osmnx")
    nodes, edges = real
    theirs = ox.graph_from_gdfs(nodes, edges)
    made = wp.Graph(theirs)
    frames = ox.graph_to_gdfs(theirs)
    same(wp.Graph.from_osmnx(*frames), made)
    assert [*theirs.edges(keys=True)] == frames[1].index.tolist()
    flat = ox.project_graph(theirs)
    ours = wp.Graph(flat)
    assert ours.crs.upper() == "EPSG:32630"
    x, y = (np.linspace(low, high, 20) for low, high in zip(
        ours.coordinates.min(axis=0), ours.coordinates.max(axis=0), strict=True))  # fmt: skip
    number, away = ox.nearest_nodes(flat, x, y, return_dist=True)
    vertices, distance = ours.nearest_vertices(x, y, return_distance=True)
    assert vertices.tolist() == list(number)
    assert np.allclose(distance, away, rtol=1e-12)
    street = ox.convert.to_undirected(theirs)
    both = wp.Graph(street)
    assert not both.directed
    assert both.num_edges == street.number_of_edges()
    same(wp.Graph.from_osmnx(*ox.graph_to_gdfs(street), directed=False), both)


def test_another_weight_and_none():
    graph = streets.multigraph()
    nx.set_edge_attributes(graph, {edge: i for i, edge in enumerate(graph.edges)}, "travel_time")
    assert wp.Graph(graph, weight="travel_time").weights.dtype == np.int64
    assert wp.Graph(graph, weight=None).weights is None
    del graph.edges[streets.FIRST, streets.FIRST + 1, 0]["travel_time"]
    first = rf"\({streets.FIRST}, {streets.FIRST + 1}\)"
    with pytest.raises(
        ValueError, match=rf"edge {first} has no attribute 'travel_time'; it has 'osmid'"
    ):
        wp.Graph(graph, weight="travel_time")


def test_names_and_plain_numbers():
    nodes = pd.DataFrame({"x": [0, 1], "y": [0, 1]}, index=["Ulm", "Bonn"])
    edges = pd.DataFrame({"u": ["Ulm"], "v": ["Bonn"], "length": [3]})
    assert wp.sssp(wp.Graph.from_osmnx(nodes, edges), "Ulm")["Bonn"] == 3
    edges = pd.DataFrame({"u": [0], "v": [1], "length": [3]})
    graph = wp.Graph.from_osmnx(nodes.reset_index(drop=True), edges)
    assert graph.labels is None
    assert graph.crs == "EPSG:4326"


def test_isolated_nodes_stay():
    nodes, edges = streets.frames()
    graph = wp.Graph.from_osmnx(nodes, edges.iloc[:3])
    assert graph.num_vertices == 25
    assert wp.Graph.from_osmnx(nodes, edges.iloc[:0]).num_edges == 0


def test_a_graph_of_networkx_that_says_not_where_it_lies_is_as_before():
    graph = nx.Graph(crs="EPSG:4326")
    graph.add_edge("a", "b", weight=3)
    assert wp.Graph(graph).weights.tolist() == [3, 3]
    assert wp.Graph(graph).coordinates is None
    assert wp.Graph(nx.Graph(crs="EPSG:4326")).num_vertices == 0


def _nodes(**changes):
    return pd.DataFrame({"x": [0.0, 1.0], "y": [0.0, 1.0], **changes}, index=[7, 8])


def _edges(**changes):
    return pd.DataFrame({"u": [7, 8], "v": [8, 7], "length": [1.0, 2.0], **changes})


@pytest.mark.parametrize(
    ("nodes", "edges", "options", "message"),
    [
        (_nodes(), _edges(v=[8, 9]), {}, r"v\[1\] 9 is not in the graph: its vertices are called 7, 8"),
        (_nodes(), _edges(), {"weight": "time"}, r"edges have no column 'time': there are \['u', 'v'"),
        (_nodes(), _edges(length=[1, np.nan]), {}, r"weight\[1\] is nan"),
        (_nodes(x=[0, np.nan]), _edges(), {}, r"x\[1\] is nan"),
        (_nodes(x=[0, 5e5]), _edges(), {}, r"x\[1\] is 500000.0: in EPSG:4326, x is a longitude"),
        (_nodes()[["x"]], _edges(), {}, r"nodes have no column 'y'"),
        (_nodes().set_index(pd.Index([7, 7])), _edges(), {}, "vertices 0 and 1 are both called 7"),
        (pl.DataFrame({"x": [0], "y": [0]}), _edges(), {}, "nodes have no column 'osmid'"),
        (_nodes(), _edges(geometry=["LINESTRING (0 0, 1 1)", None]), {},
         r"geometry\[0\] is 'LINESTRING.*, not a line of Shapely"),
    ],
)  # fmt: skip
def test_bad_frames(nodes, edges, options, message):
    pytest.importorskip("shapely")
    with pytest.raises(ValueError, match=message):
        wp.Graph.from_osmnx(nodes, edges, **options)


def test_bad_geometries():
    shapely = pytest.importorskip("shapely")
    several = shapely.MultiLineString([[(0, 0), (1, 1)], [(2, 2), (3, 3)]])
    with pytest.raises(ValueError, match=r"geometry\[1\] is a MultiLineString"):
        wp.Graph.from_osmnx(_nodes(), _edges(geometry=[None, several]))
    infinite = shapely.LineString([(0, 0), (1, np.inf)])
    with pytest.raises(ValueError, match=r"geometry\[1\] has a point that is not finite"):
        wp.Graph.from_osmnx(_nodes(), _edges(geometry=[np.nan, infinite]))


def test_bad_calls():
    graph = streets.multigraph()
    with pytest.raises(TypeError, match="a graph has edges of its own"):
        wp.Graph.from_osmnx(graph, _edges())
    for nodes, edges in ((_nodes(), None), ("Ulm", _edges()), (_nodes(), "Ulm")):
        with pytest.raises(TypeError, match="expected a graph of OSMnx, or its frames"):
            wp.Graph.from_osmnx(nodes, edges)
    del graph.nodes[streets.FIRST + 3]["y"]
    with pytest.raises(
        ValueError, match=f"node {streets.FIRST + 3} has no attribute 'y'; it has 'x'"
    ):
        wp.Graph.from_osmnx(graph)
