"""The dense adjacency matrix with padded rows (survey, section 1.1)."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from warpath.graph.check import WEIGHT_DTYPES
from warpath.graph.distance import unreachable

if TYPE_CHECKING:
    from warpath.graph.graph import Graph

_ALIGNMENT = 128  # bytes: a GPU memory transaction, two cache lines of a CPU


def pitch_of(n: int, itemsize: int) -> int:
    """Elements from one row's start to the next's: n, padded to whole 128-byte lines."""
    per_line = _ALIGNMENT // itemsize
    return -(-n // per_line) * per_line


def dense_nbytes(n: int, itemsize: int) -> int:
    """Bytes of a dense matrix of n vertices."""
    return n * pitch_of(n, itemsize) * itemsize


@dataclass(frozen=True)
class DenseMatrix:
    """Distances by single arcs: 0 on the diagonal, unreachable where there is no arc.

    Attributes
    ----------
    padded : array, shape (n, pitch)
        Entry (u, v) stands at ``u * pitch + v`` of the memory; what lies beyond column
        n is unreachable. A negative self-loop keeps its weight on the diagonal.
    """

    padded: NDArray[Any]

    @property
    def matrix(self) -> NDArray[Any]:
        """Without the padding: a view, shape (n, n)."""
        n = self.padded.shape[0]
        return self.padded[:, :n]

    @property
    def pitch(self) -> int:
        """Elements from one row to the next."""
        return int(self.padded.shape[1])

    @classmethod
    def from_graph(cls, graph: "Graph", dtype: Any = None) -> "DenseMatrix":
        """Fill a matrix from a graph; of parallel arcs the lightest counts.

        Parameters
        ----------
        graph : Graph
        dtype : dtype, optional
            int32, int64, float32 or float64; by default the weights', float32 without
            weights (each arc then counts 1).

        Raises
        ------
        ValueError
            If ``dtype`` is another, or holds integers and the weights are floats.
        OverflowError
            If a weight does not fit in ``dtype``, or equals what stands for "no path".
        MemoryError
            If the matrix does not fit; the message says how much it needs.
        """
        n, (source, target, weight) = graph.num_vertices, graph.coo()
        if weight is None:
            weight = np.ones(len(target), np.float32)
        dtype = np.dtype(weight.dtype if dtype is None else dtype)
        if dtype not in WEIGHT_DTYPES:
            names = ", ".join(str(known) for known in WEIGHT_DTYPES)
            raise ValueError(f"dtype must be one of {names}, not {dtype}")
        if dtype.kind == "i" and weight.dtype.kind == "f" and graph.weights is not None:
            raise ValueError(f"{weight.dtype} weights would lose their fractions in {dtype}")
        _check_range(graph, dtype)
        try:
            padded = np.full((n, pitch_of(n, dtype.itemsize)), unreachable(dtype), dtype)
        except (MemoryError, ValueError):  # ValueError: more than the address space
            raise MemoryError(
                f"a dense matrix of {n:,} vertices takes {dense_nbytes(n, dtype.itemsize):,} "
                "bytes; the CSR representation takes "
                f"{graph.nbytes['csr']:,}"
            ) from None
        diagonal = np.arange(n)
        padded[diagonal, diagonal] = 0
        np.minimum.at(padded, (source, target), weight.astype(dtype, copy=False))
        return cls(padded)

    def to_graph(self, *, directed: bool = True) -> "Graph":
        """The graph whose arcs are the entries that are not unreachable.

        Off the diagonal a zero is an arc of weight zero; on it only a negative entry is
        one (a self-loop).

        Raises
        ------
        ValueError
            With ``directed=False``, if the matrix is not symmetric.
        """
        from warpath.graph.graph import Graph

        matrix = self.matrix
        present = matrix != unreachable(matrix.dtype)
        np.fill_diagonal(present, np.diagonal(matrix) < 0)
        source, target = np.nonzero(present)
        counts = np.count_nonzero(present, axis=1)
        offsets = np.concatenate([[0], np.cumsum(counts)])
        return Graph.from_csr(offsets, target, matrix[source, target], directed=directed)


def _check_range(graph: "Graph", dtype: "np.dtype[Any]") -> None:
    """Refuse weights that the matrix's dtype cannot tell from "no path"."""
    low, high = graph.weight_range
    if dtype.kind == "i":
        limits: Any = np.iinfo(dtype)
        fits = limits.min <= low and high < limits.max
    else:
        limits = np.finfo(dtype)
        fits = float(limits.min) <= low and high <= float(limits.max)
    if not fits:
        raise OverflowError(f"weights from {low} to {high} do not fit a matrix of {dtype}")
