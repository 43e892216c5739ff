"""`Graph`: an immutable graph in compressed sparse rows."""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from warpath.graph.arcs import Arcs
from warpath.graph.arrays import Csr, module_of, padded, to_module
from warpath.graph.check import as_vector
from warpath.graph.csr import arc_weights, check_symmetric, checked_csr, sources_of, transpose
from warpath.graph.edges import csr_from_edges, select

Array = NDArray[Any]
Merge = Literal["keep", "min", "sum"]


class Graph(Arcs):
    """An immutable graph: compressed sparse rows (CSR), rows sorted by target.

    ``Graph(data)`` takes a sparse matrix of SciPy, CuPy, PyTorch or python-graphblas, a dense
    2-d array, a graph of NetworkX or igraph, a pandas or Polars frame of edges, PyTorch
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
        What the vertices were called where the graph came from, when not 0 … n − 1.
    device : {"cpu", "cuda"}
        Where the graph was built.

    Notes
    -----
    All arrays are NumPy's and read-only. Of a graph that was built on a GPU
    (``device="cuda"``) they are copied from there when they are first looked at, and kept.
    Parallel edges, self-loops and weights of zero are legal and kept. With n vertices and m
    arcs, CSR takes 4(n + 1) + 4m bytes and the weights' (survey, section 1.2 and table 1).
    """

    def __init__(self, data: Any, **options: Any) -> None:
        from warpath.graph.convert import graph_from

        other = graph_from(data, **options)
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
    ) -> "Graph":
        """A graph of arrays that are known to be right, rows sorted; NumPy's or CuPy's."""
        self = cls.__new__(cls)
        self._hold(Csr(row_offsets, column_indices, weights), directed, labels)
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
        merge: Merge = "keep",
        labels: Any = None,
        device: str = "cpu",
    ) -> "Graph":
        """Build a graph from the ends of its edges.

        Parameters
        ----------
        source, target : integer arrays, shape (k,)
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
        labels : array, shape (n,), optional
            Names of the vertices, kept as `labels`.
        device : {"cpu", "cuda"}
            "cuda": build on the current CUDA device and leave the graph there, ready for
            traversals on it. It is the same graph: NumPy's arrays of it are copied from the
            device if somebody looks at them.

        Raises
        ------
        ValueError
            Negative, missing or too large ids; missing, NaN or infinite weights; masked elements
            of NumPy's masked arrays; arrays of unequal lengths: the message names the first one.
            An unknown device.
        OverflowError
            More than 2³¹ − 1 vertices; a weight or a sum of weights beyond 64 bits.
        DeviceUnavailableError
            ``device="cuda"`` where CUDA cannot be used: it says what is missing.
        MemoryError
            ``device="cuda"`` and a graph beyond the GPU's memory. Beside the edges and the
            graph, building takes up to 56 bytes an arc, but at most 30 GB and a quarter of
            the memory.
        """
        csr, self_loops = csr_from_edges(
            source,
            target,
            weight,
            n=n,
            mirror=symmetrize or not directed,
            drop_self_loops=drop_self_loops,
            merge="min" if symmetrize and merge == "keep" else merge,
            device=device,
        )
        n = len(csr.row_offsets) - 1
        graph = cls._from_parts(*csr, directed and not symmetrize, _as_labels(labels, n))
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
        device: str = "cpu",
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
        """
        csr = checked_csr(row_offsets, column_indices, weights, device)
        n = len(csr.row_offsets) - 1
        graph = cls._from_parts(*csr, directed, _as_labels(labels, n))
        if not directed:
            check_symmetric(csr)
        return graph

    @classmethod
    def from_matrix(cls, matrix: Any, *, directed: bool = True, device: str = "cpu") -> "Graph":
        """A graph of an adjacency matrix, sparse or dense: see `warpath.graph.convert.from_matrix`."""
        from warpath.graph import convert

        return convert.from_matrix(matrix, directed=directed, device=device)

    @classmethod
    def from_edge_index(cls, edge_index: Any, edge_weight: Any = None, **options: Any) -> "Graph":
        """A graph of PyTorch Geometric's tensors: see `warpath.graph.convert.from_edge_index`."""
        from warpath.graph import convert

        return convert.from_edge_index(edge_index, edge_weight, **options)

    @classmethod
    def from_igraph(cls, graph: Any, *, weight: str | None = "weight") -> "Graph":
        """A graph of an igraph one: see `warpath.graph.convert.from_igraph`."""
        from warpath.graph import convert

        return convert.from_igraph(graph, weight=weight)

    @classmethod
    def from_graphblas(cls, matrix: Any, *, directed: bool = True) -> "Graph":
        """A graph of a python-graphblas matrix: see `warpath.graph.convert.from_graphblas`."""
        from warpath.graph import convert

        return convert.from_graphblas(matrix, directed=directed)

    @classmethod
    def from_networkx(cls, graph: Any, *, weight: str | None = "weight") -> "Graph":
        """A graph of a NetworkX (multi)graph: see `warpath.graph.convert.from_networkx`."""
        from warpath.graph import convert

        return convert.from_networkx(graph, weight=weight)

    @classmethod
    def from_frame(cls, frame: Any, *columns: str, **options: Any) -> "Graph":
        """A graph of a pandas or Polars edge frame: see `warpath.graph.convert.from_frame`."""
        from warpath.graph import convert

        return convert.from_frame(frame, *columns, **options)

    # -- others made of it ---------------------------------------------------------------

    @property
    def reverse(self) -> "Graph":
        """The graph with every arc turned round; built on first use and kept.

        An undirected graph is its own reverse. Takes 4(n + 1) + 4m bytes and the weights'.
        """
        if not self.directed:
            return self
        with self._lock:
            if "_reverse" not in self.__dict__:
                other = Graph._from_parts(*transpose(self.resident), True, self.labels)
                other.__dict__["_reverse"] = self
                self.__dict__["_reverse"] = other
            return self.__dict__["_reverse"]  # type: ignore[no-any-return]

    def without_weights(self) -> "Graph":
        """The same graph without weights; shares its arrays."""
        offsets, indices, _ = self.resident
        return Graph._from_parts(offsets, indices, None, self.directed, self.labels)

    def with_weights(self, weights: Any) -> "Graph":
        """The same graph with other weights, one for each arc in CSR order; shares its arrays.

        Raises
        ------
        ValueError
            Unequal lengths, NaN or infinite weights; weights of an undirected graph that
            differ between an arc and its reverse.
        """
        offsets, indices, _ = self.resident
        given = arc_weights(weights, self.num_arcs, fetch=self.device == "cpu")
        if (xp := module_of(indices)) is not np:
            given = padded(xp, [to_module(given, xp)])
        csr = Csr(offsets, indices, given)
        if not self.directed:
            check_symmetric(csr)
        return Graph._from_parts(*csr, self.directed, self.labels)

    # -- its other representations -------------------------------------------------------

    def coo(self) -> tuple[Array, Array, Array | None]:
        """(source, target, weight) of each arc, sorted; 8m bytes and the weights' (survey 1.3).

        Targets and weights are the graph's own arrays; the sources are expanded anew.
        """
        csr = Csr(self.row_offsets, self.column_indices, self.weights)
        return sources_of(csr), csr.column_indices, csr.weights

    def edges(self) -> tuple[Array, Array, Array | None]:
        """Like `coo`, but of an undirected graph each edge once, with source ≤ target."""
        source, target, weight = self.coo()
        if self.directed:
            return source, target, weight
        return select(source <= target, source, target, weight)

    def dense(self, **options: Any) -> Any:
        """The adjacency matrix with padded pitch: see `warpath.graph.dense.DenseMatrix`."""
        from warpath.graph.dense import DenseMatrix

        return DenseMatrix.from_graph(self, **options)

    def to_networkx(self) -> Any:
        """A NetworkX (multi)graph: see `warpath.graph.convert.to_networkx`."""
        from warpath.graph import convert

        return convert.to_networkx(self)

    def to_frame(self) -> Any:
        """A Polars edge frame: see `warpath.graph.convert.to_frame`."""
        from warpath.graph import convert

        return convert.to_frame(self)

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
    labels = as_vector(labels, "labels")
    if len(labels) != n:
        raise ValueError(f"{len(labels)} labels for {n} vertices: one each a vertex")
    return labels  # type: ignore[no-any-return]
