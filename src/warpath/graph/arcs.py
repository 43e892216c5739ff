"""What a graph is made of: its arrays, wherever they are, and what they say."""

import threading
from functools import cached_property
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from warpath.display import ReprMixin, Row, counted
from warpath.graph.arrays import Csr, module_of, to_host
from warpath.graph.build import read_only
from warpath.graph.check import as_ids, check_below
from warpath.graph.csr import sources_of
from warpath.graph.dense_matrix import dense_nbytes
from warpath.graph.derived import nbytes_of, owner_of
from warpath.graph.edges import select
from warpath.graph.geometry import Geometry, points_of
from warpath.graph.names import Names, Vertex, called, number_of
from warpath.typing import BuildDeviceName

Array = NDArray[Any]

_KEPT = ("directed", "labels", "edge_ids", "geometry")  # next to the arcs, in this order


class Arcs(ReprMixin):
    """The arrays of a `warpath.Graph`, which adds how to make one and what to make of it.

    Attributes
    ----------
    resident : Csr
        The CSR arrays where the graph was made: CuPy's of a graph on a GPU, else NumPy's. Not
        to be written. Numbers are computed here; of a graph on a GPU `row_offsets` and its like
        are copied when they are first looked at.
    geometry : Geometry or None
        Where the vertices and the edges lie.
    derived : dict
        What functions made of the graph and keep with it as long as it lives. A key is a tuple that
        begins with what `memory` calls it.
    directed, labels, edge_ids
        See `warpath.Graph`.
    """

    resident: Csr
    directed: bool
    labels: Array | None
    edge_ids: Array | None
    geometry: Geometry | None
    derived: dict[Any, Any]
    _lock: threading.Lock

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a Graph is immutable: cannot set {name!r}")

    @classmethod
    def _from_parts(
        cls,
        row_offsets: Array,
        column_indices: Array,
        weights: Array | None,
        directed: bool,
        labels: Array | None = None,
        edge_ids: Array | None = None,
        geometry: Geometry | None = None,
    ) -> Self:
        """A graph of arrays that are known to be right, rows sorted; NumPy's or CuPy's."""
        self = cls.__new__(cls)
        self._hold(Csr(row_offsets, column_indices, weights), directed, labels, edge_ids, geometry)
        return self

    def _hold(
        self,
        csr: Csr,
        directed: bool,
        labels: Array | None,
        edge_ids: Array | None = None,
        geometry: Geometry | None = None,
    ) -> None:
        """Become the graph of arrays that are known to be right, rows sorted."""
        if module_of(csr.column_indices) is np:
            csr = Csr(*map(_kept, csr))
        self.__dict__.update(
            resident=csr,
            directed=directed,
            labels=_kept(labels),
            edge_ids=_kept(edge_ids),
            geometry=geometry,
            derived={},
            _lock=threading.Lock(),
        )

    # -- its arrays ---------------------------------------------------------------------

    @cached_property
    def row_offsets(self) -> Array:
        """The arcs out of u stand at ``row_offsets[u]:row_offsets[u + 1]``."""
        return read_only(to_host(self.resident.row_offsets))

    @cached_property
    def column_indices(self) -> Array:
        """The target of each arc."""
        return read_only(to_host(self.resident.column_indices))

    @cached_property
    def weights(self) -> Array | None:
        """The weight of each arc, or None."""
        weights = self.resident.weights
        return None if weights is None else read_only(to_host(weights))

    @cached_property
    def device(self) -> BuildDeviceName:
        """Where the graph was built and its arrays are: ``"cpu"`` or ``"cuda"``."""
        return "cpu" if module_of(self.resident.column_indices) is np else "cuda"

    @cached_property
    def weight_dtype(self) -> "np.dtype[Any] | None":
        """The weights' dtype; None without weights."""
        weights = self.resident.weights
        return None if weights is None else weights.dtype

    # -- what is kept of it ---------------------------------------------------------------

    def memory(self) -> dict[str, int]:
        """Bytes of what the graph holds now, by what it is.

        ``"arcs"``: its CSR arrays, wherever they are. The others were made when they were first
        needed, and `release` frees them. ``"on the host"`` are copies of arrays that lie on a GPU;
        ``"reverse"`` and ``"names"`` are what they say. What is `derived` has names of its own:
        ``"on a GPU"`` are copies there, with what is prepared for balances;
        ``"classes of vertices"`` are Bellman-Ford's.

        Returns
        -------
        dict of str to int
            What takes no bytes is left out.

        Examples
        --------
        >>> import warpath as wp
        >>> g = wp.Graph.from_edges([0, 1], [1, 2])
        >>> list(g.memory())
        ['arcs']
        >>> r = wp.bfs(g, 0)
        >>> list(g.memory()), g.release(), list(g.memory())
        (['arcs', 'reverse'], None, ['arcs'])
        """
        seen = {id(owner_of(one)) for one in self.resident}
        found = {"arcs": sum(one.nbytes for one in self.resident if one is not None)}
        rest: list[tuple[str, Any]] = []
        if self.device != "cpu":
            rest.append(("on the host", [self.__dict__.get(name) for name in Csr._fields]))
        if "_reverse" in self.__dict__:
            reverse = self.__dict__["_reverse"]
            rest.append(("reverse", [reverse.resident, reverse.derived]))
        if "_unlabelled" in self.__dict__:
            rest.append(("names", self.__dict__.get("names")))
            twin = self.__dict__["_unlabelled"].memory()
            found |= {what: size for what, size in twin.items() if what != "arcs"}
        rest += [(key[0], value) for key, value in self.derived.items()]
        for what, value in rest:
            found[what] = found.get(what, 0) + nbytes_of(value, seen)
        return {what: size for what, size in found.items() if size}

    def release(self) -> None:
        """Free what was made of the graph and is kept with it; it is made again when it is needed.

        Not while another thread searches the graph.
        """
        for other in ("_reverse", "_unlabelled"):
            twin = self.__dict__.pop(other, None)
            if twin is not None:
                twin.__dict__.pop(other, None)
                twin.derived.clear()
        if self.device != "cpu":
            for name in Csr._fields:
                self.__dict__.pop(name, None)
        self.__dict__.pop("names", None)
        self.derived.clear()

    # -- what it is ---------------------------------------------------------------------

    @cached_property
    def num_vertices(self) -> int:
        """Number of vertices, n."""
        return len(self.resident.row_offsets) - 1

    @cached_property
    def num_arcs(self) -> int:
        """Number of arcs, m: undirected edges count twice, undirected self-loops once."""
        return len(self.resident.column_indices)

    @property
    def num_edges(self) -> int:
        """Number of edges as a person counts them: arcs if directed, else pairs."""
        if self.directed:
            return self.num_arcs
        return (self.num_arcs + self.num_self_loops) // 2

    @cached_property
    def num_self_loops(self) -> int:
        """Number of arcs from a vertex to itself."""
        csr = self.resident
        xp = module_of(csr.column_indices)
        return int(xp.count_nonzero(sources_of(csr) == csr.column_indices))

    @property
    def degree(self) -> Array:
        """Out-degree of each vertex: integer array, shape (n,)."""
        return np.diff(self.row_offsets)

    @property
    def in_degree(self) -> Array:
        """In-degree of each vertex: integer array, shape (n,)."""
        if not self.directed:
            return self.degree
        return np.bincount(self.column_indices, minlength=self.num_vertices)

    @cached_property
    def weight_range(self) -> tuple[Any, Any]:
        """Smallest and largest weight, as Python numbers; (1, 1) without weights, (0, 0) without arcs."""
        weights = self.resident.weights
        if self.num_arcs == 0:
            return 0, 0
        if weights is None:
            return 1, 1
        return weights.min().item(), weights.max().item()

    @cached_property
    def mean_weight(self) -> float:
        """Average weight of an arc; 1 without weights, 0 without arcs."""
        weights = self.resident.weights
        if weights is None or self.num_arcs == 0:
            return float(self.num_arcs > 0)
        return float(weights.mean(dtype=np.float64))

    @cached_property
    def largest_degree(self) -> int:
        """Largest out-degree; 0 without vertices."""
        offsets = self.resident.row_offsets
        return int((offsets[1:] - offsets[:-1]).max()) if self.num_vertices else 0

    @cached_property
    def mean_arc_degree(self) -> float:
        """Average out-degree of the vertex that an arc leaves, Σ degree² / m; 0 without arcs.

        As high as the mean degree where degrees are regular, far higher where hubs hold
        most arcs.
        """
        offsets = self.resident.row_offsets
        degree = (offsets[1:] - offsets[:-1]).astype(np.float64)
        return float((degree * degree).sum()) / max(self.num_arcs, 1)

    # -- its vertices' names ---------------------------------------------------------------

    @cached_property
    def names(self) -> Names:
        """Numbers of vertices by their `labels`; made at the first name that is looked up."""
        if self.labels is None:
            raise ValueError("the graph has no labels")
        return Names(self.labels)

    def index(self, name: Any) -> Any:
        """The number of the vertex called ``name``, or an int32 array for a sequence of names.

        ``labels[index(name)]`` is ``name``. Without `labels` a vertex is called by its number.

        Parameters
        ----------
        name : label, or sequence of labels
            What the vertices are called.

        Returns
        -------
        int, or int32 array
            0 … n − 1.

        Raises
        ------
        ValueError
            If no vertex is called so; if two vertices have one label.
        """
        if self.labels is not None:
            return self.names.numbers_like(name, "vertex")
        if np.iterable(name) and not isinstance(name, (str, bytes)):
            return check_below(as_ids(name, "vertex"), self.num_vertices, "vertex")
        return number_of(self, name)

    # -- where it lies -------------------------------------------------------------------

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
            no longitude and latitude.

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

    # -- its rows ------------------------------------------------------------------------

    def neighbors(self, v: Vertex) -> Array:
        """Targets of the arcs out of ``v``, ascending by number; without labels a view, O(1).

        Parameters
        ----------
        v : vertex
            Where the arcs begin.

        Returns
        -------
        array, shape (degree of v,)
            Vertices; of parallel arcs each target as often as there are arcs.
        """
        return called(self, self._row(v))  # type: ignore[no-any-return]

    def _row(self, v: Vertex) -> Array:
        u = number_of(self, v)
        return self.column_indices[self.row_offsets[u] : self.row_offsets[u + 1]]

    def arc_weights(self, v: Vertex) -> Array:
        """Weights of the arcs out of ``v``, in `neighbors`' order; a view, O(1).

        Parameters
        ----------
        v : vertex
            Where the arcs begin.

        Returns
        -------
        array, shape (degree of v,)
            Read-only.

        Raises
        ------
        ValueError
            If the graph has no weights.
        """
        u = number_of(self, v)
        if self.weights is None:
            raise ValueError("the graph has no weights")
        return self.weights[self.row_offsets[u] : self.row_offsets[u + 1]]

    def has_edge(self, u: Vertex, v: Vertex) -> bool:
        """Whether there is an arc from ``u`` to ``v``; O(log degree(u)).

        Parameters
        ----------
        u, v : vertices
            Where the arc begins and ends.

        Returns
        -------
        bool
            True, where there are several too.
        """
        row, target = self._row(u), number_of(self, v)
        place = int(np.searchsorted(row, target))
        return place < len(row) and int(row[place]) == target

    def path_edges(self, vertices: Any, *, heaviest: bool = False) -> list[int]:
        """The edges that a path goes along, by their `edge_ids`.

        Parameters
        ----------
        vertices : sequence of vertices
            From the first to the last.
        heaviest : bool
            Take the heaviest of parallel edges, not the lightest. Without weights the first.

        Returns
        -------
        list of int
            One less than there are vertices.

        Raises
        ------
        ValueError
            If the graph has no edge ids, or the path goes where no edge is.
        """
        if self.edge_ids is None:
            raise ValueError("the graph has no edge ids: make it with edge_ids=True")
        walk = self.index(list(vertices)).tolist()
        chosen = []
        for u, v in pairwise(walk):
            begin, end = self.row_offsets[u : u + 2].tolist()
            first, last = np.searchsorted(self.column_indices[begin:end], [v, v + 1]) + begin
            if first == last:
                raise ValueError(f"no edge leads from {called(self, u)!r} to {called(self, v)!r}")
            place = 0
            if self.weights is not None:
                row = self.weights[first:last]
                place = int(row.argmax() if heaviest else row.argmin())
            chosen.append(int(self.edge_ids[first + place]))
        return chosen

    def coo(self) -> tuple[Array, Array, Array | None]:
        """(source, target, weight) of each arc, sorted; 8m bytes and the weights' (survey 1.3).

        Targets and weights are the graph's own arrays; the sources are computed.

        Returns
        -------
        source, target : int32 array, shape (m,)
            The ends of each arc.
        weight : array, shape (m,), or None
            Its weight.
        """
        csr = Csr(self.row_offsets, self.column_indices, self.weights)
        return sources_of(csr), csr.column_indices, csr.weights

    def edges(self) -> tuple[Array, Array, Array | None]:
        """Like `coo`, but of an undirected graph each edge once, with source ≤ target.

        Returns
        -------
        source, target : int32 array, shape (number of edges,)
            The ends of each edge.
        weight : array of that shape, or None
            Its weight.
        """
        source, target, weight = self.coo()
        if self.directed:
            return source, target, weight
        return select(source <= target, source, target, weight)

    @property
    def nbytes(self) -> dict[str, int]:
        """Bytes of each representation (survey, table 1), whether it exists yet or not.

        Keys: ``csr``; ``reverse`` (0 for undirected graphs, which need none); ``coo``;
        ``dense`` (in the weights' dtype, float32 without weights).
        """
        n, m = self.num_vertices, self.num_arcs
        item = 0 if self.weight_dtype is None else self.weight_dtype.itemsize
        csr = (n + 1) * self.resident.row_offsets.dtype.itemsize + m * (4 + item)
        return {
            "csr": csr,
            "reverse": csr if self.directed else 0,
            "coo": m * (8 + item),
            "dense": dense_nbytes(n, item or 4),
        }

    def _line(self) -> str:
        kind = "directed" if self.directed else "undirected"
        weights = "no weights" if self.weight_dtype is None else f"{self.weight_dtype} weights"
        vertices = counted(self.num_vertices, "vertex", "vertices")
        return f"{vertices}, {counted(self.num_edges, 'edge')}, {kind}, {weights}"

    def _rows(self) -> list[Row]:
        rows = [
            ("kind", "directed" if self.directed else "undirected"),
            ("vertices", f"{self.num_vertices:,}"),
            ("edges", f"{self.num_edges:,}"),
            ("weights", "none" if self.weight_dtype is None else str(self.weight_dtype)),
        ]
        if self.labels is not None:
            rows.append(
                ("labels", ", ".join([*map(str, self.labels[:3]), "…"][: self.num_vertices]))
            )
        return rows if self.device == "cpu" else [*rows, ("device", self.device)]

    def __getstate__(self) -> dict[str, Any]:
        state = {name: getattr(self, name) for name in Csr._fields}
        return state | {name: getattr(self, name) for name in _KEPT}

    def __setstate__(self, state: dict[str, Any]) -> None:
        csr = Csr(*(state[name] for name in Csr._fields))
        self._hold(csr, *(state[name] for name in _KEPT))


def _kept(array: Array | None) -> Array | None:
    return None if array is None else read_only(array)
