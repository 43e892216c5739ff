"""Graphs from arrays: the ends of edges, or compressed sparse rows."""

from typing import Any, Self

import numpy as np

from warpath.graph.arcs import Array
from warpath.graph.check import as_flag, as_vector, check_flags, object_array, unequal, wrong_kind
from warpath.graph.csr import check_symmetric, checked_csr
from warpath.graph.edges import csr_from_edges
from warpath.graph.located import Located
from warpath.typing import BuildDeviceName, MergeName


class FromArrays(Located):
    """The constructors of a `warpath.Graph` that all others call."""

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
    ) -> Self:
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
            True: make the graph undirected by adding the reverse of each arc, once. The
            lightest arc between two vertices is kept (with ``merge="sum"``, their sum
            is). Implies ``directed=False``.
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
            An unknown device. ``n`` or ``labels`` with ids that are names. An option that is neither
            True nor False where it must be one.
        OverflowError
            More than 2³¹ − 1 vertices; a weight or a sum of weights beyond 64 bits.
        DeviceUnavailableError
            ``device="cuda"`` where CUDA cannot be used: it says what is missing.
        MemoryError
            ``device="cuda"`` and a graph beyond the GPU's memory. In addition to the
            edges and the graph, building takes up to 56 bytes per arc, but at most 30 GB and
            a quarter of the memory.

        Warns
        -----
        UserWarning
            If neither ``n`` nor ``compact`` is given, and the ids are so sparse that there are more than 10⁷
            vertices and 64 for each end of an edge.

        Examples
        --------
        >>> import warpath as wp
        >>> g = wp.Graph.from_edges(["Ulm", "Bonn"], ["Bonn", "Kiel"], [12, 5], directed=False)
        >>> g.labels.tolist(), wp.sssp(g, "Ulm").path("Kiel")
        (['Bonn', 'Kiel', 'Ulm'], ['Ulm', 'Bonn', 'Kiel'])
        """
        check_flags(
            directed=directed, symmetrize=symmetrize, drop_self_loops=drop_self_loops, edge_ids=edge_ids,
        )  # fmt: skip
        compact = None if compact is None else as_flag(compact, "compact")
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
                    "labels= is for ids that are numbers; names become labels themselves: for names "
                    "without edges give numbers, pandas.Index(labels).get_indexer(source)"
                )
            labels = names
        n = len(csr.row_offsets) - 1
        named = _as_labels(labels, n)
        if named is not None and names is None:
            named = named.copy()  # the caller may write to it, as to the other arrays
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
    ) -> Self:
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
            Offsets that do not start at 0, descend, or do not end at m; ids out
            of range; an asymmetric graph with ``directed=False``. An unknown device. A ``directed``
            that is neither True nor False.
        DeviceUnavailableError, MemoryError
            See `from_edges`.

        Examples
        --------
        >>> import warpath as wp
        >>> g = wp.Graph.from_csr([0, 2, 3, 3], [1, 2, 2], [7, 9, 1])
        >>> wp.sssp(g, 0).distance.tolist()
        [0, 7, 8]
        """
        check_flags(directed=directed)
        csr = checked_csr(row_offsets, column_indices, weights, device)
        n = len(csr.row_offsets) - 1
        graph = cls._from_parts(*csr, directed, _as_labels(labels, n))
        if not directed:
            check_symmetric(csr)
        return graph


def _as_labels(labels: Any, n: int) -> Array | None:
    if labels is None:
        return None
    if not hasattr(labels, "__array__"):
        if isinstance(labels, (set, frozenset, dict)) or not np.iterable(labels):
            raise wrong_kind("labels as an array or a sequence", labels)
        labels = _as_they_are(list(labels))
    labels = as_vector(labels, "labels")
    if len(labels) != n:
        raise unequal("labels", len(labels), n, "vertex", "vertices")
    return labels  # type: ignore[no-any-return]


def _as_they_are(labels: list[Any]) -> Array:
    """An array of NumPy's dtype for some labels; of objects, where that would make others of them."""
    if any(isinstance(label, tuple) for label in labels):
        return object_array(labels)
    array = as_vector(labels, "labels")
    return array if array.tolist() == labels else object_array(labels)
