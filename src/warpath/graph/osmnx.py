"""Street networks as OSMnx makes them: its graphs, and the two frames of `osmnx.graph_to_gdfs`.

OSMnx is not imported, and need not be there. Geometries of edges are Shapely's.
"""

from itertools import islice
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from warpath.graph.check import is_missing, object_array
from warpath.graph.from_arrays import FromArrays
from warpath.graph.geometry import LONGITUDE_LATITUDE, Lines, geometry_of, points_of
from warpath.graph.names import Names

Array = NDArray[Any]

_SHOWN = 8  # attributes that a message lists


def is_osmnx(graph: Any) -> bool:
    """Whether a NetworkX graph is one that says where it lies, as OSMnx's do."""
    if not hasattr(graph, "is_multigraph") or "crs" not in graph.graph:
        return False
    return all({"x", "y"} <= {*data} for _, data in islice(graph.nodes(data=True), 1))


class StreetNetworks(FromArrays):
    """What a `warpath.Graph` has to do with OSMnx."""

    @classmethod
    def from_osmnx(
        cls,
        graph: Any,
        edges: Any = None,
        *,
        weight: str | None = "length",
        directed: bool = True,
        crs: Any = None,
    ) -> Self:
        """A graph of a street network of OSMnx, with coordinates and the lines of its edges.

        Parameters
        ----------
        graph : networkx.MultiDiGraph, other graph of NetworkX, or frame of nodes
            A graph as OSMnx makes it: nodes have the attributes x and y. Or the first of the two
            frames ``nodes, edges = osmnx.graph_to_gdfs(G)``: columns x and y, and the nodes' ids as its
            index, or as a column "osmid".
        edges : frame, optional
            The second: columns of weights, and the ends as index levels, or as columns, "u" and "v".
            A column "geometry" holds lines of Shapely; without one, or where it holds none, edges are
            straight.
        weight : str or None
            The attribute or column that holds the weights, and whose unit distances have: OSMnx's
            "length" is in metres, its "travel_time" (`osmnx.add_edge_travel_times`) in seconds. None: no
            weights.
        directed : bool
            For frames: False, if each row is one undirected edge. Graphs know it themselves.
        crs : str or object, optional
            Where the nodes lie. By default what ``graph`` says (``graph.graph["crs"]``, ``nodes.crs``),
            else ``"EPSG:4326"``: longitude and latitude.

        Returns
        -------
        Graph
            Its `labels` are the nodes' ids. Its `edge_ids` count the edges as ``graph.edges`` and the
            rows of ``edges`` do: ``[*G.edges(keys=True)][i]`` and ``edges.index[i]`` are the (u, v, key)
            of the edge with id i, ``edges.geometry.iloc[i]`` its line. `coordinates` and `crs` are kept.

        Raises
        ------
        ValueError
            If a node has no coordinates, an edge no ``weight``, or an end that is no node; a column that
            is not there; geometries that are no lines; and see `Graph.from_edges` and
            `Graph.with_coordinates`.
        TypeError
            If ``graph`` is neither a graph nor a frame, or edges are given next to a graph.

        Examples
        --------
        >>> import pandas as pd
        >>> import warpath as wp
        >>> nodes = pd.DataFrame({"x": [9.99, 10.0], "y": [48.4, 48.41]}, index=[8599934282, 25])
        >>> edges = pd.DataFrame({"u": [25], "v": [8599934282], "key": [0], "length": [1340.5]})
        >>> g = wp.Graph.from_osmnx(nodes, edges)
        >>> wp.sssp(g, 25)[8599934282], g.crs
        (1340.5, 'EPSG:4326')
        """
        if hasattr(graph, "is_multigraph"):
            if edges is not None:
                raise TypeError("edges= is for a frame of nodes; a graph has edges of its own")
            directed = graph.is_directed()
            crs = crs if crs is not None else graph.graph.get("crs")
            names, places = list(graph), [data for _, data in graph.nodes(data=True)]
            x, y = (_attributes("node", names, places, axis) for axis in ("x", "y"))
            rows = list(graph.edges(data=True))
            ends = [u for u, _, _ in rows], [v for _, v, _ in rows]
            attributes = [data for _, _, data in rows]
            called = [(u, v) for u, v, _ in rows]
            weights = None if weight is None else _attributes("edge", called, attributes, weight)
            lines = [data.get("geometry") for data in attributes]
        else:
            if edges is None or not (hasattr(graph, "columns") and hasattr(edges, "columns")):
                raise TypeError(
                    "expected a graph of OSMnx, or its frames of nodes and of edges "
                    f"(osmnx.graph_to_gdfs), not {type(graph).__name__} and {type(edges).__name__}"
                )
            crs = crs if crs is not None else getattr(graph, "crs", None)
            names = _ids(graph)
            x, y = _column(graph, "x", "nodes"), _column(graph, "y", "nodes")
            ends = _column(edges, "u", "edges").tolist(), _column(edges, "v", "edges").tolist()
            weights = None if weight is None else _column(edges, weight, "edges")
            lines = edges["geometry"].to_numpy() if "geometry" in edges.columns else []
        crs = LONGITUDE_LATITUDE if crs is None else crs
        labels = _as_labels(names)
        points = points_of(x, y, crs)
        known = Names(labels)
        source, target = (
            known.numbers(of_ends, end) for of_ends, end in zip(ends, "uv", strict=True)
        )
        made = cls.from_edges(
            source, target, weights, n=len(labels), directed=directed, edge_ids=True,
            labels=None if np.array_equal(labels, np.arange(len(labels))) else labels,
        )  # fmt: skip
        return made._lying(geometry_of(points, crs, _lines(lines, len(source))))


def _attributes(what: str, called: list[Any], attributes: list[dict[str, Any]], name: str) -> Array:
    """One attribute of all nodes, or of all edges."""
    values = [data.get(name) for data in attributes]
    for one, value, data in zip(called, values, attributes, strict=True):
        if value is None:
            there = ", ".join(map(repr, list(data)[:_SHOWN])) or "none"
            raise ValueError(f"{what} {one!r} has no attribute {name!r}; it has {there}")
    return np.asarray(values)


def _column(frame: Any, name: str, what: str) -> Array:
    """A column of a frame, or a level of its index."""
    if name in frame.columns:
        return np.asarray(frame[name].to_numpy())
    index = getattr(frame, "index", None)
    levels = [*getattr(index, "names", ())]
    if name in levels:
        return np.asarray(index.get_level_values(name).to_numpy())  # type: ignore[union-attr]
    there = [one for one in levels if one is not None] + list(frame.columns)
    raise ValueError(f"{what} have no column {name!r}: there are {there}")


def _ids(nodes: Any) -> list[Any]:
    """The ids of nodes: the index, or the column "osmid" of a frame whose index is not called so."""
    index = getattr(nodes, "index", None)
    if index is None or (index.name != "osmid" and "osmid" in nodes.columns):
        return _column(nodes, "osmid", "nodes").tolist()  # type: ignore[no-any-return]
    return index.tolist()  # type: ignore[no-any-return]


def _as_labels(names: list[Any]) -> Array:
    if all(type(name) is int for name in names):
        return np.array(names, np.int64)
    return object_array(names)


def _lines(geometries: Any, edges: int) -> Lines | None:
    """The lines of edges; None where no edge has one."""
    given = np.full(edges, None)
    for i, one in enumerate(geometries):
        given[i] = None if is_missing(one) else one
    there = np.flatnonzero([one is not None for one in given])
    if not len(there):
        return None
    import shapely

    for i in there[~shapely.is_geometry(given[there])][:1]:
        raise ValueError(f"geometry[{i}] is {given[i]!r}, not a line of Shapely")
    kinds = shapely.get_type_id(given)
    for i in there[kinds[there] != shapely.GeometryType.LINESTRING][:1]:
        raise ValueError(
            f"geometry[{i}] is a {given[i].geom_type}: an edge is one LineString (GeoPandas' explode "
            "makes several rows of others)"
        )
    points, edge = shapely.get_coordinates(given, return_index=True)
    for i in edge[~np.isfinite(points).all(axis=1)][:1]:
        raise ValueError(f"geometry[{i}] has a point that is not finite")
    offsets = np.zeros(edges + 1, np.int64)
    np.cumsum(np.bincount(edge, minlength=edges), out=offsets[1:])
    return Lines(points, offsets)
