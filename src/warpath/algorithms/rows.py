"""Many sources, all targets: rows of distances, made a batch at a time and in parallel.

What wants a matrix lets the batches fill its rows; what wants less of each row (how far, how many)
asks for a summary, and no matrix is ever there.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.bfs import bfs
from warpath.algorithms.johnson import Johnson
from warpath.algorithms.memory import free
from warpath.algorithms.overflow import narrow
from warpath.algorithms.sssp import sssp
from warpath.algorithms.stats import Stats
from warpath.cpu.multi_source_bfs import BATCH, Batch, workspace_nbytes
from warpath.cpu.trace import new_trace
from warpath.graph.arrays import to_host
from warpath.graph.graph import Graph
from warpath.operators import Algebra
from warpath.parallel import team

Array = NDArray[Any]
Tick = Callable[[int, int], None]

_BATCH_BYTES = 2**25  # of a batch's distances: long enough to keep all threads busy; a guess
# Bit-parallel searches cost a vertex some 0.2 µs in each level in which one comes to it, 512
# single ones 6 µs. Measured: 6 levels of R-MAT 16, 20 times faster; 600 of a grid, 10 times slower.
_LEVELS = 32
_SPACE = 0.25  # of the free memory, that their bits may take: a guess


@dataclass(frozen=True)
class Summary:
    """Of each source, how far and to how many.

    Attributes
    ----------
    farthest : array, shape (k,)
        The largest distance of a vertex that is reached.
    total : array, shape (k,)
        Sum of distances; int64, or float64.
    reached : int64 array, shape (k,)
        How many vertices are reached, the source included.
    """

    farthest: Array
    total: Array
    reached: Array


def no_tick(done: int, of: int) -> None:
    """Nobody watches."""


class Rows:
    """Rows of `warpath.sssp`.

    Parameters
    ----------
    graph : Graph
    algebra : Algebra
    dtype : dtype
    device : {"cpu", "cuda"}
    """

    about = "one search a source"

    def __init__(self, graph: Graph, algebra: Algebra, dtype: np.dtype[Any], device: str) -> None:
        self.graph, self.algebra, self.dtype, self.device = graph, algebra, dtype, device
        self.iterations = self.arcs = 0

    @property
    def batch(self) -> int:
        """Sources of one batch."""
        return max(2 * team.num_threads(), _BATCH_BYTES // self._row(False))

    def _row(self, predecessors: bool) -> int:
        """Bytes of one source in a batch: its answer, and the trace of its search."""
        n = self.graph.num_vertices
        return n * (self.dtype.itemsize + 4 * predecessors) + new_trace(n).nbytes

    def nbytes(self, predecessors: bool) -> int:
        """An upper bound of what a batch takes beside the rows that it fills."""
        n = self.graph.num_vertices
        rows = min(self.batch, n) * self._row(predecessors)
        return rows + team.num_threads() * n * (self.dtype.itemsize + 40)

    def search(self, sources: Array, predecessors: bool) -> tuple[Any, Any]:
        """Distances and predecessors (or None) from ``sources``, shape (k, n)."""
        wanted = None if self.algebra.is_boolean else self.dtype
        found = sssp(
            self.graph, sources, algebra=self.algebra, dtype=wanted, predecessors=predecessors,
            device=self.device, **self.options,
        )  # fmt: skip
        self._count(found.stats)
        return found.distance, found.predecessor

    def _count(self, stats: Stats) -> None:
        self.iterations += stats.iterations
        self.arcs += stats.relaxations

    @property
    def options(self) -> dict[str, Any]:
        """Of `warpath.sssp`."""
        return {"trace": False} if self.device == "cuda" else {}

    def fill(
        self, sources: Array, distance: Any, predecessor: Any = None, tick: Tick = no_tick
    ) -> None:
        """Fill ``distance`` (and ``predecessor``), shape (k, n): one row for each source.

        Arrays of NumPy or of CuPy, wherever the rows are made.
        """
        for begin in range(0, len(sources), self.batch):
            part = slice(begin, begin + self.batch)
            rows, parents = self.search(sources[part], predecessor is not None)
            distance[part] = beside(rows, distance)
            if predecessor is not None:
                predecessor[part] = beside(parents, predecessor)
            tick(min(begin + self.batch, len(sources)), len(sources))

    def summarise(self, sources: Array, tick: Tick = no_tick) -> Summary:
        """How far, and to how many."""
        none = self.algebra.none(self.dtype)
        farthest = np.zeros(len(sources), self.dtype)
        total = np.zeros(len(sources), np.int64 if self.dtype.kind == "i" else np.float64)
        reached = np.zeros(len(sources), np.int64)
        for begin in range(0, len(sources), self.batch):
            rows = to_host(self.search(sources[begin : begin + self.batch], False)[0])
            for i, row in enumerate(rows, begin):
                finite = row[row != none]
                farthest[i], total[i], reached[i] = finite.max(), finite.sum(), len(finite)
            tick(min(begin + self.batch, len(sources)), len(sources))
        return Summary(farthest, total, reached)


class JohnsonRows(Rows):
    """Rows of a directed graph with negative weights."""

    def __init__(self, graph: Graph, algebra: Algebra, dtype: np.dtype[Any], device: str) -> None:
        super().__init__(graph, algebra, dtype, device)
        self.johnson = Johnson.of(graph, np.dtype(np.int64) if dtype.kind == "i" else dtype)

    def search(self, sources: Array, predecessors: bool) -> tuple[Any, Any]:
        """See `Rows.search`."""
        distance, predecessor, stats = self.johnson.rows(sources, self.device)
        self._count(stats)
        return narrow(distance, self.dtype), predecessor


class BitParallelRows(Rows):
    """Rows of breadth-first searches, 512 at once on each thread."""

    about = f"{BATCH} searches at once, a bit each"

    def __init__(self, graph: Graph, algebra: Algebra, dtype: np.dtype[Any], device: str) -> None:
        super().__init__(graph, algebra, dtype, device)
        self._spaces: SimpleQueue[Batch] = SimpleQueue()

    @property
    def batch(self) -> int:
        """See `Rows.batch`."""
        return BATCH

    def nbytes(self, predecessors: bool) -> int:
        """See `Rows.nbytes`."""
        return team.num_threads() * workspace_nbytes(self.graph.num_vertices)

    def fill(
        self, sources: Array, distance: Any, predecessor: Any = None, tick: Tick = no_tick
    ) -> None:
        """See `Rows.fill`."""
        none = self.algebra.none(self.dtype)

        def answer(searches: Batch, part: slice) -> None:
            parents = None if predecessor is None else predecessor[part]
            searches.run(sources[part], parents)
            searches.decode(none, distance[part])

        self._each(len(sources), answer, tick)

    def summarise(self, sources: Array, tick: Tick = no_tick) -> Summary:
        """See `Rows.summarise`."""
        farthest, total, reached = (np.zeros(len(sources), np.int64) for _ in range(3))

        def answer(searches: Batch, part: slice) -> None:
            searches.run(sources[part], None)
            farthest[part], total[part], reached[part] = searches.summarise()

        self._each(len(sources), answer, tick)
        return Summary(farthest.astype(self.dtype), total, reached)

    def _each(self, rows: int, answer: Callable[[Batch, slice], None], tick: Tick) -> None:
        """``answer`` for each batch, one on each thread."""

        def run(part: slice) -> tuple[int, int]:
            searches = self._spaces.get() if not self._spaces.empty() else Batch(self.graph)
            try:
                answer(searches, part)
                return searches.levels, searches.arcs
            finally:
                self._spaces.put(searches)

        def count(part: slice, counts: tuple[int, int]) -> None:
            self.iterations += counts[0]
            self.arcs += counts[1]
            tick(min(part.stop, rows), rows)

        parts = [slice(begin, begin + self.batch) for begin in range(0, rows, self.batch)]
        if len(parts) <= 1:
            for part in parts:
                count(part, run(part))
            return
        pool = ThreadPoolExecutor(min(team.num_threads(), len(parts)))
        try:
            runs: list[Future[tuple[int, int]]] = [pool.submit(run, part) for part in parts]
            for part, one in zip(parts, runs, strict=True):
                count(part, one.result())
        finally:
            pool.shutdown(cancel_futures=True)


def rows_of(method: str, graph: Graph, algebra: Algebra, dtype: np.dtype[Any], device: str) -> Rows:
    """What makes rows of a graph.

    Parameters
    ----------
    method : {"sssp", "johnson", "bfs"}
        "bfs": of a graph without weights, or for a boolean algebra.

    Raises
    ------
    NegativeCycleError
        "johnson", if there is a negative cycle.
    """
    if method == "johnson" and algebra.adds and graph.weight_range[0] < 0:
        return JohnsonRows(graph, algebra, dtype, device)
    if method == "bfs" and device == "cpu" and graph.num_vertices:
        start = int(graph.degree.argmax())
        levels = bfs(graph, start, predecessors=False, device="cpu").stats.iterations
        memory = team.num_threads() * workspace_nbytes(graph.num_vertices)
        if levels <= _LEVELS and memory <= _SPACE * free():
            return BitParallelRows(graph, algebra, dtype, device)
    return Rows(graph, algebra, dtype, device)


def beside(array: Any, other: Any) -> Any:
    """The array as NumPy's or CuPy's, whichever ``other`` is: neither is assigned to the other."""
    if isinstance(other, np.ndarray):
        return to_host(array)
    import cupy

    return cupy.asarray(array)
