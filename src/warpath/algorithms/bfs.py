"""Breadth-first search."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms import gpu_bfs
from warpath.algorithms.result import Paths
from warpath.algorithms.search import Answer, Search
from warpath.algorithms.sources import as_sources, check_call, distinct, run_each
from warpath.algorithms.stats import Stats, Stopwatch
from warpath.algorithms.tuning import tunable
from warpath.cpu import bfs as cpu
from warpath.cpu.report import Report, joined
from warpath.cpu.threads import threads_for
from warpath.cpu.trace import DIRECTION, EDGES, VERTICES
from warpath.graph.graph import Graph
from warpath.graph.names import Vertex, by_name
from warpath.planning.breadth_first import complete_bfs
from warpath.planning.placement import only_on_gpus, run_on, should_use_gpu
from warpath.schedule import ScheduleLike, schedule_for
from warpath.typing import DEVICES, BuildDeviceName, DeviceName

_NO_LIMIT = 2**31 - 1
_WAYS = {code: name for name, code in cpu.DIRECTIONS.items()}


@by_name("source")
@tunable
def bfs(
    graph: Graph,
    source: Vertex | Sequence[Vertex] | NDArray[Any],
    *,
    depth_limit: int | None = None,
    predecessors: bool = True,
    nearest: bool = False,
    device: DeviceName = "auto",
    schedule: ScheduleLike = None,
    trace: bool = True,
) -> Paths:
    """Distances in arcs from a source, by breadth-first search.

    Parameters
    ----------
    graph : Graph
        Weights are ignored.
    source : vertex, or sequence of k vertices
        Of several, each gets a row of its own; with ``nearest`` they share one answer. On
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
        "auto": a GPU if there is one and the graph was built there or is large (4 million
        edges), or where the schedule has what only GPUs have; else the CPU. The arrays are
        NumPy's, wherever it ran.
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
    Paths
        ``distance``: int32, shape (n,) or (k, n), -1 where unreachable.

    Raises
    ------
    ValueError
        A source out of range or no integer, an unknown device, a schedule that is none or does not
        go together, a negative limit, a schedule of a GPU for the CPU, a profile of another graph.
    DeviceUnavailableError
        ``device="cuda"``, or a schedule that only GPUs have, where CUDA cannot be used: it says
        what is missing.
    MemoryError
        ``device="cuda"``, or a schedule that only GPUs have, and a graph beyond the GPU's memory.

    Notes
    -----
    "optimizing" and "bottom-up" use `Graph.reverse`, which a directed graph builds at the first call.
    "optimizing" on a GPU: after 64 small levels of a sparse graph its blocks go on independently, and
    a row of `Paths.stats` is 64 levels (`Stats.iterations`).

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
    check_call(graph, device, DEVICES)
    asked = schedule_for("bfs", schedule)
    needs = only_on_gpus(device, asked)
    limit = _NO_LIMIT
    if depth_limit is not None:
        whole = hasattr(depth_limit, "__index__") and not isinstance(depth_limit, bool)
        if not whole or depth_limit < 0:
            raise ValueError(f"depth_limit must be a non-negative integer, not {depth_limit!r}")
        limit = min(depth_limit.__index__(), _NO_LIMIT)
    sources, single = as_sources(source, graph.num_vertices)
    search = Search(
        graph, sources, single or nearest, complete_bfs(asked), limit, predecessors,
        rows_at_once=asked.direction in (None, "top-down") and asked.alpha is asked.beta is None,
    )  # fmt: skip

    def paths(engine: BuildDeviceName) -> Paths:
        if engine == "cuda":
            answer = gpu_bfs.run(search, trace, watch)
        else:
            answer = _on_cpu(search, trace, watch)
        distance, predecessor, stats = answer
        found = Paths(
            graph=graph,
            source=int(sources[0]) if single else sources,
            distance=distance,
            predecessor=predecessor,
            stats=stats,
            weighted=False,
            limit=_rows(depth_limit, search.one_answer, len(sources)),
            nearest=nearest,
        )
        return found.to_numpy() if device == "auto" else found

    on_gpu = device == "auto" and should_use_gpu(graph, needs)
    return run_on(device, paths, gpu=on_gpu, cpu_is_able=not needs)


def _on_cpu(search: Search, trace: bool, watch: Stopwatch) -> Answer:
    """Distances, predecessors (or None) and statistics by the CPU engine."""
    graph, sources, how = search.graph, search.sources, search.schedule
    alpha = cpu.ALPHA if how.alpha is None else how.alpha
    beta = cpu.BETA if how.beta is None else how.beta

    def run(start: Any, distance: Any, parents: Any, threads: int) -> Report:
        return cpu.bfs(
            graph, start, search.direction, alpha, beta, search.limit, distance, parents, threads
        )

    n = graph.num_vertices
    shape = (n,) if search.one_answer else (len(sources), n)
    distance = np.empty(shape, np.int32)
    wanted = search.predecessors
    predecessor = np.empty(shape, np.int32) if wanted or search.one_answer else None
    if search.one_answer:
        reports = [run(distinct(sources, n), distance, predecessor, threads_for(graph))]
    else:
        reports = run_each(run, graph, sources, distance, predecessor)
    rows = joined(reports, trace)
    stats = Stats(
        method=search.method,
        why=search.why,
        **watch.read(),
        threads=max(report.threads for report in reports),
        iterations=sum(report.iterations for report in reports),
        frontier=rows[:, VERTICES],
        edges=rows[:, EDGES],
        direction=tuple(_WAYS[code] for code in rows[:, DIRECTION].tolist()),
    )
    return distance, predecessor if wanted else None, stats


def _rows(limit: int | None, one_answer: bool, rows: int) -> Any:
    """The limit, once for each row where rows have their own."""
    return limit if limit is None or one_answer else np.full(rows, limit)
