"""Node splitting."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, Self

from warpath.balance.degree_threshold import DegreeThreshold
from warpath.balance.technique import TempStorage

_MOST_NODES = 2**32 - 1  # numbers of nodes have 32 bits


@dataclass(frozen=True)
class NodeSplitting(DegreeThreshold):
    """Vertices are cut into nodes of at most ``MDT`` arcs, once per graph; each thread takes a node.

    By default ``MDT`` (0) comes from a histogram of the degrees with ``bins`` ranges.
    """

    name = "node-splitting"
    paper = "NS in Mishra et al."
    cost = "a split graph; no thread visits more than MDT arcs; loads do not coalesce"

    # Top-down BFS on an H200, ms with 10, 100, 1000: R-MAT 20 12.1, 2.3, 0.68; grids and random graphs within 1 %.
    bins: Literal[10, 100, 1000] = 1000

    @classmethod
    def variants(cls) -> Iterator[Self]:
        """The technique with every setting of its knobs that makes sense."""
        choices = cls.choices()
        for bins in choices["bins"]:
            yield cls(bins=bins)
        for threshold in choices["MDT"][1:]:
            yield cls(threshold)

    @property
    def kernel(self) -> str:
        """The C++ type that does it; the threshold is in what was prepared."""
        return "NodeSplitting"

    def temp_storage(self, xp: Any, graph: Any) -> TempStorage:
        """The split graph, and a place for each of its nodes.

        Raises
        ------
        OverflowError
            It has 2³² nodes or more.
        """
        most = self.threshold(xp, graph)
        offsets, first, vertex = split(xp, graph.row_offsets, most)
        return TempStorage((offsets, first, vertex), max(1, 4 * len(vertex)))


def split(xp: Any, row_offsets: Any, most: int) -> tuple[Any, Any, Any]:
    """Row offsets of nodes of at most ``most`` arcs, the first node of each vertex, and its inverse.

    Parameters
    ----------
    xp : module
        NumPy or CuPy, as the array.
    row_offsets : uint32 or uint64 array, shape (n + 1,)
    most : int

    Returns
    -------
    offsets : array, shape (k + 1,)
        With the dtype of ``row_offsets``: node i has arcs ``offsets[i]`` to ``offsets[i + 1] - 1``.
    first : uint32 array, shape (n + 1,)
        Vertex v has nodes ``first[v]`` to ``first[v + 1] - 1``; none if it has no arcs.
    vertex : uint32 array, shape (k,)
        The vertex of each node.

    Raises
    ------
    OverflowError
        2³² nodes or more.

    Examples
    --------
    Five arcs in nodes of at most two are 1 + 2 + 2:

    >>> import numpy as np
    >>> offsets, first, vertex = split(np, np.array([0, 1, 1, 6], np.uint32), 2)
    >>> offsets.tolist(), first.tolist(), vertex.tolist()
    ([0, 1, 2, 4, 6], [0, 1, 1, 4], [0, 2, 2, 2])
    """
    begin = row_offsets[:-1].astype(xp.int64)
    degree = row_offsets[1:].astype(xp.int64) - begin
    nodes = -(-degree // most)
    first = xp.zeros(len(row_offsets), xp.int64)
    first[1:] = xp.cumsum(nodes)
    total = int(first[-1])
    if total > _MOST_NODES:
        raise OverflowError(f"{total} nodes of at most {most} arcs; choose a larger MDT")
    vertex = xp.searchsorted(first[1:], xp.arange(total), side="right")
    rank = xp.arange(total) - first[vertex]
    offsets = xp.empty(total + 1, row_offsets.dtype)
    offsets[:-1] = begin[vertex] + rank * degree[vertex] // nodes[vertex]
    offsets[-1] = row_offsets[-1]
    return offsets, first.astype(xp.uint32), vertex.astype(xp.uint32)
