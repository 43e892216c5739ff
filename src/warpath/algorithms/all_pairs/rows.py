"""Many sources, all targets: rows of distances, made a batch at a time and in parallel.

What wants a matrix lets the batches fill its rows; what wants less of each row (how far, how many)
asks for a summary, and no matrix is ever there.
"""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cached_property
from queue import SimpleQueue
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.all_pairs.johnson import Johnson
from warpath.algorithms.common.stats import Stats
from warpath.algorithms.shortest_paths.overflow import in_dtype
from warpath.algorithms.shortest_paths.sssp import sssp
from warpath.algorithms.traversal.bfs import bfs
from warpath.cpu.dijkstra_rows import dijkstra_rows
from warpath.cpu.multi_source_bfs import BATCH, Batch, workspace_nbytes
from warpath.cpu.trace import new_trace
from warpath.graph.arrays import module_of, to_host, to_module
from warpath.graph.build import read_only
from warpath.graph.distance import distance_dtype
from warpath.graph.graph import Graph
from warpath.operators import ALGEBRAS, PathAlgebra
from warpath.parallel import thread_count
from warpath.parallel.pool import Pool
from warpath.planning.cache import kept
from warpath.planning.rows import MANY, RowsWay, method_of_rows, way_of_rows
from warpath.planning.shortest_paths import relaxation
from warpath.typing import DeviceName

Array = NDArray[Any]
Tick = Callable[[int, int], None]

_BATCH_BYTES = 2**25  # of a batch's distances: long enough to keep all threads busy; a guess
# On a GPU, which searches up to 2¹⁶ vertices a block each, some 400 at once: a guess.
_DEVICE_BATCH_BYTES = 2**28
_DEVICE_VERTICES = 2**25  # in all searches that it has at once


@dataclass(frozen=True)
class Summary:
    """For each source, how far its search goes and how many vertices it reaches.

    Attributes
    ----------
    farthest : array, shape (k,)
        The largest distance of a vertex that is reached.
    total : array, shape (k,)
        Sum of distances: int64, Python's integers where one exceeds int64, or float64.
    reached : int64 array, shape (k,)
        How many vertices are reached, the source included.
    inverse : float64 array, shape (k,)
        Sum of the reciprocals of all distances but 0; empty if it was not asked for.
    """

    farthest: Array
    total: Array
    reached: Array
    inverse: Array


def no_tick(done: int, of: int) -> None:
    """Report nothing."""


class Rows:
    """Rows of `warpath.sssp`.

    Parameters
    ----------
    graph : Graph
    algebra : PathAlgebra
    dtype : dtype
    device : {"cpu", "cuda"}
    cutoff : number, optional
        As of `warpath.sssp`.
    """

    about = "one search per source"
    at_once = False
    """Whether a call makes many rows for not much more than one."""

    def __init__(
        self,
        graph: Graph,
        algebra: PathAlgebra,
        dtype: np.dtype[Any],
        device: DeviceName,
        cutoff: float | None = None,
    ) -> None:
        self.graph, self.algebra, self.dtype, self.device = graph, algebra, dtype, device
        self.cutoff = cutoff
        self.iterations = self.arcs = 0

    def prepare(self) -> None:
        """What all searches share; called once more, nothing.

        Raises
        ------
        NegativeCycleError
            By Johnson's algorithm, if there is a negative cycle anywhere.
        """

    @property
    def batch(self) -> int:
        """Sources of one batch."""
        most = _DEVICE_BATCH_BYTES if self.device == "cuda" else _BATCH_BYTES
        return max(2 * thread_count.num_threads(), most // self._row(False))

    def _row(self, predecessors: bool) -> int:
        """Bytes of one source in a batch: its answer, and the trace of its search."""
        n = self.graph.num_vertices
        return n * (self.dtype.itemsize + 4 * predecessors) + new_trace(n).nbytes

    def nbytes(self, predecessors: bool, sources: int) -> int:
        """An upper bound of what a batch of some sources takes in addition to the rows that it fills."""
        n, rows = self.graph.num_vertices, min(self.batch, sources)
        if self.device == "cuda":
            at_once = max(1, _DEVICE_VERTICES // max(n, 1))
        else:
            at_once = thread_count.num_threads()
        return rows * self._row(predecessors) + min(at_once, rows) * n * (self.dtype.itemsize + 40)

    def search(self, sources: Array, predecessors: bool) -> tuple[Any, Any]:
        """Distances and predecessors (or None) from ``sources``, shape (k, n)."""
        wanted = None if self.algebra.is_boolean else self.dtype
        found = sssp(
            self.graph, sources, algebra=self.algebra.given, dtype=wanted, predecessors=predecessors,
            device=self.device, **self.options,
        )  # fmt: skip
        self._count(found.stats)
        return found.distance, found.predecessor

    def _count(self, stats: Stats) -> None:
        self.iterations += stats.iterations
        self.arcs += stats.relaxations

    @property
    def options(self) -> dict[str, Any]:
        """The options of `warpath.sssp`."""
        trace: dict[str, Any] = {"trace": False} if self.device == "cuda" else {}
        return trace if self.cutoff is None else {**trace, "cutoff": self.cutoff}

    def fill(
        self,
        sources: Array,
        distance: Any,
        predecessor: Any = None,
        tick: Tick = no_tick,
        columns: Array | None = None,
    ) -> None:
        """Fill ``distance`` (and ``predecessor``), shape (k, n): one row for each source.

        Arrays of NumPy or of CuPy, wherever the rows are made. With ``columns``, an integer
        array of shape (t,), ``distance`` is of shape (k, t) and holds no other vertices.
        """
        for begin in range(0, len(sources), self.batch):
            part = slice(begin, begin + self.batch)
            rows, parents = self.search(sources[part], predecessor is not None)
            if columns is not None:
                rows = rows[:, module_of(rows).asarray(columns)]
            distance[part] = beside(rows, distance)
            if predecessor is not None:
                predecessor[part] = beside(parents, predecessor)
            tick(min(begin + self.batch, len(sources)), len(sources))

    def summarise(self, sources: Array, tick: Tick = no_tick, *, inverse: bool = False) -> Summary:
        """How far, how near, and to how many."""
        none = self.algebra.none(self.dtype)
        farthest = np.zeros(len(sources), self.dtype)
        totals: list[int | float] = []
        reached = np.zeros(len(sources), np.int64)
        near = np.zeros(len(sources) if inverse else 0)
        for begin in range(0, len(sources), self.batch):
            rows = to_host(self.search(sources[begin : begin + self.batch], False)[0])
            for i, row in enumerate(rows, begin):
                finite = row[row != none]
                farthest[i], reached[i] = finite.max(), len(finite)
                totals.append(_total(finite))
                if inverse:
                    near[i] = _total_of_reciprocals(finite)
            tick(min(begin + self.batch, len(sources)), len(sources))
        return Summary(farthest, _as_array(totals, self.dtype), reached, near)


class DijkstraRows(Rows):
    """Rows of a small graph, where a call of a kernel takes longer than its search."""

    about = "Dijkstra's algorithm, many sources per call"

    def search(self, sources: Array, predecessors: bool) -> tuple[Any, Any]:
        """See `Rows.search`."""
        graph, dtype = self.graph, self.dtype
        run = relaxation(graph, self.algebra, "dijkstra", False, None, self.cutoff, dtype, "cpu")
        assert graph.weights is not None
        weights = read_only(graph.weights.astype(dtype, copy=False))
        distance = np.empty((len(sources), graph.num_vertices), dtype)
        predecessor = np.empty(distance.shape, np.int32) if predecessors else None
        dijkstra_rows(graph, weights, sources, run.cutoff, distance, predecessor)
        self.iterations += len(sources)
        reached = np.count_nonzero(distance != self.algebra.none(dtype), axis=0)
        self.arcs += int(reached @ graph.degree.astype(np.int64))
        return distance, predecessor


class JohnsonRows(Rows):
    """Rows of a directed graph with negative weights."""

    @cached_property
    def _johnson(self) -> Johnson | None:
        dtype = np.dtype(np.int64) if self.dtype.kind == "i" else self.dtype
        try:
            return Johnson.of(self.graph, dtype, "cuda" if self.device == "cuda" else "cpu")
        except OverflowError:  # some sum is beyond 64 bits, but perhaps no distance
            return None

    def prepare(self) -> None:
        """See `Rows.prepare`."""
        _ = self._johnson

    def search(self, sources: Array, predecessors: bool) -> tuple[Any, Any]:
        """See `Rows.search`; where the sums made non-negative do not fit, by those as they are."""
        if self._johnson is None:
            return super().search(sources, predecessors)
        try:
            distance, predecessor, stats = self._johnson.rows(sources)
        except OverflowError:
            return super().search(sources, predecessors)
        self._count(stats)
        return in_dtype(distance, self.dtype), predecessor


class BitParallelRows(Rows):
    """Rows of breadth-first searches, 512 at once on each thread."""

    about = f"{BATCH} searches at once, one bit each"
    at_once = True

    @cached_property
    def _spaces(self) -> SimpleQueue[Batch]:
        """Bits of searches that are over, for the next ones."""
        return SimpleQueue()

    @property
    def batch(self) -> int:
        """See `Rows.batch`."""
        return BATCH

    def nbytes(self, predecessors: bool, sources: int) -> int:
        """See `Rows.nbytes`."""
        return thread_count.num_threads() * workspace_nbytes(self.graph.num_vertices)

    def fill(
        self,
        sources: Array,
        distance: Any,
        predecessor: Any = None,
        tick: Tick = no_tick,
        columns: Array | None = None,
    ) -> None:
        """See `Rows.fill`."""
        none = self.algebra.none(self.dtype)

        def answer(searches: Batch, part: slice) -> None:
            parents = None if predecessor is None else predecessor[part]
            searches.run(sources[part], parents)
            rows = distance[part]
            # Kernels are compiled for nothing else.
            in_place = isinstance(rows, np.ndarray) and rows.flags.c_contiguous
            if not in_place:
                rows = np.empty(rows.shape, rows.dtype)
            searches.decode(none, rows, columns)
            if self.cutoff is not None:
                rows[rows > min(self.cutoff, self.graph.num_vertices)] = none
            if not in_place:
                distance[part] = beside(rows, distance)

        self._each(len(sources), answer, tick)

    def summarise(self, sources: Array, tick: Tick = no_tick, *, inverse: bool = False) -> Summary:
        """See `Rows.summarise`."""
        farthest, total, reached = (np.zeros(len(sources), np.int64) for _ in range(3))
        near = np.zeros(len(sources) if inverse else 0)

        def answer(searches: Batch, part: slice) -> None:
            searches.run(sources[part], None)
            found = searches.summarise(inverse)
            farthest[part], total[part], reached[part] = found[:3]
            if inverse:
                near[part] = found[3]

        self._each(len(sources), answer, tick)
        return Summary(farthest.astype(self.dtype), total, reached, near)

    def _each(self, rows: int, answer: Callable[[Batch, slice], None], tick: Tick) -> None:
        """``answer`` for each batch, one on each thread."""

        spaces = self._spaces

        def run(part: slice) -> tuple[int, int]:
            searches = spaces.get() if not spaces.empty() else Batch(self.graph)
            try:
                answer(searches, part)
                return searches.levels, searches.arcs
            finally:
                spaces.put(searches)

        def count(part: slice, counts: tuple[int, int]) -> None:
            self.iterations += counts[0]
            self.arcs += counts[1]
            tick(min(part.stop, rows), rows)

        parts = [slice(begin, begin + self.batch) for begin in range(0, rows, self.batch)]
        if len(parts) <= 1:
            for part in parts:
                count(part, run(part))
            return
        with Pool(min(thread_count.num_threads(), len(parts))) as pool:
            runs: list[Future[tuple[int, int]]] = [pool.submit(run, part) for part in parts]
            for part, one in zip(parts, runs, strict=True):
                count(part, one.result())


def _total(distances: Array) -> int | float:
    """The sum of distances, of integers exactly; a Python number.

    Floats are added in float64; inf where that does not hold the sum.
    """
    if distances.dtype.kind == "f":
        with np.errstate(over="ignore"):
            return float(distances.sum(dtype=np.float64))
    # They are fewer than 2³¹, so no sum of 32 bits of each leaves int64.
    if distances.dtype.itemsize == 4:
        return int(distances.sum(dtype=np.int64))
    high, low = distances >> 32, distances & 0xFFFFFFFF
    return (int(high.sum(dtype=np.int64)) << 32) + int(low.sum(dtype=np.int64))


def _as_array(totals: list[int | float], dtype: np.dtype[Any]) -> Array:
    """Totals of distances of ``dtype``, as `Summary` has them."""
    if dtype.kind == "f":
        return np.array(totals, np.float64)
    try:
        return np.array(totals, np.int64)
    except OverflowError:
        return np.array(totals, object)


def _total_of_reciprocals(distances: Array) -> float:
    """The sum of 1 / d over all distances but 0, in float64; inf where that does not hold it."""
    with np.errstate(over="ignore"):
        return float(np.divide(1, distances[distances != 0], dtype=np.float64).sum())


_WAYS: dict[RowsWay, type[Rows]] = {
    "bits": BitParallelRows,
    "dijkstra": DijkstraRows,
    "johnson": JohnsonRows,
    "each": Rows,
}


def rows_of(
    method: str,
    graph: Graph,
    algebra: PathAlgebra,
    dtype: np.dtype[Any],
    device: DeviceName,
    cutoff: float | None = None,
    *,
    prepared: bool = True,
) -> Rows:
    """What makes rows of a graph.

    Parameters
    ----------
    method : {"sssp", "johnson", "bfs"}
        "bfs": of a graph without weights, or for a boolean algebra.
    cutoff : number, optional
        Not for "johnson".
    prepared : bool
        False: `Rows.prepare` is left to the first search.

    Raises
    ------
    NegativeCycleError
        "johnson", if there is a negative cycle and the rows are prepared.
    """
    bits = thread_count.num_threads() * workspace_nbytes(graph.num_vertices)
    way = way_of_rows(method, graph, algebra, dtype, device, bits, _has_few_levels)
    rows = _WAYS[way](graph, algebra, dtype, device, cutoff)
    if prepared:
        rows.prepare()
    return rows


@kept
def _has_few_levels(graph: Graph, limit: int) -> bool:
    start = int(graph.degree.argmax())
    levels = bfs(graph, start, depth_limit=limit + 1, predecessors=False, device="cpu").stats
    return levels.iterations <= limit


def rows_of_paths(
    graph: Graph, weighted: bool = True, sources: int = MANY, *, prepared: bool = True
) -> Rows:
    """Rows of shortest paths on the CPU, in the dtype of distances, however they are best made.

    Parameters
    ----------
    graph : Graph
    weighted : bool
    sources : int
        How many there will be.
    prepared : bool
        As of `rows_of`.

    Raises
    ------
    NegativeCycleError
    """
    if not weighted:
        graph = graph.without_weights()
    method, _ = method_of_paths(graph, sources)
    dtype = distance_dtype(graph)
    return rows_of(method, graph, ALGEBRAS["shortest"], dtype, "cpu", prepared=prepared)


def method_of_paths(graph: Graph, sources: int) -> tuple[str, str]:
    """The method of `rows_of_paths`, and why."""
    if graph.weight_range[0] < 0:
        return "johnson", "a weight is negative"
    return method_of_rows(graph, ALGEBRAS["shortest"], sources)


def beside(array: Any, other: Any) -> Any:
    """The array as NumPy's or CuPy's, whichever ``other`` is: neither is assigned to the other."""
    return to_module(array, module_of(other))
