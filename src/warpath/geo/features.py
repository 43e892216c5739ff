"""Lines and areas with properties: as GeoJSON and as frames of GeoPandas."""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from warpath.files import replacing
from warpath.geo import need
from warpath.graph.geometry import LONGITUDE_LATITUDE, Lines, is_longitude_latitude


@dataclass(frozen=True, eq=False)
class Features:
    """Lines or areas, each with properties.

    Attributes
    ----------
    geometries : list of dict
        As GeoJSON has them (``{"type": "LineString", "coordinates": [[x, y], ...]}``), in `crs`.
    properties : list of dict
    crs : str or None
        The graph's coordinate reference system.
    """

    geometries: list[dict[str, Any]]
    properties: list[dict[str, Any]]
    crs: str | None

    def __len__(self) -> int:
        """How many there are."""
        return len(self.geometries)

    def to_geojson(self, file: str | Path | None = None) -> dict[str, Any]:
        """A GeoJSON ``FeatureCollection`` (RFC 7946), in longitude and latitude.

        Coordinates of another reference system are converted by pyproj (extra ``geo``). Those
        of a graph that names none are written as they are.

        Parameters
        ----------
        file : path, optional
            Where to write it as well.

        Returns
        -------
        dict
            As the module ``json`` reads and writes it.

        Raises
        ------
        ModuleNotFoundError
            If pyproj is needed and missing.
        OSError
            If the file cannot be written.
        """
        geometries = self.geometries
        if self.crs is not None and not is_longitude_latitude(self.crs):
            pyproj = need("pyproj", f"GeoJSON of a graph in {self.crs!r}")
            convert = pyproj.Transformer.from_crs(self.crs, LONGITUDE_LATITUDE, always_xy=True)
            geometries = [
                one | {"coordinates": _mapped(one["coordinates"], convert.transform)}
                for one in geometries
            ]
        features = [
            {"type": "Feature", "properties": properties, "geometry": geometry}
            for geometry, properties in zip(geometries, self.properties, strict=True)
        ]
        collection = {"type": "FeatureCollection", "features": features}
        if file is not None:
            text = json.dumps(collection, ensure_ascii=False, allow_nan=False)
            with replacing(file) as stream:
                stream.write(text.encode() + b"\n")
        return collection

    def to_geodataframe(self) -> Any:
        """A `geopandas.GeoDataFrame` with a row for each, in the graph's reference system.

        Raises
        ------
        ModuleNotFoundError
            If GeoPandas is missing (extra ``geo``).
        """
        geopandas = need("geopandas", "a GeoDataFrame")
        shapely = need("shapely", "a GeoDataFrame")
        shapes = [shapely.geometry.shape(one) for one in self.geometries]
        return geopandas.GeoDataFrame(self.properties, geometry=shapes, crs=self.crs)


class GeoMixin(ABC):
    """An answer that can be shown on a map: `features` says what there is to show."""

    @abstractmethod
    def features(self) -> Features:
        """Its lines."""

    def to_geojson(self, file: str | Path | None = None) -> dict[str, Any]:
        """`features` as GeoJSON.

        Parameters
        ----------
        file : path, optional
            Where to write it as well.

        Returns
        -------
        dict
            A GeoJSON ``FeatureCollection`` (RFC 7946), in longitude and latitude.

        Raises
        ------
        ValueError
            If the graph has no coordinates.
        ModuleNotFoundError
            If coordinates have to be converted and pyproj is missing (extra ``geo``).
        OSError
            If the file cannot be written.
        """
        return self.features().to_geojson(file)

    def to_geodataframe(self) -> Any:
        """`features` for GeoPandas.

        Returns
        -------
        geopandas.GeoDataFrame
            One row for each line or area, in the graph's coordinate reference system.

        Raises
        ------
        ValueError
            If the graph has no coordinates.
        ModuleNotFoundError
            If GeoPandas is missing (extra ``geo``).
        """
        return self.features().to_geodataframe()


def line_strings(lines: Lines) -> list[dict[str, Any]]:
    """Lines as GeoJSON has them."""
    points, offsets = lines.points.tolist(), lines.offsets.tolist()
    return [
        {"type": "LineString", "coordinates": points[begin:end]} for begin, end in pairwise(offsets)
    ]


def plain(value: Any) -> Any:
    """A vertex's name, or a number, as JSON holds it."""
    if isinstance(value, np.generic):
        value = value.item()
    return value if isinstance(value, (str, int, float, type(None))) else str(value)


def _mapped(coordinates: Any, transform: Callable[..., Any]) -> Any:
    """Nested lists of points, each point transformed."""
    if not coordinates or not isinstance(coordinates[0][0], (int, float)):
        return [_mapped(one, transform) for one in coordinates]
    return np.column_stack(transform(*np.array(coordinates).T)).tolist()
