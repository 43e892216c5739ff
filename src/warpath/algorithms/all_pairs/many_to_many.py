"""Which searches find the distances from many vertices to many."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.all_pairs.near_rows import NearRows
from warpath.algorithms.all_pairs.rows import Rows, Tick, rows_of
from warpath.algorithms.all_pairs.target_rows import TargetRows
from warpath.algorithms.common.stats import Stats, Stopwatch
from warpath.errors import NegativeCycleError
from warpath.graph.graph import Graph
from warpath.operators import Algebra
from warpath.parallel import team
from warpath.planning.shortest_paths import relaxation
from warpath.typing import BuildDeviceName

# From so many sources on, searches that share a machine word are faster than one by one on all
# threads, and so is Johnson's algorithm than Bellman-Ford's from each: guesses.
_FEW_LEVELS, _FEW_SIGNED = 8, 2


@dataclass(frozen=True, eq=False)
class Question:
    """A call whose input was checked; attributes as of `distance_matrix`."""

    graph: Graph
    algebra: Algebra
    sources: NDArray[np.int32]
    targets: NDArray[np.int32] | None
    cutoff: float | None
    dtype: np.dtype[Any]
    signed: bool

    def search(self, engine: BuildDeviceName) -> "Search":
        """How it is answered by an engine."""
        graph, starts, columns = self.graph, self.sources, self.targets
        backwards = (
            columns is not None and len(columns) < len(starts) and self._is_symmetric(engine)
        )
        if columns is not None and backwards:
            graph, starts, columns = graph.reverse, columns, starts
        method, why = self._method(len(starts))
        make = (graph, self.algebra, self.dtype, engine, self.cutoff)
        try:
            rows = rows_of(method, *make)
        except NegativeCycleError:  # perhaps no source reaches it
            method, why = "sssp", "a negative cycle may be out of reach"
            rows = rows_of(method, *make)
        # Of others than plain searches, whole rows cost no more.
        if columns is not None and type(rows) is Rows and engine == "cpu":
            if self._may_end_early():
                rows = NearRows(columns, *make[:-1])
            if TargetRows.suits(graph, self.algebra, self.dtype):
                rows = TargetRows(columns, rows)
        return Search(rows, method, why, starts, columns, backwards)

    def _may_end_early(self) -> bool:
        """Whether searches can be told how far to go."""
        known = self.cutoff is None and self.algebra.adds and not self.signed
        return known and self.graph.weight_dtype is not None

    def _is_symmetric(self, engine: BuildDeviceName) -> bool:
        """Whether searches from the targets, backwards, find the same to the bit."""
        algebra, run = self.algebra, self.dtype
        if self.signed or algebra.multiplies:
            return False
        if algebra.adds:
            planned = relaxation(
                self.graph, algebra, "auto", False, None, None, -1, run, engine
            )  # fmt: skip
            # Distances that do not fit would be others': those from all vertices to the targets.
            return run.kind == "i" and planned.dtype == run and not planned.may_overflow
        return True

    def _method(self, searches: int) -> tuple[str, str]:
        """Of `rows_of`, and why."""
        if self.algebra.is_boolean or (self.algebra.adds and self.graph.weight_dtype is None):
            why = "weights do not matter" if self.algebra.is_boolean else "each arc counts 1"
            return "bfs" if searches >= _FEW_LEVELS else "sssp", why
        if self.signed and searches >= _FEW_SIGNED:
            return "johnson", "a weight is negative"
        return "sssp", "a weight is negative" if self.signed else "non-negative weights"


@dataclass(frozen=True, eq=False)
class Search:
    """Which searches fill a matrix, or with ``backwards`` its transpose."""

    rows: Rows
    method: str
    why: str
    starts: NDArray[np.int32]
    columns: NDArray[np.int32] | None
    backwards: bool

    def fill(self, distance: Any, tick: Tick) -> None:
        """Fill an array of NumPy or CuPy, shape (sources, targets)."""
        whole = distance.T if self.backwards else distance
        self.rows.fill(self.starts, whole, None, tick, self.columns)

    def stats(self, device: str, watch: Stopwatch) -> Stats:
        """After `fill`."""
        about = self.rows.about
        if self.backwards:
            about = about.replace("per source", "per target")
        way = " on the reversed graph" if self.backwards else ""
        return Stats(
            method=self.method,
            why=f"{self.why}; {about}{way}",
            **watch.read(),
            threads=team.num_threads() if device == "cpu" else 0,
            iterations=self.rows.iterations,
            frontier=np.array([len(self.starts)]),
            edges=np.array([self.rows.arcs]),
            device=device,
        )
