"""Brandes' sums over all sources, some at a time."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.centrality.brandes.batch import Batch
from warpath.algorithms.centrality.brandes.by_edges import ByEdges
from warpath.algorithms.centrality.brandes.by_weight import ByWeight
from warpath.algorithms.centrality.brandes.from_one import One
from warpath.graph.graph import Graph
from warpath.planning.degrees import is_sparse
from warpath.schedule import ScheduleLike

Array = NDArray[Any]

BYTES = 40  # of a vertex and a source: near, ready, waiting, leaving, paths and share
# Sources of a batch: as many as keep the arrays this small, within limits. Guesses.
_VALUES = 2**26
_MIN_BATCH, _MAX_BATCH = 4, 256
# A batch takes some calls for each step, and a source alone some for all of them, but three passes over all edges: a
# guess. By hops there are few steps unless the graph is sparse.
_MANY_SOURCES = 16


class Dependencies(NamedTuple):
    """Brandes' sums over all sources.

    Attributes
    ----------
    passing : float64 array, shape (n,)
        Each vertex's sum.
    on_arcs : float64 array, shape (m,), or None
        Each arc's; of an undirected graph the edge's, at both of its arcs.
    """

    passing: Any
    on_arcs: Any


def batch_of(n: int, sources: int) -> int:
    """How many sources are searched from at once."""
    wanted = max(_MIN_BATCH, min(_MAX_BATCH, _VALUES // max(n, 1)))
    return min(sources, wanted, max(1, np.iinfo(np.int32).max // max(n, 1)))


def dependencies(
    graph: Graph,
    starts: NDArray[np.int32],
    weights: Array | None,
    xp: Any,
    *,
    endpoints: bool = False,
    arcs: bool = False,
    schedule: ScheduleLike = None,
    progress: Callable[[int, int], None] | None = None,
) -> Dependencies:
    """Brandes' sums over all paths from ``starts``.

    Parameters
    ----------
    graph : Graph
    starts : int32 array, shape (k,)
        The vertices to search from.
    weights : array, shape (m,), or None
        Positive, in the dtype of distances; None: each arc counts 1.
    xp : module
        NumPy or CuPy.
    endpoints : bool
        Whether a path passes its ends as well.
    arcs : bool
        Whether the arcs' sums are wanted.
    schedule : Schedule, str or Technique, optional
    progress : callable, optional
        Called with (sources done, all of them).

    Returns
    -------
    Dependencies
        Their last bits depend on the order in which threads add; numbers of paths do not, below 2⁵³.

    Raises
    ------
    OverflowError
        More shortest paths to some vertex than a float64 can say; a distance beyond its dtype.
    ValueError
        A weight that is lost when it is added to a distance.
    """
    graph = _with(graph, weights)
    passing = xp.zeros(graph.num_vertices)
    on_arcs = xp.zeros(graph.num_arcs) if arcs else None
    batch = batch_of(graph.num_vertices, len(starts))
    search: type[Batch] = ByEdges if weights is None else ByWeight
    if batch < _MANY_SOURCES and (weights is not None or is_sparse(graph)):
        batch, search = 1, One
    for begin in range(0, len(starts), batch):
        sources = starts[begin : begin + batch]
        search(graph, sources, xp, schedule).add_to(passing, on_arcs, float(endpoints))
        if progress is not None:
            progress(begin + len(sources), len(starts))
    return Dependencies(passing, on_arcs)


def _with(graph: Graph, weights: Array | None) -> Graph:
    """The graph with these weights, or with none; kept with it, so that it is copied to a GPU once."""
    dtype = "" if weights is None else str(weights.dtype)
    if dtype == str(graph.weight_dtype or ""):
        return graph
    key = "with weights of shortest paths", dtype
    if key not in graph.derived:
        made = graph.without_weights() if weights is None else graph.with_weights(weights)
        graph.derived[key] = made
    return graph.derived[key]  # type: ignore[no-any-return]
