"""The methods of `warpath.apsp`: what each is, what it takes, and which one "auto" means."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np

from warpath.algorithms.all_pairs import partitioned
from warpath.algorithms.all_pairs.partition import Cut, cut
from warpath.algorithms.all_pairs.rows import Rows
from warpath.graph.distance import fits, longest_path
from warpath.graph.graph import Graph
from warpath.operators import Algebra
from warpath.parallel import team


@dataclass(frozen=True)
class Method:
    """What a method is.

    Attributes
    ----------
    about : str
    dense : bool
        Whether it works on the whole matrix, at a cost of n³; else row by row.
    matrices : int
        How many matrices it holds.
    """

    about: str
    dense: bool = False
    matrices: int = 1


METHODS = {
    "auto": Method("the fastest for the graph"),
    "floyd-warshall": Method("the plain triple loop", dense=True),
    "blocked-floyd-warshall": Method(
        "for caches and vectors (Venkataraman et al.; Katz & Kider)", dense=True
    ),
    "r-kleene": Method("by recursion over halves (D'Alberto & Nicolau; Buluç et al.)", dense=True),
    "repeated-squaring": Method("log n min-plus products", dense=True, matrices=2),
    "partitioned": Method(
        "parts that few vertices separate, by METIS (Djidjev et al.)", dense=True
    ),
    "johnson": Method("weights made non-negative, then as sssp (Johnson)"),
    "sssp": Method("shortest paths from every vertex"),
    "bfs": Method("breadth-first searches, 512 at once, where each arc counts 1"),
}

# What "auto" compares. Measured with Zen 5 at 2 threads, 2026-11: a thread of the blocked method
# makes 16 to 20 billion float64 relaxations a second, half as many with predecessors; a search from
# one vertex takes 8 to 14 ns an arc on its thread, and 60 µs in which no other search can start.
_DENSE_BYTES = 130e9  # a second and thread
_ARC, _SEARCH = 12e-9, 60e-6
# Parts, likewise: twice what their relaxations would take at that rate, as products are small, for each
# entry of the answer 10 ns a thread, and for METIS 4 µs an arc.
_PARTS, _ENTRY, _CUT = 2, 10e-9, 4e-6
# How much faster parts must seem, as the one estimate or the other may be wrong. Of undirected planar
# graphs there are fewer arcs a vertex than so many; METIS is not asked about others.
_SURELY, _PLANAR_ARCS = 2, 6
_TRIED_PARTS = 16  # of the one cut that decides whether to look for the best: a guess
# An H200: 8 to 12 trillion float32 relaxations a second; a search of one vertex at a time. Guesses.
_DEVICE_DENSE_BYTES, _DEVICE_SEARCH = 30e12, 1e-3


@dataclass(frozen=True)
class Plan:
    """A call of `warpath.apsp` whose input was checked.

    Attributes
    ----------
    graph : Graph
    algebra : Algebra
    method, why : str
    device : {"cpu", "cuda"}
    dtype, work : dtype
        Of the answer, and of the matrix of a dense method.
    signed : bool
        Whether a weight is negative and may better a path.
    predecessors, exact : bool
    gpus : int, sequence of int, or None
        The ``devices=`` of `warpath.apsp`.
    cut : Cut or None
        Of "partitioned".
    lazy : bool
        Whether dense methods pass over what leads nowhere.
    hybrid : bool
        Whether the CPU does a part of what the device does.
    """

    graph: Graph
    algebra: Algebra
    method: str
    why: str
    device: str
    dtype: np.dtype[Any]
    work: np.dtype[Any]
    signed: bool
    predecessors: bool
    exact: bool
    gpus: int | Sequence[int] | None = None
    cut: Cut | None = None
    lazy: bool = False
    hybrid: bool = False

    @property
    def dense(self) -> bool:
        """Whether the method works on the whole matrix."""
        return METHODS[self.method].dense

    @property
    def is_exact(self) -> bool:
        """Whether values are made from left to right, to the bit."""
        return self.exact or not self.dense or self.work.kind != "f" or self.algebra.selects

    @property
    def keeps_predecessors(self) -> bool:
        """Whether the run needs predecessors, for itself if for nobody else."""
        return self.predecessors or (self.dense and not self.is_exact_without_them)

    @property
    def is_exact_without_them(self) -> bool:
        """Whether nothing has to be summed anew along the paths."""
        return not self.exact or self.work.kind != "f" or self.algebra.selects

    def nbytes(self, rows: Rows | None, *, answer: bool) -> int:
        """Bytes that the run takes; with ``answer`` the distances' and predecessors' too."""
        n, size = self.graph.num_vertices, self.graph.num_vertices**2
        whole = size * (self.dtype.itemsize + 4 * self.predecessors) if answer else 0
        if rows is not None:
            return whole + rows.nbytes(self.predecessors)
        parents = 4 * self.keeps_predecessors
        copies = METHODS[self.method].matrices - 1
        whole += size * copies * (self.work.itemsize + parents)
        if self.work != self.dtype:
            whole += size * self.work.itemsize
        if self.keeps_predecessors and not self.predecessors:
            whole += size * 4
        if self.cut is not None:
            whole += partitioned.nbytes(self.cut, self.work, self.keeps_predecessors)
        return whole + 128 * n * (self.work.itemsize + parents)


def work_dtype(
    graph: Graph, algebra: Algebra, run: np.dtype[Any], device: str
) -> np.dtype[Any] | None:
    """The dtype of a dense method's matrix, None if there is none that is known to suffice.

    "No path" is half of an integer dtype's largest value on the CPU; a path that uses it must stay
    longer than any that does not, whatever negative weights it meets. A GPU's kernels see to that.
    """
    if not algebra.adds:
        return run
    if run.kind == "f" or device == "cuda":
        return run if fits(longest_path(graph), run) else None
    for dtype in (run, np.dtype(np.int64)):
        if 2 * longest_path(graph) < np.iinfo(dtype).max // 2:
            return dtype
    return None


def choose(
    graph: Graph,
    algebra: Algebra,
    work: np.dtype[Any] | None,
    signed: bool,
    device: str,
    predecessors: bool,
    in_memory: bool,
) -> tuple[str, str]:
    """The method that "auto" takes, and why.

    Parameters
    ----------
    work : dtype or None
        See `work_dtype`.
    in_memory : bool
        Whether a matrix fits in memory.
    """
    if algebra.is_boolean:
        return "bfs", "weights do not matter"
    if algebra.adds and graph.weight_dtype is None:
        return "bfs", "each arc counts 1"
    rows, why = ("johnson", "a weight is negative") if signed else ("sssp", "no weight is negative")
    if work is None:
        return rows, f"{why}, and paths may be too long for a matrix"
    n, m = graph.num_vertices, graph.num_arcs
    if not in_memory:
        return rows, f"{why}, and the matrix does not fit in memory"
    dense, sparse = _seconds(graph, work, device)
    if dense * (1 + predecessors) <= sparse:
        return (
            "blocked-floyd-warshall",
            f"dense enough for Floyd–Warshall ({m:,} arcs, {n:,} vertices)",
        )
    return rows, f"{why}, and {m:,} arcs are few for {n:,} vertices"


def _seconds(graph: Graph, work: np.dtype[Any], device: str) -> tuple[float, float]:
    """What distances should take by the blocked method, and by searches."""
    n, m = graph.num_vertices, graph.num_arcs
    if device == "cuda":
        return n**3 * work.itemsize / _DEVICE_DENSE_BYTES, n * _DEVICE_SEARCH
    threads = team.num_threads()
    return n**3 * work.itemsize / (_DENSE_BYTES * threads), n * (_SEARCH + _ARC * m / threads)


def parts_for(
    graph: Graph, algebra: Algebra, work: np.dtype[Any], device: str, predecessors: bool
) -> Cut | None:
    """The parts that "auto" cuts a graph into, None if that should not save half of the time.

    Only on the CPU, where it was measured; without predecessors, with which it saves little; and where
    sums do not round, so that the answer is the one of searches, to the bit.
    """
    n, m = graph.num_vertices, graph.num_arcs
    exact = work.kind != "f" or algebra.selects
    if device != "cpu" or predecessors or not exact or m >= _PLANAR_ARCS * n:
        return None
    threads = team.num_threads()
    most = min(_seconds(graph, work, device)) / _SURELY - n**2 * _ENTRY / threads - m * _CUT

    def is_fast(found: Cut) -> bool:
        return _PARTS * found.steps * work.itemsize / (_DENSE_BYTES * threads) < most

    if most <= 0 or find_spec("pymetis") is None or not is_fast(cut(graph, _TRIED_PARTS)):
        return None
    best = cut(graph)
    return best if is_fast(best) else None
