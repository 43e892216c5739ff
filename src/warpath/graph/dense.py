"""The dense adjacency matrix with padded rows (survey, section 1.1)."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

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
        return self.padded.shape[1]

    @staticmethod
    def unreachable(dtype: Any) -> Any:
        """The value that stands for "no path": inf, or the largest integer."""
        dtype = np.dtype(dtype)
        return np.inf if dtype.kind == "f" else np.iinfo(dtype).max

    @classmethod
    def from_graph(cls, graph: "Graph", dtype: Any = None) -> "DenseMatrix":
        """Fill a matrix from a graph; of parallel arcs the lightest counts.

        Parameters
        ----------
        graph : Graph
        dtype : dtype, optional
            By default the weights', float32 without weights (each arc then counts 1).

        Raises
        ------
        MemoryError
            If the matrix does not fit; the message says how much it needs.
        """
        n, (source, target, weight) = graph.num_vertices, graph.coo()
        if weight is None:
            weight = np.ones(len(target), np.float32)
        dtype = np.dtype(weight.dtype if dtype is None else dtype)
        try:
            padded = np.full((n, pitch_of(n, dtype.itemsize)), cls.unreachable(dtype), dtype)
        except MemoryError:
            raise MemoryError(
                f"a dense matrix of {n:,} vertices takes {dense_nbytes(n, dtype.itemsize):,} "
                "bytes; the CSR representation takes "
                f"{graph.nbytes['csr']:,}"
            ) from None
        diagonal = np.arange(n)
        padded[diagonal, diagonal] = 0
        np.minimum.at(padded, (source, target), weight.astype(dtype, copy=False))
        return cls(padded)
