"""Distances to targets that may be near: searches that cost what they meet."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.all_pairs.rows import Rows, Tick, beside, no_tick
from warpath.algorithms.shortest_paths.cpu_sssp import weights_of
from warpath.cpu.dijkstra_to_targets import dijkstra_to_targets
from warpath.graph.graph import Graph
from warpath.operators import PathAlgebra
from warpath.parallel import thread_count
from warpath.planning.shortest_paths import relaxation

Array = NDArray[Any]

# A search gives up where it would look at more than this part of the arcs, or this many. Then other searches
# are faster, and a tenth of the time of one is lost (Zen 5, two threads, road network and 1000² grid, 2026-11).
_SHARE, _MIN_BUDGET = 64, 2**12
_MAX_LATE = (
    1 / 4
)  # the part of searches that may give up before the rest is left to whole rows; a guess
_BATCH_ARCS = 2**25  # of a thread's searches between two ticks: a second; a guess
_BATCH_BYTES = 2**25  # of their distances; a guess


class TargetRows(Rows):
    """Shortest paths' distances to some vertices, on the CPU.

    Each search ends when all targets are settled, and costs what it met, whatever the graph's size.
    Where targets are too far away for that, ``rest`` makes the rows.

    Parameters
    ----------
    targets : int32 array
        The columns that `fill` is asked for.
    rest : Rows
        The search of all vertices; `suits` holds for its graph, algebra and dtype.
    """

    about = "one search per source, as far as the targets are"

    def __init__(self, targets: Array, rest: Rows) -> None:
        super().__init__(rest.graph, rest.algebra, rest.dtype, rest.device, rest.cutoff)
        self._targets, self._rest = targets, rest
        run = _plan(self.graph, self.algebra, self.dtype, self.cutoff)
        self._limit = run.cutoff
        self._weights = None if self.graph.weight_dtype is None else weights_of(self.graph, run)
        self._budget = max(self.graph.num_arcs // _SHARE, _MIN_BUDGET)
        searches = thread_count.num_threads() * max(_BATCH_ARCS // self._budget, 1)
        self._batch = max(min(searches, _BATCH_BYTES // (8 * len(targets))), 1)

    @staticmethod
    def suits(graph: Graph, algebra: PathAlgebra, dtype: np.dtype[Any]) -> bool:
        """Whether paths are sums of non-negative weights that all fit."""
        if not algebra.adds or graph.weight_range[0] < 0:
            return False
        run = _plan(graph, algebra, dtype, None)
        return run.dtype == dtype and not run.may_overflow

    def nbytes(self, predecessors: bool, sources: int) -> int:
        """See `Rows.nbytes`."""
        own = thread_count.num_threads() * self.graph.num_vertices * (2 * self.dtype.itemsize + 17)
        return max(own, self._rest.nbytes(predecessors, sources))

    def fill(
        self,
        sources: Array,
        distance: Any,
        predecessor: Any = None,
        tick: Tick = no_tick,
        columns: Array | None = None,
    ) -> None:
        """See `Rows.fill`; without predecessors, and ``columns`` are the targets."""
        done, few = 0, thread_count.num_threads()
        while done < len(sources):
            part = slice(done, done + (self._batch if done else few))
            found, ended = self._search(sources[part])
            if not ended.any():
                break
            late = np.flatnonzero(~ended)
            if len(late):
                rows = np.empty((len(late), len(self._targets)), self.dtype)
                self._rest.fill(sources[part][late], rows, None, no_tick, self._targets)
                found[late] = rows
            distance[part] = beside(found, distance)
            done += len(found)
            tick(done, len(sources))
            if len(late) > _MAX_LATE * len(ended):
                break

        def count(now: int, of: int) -> None:
            tick(done + now, len(sources))

        if done < len(sources):
            self._rest.fill(sources[done:], distance[done:], None, count, self._targets)
        self.iterations += self._rest.iterations
        self.arcs += self._rest.arcs

    def _search(self, sources: Array) -> tuple[Array, NDArray[np.bool_]]:
        """Distances to the targets, and of which sources they are right."""
        found = np.empty((len(sources), len(self._targets)), self.dtype)
        ended, arcs = dijkstra_to_targets(
            self.graph, self._weights, sources, self._targets, self._limit, self._budget, found
        )
        self.iterations += int(np.count_nonzero(ended))
        self.arcs += arcs
        return found, ended


def _plan(graph: Graph, algebra: PathAlgebra, dtype: np.dtype[Any], cutoff: float | None) -> Any:
    return relaxation(graph, algebra, "dijkstra", False, None, cutoff, dtype, "cpu")
