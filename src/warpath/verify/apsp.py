"""Are these the best paths between all pairs of vertices?"""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.errors import VerificationError
from warpath.graph.check import check_flags
from warpath.graph.graph import Graph, check_graph
from warpath.graph.names import by_name
from warpath.parallel import thread_count
from warpath.parallel.pool import Pool
from warpath.typing import AlgebraName
from warpath.verify.fixed_point import FixedPoint
from warpath.verify.measure import MEASURES
from warpath.verify.rounded import check_rounded
from warpath.verify.sssp import sssp

Array = NDArray[Any]

_ARCS_AT_ONCE = 2**17  # of all rows of a batch, whose arrays should fit a cache


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

    See Also
    --------
    sssp : One row.
    warpath.AllPairs.verify : Checks a result.

    Notes
    -----
    O(n (n + m)) time, on as many threads as `warpath.num_threads` says. Sums of positive weights are proven by
    Bellman's equations, which then have one solution. Other rows, and those that this does not prove, are checked as
    one answer of several sources in as many copies of the graph.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.generate.grid(3, weights=(1, 9))
    >>> wp.verify.apsp(g, wp.apsp(g).distance)
    """
    check_graph(graph)
    check_flags(exact=exact)
    if algebra not in MEASURES:
        raise ValueError(f"unknown algebra {algebra!r}; choose one of {', '.join(MEASURES)}")
    distance = np.asarray(distance)
    predecessor = None if predecessor is None else np.asarray(predecessor)
    _check_form(graph, distance, predecessor)
    if not exact and distance.dtype.kind == "f":
        check_rounded(graph, distance, predecessor, MEASURES[algebra])
        return
    point = FixedPoint.of(graph, distance.dtype) if algebra == "shortest" else None
    size = max(1, _ARCS_AT_ONCE // max(graph.num_arcs + graph.num_vertices, 1))
    union = cache(lambda copies: _copies(graph, copies))

    def look(rows: range) -> None:
        here = slice(rows.start, rows.stop)
        parents = None if predecessor is None else predecessor[here]
        if point is None or not point.holds(np.array(rows), distance[here], parents):
            _check_properties(graph, rows, union(len(rows)), distance, predecessor, algebra)

    batches = [range(k, min(k + size, len(distance))) for k in range(0, len(distance), size)]
    if batches:
        look(batches.pop(0))  # which may build what all need, or find that all is wrong
    with Pool(thread_count.num_threads()) as pool:
        for _ in pool.map(look, batches):
            pass


def _check_properties(
    graph: Graph,
    rows: range,
    union: Graph,
    distance: Array,
    predecessor: Array | None,
    algebra: AlgebraName,
) -> None:
    """Check rows as one answer of several sources in ``union``, as many copies of the graph."""
    n, first = graph.num_vertices, np.arange(len(rows)) * graph.num_vertices
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


def _copies(graph: Graph, copies: int) -> Graph:
    """Copies of a graph next to each other, as one directed graph."""
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
