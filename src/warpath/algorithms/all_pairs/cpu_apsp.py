"""All pairs by the dense methods of the CPU engine."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.all_pairs.host_apsp import matrices
from warpath.algorithms.all_pairs.johnson import potentials
from warpath.algorithms.all_pairs.partitioned import Arcs, fill_by_parts
from warpath.algorithms.all_pairs.problem import ApspProblem, plan_of, rows_for
from warpath.algorithms.all_pairs.rows import Tick, beside, rows_of
from warpath.algorithms.common.cpu_runs import stats_of
from warpath.algorithms.common.problem import Found
from warpath.algorithms.common.stats import Stopwatch
from warpath.cpu.blocks import Blocks
from warpath.cpu.dense import fill
from warpath.cpu.floyd_warshall import blocked_floyd_warshall, floyd_warshall, r_kleene
from warpath.cpu.minplus import no_path
from warpath.cpu.repeated_squaring import repeated_squaring
from warpath.cpu.report import Report
from warpath.cpu.settle import settle
from warpath.cpu.trees import are_trees
from warpath.graph.distance import longest_path, unreachable
from warpath.graph.graph import Graph
from warpath.graph.names import VertexMessage
from warpath.operators import ALGEBRAS
from warpath.planning.all_pairs import ApspRun
from warpath.planning.partition import Cut
from warpath.planning.placement import Placement
from warpath.planning.threads import threads_for_matrix

Array = NDArray[Any]

_METHODS: dict[str, Callable[..., None]] = {
    "floyd-warshall": floyd_warshall,
    "blocked-floyd-warshall": blocked_floyd_warshall,
    "r-kleene": r_kleene,
    "repeated-squaring": repeated_squaring,
}
_ROWS_AT_ONCE = 1024  # of what NumPy does to the whole matrix: a guess


def run(problem: ApspProblem, how: ApspRun, place: Placement, watch: Stopwatch) -> Found:
    """Distances, predecessors (or None) and statistics, in NumPy arrays.

    Raises
    ------
    MemoryError, NegativeCycleError, OverflowError, OSError
        See `warpath.apsp`.
    """
    rows = rows_for(how)
    if how.dense and how.signed:
        potentials(how.graph, np.dtype(np.int64) if how.work.kind == "i" else how.work)
    plan = plan_of(how, place, rows)
    distance, predecessor = matrices(how, rows, run_dense, problem.target, problem.progress)
    n = how.graph.num_vertices
    iterations, arcs = (n, n**3) if rows is None else (rows.iterations, rows.arcs)
    report = Report(np.array([n, arcs, 0]), iterations, plan.threads)
    return Found(
        distance=distance,
        predecessor=predecessor,
        stats=stats_of(report, plan, True, watch),
    )


def run_dense(how: ApspRun, D: Array, P: Array | None, tick: Tick) -> None:
    """Fill the matrices, of ``how.work`` and int32, of shape (n, n).

    There is no negative cycle, but rounding may make one of a cycle of weight zero. Then the
    dense methods' distances mean nothing, and every row is searched for by itself.
    """
    algebra, n = how.algebra, how.graph.num_vertices
    threads = threads_for_matrix(n)
    none = no_path(algebra.name, D.dtype)
    if how.cut is not None:
        _fill_by_parts(how, how.cut, D, P, none, tick)
    else:
        fill_arcs(how, D, P, none)
        _METHODS[how.method](algebra.name, D, P, threads, tick, how.lazy)
    if how.signed and bool((np.diagonal(D) < 0).any()):
        search(how, np.arange(n, dtype=np.int32), D, P)
        return
    _say_unreachable(how, D, P)
    # Sums that do not round give trees, where rows are relaxed through all vertices in turn.
    bad = np.empty(0, np.int32)
    rounds = D.dtype.kind == "f" and not algebra.selects
    if P is not None and (rounds or how.cut is not None):
        vertices = np.arange(n, dtype=np.int32)
        bad = vertices[~are_trees(vertices, P, threads)]
        if how.exact and rounds and len(bad) < n:
            bad = np.union1d(bad, _sum_anew(how, D, P, bad, threads)).astype(np.int32)
    if algebra.larger_is_better:
        for begin in range(0, n, _ROWS_AT_ONCE):
            part = slice(begin, begin + _ROWS_AT_ONCE)
            D[part] = algebra.values(D[part])
    search(how, bad, D, P)
    if algebra.multiplies:
        none = algebra.none(D.dtype)
        reached = np.array([np.count_nonzero(row != none) for row in D])
        check_underflow(how, reached, lambda u: D[u])


def _fill_by_parts(
    how: ApspRun, cut: Cut, D: Array, P: Array | None, none: Any, tick: Tick
) -> None:
    keys, algebra = _keys(how, D.dtype), how.algebra
    source, target, _ = how.graph.coo()
    start = algebra.keys(algebra.source(D.dtype))
    arcs = Arcs.of(cut, (source, target, keys), keys, start, none)
    blocks = Blocks(algebra.name, threads_for_matrix(len(D)), how.lazy)
    fill_by_parts(cut, arcs, start, none, [blocks], D, P, lambda rows, parents: None, tick)


def fill_arcs(how: ApspRun, D: Array, P: Array | None, none: Any) -> None:
    """Fill the matrices with the keys of arcs, ``none`` where there is none, and their tails."""
    threads = threads_for_matrix(len(D))
    start = how.algebra.keys(how.algebra.source(D.dtype))
    fill(how.graph, _keys(how, D.dtype), start, none, D, P, threads)


def _keys(how: ApspRun, dtype: np.dtype[Any]) -> Array:
    """The arcs' keys; of the two zeros of floats always the one."""
    weights = how.graph.weights
    if weights is None:
        weights = np.ones(how.graph.num_arcs, dtype)
    keys = how.algebra.keys(weights.astype(dtype, copy=False))
    return keys + dtype.type(0) if dtype.kind == "f" else keys  # type: ignore[no-any-return]


def _say_unreachable(how: ApspRun, D: Array, P: Array | None) -> None:
    """Put the key that all others use for "no path" where the kernels have theirs.

    Theirs, half of an integer's range, may have been lowered by negative weights.
    """
    sums = how.algebra.adds and D.dtype.kind == "i"
    bound = int(longest_path(how.graph)) if sums else 0
    for begin in range(0, len(D), _ROWS_AT_ONCE):
        part = slice(begin, begin + _ROWS_AT_ONCE)
        if sums:
            lost = D[part] > bound
            np.putmask(D[part], lost, unreachable(D.dtype))
            if P is not None and how.signed:
                P[part][lost] = -1
        elif how.algebra.multiplies:
            D[part][D[part] == 0] = unreachable(D.dtype)


def _sum_anew(how: ApspRun, D: Array, P: Array, bad: Array, threads: int) -> Array:
    """Make exact all rows but the ``bad`` ones, which it cannot; returns others that it could not."""
    graph, algebra, n = how.graph, how.algebra, how.graph.num_vertices
    weights = graph.weights
    weights = np.ones(graph.num_arcs, D.dtype) if weights is None else weights.astype(D.dtype)
    P[bad] = -1  # a tree of the root alone
    vertices = np.arange(n, dtype=np.int32)
    settled = settle(
        algebra.name, graph, weights, vertices, algebra.keys(algebra.source(D.dtype)),
        unreachable(D.dtype), D, P, threads,
    )  # fmt: skip
    return vertices[~settled]


def search(how: ApspRun, sources: Array, D: Any, P: Any) -> None:
    """Make these rows of matrices, NumPy's or CuPy's, by methods of one source."""
    if len(sources) == 0:
        return
    rows = rows_of("johnson", how.graph, how.algebra, D.dtype, "cpu")
    for begin in range(0, len(sources), rows.batch):
        part = sources[begin : begin + rows.batch]
        distance, predecessor = rows.search(part, P is not None)
        where = beside(part, D)
        D[where] = beside(distance, D)
        if P is not None:
            P[where] = beside(predecessor, P)


def check_underflow(how: ApspRun, reached: Array, row: Callable[[int], Array]) -> None:
    """Raise if a product is too small for its dtype: then a path seems not to be there.

    Parameters
    ----------
    reached : integer array, shape (n,)
        How many vertices each one seems to reach.
    row : callable
        ``row(u)`` is u's distances.

    Raises
    ------
    OverflowError
        Naming a pair.
    """
    graph, n = how.graph, how.graph.num_vertices
    source, target, weight = graph.coo()
    if weight is not None:
        graph = Graph.from_edges(source[weight > 0], target[weight > 0], n=n)
    rows = rows_of("bfs", graph.without_weights(), ALGEBRAS["shortest"], np.dtype(np.int32), "cpu")
    vertices = np.arange(n, dtype=np.int32)
    lost = np.flatnonzero(rows.summarise(vertices).reached != reached)
    if len(lost):
        u = int(lost[0])
        there = rows.search(vertices[u : u + 1], False)[0][0] != unreachable(np.int32)
        v = int(np.flatnonzero(there & (row(u) == how.algebra.none(how.work)))[0])
        text = f"the most reliable path from {{}} to {{}} is less reliable than {how.work} can say"
        raise OverflowError(VertexMessage(text, u, v))
