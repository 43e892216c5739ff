"""Are these the best paths between all pairs of vertices?"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.errors import VerificationError
from warpath.graph.graph import Graph
from warpath.graph.names import by_name
from warpath.typing import AlgebraName
from warpath.verify.measure import MEASURES
from warpath.verify.rounded import check_rounded
from warpath.verify.sssp import sssp

Array = NDArray[Any]

_ARCS_AT_ONCE = 2**22  # of all copies of the graph: some 150 MB of temporary arrays; a guess


@by_name()
def apsp(
    graph: Graph,
    distance: Any,
    predecessor: Any = None,
    *,
    algebra: AlgebraName = "shortest",
    exact: bool = True,
) -> None:
    """Check the distances, and the trees, of the best paths between all pairs.

    Parameters
    ----------
    graph : Graph
    distance : array, shape (n, n)
        Each row as `warpath.verify.sssp` takes it.
    predecessor : int32 array, shape (n, n), optional
    algebra : str
    exact : bool
        False: floats may have been added (or multiplied) in any order. Then u · h · S is allowed
        for what h arcs, in all S long, lose to rounding of relative size u.

    Raises
    ------
    VerificationError
        If the answer is wrong; ``broken`` is one of `warpath.verify.PROPERTIES`, and the message
        names the row.
    ValueError
        An unknown algebra.

    Notes
    -----
    O(n (n + m)) time. As many rows at once as 4 million arcs allow: they are one answer of
    several sources in as many copies of the graph.
    """
    if algebra not in MEASURES:
        raise ValueError(f"unknown algebra {algebra!r}; choose one of {', '.join(MEASURES)}")
    distance = np.asarray(distance)
    predecessor = None if predecessor is None else np.asarray(predecessor)
    _check_form(graph, distance, predecessor)
    if not exact and distance.dtype.kind == "f":
        check_rounded(graph, distance, predecessor, MEASURES[algebra])
        return
    n, copies, union = graph.num_vertices, 0, graph
    for rows in _batches(graph):
        if len(rows) != copies:
            copies = len(rows)
            union = _copies(graph, copies)
        first = np.arange(copies) * n
        parents = None
        if predecessor is not None:
            # What is no vertex must not become one of another copy.
            given = predecessor[rows.start : rows.stop]
            inside = (given >= 0) & (given < n)
            parents = np.where(inside, given + first[:, None], np.where(given == -1, -1, -2))
            parents = parents.astype(np.int32).ravel()
        found = distance[rows.start : rows.stop].ravel()
        try:
            sssp(union, first + np.arange(rows.start, rows.stop), found, parents, algebra=algebra)
        except VerificationError as error:
            _name_row(graph, rows, distance, predecessor, algebra)
            raise VerificationError(error.broken, f"rows {rows.start} …: {error.message}") from None


def _check_form(graph: Graph, distance: Array, predecessor: Array | None) -> None:
    shape = (graph.num_vertices, graph.num_vertices)
    for name, array in (("distance", distance), ("predecessor", predecessor)):
        if array is not None and array.shape != shape:
            raise VerificationError("form", f"{name} has shape {array.shape}, not {shape}")
    if predecessor is not None and predecessor.dtype != np.int32:
        raise VerificationError("form", f"predecessor has dtype {predecessor.dtype}, not int32")


def _batches(graph: Graph) -> Iterator[range]:
    n = graph.num_vertices
    size = max(1, _ARCS_AT_ONCE // max(graph.num_arcs + n, 1))
    for begin in range(0, n, size):
        yield range(begin, min(begin + size, n))


def _copies(graph: Graph, copies: int) -> Graph:
    """So many copies of a graph beside each other, as one directed graph."""
    n, m = graph.num_vertices, graph.num_arcs
    offsets = graph.row_offsets[:-1].astype(np.int64) + np.arange(copies)[:, None] * m
    targets = graph.column_indices + (np.arange(copies) * n)[:, None]
    weights = None if graph.weights is None else np.tile(graph.weights, copies)
    return Graph.from_csr(
        np.append(offsets.ravel(), copies * m), targets.astype(np.int32).ravel(), weights
    )


def _name_row(
    graph: Graph, rows: range, distance: Array, predecessor: Array | None, algebra: AlgebraName
) -> None:
    """Raise what the first wrong row breaks, by itself."""
    for u in rows:
        try:
            parents = None if predecessor is None else predecessor[u]
            sssp(graph, u, distance[u], parents, algebra=algebra)
        except VerificationError as error:
            raise VerificationError(error.broken, f"from {u}: {error.message}") from None
