"""A method of `warpath.sssp` on CPUs: its kernel, its workspace, and the driver that all share."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.arcs import arcs_of, kind_of
from warpath.cpu.parents import find_cycle
from warpath.cpu.relax import NONE, extend, fell_short, typed
from warpath.cpu.report import Report
from warpath.graph.distance import unreachable
from warpath.graph.graph import Graph
from warpath.parallel import team
from warpath.parallel.atomics import atomic_add
from warpath.parallel.jit import inlined
from warpath.parallel.sync import barrier, share
from warpath.planning.cache import kept
from warpath.planning.memory import trace_rows
from warpath.planning.shortest_paths import Relaxation

_ITERATIONS, _THREADS, _IMPROVED, _WRAPPED, _CYCLE = range(5)
TOTALS = 5
"""How many places `Search.totals` has, which the kernel fills."""
_INT64 = np.dtype(np.int64)
_NO_TOTALS = np.array([0, 0, 0, 0, -1])


class Search(NamedTuple):
    """One search, for a kernel.

    Distances, ``cutoff`` and ``start``, the distance of the ``sources``, are keys of the ``algebra``;
    that of a vertex without a path is ``unreached``. ``target`` is -1 where there is none, ``signed``
    whether a weight is negative.
    """

    algebra: Any
    arcs: Any
    sources: Any
    start: Any
    cutoff: Any
    unreached: Any
    target: Any
    signed: Any
    distance: Any
    predecessor: Any
    trace: Any
    totals: Any


class _Task(NamedTuple):
    """What a plan's searches of a graph by one method share, and what stands for the types."""

    algebra: Any
    start: Any
    cutoff: Any
    unreached: Any
    signed: Any
    rows: int
    layout: Any
    kind: int


_kinds: dict[Any, int] = {}


@dataclass(frozen=True, eq=False)
class Method:
    """How shortest paths are found.

    Attributes
    ----------
    kernel : function
        Called with (thread, threads, sync, search, space).
    workspace : function
        Makes its ``space`` for (graph, search, layout).
    layout : function
        What the space of each search by a plan needs, for (graph, plan, threads): a tuple, made once.
    is_parallel : bool
        Whether it uses more than one thread. If not, it says how it went in one row of the trace.
    """

    kernel: Any
    workspace: Callable[[Graph, Search, Any], Any]
    layout: Callable[[Graph, Relaxation, int], tuple[Any, ...]] = lambda graph, plan, threads: ()
    is_parallel: bool = True

    def run(
        self,
        graph: Graph,
        plan: Relaxation,
        weights: NDArray[Any],
        sources: NDArray[np.int32],
        distance: NDArray[Any],
        predecessor: NDArray[np.int32],
        threads: int = 1,
        target: int = -1,
    ) -> Report:
        """Fill ``distance`` and ``predecessor`` from ``sources``.

        Parameters
        ----------
        plan : Relaxation
            Methods for negative weights have no cutoff.
        weights : array, shape (m,)
            They have the dtype that the plan says.
        target : int
            Vertices farther than it may get distances that are too large; -1: none.

        Returns
        -------
        Report
            Its ``cycle`` or ``wrapped`` say when the distances are worth nothing.
        """
        if not self.is_parallel:
            threads = 1
        task = _task(graph, self, plan, threads)
        trace, totals = np.zeros((task.rows, 3), _INT64), _NO_TOTALS.copy()
        search = Search(
            task.algebra, arcs_of(graph, weights), sources.view(np.uint32), task.start, task.cutoff,
            task.unreached, target, task.signed, distance, predecessor, trace, totals,
        )  # fmt: skip
        space = self.workspace(graph, search, task.layout)
        flags = sources.flags.num, weights.flags.num, distance.flags.num, predecessor.flags.num
        team.run(self.kernel, threads, search, space, like=(task.kind, flags))
        iterations, threads, improved, wrapped, cycle = totals.tolist()
        return Report(trace[:iterations], iterations, threads, improved, cycle, bool(wrapped))


@kept
def _task(graph: Graph, method: Method, plan: Relaxation, threads: int) -> _Task:
    number, none = plan.dtype.type, unreachable(plan.dtype)
    algebra, layout = (
        typed(plan.algebra, plan.dtype, plan.weight_dtype),
        method.layout(graph, plan, threads),
    )
    # All algebras without content are equal.
    kind = (
        kind_of(graph),
        type(algebra),
        algebra,
        plan.weight_dtype,
        plan.dtype,
        tuple(map(type, layout)),
    )
    return _Task(
        algebra, number(plan.start), number(plan.cutoff), none, plan.signed,
        trace_rows(graph.num_vertices if method.is_parallel else 0), layout,
        _kinds.setdefault(kind, len(_kinds)),
    )  # fmt: skip


@inlined
def forget(thread, threads, search):  # type: ignore[no-untyped-def]
    """Make the vertices of my share unreached."""
    first, last = share(search.distance.shape[0], thread, threads)
    search.distance[first:last] = search.unreached
    search.predecessor[first:last] = NONE


@inlined
def initialize(thread, threads, sync, search):  # type: ignore[no-untyped-def]
    """Make all vertices unreached but the sources."""
    forget(thread, threads, search)
    barrier(sync, threads)  # every vertex is unreached
    if thread == 0:
        for i in range(search.sources.shape[0]):
            search.distance[search.sources[i]] = search.start
    barrier(sync, threads)  # the sources are there


@inlined
def look_along(search, d, arc):  # type: ignore[no-untyped-def]
    """The key of a path that a vertex at ``d`` extends by an arc, and whether it is better there.

    For weights of both signs: what wraps is not better, and told where it is below the dtype.
    """
    weight = search.arcs.weights[arc]
    candidate = extend(search.algebra, d, weight)
    if fell_short(search.algebra, d, weight, candidate):
        search.totals[_WRAPPED] = 1
        return candidate, False
    if not candidate < search.distance[search.arcs.indices[arc]]:
        return candidate, False
    grows = weight >= 0 or not search.signed
    return candidate, not (grows and candidate < d)  # else longer than any distance


@inlined
def has_cycle(thread, threads, sync, search, seen):  # type: ignore[no-untyped-def]
    """Whether predecessors form a cycle; all threads get the same answer."""
    if thread == 0:
        search.totals[_CYCLE] = find_cycle(search.predecessor, seen)
    barrier(sync, threads)  # the cycle is known
    return search.totals[_CYCLE] >= 0


@inlined
def finish(thread, threads, search, iterations, improved):  # type: ignore[no-untyped-def]
    """Tell how it went; ``improved`` is how often I lowered a distance."""
    atomic_add(search.totals, _IMPROVED, np.int64(improved))
    if thread == 0:
        search.totals[_ITERATIONS] = iterations
        search.totals[_THREADS] = threads
