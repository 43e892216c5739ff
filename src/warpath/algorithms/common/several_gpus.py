"""Searches of a graph in parts, on several GPUs of this process, and their answers."""

from collections.abc import Callable
from copy import copy
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from warpath import devices
from warpath.algorithms.common.problem import Problem
from warpath.algorithms.common.result import Paths
from warpath.algorithms.common.stats import Stats, Stopwatch
from warpath.distributed.graph import DistributedGraph
from warpath.distributed.multi_gpu import Parts, parts_on
from warpath.distributed.paths import DistributedPaths
from warpath.graph.arrays import module_for, to_host
from warpath.graph.graph import Graph
from warpath.graph.names import called
from warpath.planning.plan import Plan, PlannedPart

Array = NDArray[Any]


class PathsInParts(Paths):
    """`Paths` of which each of several GPUs has a part; arrays are gathered when they are first asked for.

    Parameters
    ----------
    graph : Graph
    parts : Parts
        The graph's.
    answers : list of DistributedPaths
        What each GPU has.
    stats : Stats
    on_host : bool
        Whether the arrays are NumPy's, or CuPy's on the GPU that is the current one when they are asked for.
    """

    parts: list[DistributedPaths]
    _parts_of_graph: Parts
    _arrays_on_host: bool

    def __init__(
        self,
        graph: Graph,
        parts: Parts,
        answers: list[DistributedPaths],
        stats: Stats,
        on_host: bool,
    ) -> None:
        first = answers[0]
        self.__dict__.update(
            graph=graph, source=first.source, stats=stats, weighted=first.weighted, limit=first.limit,
            nearest=first.nearest, algebra="shortest", parts=answers,
            _parts_of_graph=parts, _arrays_on_host=on_host,
        )  # fmt: skip

    @cached_property
    def distance(self) -> Array:
        """Distances of all vertices: see `Paths`."""
        whole: Array = self._gathered("distance", self._arrays_on_host)
        return whole

    @cached_property
    def predecessor(self) -> NDArray[np.int32] | None:
        """Predecessors of all vertices: see `Paths`."""
        whole: NDArray[np.int32] | None = self._gathered("predecessor", self._arrays_on_host)
        return whole

    def _gathered(self, what: str, on_host: bool) -> Any:
        rows = [getattr(one, f"own_{what}") for one in self.parts]
        if rows[0] is None:
            return None
        whole = self._parts_of_graph.gathered([to_host(one) for one in rows])
        return whole if on_host else module_for("cuda").asarray(whole)

    @property
    def _on_host(self) -> Paths:  # type: ignore[override]
        return self._copied

    @cached_property
    def _copied(self) -> Paths:  # type: ignore[override]
        distance, predecessor = (
            getattr(self, what) if self._arrays_on_host else self._gathered(what, True)
            for what in ("distance", "predecessor")
        )
        return Paths(
            self.graph, self.source, distance, predecessor, self.stats, self.weighted, self.limit,
            self.nearest,
        )  # fmt: skip

    def _called(self, graph: Graph) -> Paths:
        named = copy(self)
        named.__dict__.pop("_copied", None)
        named.__dict__.update(graph=graph, source=called(graph, self.source))
        return named

    def verify(self) -> None:
        """Check the certificate on the GPUs, where the parts lie.

        Raises
        ------
        VerificationError
            If a property of shortest paths does not hold.
        """
        self._parts_of_graph.run(lambda _, answer: answer.verify(), self.parts)


def search_parts(
    problem: Problem,
    plan: Plan,
    search: Callable[..., DistributedPaths],
    trace: bool,
    watch: Stopwatch,
    **options: Any,
) -> PathsInParts:
    """Search a graph's parts where a plan has them.

    Parameters
    ----------
    search : function
        One of `warpath.distributed.searches`.
    **options
        Its options, but for ``nearest`` and ``predecessors``.

    Raises
    ------
    MemoryError
        If the memory of a GPU does not suffice.
    OverflowError
        See `warpath.sssp`.
    """
    source = int(problem.sources[0]) if problem.single else problem.sources

    def of_part(part: DistributedGraph, planned: PlannedPart) -> DistributedPaths:
        with devices.memory_for(f"{plan.search} on GPU {planned.device}"):
            return search(
                part, source, nearest=problem.nearest, predecessors=problem.predecessors, **options
            )

    parts = parts_on(problem.graph, tuple(one.device for one in plan.parts))
    signed = plan.search == "sssp" and problem.graph.weight_range[0] < 0
    at_once = None if signed else parts.at_once()
    if at_once is not None:
        answers = getattr(at_once, plan.search)(
            problem.sources,
            single=problem.single,
            nearest=problem.nearest,
            predecessors=problem.predecessors,
            **options,
        )
    else:
        answers = parts.run(of_part, plan.parts)
    first = answers[0]
    rows = slice(None if trace else 0)
    stats = Stats(
        method=plan.method,
        why=plan.why,
        **watch.read(),
        threads=0,
        iterations=len(first.frontier),
        frontier=np.array(first.frontier, np.int64)[rows],
        edges=np.array(first.edges, np.int64)[rows],
        direction=tuple(first.direction)[rows],
        delta=cast("float | None", plan.schedule.delta),  # of a plan it is no rule
        device=f"{len(plan.parts)} × {devices.require().model}",
        plan=plan,
    )
    return PathsInParts(problem.graph, parts, answers, stats, problem.on_host)
