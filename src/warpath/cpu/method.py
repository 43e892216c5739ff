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
from warpath.cpu.trace import new_trace
from warpath.cpu.unsigned import unsigned
from warpath.graph.distance import unreachable
from warpath.graph.graph import Graph
from warpath.operators import ALGEBRAS, PathAlgebra
from warpath.parallel import team
from warpath.parallel.atomics import atomic_add
from warpath.parallel.jit import inlined
from warpath.parallel.sync import barrier, share

_ITERATIONS, _THREADS, _IMPROVED, _WRAPPED, _CYCLE = range(5)
TOTALS = 5
"""How many places `Search.totals` has, which the kernel fills."""
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


@dataclass(frozen=True)
class Method:
    """How shortest paths are found.

    Attributes
    ----------
    kernel : function
        Called with (thread, threads, sync, search, space).
    workspace : function
        Makes its ``space`` for (graph, search, threads, delta).
    is_parallel : bool
        Whether it uses more than one thread. If not, it says how it went in one row of the trace.
    """

    kernel: Any
    workspace: Callable[[Graph, Search, int, float], Any]
    is_parallel: bool = True

    def run(
        self,
        graph: Graph,
        weights: NDArray[Any],
        sources: NDArray[np.int32],
        distance: NDArray[Any],
        predecessor: NDArray[np.int32],
        threads: int = 1,
        *,
        algebra: PathAlgebra = ALGEBRAS["shortest"],
        start: Any = 0,
        cutoff: Any = None,
        target: int = -1,
        signed: bool = False,
        delta: float = 1.0,
    ) -> Report:
        """Fill ``distance`` and ``predecessor`` from ``sources``.

        Parameters
        ----------
        algebra : PathAlgebra
            Distances, limits and Δ are of its keys.
        start : number
            The sources' distance.
        cutoff : number
            Farther vertices stay unreached; methods for negative weights have none.
        target : int
            Stop when its distance is final (-1: none). Farther ones may then be too large.
        signed : bool
            Whether a weight is negative: then negative cycles are looked for.
        delta : float
            Width of a bucket, positive.

        Returns
        -------
        Report
            Its ``cycle`` or ``wrapped`` say when the distances are worth nothing.
        """
        if not self.is_parallel:
            threads = 1
        number, none = distance.dtype.type, unreachable(distance.dtype)
        farthest = none - number(1) if cutoff is None else number(cutoff)  # of floats "no path"
        trace = new_trace(graph.num_vertices if self.is_parallel else 0)
        totals = np.array(_NO_TOTALS)
        kernels_algebra = typed(algebra, distance.dtype, weights.dtype)
        search = Search(
            kernels_algebra, arcs_of(graph, weights), unsigned(sources), number(start), farthest, none,
            target, signed, distance, predecessor, trace, totals,
        )  # fmt: skip
        space = self.workspace(graph, search, threads, delta)
        flags = sources.flags.num, weights.flags.num, distance.flags.num, predecessor.flags.num
        which = type(kernels_algebra), kernels_algebra  # all those without content are equal
        dtypes = which, weights.dtype, distance.dtype, type(target), type(signed)
        like = kind_of(graph), dtypes, flags, tuple(map(type, space))
        team.run(self.kernel, threads, search, space, like=like)
        iterations, threads, improved, wrapped, cycle = totals.tolist()
        return Report(
            trace[:iterations].ravel(), iterations, threads, improved, cycle, bool(wrapped)
        )


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
