"""The dense adjacency matrix with padded rows (survey, section 1.1)."""

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

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
