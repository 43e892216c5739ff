"""Where a graph's vertices lie."""

from typing import Any, Self

import numpy as np

from warpath.graph.adjacency import Adjacency
from warpath.graph.arcs import Array
from warpath.graph.check import check_flags
from warpath.graph.geometry import Geometry, points_of
from warpath.graph.names import called


class Located(Adjacency):
    """What `warpath.Graph` says of its coordinates."""

    def _lying(self, geometry: Geometry | None) -> Self:
        """The same graph with this geometry."""
        if geometry is self.geometry:
            return self
        return self._from_parts(
            *self.resident, self.directed, self.labels, self.edge_ids, geometry
        )  # fmt: skip

    @property
    def coordinates(self) -> Array | None:
        """Coordinates x and y of each vertex: float64 array, shape (n, 2); None where they are not known."""
        return None if self.geometry is None else self.geometry.coordinates

    @property
    def crs(self) -> str | None:
        """The coordinate reference system of `coordinates`; None: a plane, or no coordinates."""
        return None if self.geometry is None else self.geometry.crs

    def nearest_vertices(self, x: Any, y: Any, *, return_distance: bool = False) -> Any:
        """The vertices nearest to points, as the crow flies.

        Parameters
        ----------
        x, y : number, or arrays of shape (k,)
            In the graph's coordinate reference system: of ``"EPSG:4326"`` longitude and latitude.
        return_distance : bool
            Whether to answer how far they are, too.

        Returns
        -------
        vertices : vertex, or array of shape (k,)
            One of the nearest.
        distance : float, or float64 array, shape (k,)
            With ``return_distance``: in metres on the sphere, where coordinates are longitudes and
            latitudes, else in their unit.

        Raises
        ------
        ValueError
            If the graph has no coordinates or no vertices; points that are not finite numbers, or
            no longitude and latitude; a ``return_distance`` that is neither True nor False.

        Notes
        -----
        O(log n) time per point, in a tree of all vertices that the first call builds. Longitudes and
        latitudes are compared on the sphere: near the poles and across the date line as well.

        Examples
        --------
        >>> import warpath as wp
        >>> g = wp.Graph.from_edges(["Ulm"], ["Bonn"]).with_coordinates(
        ...     [7.1, 10.0], [50.7, 48.4], crs="EPSG:4326"
        ... )
        >>> g.nearest_vertices(9.2, 48.8)
        'Ulm'
        """
        check_flags(return_distance=return_distance)
        geometry = self._lies("nearest_vertices")
        if not self.num_vertices:
            raise ValueError("the graph has no vertices")
        points = points_of(np.atleast_1d(x), np.atleast_1d(y), geometry.crs)
        number, away = geometry.nearest(points)
        single = np.ndim(x) == np.ndim(y) == 0
        vertices = called(self, int(number[0]) if single else number)
        if not return_distance:
            return vertices
        return vertices, float(away[0]) if single else away

    def _lies(self, what: str) -> Geometry:
        """The geometry, which ``what`` needs.

        Raises
        ------
        ValueError
            If there is none.
        """
        if self.geometry is None:
            raise ValueError(
                f"{what} needs coordinates, and the graph has none: Graph.with_coordinates gives "
                "it some, Graph.from_osmnx takes those of OSMnx"
            )
        return self.geometry
