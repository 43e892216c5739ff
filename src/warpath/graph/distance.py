"""Distances: the value that stands for "no path", and the dtype that holds every path."""

from functools import cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import DTypeLike

_DTYPE = ("dtype of distances",)

# No shortest path is likely to have more arcs. Where 32 bits hold the sum of this number of the largest weight, they are tried:
# they take half the memory, and looking it up is most of a search's time.
_LONG_PATH = 2**16


class Summary(Protocol):
    """What of a graph, in one piece or in parts, decides how long paths get."""

    derived: dict[Any, Any]

    @property
    def num_vertices(self) -> int:
        """Number of vertices."""

    @property
    def weight_dtype(self) -> np.dtype[Any] | None:
        """The weights' dtype."""

    @property
    def weight_range(self) -> tuple[Any, Any]:
        """Smallest and largest weight."""


def unreachable(dtype: DTypeLike) -> Any:
    """The value for "no path" as a scalar of ``dtype``: inf, or the largest integer."""
    return _farthest(np.dtype(dtype))[0]


def longest_path(graph: Summary) -> int | float:
    """A bound of every simple path's length: (n − 1) · max |w|; inf where a float overflows.

    No weight is larger: a dtype that holds the bound holds each of them, also that of the self-loop
    of an only vertex.
    """
    low, high = graph.weight_range
    bound: int | float = max(graph.num_vertices - 1, 1) * max(abs(low), abs(high))
    return bound


def fits(bound: int | float, dtype: DTypeLike) -> bool:
    """Whether a path of length ``bound`` can be told from "no path" in ``dtype``."""
    return bool(bound <= _farthest(np.dtype(dtype))[1])


@cache
def _farthest(dtype: np.dtype[Any]) -> tuple[Any, int | float]:
    """("no path", the largest distance): a scalar of ``dtype``, or int; a Python number.

    To compare a bound with one of NumPy's would cast the bound.
    """
    if dtype.kind == "f":
        return dtype.type(np.inf), float(np.finfo(dtype).max)
    most = int(np.iinfo(dtype).max)
    return most, most - 1


def remedy(dtype: np.dtype[Any]) -> str:
    """What to do about distances that do not fit in a dtype: how messages end."""
    if dtype.itemsize == 8:
        return "scale the weights down"
    return f"ask for dtype={'float64' if dtype.kind == 'f' else 'int64'}"


def distance_dtype(graph: Summary) -> np.dtype[Any]:
    """The weights' dtype where no path can overflow it; for integers else int64.

    Without weights each arc counts 1 and distances are int32. Kept with the graph.
    """
    dtype: np.dtype[Any] | None = graph.derived.get(_DTYPE)
    if dtype is None:
        dtype = graph.weight_dtype or np.dtype(np.int32)
        if dtype.kind == "i" and graph.weight_dtype and not fits(longest_path(graph), dtype):
            dtype = np.dtype(np.int64)
        graph.derived[_DTYPE] = dtype
    return dtype


def summed_in(graph: Summary, wanted: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype that several GPUs add up in: of integers one that no path exceeds, of floats the answer's."""
    counts = graph.weight_dtype is None or wanted.kind == "i"
    return distance_dtype(graph) if counts else wanted


def likely_fits_32_bits(graph: Summary, dtype: np.dtype[Any]) -> bool:
    """Whether int32 likely holds all that is shortest, though ``dtype`` is the one that holds any path's length.

    A sum that is too large is no path (``operators/relax.cuh``). So an answer is right if the largest distance and
    the largest weight fit together.
    """
    narrow = np.dtype(np.int32)
    wide = dtype == np.int64 and graph.weight_dtype == narrow
    return wide and fits(_LONG_PATH * graph.weight_range[1], narrow)


def positive(value: Any, dtype: np.dtype[Any]) -> Any:
    """A positive number in ``dtype``: its largest if that is less, and of integers at least 1."""
    if dtype.kind == "f":
        return dtype.type(value if np.isinf(value) else min(value, float(np.finfo(dtype).max)))
    return dtype.type(min(max(int(value), 1), np.iinfo(dtype).max))
