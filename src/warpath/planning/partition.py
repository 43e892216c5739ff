"""A graph cut into parts with few boundary vertices, by METIS.

A vertex is on the boundary if an arc joins it to another part. METIS: G. Karypis, V. Kumar, A fast
and high quality multilevel scheme for partitioning irregular graphs, SIAM J. Sci. Comput. 20 (1998).
"""

from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array

from warpath.graph.graph import Graph

Array = NDArray[Any]

# Vertices of a part, at the least: half a panel of the CPU's products (`warpath.cpu.minplus`).
_LEAST_PART = 32
# What starting a product costs, in relaxations: 60 µs of two threads. A guess.
_PRODUCT = 2_000_000
_ROWS_BYTES = 2**26  # of the answer's rows that are made at once: a guess
_INSTALL = "pip install 'warpath[partition]'"


@dataclass(frozen=True, eq=False)
class Cut:
    """The parts.

    Attributes
    ----------
    order : int32 array, shape (n,)
        The vertices, part by part; in each part those on the boundary first.
    starts : int64 array, shape (parts + 1,)
        Where each part begins in ``order``.
    boundary : int64 array, shape (parts,)
        How many vertices of each part are on the boundary.
    """

    order: NDArray[np.int32]
    starts: NDArray[np.int64]
    boundary: NDArray[np.int64]

    @classmethod
    def of(cls, part: Array, source: Array, target: Array, parts: int) -> "Cut":
        """The parts, given each vertex's number of its own, and all arcs."""
        across = part[source] != part[target]
        inner = np.ones(len(part), bool)
        inner[source[across]] = inner[target[across]] = False
        order = np.lexsort((inner, part)).astype(np.int32)
        starts = np.searchsorted(part[order], np.arange(parts + 1))
        boundary = np.bincount(part[~inner], minlength=parts)
        return cls(order, starts.astype(np.int64), boundary.astype(np.int64))

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many vertices each part has."""
        return np.diff(self.starts)

    @property
    def parts(self) -> list[Array]:
        """The vertices of each."""
        return [self.order[begin:end] for begin, end in pairwise(self.starts)]

    @property
    def steps(self) -> int:
        """About how many relaxations `warpath.algorithms.all_pairs.partitioned` makes."""
        sizes, boundary = (array.astype(object) for array in (self.sizes, self.boundary))
        everyone, all_sizes = boundary.sum(), sizes.sum()
        closing = (sizes**3).sum() + everyone**3
        onward = (sizes * boundary).sum() * everyone + (sizes * boundary).sum() * all_sizes
        return int(closing + onward + _PRODUCT * len(sizes) * (len(sizes) + 1))

    def __str__(self) -> str:
        count = len(self.boundary)
        if count == 1:
            return "in one part, as no cut that was tried saves work"
        return f"in {count} parts, with {int(self.boundary.sum()):,} vertices on their boundaries"


@cache
def can_cut() -> bool:
    """Whether METIS is there."""
    return find_spec("pymetis") is not None


def cut(graph: Graph, parts: int | None = None) -> Cut:
    """Cut a graph.

    Parameters
    ----------
    parts : int, optional
        How many; by default 2, 4, 8, … are tried, and what takes the fewest steps is taken, one
        part where that is least.

    Raises
    ------
    ModuleNotFoundError
        If METIS is needed and not installed.
    """
    n = graph.num_vertices
    source, target, _ = graph.coo()
    best = Cut.of(np.zeros(n, np.int32), source, target, 1)
    if parts is not None:
        if parts == 1 or n == 0:
            return Cut.of(np.zeros(n, np.int32), source, target, parts)
        return _into(_neighbours(graph), source, target, parts)
    number, worse, neighbours = 2, 0, None
    while number * _LEAST_PART <= n and worse < 2:  # work has one minimum, and some noise
        neighbours = neighbours or _neighbours(graph)
        found = _into(neighbours, source, target, number)
        if found.steps < best.steps:
            best, worse = found, 0
        elif number > 4:
            worse += 1
        number *= 2
    return best


def _neighbours(graph: Graph) -> Any:
    """Neighbours of each vertex in both directions, as METIS wants them."""
    try:
        from pymetis import CSRAdjacency
    except ModuleNotFoundError:
        raise ModuleNotFoundError(f"METIS cuts graphs, which pymetis brings: {_INSTALL}") from None
    n = graph.num_vertices
    source, target, _ = graph.coo()
    apart = source != target
    arcs = coo_array((np.ones(apart.sum(), bool), (source[apart], target[apart])), (n, n)).tocsr()
    both = (arcs + arcs.T).tocsr()
    return CSRAdjacency(both.indptr.astype(np.int32), both.indices.astype(np.int32))


def _into(neighbours: Any, source: Array, target: Array, parts: int) -> Cut:
    from pymetis import part_graph

    part = np.asarray(part_graph(parts, neighbours).vertex_part, np.int32)
    return Cut.of(part, source, target, parts)


def filled(cut: Cut, depth: int) -> Array:
    """The size of each part's boundary, rounded up to a multiple of ``depth``."""
    return np.asarray(multiple_of(cut.boundary, depth))


def rows_at_once(cut: Cut, dtype: np.dtype[Any]) -> int:
    """How many rows of the answer are made before they are written."""
    n = max(len(cut.order), 1)
    return max(64, _ROWS_BYTES // (n * dtype.itemsize))


def rows_nbytes(cut: Cut, dtype: np.dtype[Any]) -> int:
    """Bytes of these rows' distances, or predecessors."""
    return rows_at_once(cut, dtype) * len(cut.order) * max(dtype.itemsize, 4)


def parts_nbytes(cut: Cut, dtype: np.dtype[Any], predecessors: bool, unit: int = 1) -> int:
    """What `warpath.algorithms.all_pairs.partitioned` takes, and rows while they are made."""
    sizes, boundary = multiple_of(cut.sizes, unit), int(multiple_of(cut.boundary, unit).sum())
    most = min(rows_at_once(cut, dtype), int(sizes.max(initial=0)))
    rows = most * (boundary + len(cut.order) + 2 * int(sizes.max(initial=0)))
    elements = int((sizes.astype(object) ** 2).sum()) + boundary**2 + rows
    return elements * (dtype.itemsize + 4 * predecessors)


def multiple_of(numbers: Any, unit: int) -> Any:
    """The least multiples of ``unit`` that are not less."""
    return -(-numbers // unit) * unit
