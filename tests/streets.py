"""Street networks: a made-up one as OSMnx's frames, and a real one from a wheel."""

from itertools import pairwise
from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
import pytest

FIRST = 8599934282  # an OSM id beyond 32 bits
SIDE = 5  # junctions


def frames() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Nodes and edges of a grid in Ulm, both directions; blocks are 74 m × 111 m, near enough."""
    along, across = np.meshgrid(np.arange(SIDE), np.arange(SIDE))
    nodes = pd.DataFrame(
        {"y": 48.398 + 0.001 * across.ravel(), "x": 9.99 + 0.001 * along.ravel()},
        index=pd.Index(FIRST + np.arange(SIDE * SIDE), name="osmid"),
    )
    number = np.arange(SIDE * SIDE).reshape(SIDE, SIDE)
    pairs = [(number[:, :-1], number[:, 1:], 73.8), (number[:-1], number[1:], 111.2)]
    rows = []
    for one, other, length in pairs:
        for u, v in zip(one.ravel(), other.ravel(), strict=True):
            rows += [(u, v, length), (v, u, length)]
    rows.sort()
    u, v, length = zip(*rows, strict=True)
    index = pd.MultiIndex.from_arrays(
        [FIRST + np.array(u), FIRST + np.array(v), [0] * len(rows)], names=["u", "v", "key"]
    )
    return nodes, pd.DataFrame({"osmid": np.arange(len(rows)), "length": length}, index=index)


def multigraph() -> nx.MultiDiGraph:
    """The same as a graph of OSMnx's: node and edge attributes, ``crs`` in the graph's."""
    nodes, edges = frames()
    graph = nx.MultiDiGraph(crs="epsg:4326")
    graph.add_nodes_from((osmid, {"y": y, "x": x}) for osmid, y, x in nodes.itertuples())
    for (u, v, key), row in edges.iterrows():
        graph.add_edge(u, v, key, osmid=int(row.osmid), length=np.float64(row.length))
    return graph


def hatfield():
    """Streets of Hatfield, England, as OSMnx's frames: OpenStreetMap's, from pyogrio's wheel.

    Lines are split where they meet. OpenStreetMap's data: © its contributors, ODbL.
    """
    geopandas = pytest.importorskip("geopandas")
    pyogrio = pytest.importorskip("pyogrio")
    shapely = pytest.importorskip("shapely")
    file = Path(pyogrio.__file__).parent / "tests" / "fixtures" / "sample.osm.pbf"
    if not file.exists():
        pytest.skip(f"this pyogrio has no {file}")
    pyogrio.set_gdal_config_options({"OSM_USE_CUSTOM_INDEXING": "NO"})
    lines = geopandas.read_file(file, layer="lines")
    ways = [
        [tuple(point) for point in line.coords]
        for line in lines.geometry[lines.highway.notna()]
    ]  # fmt: skip
    met = {}
    for way in ways:
        for point in way:
            met[point] = met.get(point, 0) + 1
        for end in (way[0], way[-1]):
            met[end] += 1
    junctions = sorted(point for point, number in met.items() if number > 1)
    ids = {point: FIRST + i for i, point in enumerate(junctions)}
    rows, shapes, used, numbers = [], [], {}, []
    for number, way in enumerate(ways):
        at = [i for i, point in enumerate(way) if point in ids]
        for begin, end in pairwise(at):
            line = shapely.LineString(way[begin : end + 1])
            for shape in (line, line.reverse()):
                u, v = ids[shape.coords[0]], ids[shape.coords[-1]]
                key = used[u, v] = used.get((u, v), -1) + 1
                rows.append((u, v, key))
                shapes.append(shape)
                numbers.append(number)
    index = pd.MultiIndex.from_tuples(rows, names=["u", "v", "key"])
    edges = geopandas.GeoDataFrame(
        {"osmid": numbers}, index=index, geometry=shapes, crs="EPSG:4326"
    )
    edges["length"] = edges.to_crs("EPSG:32630").length.to_numpy()
    x, y = np.array(junctions).T
    nodes = geopandas.GeoDataFrame(
        {"x": x, "y": y}, geometry=geopandas.points_from_xy(x, y), crs="EPSG:4326",
        index=pd.Index(ids.values(), name="osmid"),
    )  # fmt: skip
    return nodes, edges
