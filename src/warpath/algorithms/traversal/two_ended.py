"""Breadth-first search from both ends, on either device."""

from dataclasses import dataclass

from warpath import devices
from warpath.algorithms.common.cpu_runs import stats_of
from warpath.algorithms.common.residency import planned
from warpath.algorithms.common.stats import ReportedStats, Stats, Stopwatch
from warpath.cpu.bidirectional_bfs import bidirectional_bfs
from warpath.graph.graph import Graph
from warpath.planning.from_both_ends import METHOD, plan_from_both_ends
from warpath.planning.placement import Placement, run_on
from warpath.planning.plan import Plan
from warpath.schedule import Schedule
from warpath.typing import DeviceName


@dataclass(eq=False, slots=True)
class ConnectionProblem:
    """A breadth-first search from both ends.

    Attributes
    ----------
    graph : Graph
    source, target : int
    device : {"auto", "cpu", "cuda"}
    schedule : Schedule
        What was asked about how.
    place : Placement
        Where it runs.
    cpu_is_able : bool
        Whether the CPU may do it where a GPU's memory does not suffice.
    why : str
        Why it is one.
    wants_path : bool
    search : str
        The function that was called.
    """

    graph: Graph
    source: int
    target: int
    device: DeviceName
    schedule: Schedule
    place: Placement
    cpu_is_able: bool
    why: str
    wants_path: bool = False
    search: str = "st_connected"

    def plan(self, place: Placement) -> Plan:
        """How it runs there."""
        return planned(self.graph, place, lambda place: plan_from_both_ends(
            self.graph, self.search, self.schedule, place, self.why
        ), lambda: "there is no search from both ends")  # fmt: skip


@dataclass(eq=False, slots=True)
class Joined:
    """What two searches found.

    Attributes
    ----------
    distance : int or None
        The fewest arcs of a path; None: there is none.
    meeting : (int, int) or None
        The arc at which the searches met.
    path : list of int or None
        The vertices of one, if it was wanted and is there.
    stats : Stats
    """

    distance: int | None
    meeting: tuple[int, int] | None
    path: list[int] | None
    stats: Stats


def join(problem: ConnectionProblem, watch: Stopwatch) -> Joined:
    """Search from both ends.

    Raises
    ------
    DeviceUnavailableError, MemoryError
        See `warpath.st_connected`.
    """

    def joined(place: Placement) -> Joined:
        engine = _on_gpu if place.device == "cuda" else _on_cpu
        return engine(problem, problem.plan(place), watch)

    return run_on(problem.device, problem.place, joined, cpu_is_able=problem.cpu_is_able)


def _on_cpu(problem: ConnectionProblem, plan: Plan, watch: Stopwatch) -> Joined:
    path, place, report = bidirectional_bfs(problem.graph, problem.source, problem.target)
    vertices = None if path is None else path.tolist()
    return Joined(
        distance=None if vertices is None else len(vertices) - 1,
        meeting=None if vertices is None or place < 0 else (vertices[place], vertices[place + 1]),
        path=vertices if problem.wants_path else None,
        stats=stats_of(report, plan, True, watch),
    )


def _on_gpu(problem: ConnectionProblem, plan: Plan, watch: Stopwatch) -> Joined:
    model = devices.require().model
    source, target, wants_path = problem.source, problem.target, problem.wants_path
    if source == target:
        return _on_cpu(problem, plan, watch)
    from warpath.cuda.bfs import levels_options
    from warpath.cuda.device_graph import on_device
    from warpath.cuda.st import st_search

    balance = plan.schedule.technique
    assert balance is not None
    loop = str(plan.schedule.loop)
    try:
        arcs = on_device(problem.graph, plan.out_of_core)
        report, path = st_search(
            arcs, source, target, balance, loop, wants_path=wants_path,
            **levels_options(plan.schedule.small_frontiers),
        )  # fmt: skip
    except MemoryError:
        with devices.memory_for(plan.needs()):
            raise
    meeting, distance, vertices = report.meeting, None, None
    if meeting is not None:
        distance = report.iterations
        vertices = path[: distance + 1].get().tolist() if wants_path else None
    stats = ReportedStats(METHOD, plan.why, watch.read(), model, [report], plan=plan)
    return Joined(distance, meeting, vertices, stats)
