"""`Graph`: an immutable graph in compressed sparse rows."""

import threading
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from warpath.graph import build
from warpath.graph.build import read_only
from warpath.graph.check import (
    as_ids,
    as_vector,
    as_vertex,
    as_vertex_count,
    as_weights,
    check_below,
)

Array = NDArray[Any]
Merge = Literal["keep", "min", "sum"]


class Graph:
    """An immutable graph: compressed sparse rows (CSR), rows sorted by target.

    ``Graph(data)`` takes a SciPy sparse matrix or array, a dense 2-d array, a NetworkX
    graph, or a `Graph`; see `Graph.from_matrix`, `Graph.from_networkx`.
    `Graph.from_edges` takes arrays of ends, `Graph.from_csr` CSR arrays,
    `Graph.from_frame` a pandas or Polars frame; `warpath.read` reads files.

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

    Notes
    -----
    All arrays are read-only. Parallel edges, self-loops and weights of zero are legal
    and kept. With n vertices and m arcs, CSR takes 4(n + 1) + 4m bytes and the weights'
    (survey, section 1.2 and table 1).
    """

    row_offsets: Array
    column_indices: Array
    weights: Array | None
    directed: bool
    labels: Array | None
    _lock: threading.Lock

    def __init__(self, data: Any, **options: Any) -> None:
        from warpath.graph.convert import graph_from

        other = graph_from(data, **options)
        self.__dict__.update(other.__dict__)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a Graph is immutable: cannot set {name!r}")

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
        """A graph of arrays that are known to be right, rows sorted."""
        self = cls.__new__(cls)
        self.__dict__.update(
            row_offsets=read_only(row_offsets),
            column_indices=read_only(column_indices),
            weights=None if weights is None else read_only(weights),
            directed=directed,
            labels=None if labels is None else read_only(labels),
            _lock=threading.Lock(),
        )
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
    ) -> "Graph":
        """Build a graph from the ends of its edges.

        Parameters
        ----------
        source, target : integer arrays, shape (k,)
            Vertex ids; anything with ``__array__`` or ``__dlpack__``, or a sequence.
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

        Raises
        ------
        ValueError
            Negative or too large ids, NaN or infinite weights, arrays of unequal
            lengths: the message names the first one.
        OverflowError
            More than 2³¹ − 1 vertices; a weight or a sum of weights beyond 64 bits.
        """
        if merge not in ("keep", "min", "sum"):
            raise ValueError(f"merge must be 'keep', 'min' or 'sum', not {merge!r}")
        source, target = as_ids(source, "source"), as_ids(target, "target")
        if len(source) != len(target):
            raise ValueError(f"{len(source)} sources but {len(target)} targets: one each an edge")
        if weight is not None:
            weight = as_weights(weight)
            if len(weight) != len(source):
                raise ValueError(f"{len(weight)} weights for {len(source)} edges: one each an edge")
        n = as_vertex_count(_least_n(source, target) if n is None else n)
        source, target = check_below(source, n, "source"), check_below(target, n, "target")
        if drop_self_loops:
            source, target, weight = _select(source != target, source, target, weight)
        directed = directed and not symmetrize
        if symmetrize and merge == "keep":
            merge = "min"
        csr = build.csr_from_arcs(source, target, weight, n, mirror=not directed)
        if merge != "keep":
            csr = build.merge_parallel(*csr, merge)
        return cls._from_parts(*csr, directed, _as_labels(labels, n))

    @classmethod
    def from_csr(
        cls,
        row_offsets: Any,
        column_indices: Any,
        weights: Any = None,
        *,
        directed: bool = True,
        labels: Any = None,
    ) -> "Graph":
        """Wrap CSR arrays, without a copy where dtypes fit and rows are sorted.

        Arrays that were not copied must not be written afterwards.

        Parameters
        ----------
        row_offsets : integer array, shape (n + 1,)
        column_indices : integer array, shape (m,)
        weights : array, shape (m,), optional
        directed : bool
            False promises that each arc's reverse is there with the same weight; it is checked.
        labels : array, shape (n,), optional

        Raises
        ------
        ValueError
            Offsets that do not start at 0, descend, or do not end at m; ids out of
            range; an asymmetric graph with ``directed=False``.
        """
        offsets = as_vector(row_offsets, "row_offsets")
        indices = as_ids(column_indices, "column_indices")
        if len(offsets) == 0 or offsets.dtype.kind not in "iu":
            raise ValueError("row_offsets must be a non-empty integer array")
        n, m = as_vertex_count(len(offsets) - 1), len(indices)
        if offsets[0] != 0 or offsets[-1] != m:
            raise ValueError(
                f"row_offsets must run from 0 to {m}, the number of column_indices, "
                f"not from {offsets[0]} to {offsets[-1]}"
            )
        descents = np.flatnonzero(offsets[1:] < offsets[:-1])
        if len(descents):
            u = int(descents[0])
            raise ValueError(f"row_offsets descends at {u}: {offsets[u]} to {offsets[u + 1]}")
        offsets = np.ascontiguousarray(offsets, np.int32 if m < 2**31 else np.int64)
        indices = check_below(indices, n, "column_indices")
        if weights is not None:
            weights = as_weights(weights, "weights")
            if len(weights) != m:
                raise ValueError(f"{len(weights)} weights for {m} arcs: one each an arc")
        if not build.rows_are_sorted(offsets, indices):
            csr = build.csr_from_arcs(build.expand_sources(offsets), indices, weights, n)
        else:
            csr = offsets, indices, weights
        graph = cls._from_parts(*csr, directed, _as_labels(labels, n))
        if not directed:
            graph._check_symmetric()
        return graph

    @classmethod
    def from_matrix(cls, matrix: Any, *, directed: bool = True) -> "Graph":
        """A graph of an adjacency matrix, sparse or dense: see `warpath.graph.convert.from_matrix`."""
        from warpath.graph import convert

        return convert.from_matrix(matrix, directed=directed)

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

    def _check_symmetric(self) -> None:
        own = self.weights
        offsets, indices, weights = build.transpose(self.row_offsets, self.column_indices, own)
        same = np.array_equal(offsets, self.row_offsets)
        same = same and np.array_equal(indices, self.column_indices)
        if same and own is not None and weights is not None and not np.array_equal(own, weights):
            # Parallel edges may come in another order; compare them as sets.
            rows = build.expand_sources(offsets)
            here, there = (np.lexsort((w, indices, rows)) for w in (own, weights))
            same = np.array_equal(own[here], weights[there])
        if not same:
            raise ValueError(
                "directed=False, but some arc's reverse is missing or has another weight; "
                "pass directed=True, or Graph.from_edges(..., symmetrize=True)"
            )

    # -- what it is ---------------------------------------------------------------------

    @property
    def num_vertices(self) -> int:
        """Number of vertices, n."""
        return len(self.row_offsets) - 1

    @property
    def num_arcs(self) -> int:
        """Number of arcs, m: undirected edges count twice, undirected self-loops once."""
        return len(self.column_indices)

    @property
    def num_edges(self) -> int:
        """Number of edges as a person counts them: arcs if directed, else pairs."""
        if self.directed:
            return self.num_arcs
        return (self.num_arcs + self.num_self_loops) // 2

    @cached_property
    def num_self_loops(self) -> int:
        """Number of arcs from a vertex to itself."""
        return int(np.count_nonzero(self.coo()[0] == self.column_indices))

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
        if self.num_arcs == 0:
            return 0, 0
        if self.weights is None:
            return 1, 1
        return self.weights.min().item(), self.weights.max().item()

    @cached_property
    def mean_weight(self) -> float:
        """Average weight of an arc; 1 without weights, 0 without arcs."""
        if self.weights is None or self.num_arcs == 0:
            return float(self.num_arcs > 0)
        return float(self.weights.mean(dtype=np.float64))

    @cached_property
    def mean_arc_degree(self) -> float:
        """Average out-degree of the vertex that an arc leaves, Σ degree² / m; 0 without arcs.

        As high as the mean degree where all degrees are alike, far higher where hubs hold
        most arcs.
        """
        degree = self.degree.astype(np.float64)
        return float(degree @ degree) / max(self.num_arcs, 1)

    @property
    def reverse(self) -> "Graph":
        """The graph with every arc turned round; built on first use and kept.

        An undirected graph is its own reverse. Takes 4(n + 1) + 4m bytes and the weights'.
        """
        if not self.directed:
            return self
        with self._lock:
            if "_reverse" not in self.__dict__:
                parts = build.transpose(self.row_offsets, self.column_indices, self.weights)
                other = Graph._from_parts(*parts, True, self.labels)
                other.__dict__["_reverse"] = self
                self.__dict__["_reverse"] = other
            return self.__dict__["_reverse"]  # type: ignore[no-any-return]

    def neighbors(self, v: int) -> Array:
        """Targets of the arcs out of ``v``, ascending; a view, O(1)."""
        v = as_vertex(v, self.num_vertices)
        return self.column_indices[self.row_offsets[v] : self.row_offsets[v + 1]]

    def arc_weights(self, v: int) -> Array:
        """Weights of the arcs out of ``v``, in `neighbors`' order; a view, O(1).

        Raises
        ------
        ValueError
            If the graph has no weights.
        """
        v = as_vertex(v, self.num_vertices)
        if self.weights is None:
            raise ValueError("the graph has no weights")
        return self.weights[self.row_offsets[v] : self.row_offsets[v + 1]]

    def has_edge(self, u: int, v: int) -> bool:
        """Whether there is an arc from ``u`` to ``v``; O(log degree(u))."""
        row, v = self.neighbors(u), as_vertex(v, self.num_vertices)
        place = int(np.searchsorted(row, v))
        return place < len(row) and int(row[place]) == v

    def without_weights(self) -> "Graph":
        """The same graph without weights; shares its arrays."""
        return Graph._from_parts(
            self.row_offsets, self.column_indices, None, self.directed, self.labels
        )

    def with_weights(self, weights: Any) -> "Graph":
        """The same graph with other weights, one for each arc in CSR order; shares its arrays.

        Raises
        ------
        ValueError
            Unequal lengths, NaN or infinite weights; weights of an undirected graph that
            differ between an arc and its reverse.
        """
        weights = as_weights(weights, "weights")
        if len(weights) != self.num_arcs:
            raise ValueError(f"{len(weights)} weights for {self.num_arcs} arcs: one each an arc")
        graph = Graph._from_parts(
            self.row_offsets, self.column_indices, weights, self.directed, self.labels
        )
        if not self.directed:
            graph._check_symmetric()
        return graph

    # -- its other representations -------------------------------------------------------

    def coo(self) -> tuple[Array, Array, Array | None]:
        """(source, target, weight) of each arc, sorted; 8m bytes and the weights' (survey 1.3).

        Targets and weights are the graph's own arrays; the sources are expanded anew.
        """
        return build.expand_sources(self.row_offsets), self.column_indices, self.weights

    def edges(self) -> tuple[Array, Array, Array | None]:
        """Like `coo`, but of an undirected graph each edge once, with source ≤ target."""
        source, target, weight = self.coo()
        if self.directed:
            return source, target, weight
        return _select(source <= target, source, target, weight)

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

    @property
    def nbytes(self) -> dict[str, int]:
        """Bytes of each representation (survey, table 1), whether it exists yet or not.

        Keys: ``csr``; ``reverse`` (0 for undirected graphs, which need none); ``coo``;
        ``dense`` (in the weights' dtype, float32 without weights).
        """
        from warpath.graph.dense import dense_nbytes

        n, m = self.num_vertices, self.num_arcs
        item = 0 if self.weights is None else self.weights.dtype.itemsize
        csr = (n + 1) * self.row_offsets.dtype.itemsize + m * (4 + item)
        return {
            "csr": csr,
            "reverse": csr if self.directed else 0,
            "coo": m * (8 + item),
            "dense": dense_nbytes(n, item or 4),
        }

    def __repr__(self) -> str:
        kind = "directed" if self.directed else "undirected"
        weights = "no weights" if self.weights is None else f"{self.weights.dtype} weights"
        return (
            f"<Graph: {self.num_vertices:,} vertices, {self.num_edges:,} edges, {kind}, {weights}>"
        )

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        del state["_lock"]
        state.pop("_reverse", None)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _lock=threading.Lock())
        for name in ("row_offsets", "column_indices", "weights", "labels"):
            if state[name] is not None:
                self.__dict__[name] = read_only(state[name])


def _least_n(source: Array, target: Array) -> int:
    return max((int(ids.max()) + 1 for ids in (source, target) if len(ids)), default=0)


def _select(keep: Array, *arrays: Array | None) -> tuple[Any, ...]:
    return tuple(None if array is None else array[keep] for array in arrays)


def _as_labels(labels: Any, n: int) -> Array | None:
    if labels is None:
        return None
    labels = as_vector(labels, "labels")
    if len(labels) != n:
        raise ValueError(f"{len(labels)} labels for {n} vertices: one each a vertex")
    return labels  # type: ignore[no-any-return]
