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
from warpath.operators import PathAlgebra
from warpath.parallel import thread_count
from warpath.planning.placement import Placement
from warpath.planning.plan import Plan, plan_for
from warpath.planning.rows import goes_backwards, method_of_rows
from warpath.typing import BuildDeviceName


@dataclass(frozen=True, eq=False)
class MatrixProblem:
    """A call whose input was checked; attributes as of `distance_matrix`."""

    graph: Graph
    algebra: PathAlgebra
    sources: NDArray[np.int32]
    targets: NDArray[np.int32] | None
    cutoff: float | None
    dtype: np.dtype[Any]
    place: Placement

    @property
    def shape(self) -> tuple[int, int]:
        """The shape of the matrix."""
        n = self.graph.num_vertices
        return len(self.sources), n if self.targets is None else len(self.targets)

    def plan(self, place: Placement) -> Plan:
        """How it runs there."""
        return self._search(place.device, prepared=False).plan(place)

    def search(self, place: Placement) -> "Search":
        """The searches, prepared."""
        try:
            return self._search(place.device, prepared=True)
        except NegativeCycleError:  # perhaps no source reaches it
            why = "a negative cycle may be out of reach"
            return self._search(place.device, prepared=True, method="sssp", why=why)

    def _search(self, device: BuildDeviceName, *, prepared: bool, **way: Any) -> "Search":
        """How it is answered by an engine."""
        graph, starts, columns = self.graph, self.sources, self.targets
        backwards = goes_backwards(
            graph, self.algebra, len(starts), None if columns is None else len(columns),
            self.dtype, device,
        )  # fmt: skip
        if columns is not None and backwards:
            graph, starts, columns = graph.reverse, columns, starts
        method, why = method_of_rows(graph, self.algebra, len(starts))
        method, why = way.get("method", method), way.get("why", why)
        make = (graph, self.algebra, self.dtype, device, self.cutoff)
        rows = rows_of(method, *make, prepared=prepared)
        # Only plain searches compute fewer columns for less.
        if columns is not None and type(rows) is Rows and device == "cpu":
            if self._may_end_early():
                rows = NearRows(columns, *make[:-1])
            if TargetRows.suits(graph, self.algebra, self.dtype):
                rows = TargetRows(columns, rows)
        return Search(self, rows, method, why, starts, columns, backwards)

    def _may_end_early(self) -> bool:
        """Whether searches can be told how far to go."""
        known = self.cutoff is None and self.algebra.adds and self.graph.weight_range[0] >= 0
        return known and self.graph.weight_dtype is not None


@dataclass(frozen=True, eq=False)
class Search:
    """Which searches fill a matrix, or with ``backwards`` its transpose."""

    problem: MatrixProblem
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

    def plan(self, place: Placement) -> Plan:
        """How it runs there."""
        graph, (k, t) = self.problem.graph, self.problem.shape
        about = self.rows.about
        if self.backwards:
            about = f"{about.replace('per source', 'per target')} on the reversed graph"
        return plan_for(
            graph,
            "distance_matrix",
            place,
            self.method,
            f"{self.why}; {about}",
            self.problem.dtype,
            answer=k * t * self.problem.dtype.itemsize,
            workspace=self.rows.nbytes(False, len(self.starts)),
            threads=thread_count.num_threads(),
            reads_weights=self.method != "bfs",
        )

    def stats(self, plan: Plan, device: str, watch: Stopwatch) -> Stats:
        """After `fill`."""
        return Stats(
            method=plan.method,
            why=plan.why,
            **watch.read(),
            threads=plan.threads,
            iterations=self.rows.iterations,
            frontier=np.array([len(self.starts)]),
            edges=np.array([self.rows.arcs]),
            device=device,
            plan=plan,
        )
