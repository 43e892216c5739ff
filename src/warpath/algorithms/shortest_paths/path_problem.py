"""What a call of `warpath.shortest_path` asks for, and how it is answered."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from warpath.algorithms.common.sources import check_call
from warpath.algorithms.shortest_paths.sssp import sssp_problem
from warpath.algorithms.traversal.two_ended import ConnectionProblem
from warpath.cpu.bidirectional_dijkstra import rounding
from warpath.graph.check import as_flag, as_vertex, choose
from warpath.graph.distance import distance_dtype, fits, longest_path
from warpath.graph.graph import Graph
from warpath.operators import Algebra, PathAlgebra, lookup
from warpath.planning.cache import kept
from warpath.planning.methods import METHODS
from warpath.planning.placement import (
    Placement,
    choose_place,
    choose_place_from_both_ends,
    only_on_gpus,
    resident_on_gpu,
)
from warpath.planning.plan import Plan, plan_for
from warpath.schedule import Schedule, ScheduleLike, schedule_for
from warpath.typing import DEVICES, AlgebraName, DeviceName, PathMethodName

BIDIRECTIONAL = "bidirectional"
# "auto" gives up a search from both ends that has settled n / _SHARE vertices, and at least
# _MIN_SEARCH_BUDGET, some 5 ms: then all cores together are faster. Measured on 2 cores: searches that pay
# most settle less than n / 1000 (R-MAT 14 and 18, G(n, m)). On road networks the median one
# settles n / 4 and is faster than delta-stepping up to some 250,000 vertices; on Florida's and
# on a 1000² grid it takes twice as long.
_SHARE, _MIN_SEARCH_BUDGET = 64, 2**15
# Rounding that would extend the searches by more than this part of the path's length beyond where they
# meet is left to one search: in the plane, 1.25² of half the area each. A guess.
_MOST_ROUNDING = 0.25
_NAME = "shortest_path"


@dataclass(frozen=True, eq=False, kw_only=True)
class PathProblem:
    """A call of `warpath.shortest_path`, checked. It is answered in one of three ways.

    Attributes
    ----------
    graph : Graph
    source, target : int
    algebra : PathAlgebra
    method : str
    device : {"auto", "cpu", "cuda"}
    schedule : Schedule
        What was asked about how.
    place : Placement
        Where it runs; of a search from one end on the CPU `warpath.sssp` may decide again.
    cpu_is_able : bool
        Whether the CPU may do it where a GPU's memory does not suffice.
    by_hops : ConnectionProblem or None
        Breadth-first, from both ends.
    from_both_ends : bool
        By weight, from both ends, unless they do not meet soon.
    why : str or None
        Why that, or why not; None: `warpath.sssp` says it.
    """

    graph: Graph
    source: int
    target: int
    algebra: PathAlgebra
    method: PathMethodName
    device: DeviceName
    schedule: Schedule
    place: Placement
    cpu_is_able: bool
    by_hops: ConnectionProblem | None = None
    from_both_ends: bool = False
    why: str | None = None

    @property
    def search_budget(self) -> int:
        """Vertices that a search from both ends may settle."""
        n = self.graph.num_vertices
        return 2 * n if self.method == BIDIRECTIONAL else max(n // _SHARE, _MIN_SEARCH_BUDGET)

    def of_sssp(self, place: Placement) -> dict[str, Any]:
        """The options of `warpath.sssp` for a search from one end."""
        return {
            "target": self.target,
            "algebra": self.algebra,
            "method": self.method,
            "schedule": self.schedule,
            "device": "cuda" if place.device == "cuda" else self.device,
        }

    def renamed(self, plan: Plan | None) -> Plan | None:
        """A plan of `warpath.sssp` for this call."""
        return plan and replace(plan, search=_NAME, why=self.why or plan.why)

    def plan(self, place: Placement) -> Plan:
        """How it runs there."""
        graph = self.graph
        if self.by_hops is not None:
            return self.by_hops.plan(place)
        if not self.from_both_ends:
            search = sssp_problem(graph, self.source, **self.of_sssp(place))
            return self.renamed(search.plan(search.place))  # type: ignore[return-value]
        return _plan_by_weight(graph, place, str(self.why))


def path_problem(
    graph: Graph,
    source: Any,
    target: Any,
    *,
    weighted: bool = True,
    algebra: AlgebraName | Algebra = "shortest",
    method: PathMethodName = "auto",
    device: DeviceName = "auto",
    schedule: ScheduleLike = None,
) -> PathProblem:
    """What a call of `warpath.shortest_path` asks for, checked."""
    check_call(graph, device, DEVICES)
    weighted = as_flag(weighted, "weighted")
    how = schedule_for(_NAME, schedule)
    needs = only_on_gpus(device, how)
    source = as_vertex(source, graph.num_vertices, "source")
    target = as_vertex(target, graph.num_vertices, "target")
    choose("method", method, (*METHODS, BIDIRECTIONAL))
    measure = lookup(algebra)
    both_ends = method in (BIDIRECTIONAL, "auto")
    if not weighted and not measure.adds:
        raise ValueError(f"weighted=False counts arcs: leave it out for algebra {measure.name!r}")
    if measure.is_boolean and not both_ends:
        raise ValueError(f"algebra {measure.name!r} is a breadth-first search, not {method!r}")
    if not weighted and not both_ends:
        raise ValueError(
            f"weighted=False is a breadth-first search: method {method!r} adds weights"
        )
    if method == BIDIRECTIONAL and not (measure.adds or measure.is_boolean):
        raise ValueError(
            f"method {method!r} by weight is for sums, not for algebra {measure.name!r}"
        )
    problem = partial(
        PathProblem, graph=graph, source=source, target=target, algebra=measure, method=method,
        device=device, schedule=how, cpu_is_able=not needs,
    )  # fmt: skip
    counts = measure.adds and (not weighted or graph.weight_dtype is None)
    if both_ends and (counts or measure.is_boolean):
        search = ConnectionProblem(
            graph=graph,
            source=source,
            target=target,
            device=device,
            schedule=how,
            place=choose_place_from_both_ends(graph, device, needs),
            cpu_is_able=not needs,
            why="each arc counts 1" if counts else "weights do not matter",
            wants_path=True,
            search=_NAME,
        )
        return problem(place=search.place, by_hops=search)
    if method == BIDIRECTIONAL and (device == "cuda" or needs):
        raise ValueError(f"method {method!r} by weight is for device='cpu'; use 'auto'")
    on_gpu = device == "cuda" or (device == "auto" and resident_on_gpu(graph, needs))
    there = on_gpu and method in METHODS and "cuda" in METHODS[method].devices
    place = Placement("cuda" if there else "cpu", "")
    if not (both_ends and measure.adds and (method == BIDIRECTIONAL or not on_gpu)):
        return problem(place=place)
    why = _obstacle(graph)
    if why is not None and method == BIDIRECTIONAL:
        raise ValueError(f"method {method!r} does not fit this graph: {why}; use 'auto'")
    if why is not None:
        return problem(place=place, why=why)
    why = "as asked" if method == BIDIRECTIONAL else "no weight is negative"
    place = choose_place(graph, device)
    if place.device == "cuda":
        place = Placement("cpu", "only a CPU searches from both ends by weight")
    return problem(place=place, from_both_ends=True, why=why)


@kept
def _plan_by_weight(graph: Graph, place: Placement, why: str) -> Plan:
    dtype = distance_dtype(graph)
    return plan_for(
        graph, _NAME, place, "bidirectional-dijkstra", why, dtype,
        answer=0, workspace=(40 + 4 * dtype.itemsize) * graph.num_vertices, reads_reverse=True,
    )  # fmt: skip


def _obstacle(graph: Graph) -> str | None:
    """Why a search by weight cannot go from both ends; None if it can."""
    if graph.weight_range[0] < 0:
        return "a weight is negative"
    dtype = distance_dtype(graph)
    widest = dtype if dtype.kind == "f" else np.dtype(np.int64)
    if not fits(2 * longest_path(graph), widest):
        return f"sums of weights may exceed {widest}"
    if rounding(graph.num_vertices, dtype) > _MOST_ROUNDING:
        return f"{dtype} rounds too much for paths of {graph.num_vertices:,} vertices"
    return None
