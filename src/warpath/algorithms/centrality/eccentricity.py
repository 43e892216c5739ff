"""How far, and how near: eccentricity, diameter, closeness, without a matrix of distances."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.all_pairs.rows import Rows, Summary, method_of_paths, no_tick, rows_of_paths
from warpath.algorithms.centrality.bounded import bounded_diameter, bounded_eccentricities
from warpath.algorithms.common.problem import Measure
from warpath.algorithms.common.sources import check_call
from warpath.graph.check import as_sources, check_flags
from warpath.graph.graph import Graph
from warpath.graph.names import Vertex, VertexMessage, by_name
from warpath.parallel import thread_count

Array = NDArray[Any]
Progress = Callable[[int, int], None] | None


@by_name("vertices")
def eccentricity(
    graph: Graph,
    vertices: Sequence[Vertex] | Array | None = None,
    *,
    weighted: bool = True,
    progress: Progress = None,
) -> Array:
    """How far the farthest vertex is that each vertex reaches.

    Parameters
    ----------
    graph : Graph
        Weights may be negative.
    vertices : sequence of k vertices, optional
        By default all.
    weighted : bool
        False: distances in arcs.
    progress : callable, optional
        Called with (vertices done, all of them) from time to time; may raise to stop.

    Returns
    -------
    array, shape (k,)
        In the dtype of distances. Vertices that are not reached do not count: 0 where there is no
        way out.

    Raises
    ------
    NegativeCycleError
        If there is a negative cycle.
    ValueError
        A vertex out of range; ``weighted`` that is neither True nor False.
    OverflowError
        If a distance does not fit in 64 bits.

    See Also
    --------
    diameter : The largest eccentricity, by fewer searches.
    statistics : A lower bound of the diameter, by two searches.

    Notes
    -----
    Complexity: one search for each vertex at worst, 512 at once in unweighted graphs of few levels. Rows
    of distances are dropped as they come: O(n) memory per thread.

    Fewer do for all vertices of an undirected graph whose distances are integers. A search from s bounds every other
    eccentricity (see `diameter`), and a vertex whose bounds are equal is done: the 264,346 vertices of New York's roads
    took 4,300 searches.

    References
    ----------
    F. W. Takes, W. A. Kosters, "Computing the eccentricity distribution of large graphs", Algorithms 6 (2013).

    Examples
    --------
    >>> import warpath as wp
    >>> wp.eccentricity(wp.generate.named("path", 5)).tolist()
    [4, 3, 2, 3, 4]
    """
    problem = eccentricity_problem(graph, vertices, weighted=weighted)
    if len(problem.sources) == 0:
        return np.empty(0, problem.dtype)
    if problem.bounded:
        return bounded_eccentricities(problem.graph, problem.rows(), progress or no_tick)
    return problem.summarise(progress).farthest


@by_name()
def diameter(graph: Graph, *, weighted: bool = True, progress: Progress = None) -> Any:
    """The longest of all shortest paths: the largest eccentricity.

    Parameters
    ----------
    graph : Graph
        No weight negative: then `eccentricity` says how far each vertex's farthest is.
    weighted : bool
        False: in arcs.
    progress : callable, optional
        As of `eccentricity`.

    Returns
    -------
    int or float
        Pairs without a path do not count.

    Raises
    ------
    ValueError
        If the graph has no vertices, or is directed and has negative weights; if ``weighted`` is neither
        True nor False.
    NegativeCycleError
        If an edge of an undirected graph is negative: a cycle, there and back.
    OverflowError
        If a distance does not fit in 64 bits.

    See Also
    --------
    eccentricity : How far the farthest vertex of each one is.
    statistics : A lower bound, by two searches.

    Notes
    -----
    Complexity: one search for each vertex at worst; of roads, grids and R-MAT graphs some tens.

    In an undirected graph a search from s says that no vertex w is farther from any other than
    d(s, w) + ε(s), nor any less far than the absolute value of ε(s) − d(s, w). What
    cannot beat the longest path known needs no search. Directed graphs take one search per vertex.

    References
    ----------
    F. W. Takes, W. A. Kosters, "Determining the diameter of small world networks", CIKM 2011.

    Examples
    --------
    >>> import warpath as wp
    >>> wp.diameter(wp.generate.grid(30))
    58
    """
    problem = diameter_problem(graph, weighted=weighted)
    if problem.bounded:
        return bounded_diameter(problem.graph, problem.rows(), progress or no_tick)
    return problem.summarise(progress).farthest.max().item()


@by_name("vertices")
def closeness(
    graph: Graph,
    vertices: Sequence[Vertex] | Array | None = None,
    *,
    weighted: bool = True,
    by_share: bool = True,
    progress: Progress = None,
) -> NDArray[np.float64]:
    """Closeness centrality: how near each vertex is to those that reach it.

    With r vertices that have a path to v, v included, and s the sum of their distances, it is
    (r − 1) / s · (r − 1) / (n − 1) (Wasserman & Faust), as NetworkX has it.

    Parameters
    ----------
    graph : Graph
        No weight negative. A directed graph builds `Graph.reverse`.
    vertices : sequence of k vertices, optional
        By default all.
    weighted : bool
        False: distances in arcs.
    by_share : bool
        False: without the second factor, the share of the graph that reaches v; then a vertex of a
        small component may seem the nearest of all.
    progress : callable, optional
        As of `eccentricity`.

    Returns
    -------
    float64 array, shape (k,)
        0 where no other vertex has a path, or all distances are 0.

    Raises
    ------
    ValueError
        Negative weights; a vertex out of range; ``weighted`` or ``by_share`` that is neither True nor False.
    OverflowError
        If a distance does not fit in 64 bits, or a sum of distances, or a closeness, exceeds float64.

    See Also
    --------
    harmonic : The same of reciprocals, for graphs of several components.
    betweenness : How many shortest paths pass each vertex.

    Notes
    -----
    Complexity: one search for each vertex, O(n) memory per thread.

    Examples
    --------
    >>> import warpath as wp
    >>> wp.closeness(wp.generate.named("star", 5)).round(3).tolist()
    [1.0, 0.571, 0.571, 0.571, 0.571]
    """
    problem = closeness_problem(graph, vertices, weighted=weighted, by_share=by_share)
    sources = problem.sources
    if len(sources) == 0:
        return np.empty(0)
    found = problem.summarise(progress)
    _check_finite(found.total, sources, "the sum of its distances")
    near = nearness(found, graph.num_vertices, by_share=by_share)
    _check_finite(near, sources, "its closeness")
    return near


def nearness(found: Summary, n: int, *, by_share: bool) -> NDArray[np.float64]:
    """`closeness` of those whose distances from all of n vertices are summed up."""
    others = (found.reached - 1).astype(np.float64)
    total = found.total.astype(np.float64)
    with np.errstate(over="ignore"):
        near = np.divide(others, total, out=np.zeros(len(total)), where=total > 0)
    return near * (others / max(n - 1, 1)) if by_share else near


@by_name("vertices")
def harmonic(
    graph: Graph,
    vertices: Sequence[Vertex] | Array | None = None,
    *,
    weighted: bool = True,
    progress: Progress = None,
) -> NDArray[np.float64]:
    """Harmonic centrality: the sum of 1 / d(u, v) over all other vertices u.

    A vertex without a path to v adds nothing. The mean over all pairs, ``harmonic(g).sum() / (n * (n - 1))``,
    is the graph's global efficiency.

    Parameters
    ----------
    graph : Graph
        No weight negative. A directed graph builds `Graph.reverse`.
    vertices : sequence of k vertices, optional
        By default all.
    weighted : bool
        False: distances in edges.
    progress : callable, optional
        Called with (vertices done, all of them) from time to time; may raise to stop.

    Returns
    -------
    float64 array, shape (k,)
        Distances of 0 add nothing.

    Raises
    ------
    ValueError
        Negative weights; a vertex out of range; ``weighted`` that is neither True nor False.
    OverflowError
        If a distance does not fit in 64 bits, or a sum of reciprocals exceeds float64.

    See Also
    --------
    closeness : The same of the mean distance.
    betweenness : How many shortest paths pass each vertex.

    Notes
    -----
    Complexity: one search for each vertex, O(n) memory per thread.

    P. Boldi, S. Vigna, "Axioms for centrality", Internet Mathematics 10 (2014).

    Examples
    --------
    >>> import warpath as wp
    >>> wp.harmonic(wp.generate.named("star", 5)).tolist()
    [4.0, 2.5, 2.5, 2.5, 2.5]
    """
    problem = harmonic_problem(graph, vertices, weighted=weighted)
    sources = problem.sources
    if len(sources) == 0:
        return np.empty(0)
    found = problem.summarise(progress, inverse=True)
    _check_finite(found.inverse, sources, "its harmonic centrality")
    return found.inverse


def _check_finite(totals: Array, sources: NDArray[np.int32], what: str) -> None:
    """Raise if a float of a vertex is infinite."""
    if totals.dtype.kind == "f":
        for i in np.flatnonzero(np.isinf(totals))[:1]:
            text = f"vertex {{}}: {what} exceeds float64; scale the weights"
            raise OverflowError(VertexMessage(text, int(sources[i])))


@dataclass(eq=False, kw_only=True)
class RowsMeasure(Measure):
    """A call that sums up rows of distances.

    Attributes
    ----------
    sources : int32 array
    towards : bool
        Whether distances to them count, not from them.
    bounded : bool
        Whether bounds spare searches: `warpath.algorithms.centrality.bounded`.
    """

    sources: NDArray[np.int32]
    towards: bool
    bounded: bool

    def rows(self) -> Rows:
        """What makes the rows."""
        graph = self.graph.reverse if self.towards else self.graph
        return rows_of_paths(graph, sources=len(self.sources))

    def summarise(self, progress: Progress, *, inverse: bool = False) -> Summary:
        """How far, how near, and to how many."""
        return self.rows().summarise(self.sources, progress or no_tick, inverse=inverse)


def _measure(
    search: str,
    graph: Graph,
    vertices: Any,
    weighted: bool,
    *,
    towards: bool = False,
    may_be_bounded: Callable[[Rows], bool] = lambda rows: False,
) -> RowsMeasure:
    n = graph.num_vertices
    sources = (
        np.arange(n, dtype=np.int32)
        if vertices is None
        else as_sources(vertices, n, "vertex", "vertices")[0]
    )
    rows = rows_of_paths(graph, weighted, len(sources), prepared=False)
    method, why = method_of_paths(rows.graph, len(sources))
    dtype = np.dtype(np.float64) if towards else rows.dtype
    bounded = not graph.directed and may_be_bounded(rows)
    return RowsMeasure(
        graph=rows.graph,
        search=search,
        method=method,
        why=f"{why}; {'until bounds say the rest' if bounded else rows.about}",
        dtype=dtype,
        answer=len(sources) * dtype.itemsize,
        workspace=rows.nbytes(False, len(sources)),
        threads=thread_count.num_threads(),
        sources=sources,
        towards=towards,
        bounded=bounded,
    )


def eccentricity_problem(
    graph: Graph, vertices: Any = None, *, weighted: bool = True
) -> RowsMeasure:
    """What a call of `eccentricity` asks for, checked."""
    check_call(graph, "cpu")
    check_flags(weighted=weighted)

    def spares(rows: Rows) -> bool:
        """Rows that are made at once are faster than bounds; sums of floats are not exact."""
        return vertices is None and rows.dtype.kind == "i" and not rows.at_once

    return _measure("eccentricity", graph, vertices, weighted, may_be_bounded=spares)


def diameter_problem(graph: Graph, *, weighted: bool = True) -> RowsMeasure:
    """What a call of `diameter` asks for, checked."""
    check_call(graph, "cpu")
    check_flags(weighted=weighted)
    if graph.num_vertices == 0:
        raise ValueError("the graph has no vertices, and no diameter")
    if weighted and graph.directed:
        _refuse_negative(graph, "a directed graph's diameter")
    return _measure("diameter", graph, None, weighted, may_be_bounded=lambda rows: True)


def closeness_problem(
    graph: Graph, vertices: Any = None, *, weighted: bool = True, by_share: bool = True
) -> RowsMeasure:
    """What a call of `closeness` asks for, checked."""
    check_call(graph, "cpu")
    check_flags(weighted=weighted, by_share=by_share)
    if weighted:
        _refuse_negative(graph, "closeness")
    return _measure("closeness", graph, vertices, weighted, towards=True)


def harmonic_problem(graph: Graph, vertices: Any = None, *, weighted: bool = True) -> RowsMeasure:
    """What a call of `harmonic` asks for, checked."""
    check_call(graph, "cpu")
    check_flags(weighted=weighted)
    if weighted:
        _refuse_negative(graph, "harmonic centrality")
    return _measure("harmonic", graph, vertices, weighted, towards=True)


def _refuse_negative(graph: Graph, what: str) -> None:
    if graph.weight_range[0] < 0:
        raise ValueError(
            f"{what} needs non-negative weights (the smallest is {graph.weight_range[0]})"
        )
