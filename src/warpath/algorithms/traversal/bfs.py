"""Breadth-first search."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.common.on_parts import or_on_parts
from warpath.algorithms.common.problem import NO_LIMIT, BfsProblem
from warpath.algorithms.common.result import Paths
from warpath.algorithms.common.several_gpus import search_parts
from warpath.algorithms.common.sources import check_call
from warpath.algorithms.common.stats import Stopwatch
from warpath.algorithms.common.tuning import is_profile, tuned
from warpath.algorithms.traversal import cpu_bfs, gpu_bfs
from warpath.distributed import searches
from warpath.graph.check import as_flag, as_positive, as_sources
from warpath.graph.graph import Graph
from warpath.graph.names import Vertex, by_name
from warpath.planning.breadth_first import complete_bfs
from warpath.planning.placement import Placement, choose_place, only_on_gpus, run_on
from warpath.schedule import ScheduleLike, schedule_for
from warpath.typing import DEVICES, DeviceName


@or_on_parts(searches.bfs)
@by_name("source")
def bfs(
    graph: Graph,
    source: Vertex | Sequence[Vertex] | NDArray[Any],
    *,
    depth_limit: int | None = None,
    predecessors: bool = True,
    nearest: bool = False,
    device: DeviceName = "auto",
    devices: int | Sequence[int] | None = None,
    schedule: ScheduleLike = None,
    trace: bool = True,
) -> Paths:
    """Distances in arcs from a source, by breadth-first search.

    Parameters
    ----------
    graph : Graph, DistributedGraph or MultiGpuGraph
        Weights are ignored. A `DistributedGraph` takes ``depth_limit``, ``nearest`` and ``device``.
    source : vertex, or sequence of k vertices
        Each of several gets a row of its own; with ``nearest`` they share one answer. On
        a GPU the rows of a small graph are searched at once, top-down, a block each, unless the
        schedule asks for another direction.
    depth_limit : int, optional
        Vertices farther than this read as unreachable.
    predecessors : bool
    nearest : bool
        Distances from the nearest source.
    device : {"auto", "cpu", "cuda"}
        "cuda": the current CUDA device; the arrays of the answer are CuPy's, and the call
        returns when its work is queued on the current stream. The graph is copied to the
        device at the first call and kept there as long as it lives.
        "auto": a GPU if there is one and the graph was built there or is large (2²²
        arcs), or where the schedule has what only GPUs have; else the CPU. The arrays are
        NumPy's, wherever it ran.
    devices : int or sequence of int, optional
        Several GPUs: how many, or CUDA's numbers of them. The graph is cut into parts for them at the first call
        (`warpath.distribute`), and these are kept. By default one, or as many as the graph needs, if it does not
        fit one: see docs/distributed.md, also for what several do not have.
    schedule : Schedule, str, Technique or path, optional
        How it runs, which changes no distance: a `Schedule` or its text. On both devices
        ``"direction=top-down"`` or ``"direction=bottom-up"`` instead of "optimizing", and α and β, by
        default what measured best on the device. On a GPU also a balance, ``"virtual-warp:width=16"``,
        a frontier and a way to drop duplicates, ``"frontier=edge-queue,duplicates=hash"``, or a
        paper's system, ``"bfs-4k:hash-duplicates=off"``, one of `warpath.schedule.PRESETS`. With
        a frontier or duplicates it is top-down unless it says otherwise.
        Or the path of a profile that ``warpath advise -o`` wrote of this graph, ``"profile.json"``:
        the best that was measured on ``device``.
    trace : bool
        Whether to keep the rows of `Paths.stats`.

    Returns
    -------
    Paths, or DistributedPaths of a `DistributedGraph`
        ``distance``: int32, shape (n,) or (k, n), -1 where unreachable.

    Raises
    ------
    ValueError
        A source out of range or no integer, an unknown device, a negative limit. A schedule that is
        none or does not go together, a GPU's schedule for the CPU, a profile of another graph. ``devices`` that
        are not there, or with an option that several GPUs do not have. ``predecessors``, ``nearest`` or
        ``trace`` that is neither True nor False.
    DeviceUnavailableError
        ``device="cuda"``, or a schedule that only GPUs have, where CUDA cannot be used: it says
        what is missing.
    MemoryError
        ``device="cuda"``, or a schedule that only GPUs have: the answer and the workspace are beyond the
        GPU's memory, or the host's cannot be pinned for a graph that is.

    See Also
    --------
    sssp : Shortest paths by weight.
    st_connected : Whether a path leads from one vertex to another.
    connected_components : Which vertices a path joins.
    Schedule : How a search runs.

    Notes
    -----
    Complexity: O(n + m) time for each source, 8 bytes per vertex for the answer.

    "optimizing" and "bottom-up" use `Graph.reverse`, which a directed graph builds at the first call.
    "optimizing" on a GPU: after 64 small levels of a sparse graph its blocks continue independently, and
    a row of `Paths.stats` is 64 levels (`Stats.iterations`).

    References
    ----------
    S. Beamer, K. Asanović, D. Patterson, "Direction-optimizing breadth-first search", SC 2012.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.Graph.from_edges([0, 0, 1, 2], [1, 2, 3, 3])
    >>> r = wp.bfs(g, 0)
    >>> r.distance.tolist(), r.path(3)
    ([0, 1, 1, 2], [0, 1, 3])

    Two searches, a row for each; and one search from the nearest of both:

    >>> wp.bfs(g, [1, 2]).distance.tolist()
    [[-1, 0, -1, 1], [-1, -1, 0, 1]]
    >>> wp.bfs(g, [1, 2], nearest=True).distance.tolist()
    [-1, 0, 0, 1]
    """
    watch = Stopwatch()
    if trace is not True:
        as_flag(trace, "trace")
    problem = bfs_problem(
        graph, source, depth_limit=depth_limit, predecessors=predecessors, nearest=nearest,
        device=device, devices=devices, schedule=schedule,
    )  # fmt: skip

    def paths(place: Placement) -> Paths:
        plan = problem.plan(place)
        if plan.parts:
            return search_parts(problem, plan, searches.bfs, trace, watch, depth_limit=depth_limit)
        run = gpu_bfs.run if place.device == "cuda" else cpu_bfs.run
        found = run(problem, plan, trace, watch)
        limit = depth_limit
        answer = Paths(
            graph=graph,
            source=int(problem.sources[0]) if problem.single else problem.sources,
            distance=found.distance,
            predecessor=found.predecessor,
            stats=found.stats,
            weighted=False,
            limit=limit if limit is None or problem.one_answer else np.full(problem.rows, limit),
            nearest=nearest,
        )
        is_elsewhere = problem.on_host and place.device == "cuda"
        return answer.to_numpy() if is_elsewhere else answer

    return run_on(problem.device, problem.place, paths, cpu_is_able=problem.cpu_is_able)


def bfs_problem(
    graph: Graph,
    source: Any,
    *,
    depth_limit: int | None = None,
    predecessors: bool = True,
    nearest: bool = False,
    device: DeviceName = "auto",
    devices: int | Sequence[int] | None = None,
    schedule: ScheduleLike = None,
) -> BfsProblem:
    """What a call of `bfs` asks for, checked."""
    check_call(graph, device, DEVICES)
    on_host = device == "auto"
    if is_profile(schedule):
        given = tuned("bfs", graph, schedule, device=device)
        device, schedule = given["device"], given["schedule"]
    asked = schedule_for("bfs", schedule)
    complete_bfs(asked)  # raises
    needs = only_on_gpus(device, asked)
    limit = NO_LIMIT
    if depth_limit is not None:
        limit = min(as_positive(depth_limit, "depth_limit", or_zero=True), NO_LIMIT)
        if asked.small_frontiers == "async":
            raise ValueError(
                "small_frontiers='async' has no depth_limit: its blocks are at different levels"
            )
    sources, single = as_sources(source, graph.num_vertices)
    return BfsProblem(
        graph=graph,
        sources=sources,
        single=single,
        nearest=as_flag(nearest, "nearest"),
        predecessors=as_flag(predecessors, "predecessors"),
        device=device,
        on_host=on_host,
        schedule=asked,
        place=choose_place(graph, device, needs, devices),
        cpu_is_able=not needs and devices is None,
        limit=limit,
    )
