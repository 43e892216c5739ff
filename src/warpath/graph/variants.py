"""The graphs that are made of a graph: turned round, with other weights, a part of it."""

from typing import Any, Self
from weakref import ref

import numpy as np

from warpath.graph.arcs import Array
from warpath.graph.arrays import Csr, module_of, padded, to_host, to_module
from warpath.graph.check import as_positive, as_vector, check_flags, is_missing, unequal
from warpath.graph.components import largest_component
from warpath.graph.csr import arc_weights, check_symmetric, checked_csr, transpose
from warpath.graph.degree_order import inverse_permutation, order_by_degree
from warpath.graph.from_arrays import FromArrays
from warpath.graph.geometry import geometry_of, points_of
from warpath.graph.names import called
from warpath.typing import ORDERS, OrderName

_TRUTHS = ("bool", "boolean", "Boolean")  # dtypes of NumPy and CuPy, pandas, Polars


class Variants(FromArrays):
    """The methods of a `warpath.Graph` that give another one."""

    @property
    def reverse(self) -> Self:
        """The graph with every arc turned round; built on first use and kept.

        An undirected graph is its own reverse. Takes 4(n + 1) + 4m bytes and the weights'.
        """
        if not self.directed:
            return self
        if (reverse_of := self.__dict__.get("_reverse_of")) and (original := reverse_of()):
            return original  # type: ignore[no-any-return]
        twin = None if self.labels is None else self.without_labels().reverse
        with self._lock:
            if "_reverse" not in self.__dict__:
                if twin is None:
                    ids = self.edge_ids
                    if ids is not None:  # in the order in which weights are turned round
                        ids = transpose(self.resident._replace(weights=ids)).weights
                    parts = transpose(self.resident)
                    other = self._from_parts(*parts, True, None, ids, self.geometry)
                else:
                    other = self._from_parts(
                        *twin.resident, True, self.labels, twin.edge_ids, self.geometry
                    )
                    other.__dict__["_unlabelled"] = twin
                # Weak: else both, and their copies on GPUs, would wait for the garbage collector.
                other.__dict__["_reverse_of"] = ref(self)
                self.__dict__["_reverse"] = other
            return self.__dict__["_reverse"]  # type: ignore[no-any-return]

    def without_labels(self) -> Self:
        """The same graph, its vertices called by their numbers; shares its arrays and its reverse.

        It is made once: copies on a GPU are shared, too.

        Returns
        -------
        Graph
            Without `Graph.labels`.
        """
        if self.labels is None:
            return self
        if "_unlabelled" not in self.__dict__:
            with self._lock:
                twin = self._from_parts(
                    *self.resident, self.directed, None, self.edge_ids, self.geometry
                )
                self.__dict__.setdefault("_unlabelled", twin)
        return self.__dict__["_unlabelled"]  # type: ignore[no-any-return]

    def without_weights(self) -> Self:
        """The same graph without weights; shares its arrays.

        Returns
        -------
        Graph
            Each edge counts 1.
        """
        offsets, indices, _ = self.resident
        return self._from_parts(
            offsets, indices, None, self.directed, self.labels, self.edge_ids, self.geometry
        )

    def with_weights(self, weights: Any, *, order: OrderName = "arcs") -> Self:
        """The same graph with other weights; shares its arrays.

        Parameters
        ----------
        weights : array
            One that was not copied must not be written afterwards: see `Graph.from_csr`.
        order : {"arcs", "edges"}
            "arcs": one for each arc, in CSR order. "edges": one for each edge, in the order of the
            frame or the arrays that made the graph, which needs `edge_ids`.

        Returns
        -------
        Graph
            With these `Graph.weights`.

        Raises
        ------
        ValueError
            Unequal lengths, NaN or infinite weights; weights of an undirected graph that
            differ between an arc and its reverse; an unknown order, or "edges" of a graph without
            edge ids.
        """
        if order not in ORDERS:
            raise ValueError(f"order must be 'arcs' or 'edges', not {order!r}")
        if order == "edges":
            if self.edge_ids is None:
                raise ValueError("the graph has no edge ids: make it with edge_ids=True")
            given = as_vector(weights, "weights")
            least = int(self.edge_ids.max()) + 1 if self.num_arcs else 0
            if len(given) < least:
                raise unequal("weights", len(given), least, "edge")
            weights = given[self.edge_ids]
        offsets, indices, _ = self.resident
        given = arc_weights(weights, self.num_arcs, fetch=self.device == "cpu")
        if (xp := module_of(indices)) is not np:
            given = padded(xp, [to_module(given, xp)])
        csr = Csr(offsets, indices, given)
        if not self.directed:
            check_symmetric(csr)
        return self._from_parts(*csr, self.directed, self.labels, self.edge_ids, self.geometry)

    def with_coordinates(self, x: Any, y: Any, *, crs: Any = None) -> Self:
        """The same graph, its vertices at these places; shares its arrays.

        Parameters
        ----------
        x, y : arrays of numbers, shape (n,)
            Where each vertex is, in the order of the numbers.
        crs : str or object, optional
            Their coordinate reference system, as pyproj takes it. ``"EPSG:4326"``: x is the longitude
            and y the latitude, in degrees. By default they lie in a plane of any unit.

        Returns
        -------
        Graph
            With `Graph.coordinates`.

        Raises
        ------
        ValueError
            Unequal lengths; what is not a finite number, or of longitude and latitude none of these; a
            ``crs`` that pyproj does not know.

        See Also
        --------
        nearest_vertices : The vertex next to a place.
        warpath.io.read_coordinates : Those of a ``.co`` file.

        Examples
        --------
        >>> import warpath as wp
        >>> g = wp.Graph.from_edges([0, 1], [1, 2]).with_coordinates([0, 3, 3], [0, 0, 4])
        >>> g.nearest_vertices([2, 9], [1, 9]).tolist()
        [1, 2]
        """
        points = points_of(x, y, crs)
        if len(points) != self.num_vertices:
            raise ValueError(
                f"{len(points)} coordinates for {self.num_vertices} vertices: one each a vertex"
            )
        return self._lying(geometry_of(points, crs))

    def subgraph(self, vertices: Any) -> Self:
        """The graph of some vertices and of all arcs between them.

        Parameters
        ----------
        vertices : sequence of vertices, or boolean array of shape (n,)
            In any order, and several times. Or whether each vertex belongs to it, in the order of their
            numbers.

        Returns
        -------
        Graph
            Vertices keep their names: its `labels` are this graph's, or numbers of this graph, and
            their order is this graph's.

        Raises
        ------
        ValueError
            If one is no vertex, or a boolean array has another length.

        Examples
        --------
        >>> import warpath as wp
        >>> g = wp.Graph.from_edges([0, 1, 2], [1, 2, 3]).subgraph([3, 2])
        >>> g.labels.tolist(), wp.bfs(g, 2).path(3)
        ([2, 3], [2, 3])

        Where a number of each vertex is large enough:

        >>> roads = wp.Graph.from_edges(["a", "b", "c"], ["b", "a", "a"])
        >>> roads.subgraph(roads.in_degree > 0).labels.tolist()
        ['a', 'b']
        """
        kept = np.zeros(self.num_vertices, bool)
        if str(getattr(vertices, "dtype", "")) in _TRUTHS:
            kept[:] = self._mask(vertices)
        else:
            kept[np.atleast_1d(self.index(vertices))] = True
        numbers = np.flatnonzero(kept)
        source, target, weight = self.coo()
        inside = kept[source] & kept[target]
        place = np.cumsum(kept, dtype=np.int32) - np.int32(1)
        counts = np.bincount(place[source[inside]], minlength=len(numbers))
        m = int(counts.sum())
        offsets = np.zeros(len(numbers) + 1, np.int32 if m < 2**31 else np.int64)
        np.cumsum(counts, out=offsets[1:])
        labels = _labels_of(self, numbers)
        weight = None if weight is None else weight[inside]
        csr = checked_csr(offsets, place[target[inside]], weight, self.device)
        ids = None if self.edge_ids is None else self.edge_ids[inside]
        geometry = None if self.geometry is None else self.geometry.of_vertices(numbers)
        return self._from_parts(*csr, self.directed, labels, ids, geometry)

    def by_degree(self, parts: int = 1) -> Self:
        """The same graph, its vertices numbered by degree, the largest first.

        Where few vertices have most edges, as in social networks, caches then hold what searches look up most, and
        neighbours that are looked at first are hubs. Searches of road networks get slower, as near vertices no longer lie together.

        Parameters
        ----------
        parts : int
            For how many GPUs or ranks `warpath.distribute` will cut the graph. They get the vertices cyclically, so that each has hubs.

        Returns
        -------
        Graph
            Vertices keep their names: its `labels` are this graph's, or numbers of this graph. The degree of a directed graph
            is that of both directions; of equal degrees the order stays.

        Examples
        --------
        >>> import warpath as wp
        >>> g = wp.Graph.from_edges([0, 1, 2], [3, 3, 3], directed=False).by_degree()
        >>> g.labels.tolist(), wp.bfs(g, 0).path(2)
        ([3, 0, 1, 2], [0, 3, 2])
        """
        csr, n = self.resident, self.num_vertices
        xp = module_of(csr.column_indices)
        degree = (csr.row_offsets[1:] - csr.row_offsets[:-1]).astype(np.int64)
        if self.directed:
            degree += xp.bincount(csr.column_indices, minlength=n)
        order = order_by_degree(xp, degree, as_positive(parts, "parts"))
        place = inverse_permutation(xp, order)

        def renumbered(values: Any) -> Csr:
            """With these weights: columns get other numbers and become rows, twice."""
            made = csr._replace(weights=values)
            for _ in range(2):
                made = transpose(made._replace(column_indices=place[made.column_indices]))
            return made

        ids = None if self.edge_ids is None else renumbered(self.edge_ids).weights
        numbers = to_host(order)
        labels = _labels_of(self, numbers)
        geometry = None if self.geometry is None else self.geometry.of_vertices(numbers)
        rows = renumbered(csr.weights)
        return self._from_parts(*rows, self.directed, labels, ids, geometry)

    def _mask(self, vertices: Any) -> Array:
        """Whether each vertex is chosen."""
        mask = as_vector(vertices, "vertices")
        if mask.dtype != bool and any(map(is_missing, mask)):
            raise ValueError("a boolean array of vertices must not have missing values")
        if len(mask) != self.num_vertices:
            raise unequal("vertices", len(mask), self.num_vertices, "vertex", "vertices")
        return mask

    def largest_component(self, *, strong: bool = False) -> Self:
        """The graph of the largest connected component: see `subgraph`.

        If several are as large, it is the one with the smallest vertex.

        Parameters
        ----------
        strong : bool
            True: of a directed graph the largest in which all vertices reach each other. False:
            as if arcs had no direction.

        Returns
        -------
        Graph
            Its labels are the vertices' numbers or labels in this graph.

        Raises
        ------
        ValueError
            ``strong`` is neither True nor False.
        """
        check_flags(strong=strong)
        plain = self.without_labels()
        return self.subgraph(called(self, largest_component(plain, strong=strong)))


def _labels_of(graph: Variants, numbers: Array) -> Array | None:
    """What vertices are called that get other numbers; None: by these, all the same."""
    if graph.labels is not None:
        return graph.labels[numbers]
    return None if np.array_equal(numbers, np.arange(len(numbers))) else numbers
