"""Graphs from and to matrices and tensors: SciPy's, NumPy's, CuPy's, PyTorch's, python-graphblas'.

None but NumPy is imported: objects are known by what they can do.
"""

from typing import Any, Self

import numpy as np
from numpy.typing import DTypeLike, NDArray

from warpath.graph.arcs import Arcs
from warpath.graph.arrays import as_cupy, is_on_gpu, module_of
from warpath.graph.check import WEIGHT_DTYPES, as_numpy_dtype, check_flags, wrong_kind
from warpath.graph.dense_matrix import DenseMatrix, dense_nbytes, pitch_of
from warpath.graph.distance import unreachable
from warpath.graph.frames import names_of_matrix
from warpath.graph.from_arrays import FromArrays
from warpath.graph.sparse import check_sparse
from warpath.typing import BuildDeviceName


class Matrices(FromArrays):
    """What a `warpath.Graph` has to do with matrices."""

    @classmethod
    def from_matrix(
        cls, matrix: Any, *, directed: bool = True, device: BuildDeviceName = "cpu"
    ) -> Self:
        """A graph of an adjacency matrix: entry (u, v) is the weight of the arc u → v.

        Parameters
        ----------
        matrix : sparse matrix or array of SciPy or CuPy, or dense array-like or frame, shape (n, n)
            Every stored entry of a sparse matrix is an arc, zeros and duplicates included;
            PyTorch's have to be in CSR. In a dense matrix every entry is an arc that is neither
            zero nor (for floats) infinite. In a masked array of NumPy's every entry is one that is
            neither masked nor infinite, zeros included, as for `scipy.sparse.csgraph`. Boolean matrices give a graph
            without weights. CSR arrays are shared where `Graph.from_csr` shares them. Where a pandas frame's
            index and columns are the same, they become `labels` (unless they are 0, 1, … already).
        directed : bool
            False promises a symmetric matrix; it is checked.
        device : {"cpu", "cuda"}
            See `Graph.from_edges`.

        Raises
        ------
        ValueError
            If the matrix is not square, the arrays of a sparse one contradict each other, a weight is
            NaN, or asymmetric with ``directed=False``; if ``directed`` is neither True nor False.
        DeviceUnavailableError, MemoryError
            See `Graph.from_edges`.

        Examples
        --------
        >>> import numpy as np
        >>> import warpath as wp
        >>> g = wp.Graph.from_matrix(np.array([[0, 7, 0], [0, 0, 2], [0, 0, 0]]))
        >>> wp.sssp(g, 0).distance.tolist()
        [0, 7, 9]
        """
        check_flags(directed=directed)
        layout = str(getattr(matrix, "layout", "torch.strided"))
        labels = names_of_matrix(matrix)
        mask = np.ma.getmaskarray(matrix) if np.ma.isMaskedArray(matrix) else None
        if layout == "torch.strided" and is_on_gpu(matrix):
            matrix = as_cupy(matrix)
        elif not hasattr(matrix, "tocoo") and layout == "torch.strided":
            matrix = _of_rows(matrix)
        if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
            rows = isinstance(matrix, np.ndarray) and matrix.shape[1:] in ((2,), (3,))
            hint = ": for one edge per row call Graph.from_edges(*array.T)" if rows else ""
            raise ValueError(f"an adjacency matrix is square, not of shape {matrix.shape}{hint}")
        n = matrix.shape[0]
        if getattr(matrix, "format", "csr") != "csr":  # whose arrays `Graph.from_csr` checks
            check_sparse(matrix)
        if layout == "torch.sparse_csr":
            parts = matrix.crow_indices(), matrix.col_indices(), matrix.values()
            weight = None if str(matrix.dtype) == "torch.bool" else parts[2]
            graph = cls.from_csr(*parts[:2], weight, device=device)
        elif layout != "torch.strided":
            raise ValueError(f"a tensor of layout {layout}: call its to_sparse_csr() or to_dense()")
        elif getattr(matrix, "format", "") == "csr":
            weight = None if matrix.dtype == bool else matrix.data
            graph = cls.from_csr(matrix.indptr, matrix.indices, weight, device=device)
        elif hasattr(matrix, "tocoo"):
            coo = matrix.tocoo()
            weight = None if coo.dtype == bool else coo.data
            graph = cls.from_edges(coo.row, coo.col, weight, n=n, device=device)
        else:
            xp = module_of(matrix)
            # A mask says which entries there are: 0 among them is a weight.
            present = matrix != 0 if mask is None or matrix.dtype == bool else ~mask
            if mask is not None:
                present &= ~mask
            if matrix.dtype.kind == "f":
                present &= ~xp.isinf(matrix)
            source, target = xp.nonzero(present)
            weight = None if matrix.dtype == bool else matrix[source, target]
            graph = cls.from_edges(source, target, weight, n=n, labels=labels, device=device)
        if graph.num_vertices != n:
            raise ValueError(
                f"{graph.num_vertices + 1} row offsets for {n} rows: one more than rows"
            )
        return graph if directed else graph._checked_undirected()

    @classmethod
    def from_graphblas(cls, matrix: Any, *, directed: bool = True) -> Self:
        """A graph of a python-graphblas matrix: entry (u, v) is the weight of the arc u → v.

        Parameters
        ----------
        matrix : graphblas.Matrix, shape (n, n)
            Every stored entry is an arc, zeros included. Boolean ones give a graph without weights.
        directed : bool
            False promises a symmetric matrix; it is checked.

        Raises
        ------
        ValueError
            If the matrix is not square, a weight is NaN, or asymmetric with ``directed=False``; if
            ``directed`` is neither True nor False.
        """
        if not hasattr(matrix, "to_csr"):
            raise wrong_kind("a matrix of python-graphblas", matrix)
        if matrix.nrows != matrix.ncols:
            raise ValueError(f"an adjacency matrix is square, not of shape {matrix.shape}")
        offsets, indices, values = matrix.to_csr()
        weights = None if values.dtype == bool else values
        return cls.from_csr(offsets, indices, weights, directed=directed)

    @classmethod
    def from_edge_index(
        cls,
        edge_index: Any,
        edge_weight: Any = None,
        *,
        n: int | None = None,
        directed: bool = True,
        device: BuildDeviceName = "cpu",
    ) -> Self:
        """A graph of PyTorch Geometric's tensors, or of its ``Data`` object.

        Parameters
        ----------
        edge_index : integer tensor or array, shape (2, m), or Data
            Sources in the first row, targets in the second. A ``Data`` object gives its ``edge_index``,
            ``edge_weight`` (else an ``edge_attr`` of one dimension) and ``num_nodes``.
        edge_weight : tensor or array, shape (m,), optional
        n : int, optional
            Number of vertices; by default one more than the largest id.
        directed : bool
            False promises that each arc's reverse is there with the same weight, as PyTorch Geometric
            stores undirected graphs; it is checked.
        device : {"cpu", "cuda"}
            See `Graph.from_edges`.

        Raises
        ------
        ValueError
            If ``edge_index`` is not of two rows, or asymmetric with ``directed=False``; if ``directed`` is
            neither True nor False; and see `Graph.from_edges`.
        DeviceUnavailableError, MemoryError
            See `Graph.from_edges`.

        Examples
        --------
        >>> import numpy as np
        >>> import warpath as wp
        >>> wp.Graph.from_edge_index(np.array([[0, 1, 1, 2], [1, 0, 2, 1]]), directed=False)
        <Graph: 3 vertices, 2 edges, undirected, no weights>
        """
        check_flags(directed=directed)
        if hasattr(edge_index, "edge_index"):
            data, edge_index = edge_index, edge_index.edge_index
            attribute = getattr(data, "edge_attr", None)
            if edge_weight is None:
                edge_weight = getattr(data, "edge_weight", None)
            if edge_weight is None and getattr(attribute, "ndim", 0) == 1:
                edge_weight = attribute
            n = data.num_nodes if n is None else n
        if not hasattr(edge_index, "shape"):
            raise wrong_kind("an array or a tensor of two rows", edge_index)
        shape = tuple(edge_index.shape)
        if len(shape) != 2 or shape[0] != 2:
            raise ValueError(f"edge_index has two rows, sources and targets, not shape {shape}")
        graph = cls.from_edges(edge_index[0], edge_index[1], edge_weight, n=n, device=device)
        return graph if directed else graph._checked_undirected()

    def _checked_undirected(self) -> Self:
        """The same graph, if each arc's reverse is there with the same weight."""
        return self.from_csr(
            *self.resident, directed=False, labels=self.labels, device=self.device
        )  # fmt: skip

    def dense(self, dtype: DTypeLike | None = None) -> DenseMatrix:
        """The adjacency matrix with padded pitch (survey 1.1); of parallel arcs the lightest counts.

        Parameters
        ----------
        dtype : dtype, optional
            int32, int64, float32 or float64; by default the weights', float32 without weights.

        Returns
        -------
        DenseMatrix
            Its ``matrix`` is the array, shape (n, n), "no path" where there is no arc.

        Raises
        ------
        ValueError
            If ``dtype`` is another, or holds integers and the weights are floats.
        OverflowError
            If a weight does not fit in ``dtype``, or equals what stands for "no path".
        MemoryError
            If the matrix does not fit; the message says how much it needs.

        Examples
        --------
        >>> import warpath as wp
        >>> wp.Graph.from_edges([0, 1], [1, 2], [7, 2]).dense("float32").matrix
        array([[ 0.,  7., inf],
               [inf,  0.,  2.],
               [inf, inf,  0.]], dtype=float32)
        """
        n, (source, target, weight) = self.num_vertices, self.coo()
        if weight is None:
            weight = np.ones(len(target), np.float32)
        asked, dtype = dtype, as_numpy_dtype(weight.dtype if dtype is None else dtype)
        if dtype not in WEIGHT_DTYPES:
            names = ", ".join(str(known) for known in WEIGHT_DTYPES)
            raise ValueError(f"dtype must be one of {names}, not {asked!r}")
        if dtype.kind == "i" and weight.dtype.kind == "f" and self.weights is not None:
            raise ValueError(f"{weight.dtype} weights would lose their fractions in {dtype}")
        _check_range(self, dtype)
        try:
            padded = np.full((n, pitch_of(n, dtype.itemsize)), unreachable(dtype), dtype)
        except (MemoryError, ValueError):  # ValueError: more than the address space
            raise MemoryError(
                f"a dense matrix of {n:,} vertices takes {dense_nbytes(n, dtype.itemsize):,} "
                "bytes; the CSR representation takes "
                f"{self.nbytes['csr']:,}"
            ) from None
        diagonal = np.arange(n)
        padded[diagonal, diagonal] = 0
        np.minimum.at(padded, (source, target), weight.astype(dtype, copy=False))
        return DenseMatrix(padded)

    def to_scipy(self) -> Any:
        """`scipy.sparse.csr_array` of the weights (ones where there are none).

        Weights of zero stay as explicit entries. Parallel edges stay as duplicate
        entries, which SciPy's own algorithms may sum.

        Returns
        -------
        scipy.sparse.csr_array, shape (n, n)
            Shares the graph's arrays where it can.
        """
        from scipy.sparse import csr_array

        n, data = self.num_vertices, self.weights
        if data is None:
            data = np.ones(self.num_arcs, np.int32)
        return csr_array((data, self.column_indices, self.row_offsets), shape=(n, n), copy=False)


def _of_rows(matrix: Any) -> NDArray[Any]:
    """NumPy's array, or an error that names the first row that is not as long as those before it."""
    try:
        return np.asarray(matrix)
    except ValueError:
        for i, row in enumerate(matrix):
            if (
                hasattr(row, "__len__")
                and hasattr(matrix[0], "__len__")
                and len(row) != len(matrix[0])
            ):
                raise ValueError(
                    f"an adjacency matrix is square, and row {i} has length {len(row)}, row 0 {len(matrix[0])}"
                ) from None
        raise


def _check_range(graph: Arcs, dtype: "np.dtype[Any]") -> None:
    """Refuse weights that are "no path" in the matrix's dtype."""
    low, high = graph.weight_range
    if dtype.kind == "i":
        limits: Any = np.iinfo(dtype)
        fits = limits.min <= low and high < limits.max
    else:
        limits = np.finfo(dtype)
        fits = float(limits.min) <= low and high <= float(limits.max)
    if not fits:
        raise OverflowError(f"weights from {low} to {high} do not fit a matrix of {dtype}")
