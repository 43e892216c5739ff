"""`Graph`: an immutable graph in compressed sparse rows."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from warpath.graph import convert, osmnx
from warpath.graph.arcs import Arcs
from warpath.graph.arrays import Csr, module_of, padded, to_module
from warpath.graph.check import as_vector, unequal
from warpath.graph.csr import arc_weights, check_symmetric, checked_csr, sources_of, transpose
from warpath.graph.edges import csr_from_edges, select
from warpath.graph.geometry import Geometry, geometry_of, points_of
from warpath.graph.names import called
from warpath.typing import ORDERS, BuildDeviceName, MergeName, OrderName

if TYPE_CHECKING:
    from warpath.graph.dense import DenseMatrix

Array = NDArray[Any]


class Graph(Arcs):
    """An immutable graph: compressed sparse rows (CSR), rows sorted by target.

    ``Graph(data)`` takes a sparse matrix of SciPy, CuPy, PyTorch or python-graphblas, a dense
    2-d array, a graph of NetworkX, igraph or OSMnx, a pandas or Polars frame of edges, PyTorch
    Geometric's ``edge_index`` or ``Data``, or a `Graph`: what `Graph.from_matrix`,
    `Graph.from_networkx` and their like take. `Graph.from_edges` takes arrays of ends,
    `Graph.from_csr` CSR arrays; `warpath.read` reads files.

    Parameters
    ----------
    data : object
        See above.
    **options
        Handed to the constructor that ``data`` asks for.

    Attributes
    ----------
    row_offsets : int32 or int64 array, shape (n + 1,)
        The arcs out of u stand at ``row_offsets[u]:row_offsets[u + 1]``. int64 from 2³¹ arcs.
    column_indices : int32 array, shape (m,)
        The target of each arc, ascending within a row.
    weights : int32, int64, float32 or float64 array, shape (m,), or None
    directed : bool
        False: each edge {u, v} is stored as the arcs (u, v) and (v, u), a self-loop once.
    labels : array, shape (n,), or None
        What the vertices are called, where that is not 0 … n − 1. If a graph has labels, vertices
        that you give are labels, and vertices of results are labels; else they are numbers. Arrays
        with an entry for each vertex are in the order of the numbers: ``labels[i]`` is what vertex
        number i is called, ``index(name)`` the number.
    edge_ids : int32 or int64 array, shape (m,), or None
        If it was asked for, the place of each arc's edge in the frame or the arrays that made the
        graph, from 0. Of files only ``.npz`` keeps it.
    coordinates : float64 array, shape (n, 2), or None
        x and y of each vertex, from `with_coordinates`, `from_osmnx` or a file.
    crs : str or None
        Their coordinate reference system: ``"EPSG:4326"`` is longitude and latitude.
    device : {"cpu", "cuda"}
        Where the graph was built.

    Notes
    -----
    All arrays are NumPy's and read-only. Of a graph that was built on a GPU
    (``device="cuda"``) they are copied from there on first access, and kept.
    Parallel edges, self-loops and weights of zero are legal and kept. With n vertices and m
    arcs, CSR takes 4(n + 1) + 4m bytes and the weights' (survey, section 1.2 and table 1).
    """

    def __init__(self, data: Any, **options: Any) -> None:
        other = convert.graph_from(data, **options)
        self.__dict__.update(other.__dict__)

    # -- making one ---------------------------------------------------------------------

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
    ) -> "Graph":
        """A graph of arrays that are known to be right, rows sorted; NumPy's or CuPy's."""
        self = cls.__new__(cls)
        csr = Csr(row_offsets, column_indices, weights)
        self._hold(csr, directed, labels, edge_ids, geometry)
        return self

    @classmethod
    def from_edges(
        cls,
        source: Any,
        target: Any,
        weight: Any = None,
        *,
        n: int | None = None,
        directed: bool = True,
        symmetrize: bool = False,
        drop_self_loops: bool = False,
        merge: MergeName = "keep",
        compact: bool | None = None,
        labels: Any = None,
        edge_ids: bool = False,
        device: BuildDeviceName = "cpu",
    ) -> "Graph":
        """Build a graph from the ends of its edges.

        Parameters
        ----------
        source, target : arrays of integers or of text, shape (k,)
            Vertex ids; anything with ``__array__`` or ``__dlpack__``, or a sequence. Arrays
            in a GPU's memory (CuPy's, PyTorch's, …) are welcome for either device.
        weight : array, shape (k,), optional
            Booleans and integers become int32 or int64, floats float32 or float64.
        n : int, optional
            Number of vertices; by default one more than the largest id.
        directed : bool
            False: each pair is one undirected edge.
        symmetrize : bool
            True: make the graph undirected by adding the reverse of each arc, once: of
            the arcs between two vertices the lightest is kept (with ``merge="sum"``,
            their sum is). Implies ``directed=False``.
        drop_self_loops : bool
        merge : {"keep", "min", "sum"}
            What becomes of parallel edges.
        compact : bool, optional
            True: ids are names. Vertices are numbered 0, 1, … in ascending order of their ids,
            which become `labels` (unless they are 0, 1, … already). False: ids are numbers. By
            default they are names if they are text, or if ``n`` is not given and one is
            2³¹ − 1 or more.
        labels : array, shape (n,), optional
            Names of vertices whose ids are numbers, kept as `labels`.
        edge_ids : bool
            True: keep the place of each edge among those given, as `edge_ids`, for `path_edges` and
            `with_weights`. Takes 4 bytes per arc and about as long again as building the graph;
            for ``device="cpu"``, edges that are not merged.
        device : {"cpu", "cuda"}
            "cuda": build on the current CUDA device and leave the graph there, ready for
            traversals on it. It is the same graph: its NumPy arrays are copied from the
            device on first access.

        Raises
        ------
        ValueError
            Negative, missing or too large ids; missing, NaN or infinite weights; masked elements
            of NumPy's masked arrays; arrays of unequal lengths: the message names the first one.
            An unknown device. ``n`` or ``labels`` with ids that are names.
        OverflowError
            More than 2³¹ − 1 vertices; a weight or a sum of weights beyond 64 bits.
        DeviceUnavailableError
            ``device="cuda"`` where CUDA cannot be used: it says what is missing.
        MemoryError
            ``device="cuda"`` and a graph beyond the GPU's memory. Beside the edges and the
            graph, building takes up to 56 bytes per arc, but at most 30 GB and a quarter of
            the memory.

        Examples
        --------
        >>> import warpath as wp
        >>> g = wp.Graph.from_edges(["Ulm", "Bonn"], ["Bonn", "Kiel"], [12, 5], directed=False)
        >>> g.labels.tolist(), wp.sssp(g, "Ulm").path("Kiel")
        (['Bonn', 'Kiel', 'Ulm'], ['Ulm', 'Bonn', 'Kiel'])
        """
        csr, self_loops, names, of_arcs = csr_from_edges(
            source,
            target,
            weight,
            n=n,
            mirror=symmetrize or not directed,
            drop_self_loops=drop_self_loops,
            merge="min" if symmetrize and merge == "keep" else merge,
            compact=compact,
            edge_ids=edge_ids,
            device=device,
        )
        if names is not None:
            if labels is not None:
                raise ValueError(
                    "labels= is for ids that are numbers; names become labels themselves"
                )
            labels = names
        n = len(csr.row_offsets) - 1
        named = _as_labels(labels, n)
        graph = cls._from_parts(*csr, directed and not symmetrize, named, of_arcs)
        if self_loops is not None:
            graph.__dict__["num_self_loops"] = self_loops
        return graph

    @classmethod
    def from_csr(
        cls,
        row_offsets: Any,
        column_indices: Any,
        weights: Any = None,
        *,
        directed: bool = True,
        labels: Any = None,
        device: BuildDeviceName = "cpu",
    ) -> "Graph":
        """Wrap CSR arrays, without a copy where they lie right, dtypes fit and rows are sorted.

        Arrays that were not copied must not be written afterwards. They may be of NumPy, CuPy,
        PyTorch, …: anything with ``__array__``, ``__dlpack__`` or ``__cuda_array_interface__``.

        Parameters
        ----------
        row_offsets : integer array, shape (n + 1,)
        column_indices : integer array, shape (m,)
        weights : array, shape (m,), optional
        directed : bool
            False promises that each arc's reverse is there with the same weight; it is checked.
        labels : array, shape (n,), optional
        device : {"cpu", "cuda"}
            Where the graph's arrays shall be: "cuda" leaves those on the current CUDA device
            there, and copies others to it.

        Raises
        ------
        ValueError
            Offsets that do not start at 0, descend, or do not end at m; ids out of
            range; an asymmetric graph with ``directed=False``. An unknown device.
        DeviceUnavailableError, MemoryError
            See `from_edges`.

        Examples
        --------
        >>> import warpath as wp
        >>> g = wp.Graph.from_csr([0, 2, 3, 3], [1, 2, 2], [7, 9, 1])
        >>> wp.sssp(g, 0).distance.tolist()
        [0, 7, 8]
        """
        csr = checked_csr(row_offsets, column_indices, weights, device)
        n = len(csr.row_offsets) - 1
        graph = cls._from_parts(*csr, directed, _as_labels(labels, n))
        if not directed:
            check_symmetric(csr)
        return graph

    from_matrix = staticmethod(convert.from_matrix)
    from_networkx = staticmethod(convert.from_networkx)
    from_igraph = staticmethod(convert.from_igraph)
    from_graphblas = staticmethod(convert.from_graphblas)
    from_osmnx = staticmethod(osmnx.from_osmnx)
    from_frame = staticmethod(convert.from_frame)
    from_edge_index = staticmethod(convert.from_edge_index)

    # -- others made of it ---------------------------------------------------------------

    @property
    def reverse(self) -> "Graph":
        """The graph with every arc turned round; built on first use and kept.

        An undirected graph is its own reverse. Takes 4(n + 1) + 4m bytes and the weights'.
        """
        if not self.directed:
            return self
        twin = None if self.labels is None else self.without_labels().reverse
        with self._lock:
            if "_reverse" not in self.__dict__:
                if twin is None:
                    ids = self.edge_ids
                    if ids is not None:  # in the order in which weights are turned round
                        ids = transpose(self.resident._replace(weights=ids)).weights
                    parts = transpose(self.resident)
                    other = Graph._from_parts(*parts, True, None, ids, self.geometry)
                else:
                    other = Graph._from_parts(
                        *twin.resident, True, self.labels, twin.edge_ids, self.geometry
                    )
                    other.__dict__["_unlabelled"] = twin
                other.__dict__["_reverse"] = self
                self.__dict__["_reverse"] = other
            return self.__dict__["_reverse"]  # type: ignore[no-any-return]

    def without_labels(self) -> "Graph":
        """The same graph, its vertices called by their numbers; shares its arrays and its reverse.

        It is made once: copies on a GPU are shared, too.
        """
        if self.labels is None:
            return self
        if "_unlabelled" not in self.__dict__:
            with self._lock:
                twin = Graph._from_parts(
                    *self.resident, self.directed, None, self.edge_ids, self.geometry
                )
                self.__dict__.setdefault("_unlabelled", twin)
        return self.__dict__["_unlabelled"]  # type: ignore[no-any-return]

    def without_weights(self) -> "Graph":
        """The same graph without weights; shares its arrays."""
        offsets, indices, _ = self.resident
        return Graph._from_parts(
            offsets, indices, None, self.directed, self.labels, self.edge_ids, self.geometry
        )

    def with_weights(self, weights: Any, *, order: OrderName = "arcs") -> "Graph":
        """The same graph with other weights; shares its arrays.

        Parameters
        ----------
        weights : array
        order : {"arcs", "edges"}
            "arcs": one for each arc, in CSR order. "edges": one for each edge, in the order of the
            frame or the arrays that made the graph, which needs `edge_ids`.

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
        return Graph._from_parts(*csr, self.directed, self.labels, self.edge_ids, self.geometry)

    def with_coordinates(self, x: Any, y: Any, *, crs: Any = None) -> "Graph":
        """The same graph, its vertices at these places; shares its arrays.

        Parameters
        ----------
        x, y : arrays of numbers, shape (n,)
            Of each vertex, in the order of the numbers.
        crs : str or object, optional
            Their coordinate reference system, as pyproj takes it. ``"EPSG:4326"``: x is the longitude
            and y the latitude, in degrees. By default they lie in a plane of any unit.

        Raises
        ------
        ValueError
            Unequal lengths; what is not a finite number, or of longitude and latitude none of these.

        See Also
        --------
        nearest_vertices
        warpath.io.dimacs.read_coordinates : Those of a ``.co`` file.

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

    def _lying(self, geometry: Geometry | None) -> "Graph":
        """The same graph with this geometry."""
        if geometry is self.geometry:
            return self
        return Graph._from_parts(
            *self.resident, self.directed, self.labels, self.edge_ids, geometry
        )  # fmt: skip

    def subgraph(self, vertices: Any) -> "Graph":
        """The graph of some vertices and of all arcs between them.

        Parameters
        ----------
        vertices : sequence of vertices, or array
            In any order, and several times.

        Returns
        -------
        Graph
            Vertices keep their names: its `labels` are this graph's, or numbers of this graph, and
            their order is this graph's.

        Raises
        ------
        ValueError
            If one is no vertex.

        Examples
        --------
        >>> import warpath as wp
        >>> g = wp.Graph.from_edges([0, 1, 2], [1, 2, 3]).subgraph([3, 2])
        >>> g.labels.tolist(), wp.bfs(g, 2).path(3)
        ([2, 3], [2, 3])
        """
        kept = np.zeros(self.num_vertices, bool)
        kept[np.atleast_1d(self.index(vertices))] = True
        numbers = np.flatnonzero(kept)
        source, target, weight = self.coo()
        inside = kept[source] & kept[target]
        place = np.cumsum(kept, dtype=np.int32) - np.int32(1)
        counts = np.bincount(place[source[inside]], minlength=len(numbers))
        m = int(counts.sum())
        offsets = np.zeros(len(numbers) + 1, np.int32 if m < 2**31 else np.int64)
        np.cumsum(counts, out=offsets[1:])
        labels: Array | None = numbers if self.labels is None else self.labels[numbers]
        if self.labels is None and np.array_equal(numbers, np.arange(len(numbers))):
            labels = None
        arcs = Graph.from_csr(
            offsets,
            place[target[inside]],
            None if weight is None else weight[inside],
            labels=labels,
            device=self.device,
        )
        ids = None if self.edge_ids is None else self.edge_ids[inside]
        geometry = None if self.geometry is None else self.geometry.of_vertices(numbers)
        return Graph._from_parts(*arcs.resident, self.directed, arcs.labels, ids, geometry)

    def largest_component(self, *, strong: bool = False) -> "Graph":
        """The graph of the largest connected component: see `subgraph`.

        Of several as large, the one with the smallest vertex.

        Parameters
        ----------
        strong : bool
            True: of a directed graph the largest in which all vertices reach each other. False:
            as if arcs had no direction.
        """
        from warpath.graph.components import largest_component

        plain = self.without_labels()
        return self.subgraph(called(self, largest_component(plain, strong=strong)))

    # -- its other representations -------------------------------------------------------

    def coo(self) -> tuple[Array, Array, Array | None]:
        """(source, target, weight) of each arc, sorted; 8m bytes and the weights' (survey 1.3).

        Targets and weights are the graph's own arrays; the sources are computed.
        """
        csr = Csr(self.row_offsets, self.column_indices, self.weights)
        return sources_of(csr), csr.column_indices, csr.weights

    def edges(self) -> tuple[Array, Array, Array | None]:
        """Like `coo`, but of an undirected graph each edge once, with source ≤ target."""
        source, target, weight = self.coo()
        if self.directed:
            return source, target, weight
        return select(source <= target, source, target, weight)

    def dense(self, dtype: DTypeLike | None = None) -> "DenseMatrix":
        """The adjacency matrix with padded pitch (survey 1.1).

        Parameters
        ----------
        dtype : dtype, optional
            int32, int64, float32 or float64; by default the weights', float32 without weights.

        Raises
        ------
        ValueError, OverflowError, MemoryError
            See `warpath.graph.dense.DenseMatrix.from_graph`.

        Examples
        --------
        >>> import warpath as wp
        >>> wp.Graph.from_edges([0, 1], [1, 2], [7, 2]).dense("float32").matrix
        array([[ 0.,  7., inf],
               [inf,  0.,  2.],
               [inf, inf,  0.]], dtype=float32)
        """
        from warpath.graph.dense import DenseMatrix

        return DenseMatrix.from_graph(self, dtype)

    to_networkx = convert.to_networkx
    to_frame = convert.to_frame

    def to_scipy(self) -> Any:
        """`scipy.sparse.csr_array` of the weights (ones where there are none).

        Weights of zero stay as explicit entries. Parallel edges stay as duplicate
        entries, which SciPy's own algorithms may sum.
        """
        from scipy.sparse import csr_array

        n, data = self.num_vertices, self.weights
        if data is None:
            data = np.ones(self.num_arcs, np.int32)
        return csr_array((data, self.column_indices, self.row_offsets), shape=(n, n), copy=False)


def _as_labels(labels: Any, n: int) -> Array | None:
    if labels is None:
        return None
    if not hasattr(labels, "__array__"):
        given = list(labels)
        one_kind = all(isinstance(v, str) for v in given) or not any(
            isinstance(v, (str, tuple)) for v in given
        )
        labels = np.empty(len(given), object)
        labels[:] = given
        labels = np.array(given) if one_kind else labels  # else as they are: text and tuples
    labels = as_vector(labels, "labels")
    if len(labels) != n:
        raise unequal("labels", len(labels), n, "vertex", "vertices")
    return labels  # type: ignore[no-any-return]
