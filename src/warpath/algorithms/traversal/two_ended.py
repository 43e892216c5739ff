"""Breadth-first search from both ends, on either device."""

from dataclasses import dataclass

from warpath import devices
from warpath.algorithms.common.stats import DeviceStats, Stats, Stopwatch
from warpath.cpu.bidirectional_bfs import FORWARD, bidirectional_bfs
from warpath.cpu.report import Report
from warpath.cpu.trace import DIRECTION, EDGES, VERTICES
from warpath.graph.graph import Graph
from warpath.planning.fitted_balance import fitted
from warpath.planning.placement import Placement, choose_place_from_both_ends, run_on
from warpath.schedule import Schedule
from warpath.typing import DeviceName

METHOD = "bidirectional-bfs"
_VERTEX_BYTES = 29  # beyond the graph, with 64-bit offsets (`warpath.cuda.st`)


@dataclass(frozen=True, eq=False)
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


def join(
    graph: Graph,
    source: int,
    target: int,
    why: str,
    watch: Stopwatch,
    *,
    device: DeviceName,
    schedule: Schedule,
    needs: str,
    wants_path: bool,
) -> Joined:
    """Search from both ends where ``device`` says.

    Parameters
    ----------
    device : {"auto", "cpu", "cuda"}
    needs : str
        What of the schedule only a GPU has: see `warpath.planning.placement.only_on_gpus`.

    Raises
    ------
    DeviceUnavailableError, MemoryError
        See `warpath.st_connected`.
    """

    def joined(place: Placement) -> Joined:
        if place.device == "cuda":
            return _on_gpu(graph, source, target, why, watch, schedule, wants_path)
        return _on_cpu(graph, source, target, why, watch)

    place = choose_place_from_both_ends(graph, device, needs)
    return run_on(device, place, joined, cpu_is_able=not needs)


def _on_cpu(graph: Graph, source: int, target: int, why: str, watch: Stopwatch) -> Joined:
    path, place, report = bidirectional_bfs(graph, source, target)
    vertices = None if path is None else path.tolist()
    return Joined(
        distance=None if vertices is None else len(vertices) - 1,
        meeting=None if vertices is None or place < 0 else (vertices[place], vertices[place + 1]),
        path=vertices,
        stats=stats_of(report, METHOD, why, watch),
    )


def _on_gpu(
    graph: Graph,
    source: int,
    target: int,
    why: str,
    watch: Stopwatch,
    schedule: Schedule,
    wants_path: bool,
) -> Joined:
    model = devices.require().model
    if source == target:
        return _on_cpu(graph, source, target, why, watch)
    from warpath.cuda.device_graph import on_device
    from warpath.cuda.st import st_search

    try:
        report, path = st_search(
            on_device(graph), source, target, fitted(schedule.technique, graph),
            schedule.loop or "device", wants_path=wants_path,
        )  # fmt: skip
    except MemoryError:
        n, m = graph.num_vertices, graph.num_arcs
        with devices.memory_for(
            f"the graph of {n:,} vertices and {m:,} arcs takes {_graph_bytes(graph):,} bytes, "
            f"and each vertex up to {_VERTEX_BYTES} more"
        ):
            raise
    meeting, distance, vertices = report.meeting, None, None
    if meeting is not None:
        distance = report.iterations
        vertices = path[: distance + 1].get().tolist() if wants_path else None
    stats = DeviceStats(METHOD, why, watch.read(), model, [report])
    return Joined(distance, meeting, vertices, stats)


def stats_of(report: Report, method: str, why: str, watch: Stopwatch) -> Stats:
    """Statistics of a search from both ends by the CPU engine."""
    ways = report.trace[:, DIRECTION].tolist() if method == METHOD else []
    return Stats(
        method=method,
        why=why,
        **watch.read(),
        threads=report.threads,
        iterations=report.iterations,
        frontier=report.trace[:, VERTICES],
        edges=report.trace[:, EDGES],
        direction=tuple("forward" if way == FORWARD else "backward" for way in ways),
        improvements=report.improvements,
    )


def _graph_bytes(graph: Graph) -> int:
    """Of its copies on a device, the reverse included."""
    return 4 * (graph.num_vertices + graph.num_arcs) * (2 if graph.directed else 1)
