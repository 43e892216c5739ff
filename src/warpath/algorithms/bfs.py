"""Breadth-first search."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms import gpu
from warpath.algorithms.result import Paths
from warpath.algorithms.search import Answer, Search
from warpath.algorithms.sources import as_number, as_sources, check_call, choose, distinct, run_each
from warpath.algorithms.stats import Stats, Stopwatch
from warpath.algorithms.tuning import tunable
from warpath.balance import Technique
from warpath.cpu import bfs as cpu
from warpath.cpu.report import Report, joined
from warpath.cpu.threads import threads_for
from warpath.cpu.trace import DIRECTION, EDGES, VERTICES
from warpath.graph.graph import Graph
from warpath.graph.names import Vertex, by_name
from warpath.typing import (
    DEVICES,
    BalanceName,
    DeviceName,
    DirectionName,
    DuplicatesName,
    FrontierName,
    LoopName,
    PresetName,
)

_NO_LIMIT = 2**31 - 1
_WAYS = {code: name for name, code in cpu.DIRECTIONS.items()}


@by_name("source")
@tunable
def bfs(
    graph: Graph,
    source: Vertex | Sequence[Vertex] | NDArray[Any],
    *,
    direction: DirectionName | None = None,
    alpha: float | None = None,
    beta: float | None = None,
    depth_limit: int | None = None,
    predecessors: bool = True,
    nearest: bool = False,
    device: DeviceName = "auto",
    balance: BalanceName | str | Technique | None = None,
    loop: LoopName | None = None,
    frontier: FrontierName | None = None,
    duplicates: DuplicatesName | None = None,
    preset: PresetName | str | None = None,
    trace: bool = True,
    tune: str | Path | None = None,
) -> Paths:
    """Distances in arcs from a source, by breadth-first search.

    Parameters
    ----------
    graph : Graph
        Weights are ignored.
    source : vertex, or sequence of k vertices
        Of several, each gets a row of its own; with ``nearest`` they share one answer. On
        a GPU the rows of a small graph are searched at once, top-down, a block each.
    direction : {"optimizing", "top-down", "bottom-up"}
        Whether frontier vertices look for unreached neighbours, unreached vertices for
        a neighbour in the frontier, or whatever is cheaper now (Beamer et al., SC 2012).
        By default "optimizing", but "top-down" where ``frontier`` or ``duplicates`` is given.
        "optimizing" and "bottom-up" use `Graph.reverse`, which a directed graph builds at the
        first call.
        "optimizing" on a GPU: after 64 narrow levels of a sparse graph the blocks go each its
        own way, and a row of `Paths.stats` is 64 levels (`Stats.iterations`).
    alpha, beta : float, optional
        When "optimizing" turns: bottom-up once the frontier has more than 1/α of the
        arcs that are left, top-down again once it has less than n/β vertices. By default
        what measured best on the device.
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
        arcs), or where an option that only GPUs have is given (``balance``, ``loop``,
        ``frontier``, ``duplicates``, ``preset``); else the CPU. The arrays are NumPy's,
        wherever it ran.
    balance : str or Technique, optional
        How arcs reach the threads of a GPU: ``"two-phase-search:shares=8"`` (the default),
        ``"virtual-warp:width=16"``, or one of `warpath.balance.TECHNIQUES`.
    loop : {"device", "host"}, optional
        On a GPU, one launch for all iterations (the default), or one for each.
    frontier : {"vertex-queue", "edge-queue", "bitmap", "topology-driven"}, optional
        On a GPU, how the next frontier comes to be: `warpath.frontier.FRONTIERS`. By default
        a queue of vertices.
    duplicates : str, optional
        On a GPU, how vertices that several arcs find at once are kept from entering it several
        times: one of `warpath.frontier.DUPLICATES`. By default ``"status-bitmap"``, which is
        the fastest; ``"none"`` where nothing is queued.
    preset : str, optional
        A paper's system, which says what this call leaves open of ``balance``, ``frontier``,
        ``duplicates``, ``direction`` and ``loop``: ``"harish"``, ``"bfs-4k:hash-duplicates=off"``,
        or another one of `warpath.frontier.PRESETS`.
    trace : bool
        Whether to keep the rows of `Paths.stats`.
    tune : path, optional
        The profile of this graph that ``warpath advise -o`` wrote: of what it measured the best
        that agrees with what the call gives of ``device``, ``direction`` and ``balance``.

    Returns
    -------
    Paths
        ``distance``: int32, shape (n,) or (k, n), -1 where unreachable.

    Raises
    ------
    ValueError
        A source out of range or no integer, an unknown direction, device, balance, loop,
        frontier, duplicates or preset, or those that do not go together, a negative limit,
        α or β not positive or for another direction than "optimizing", options of a GPU for
        the CPU, a profile of another graph.
    DeviceUnavailableError
        ``device="cuda"``, or an option that only GPUs have, where CUDA cannot be used: it says
        what is missing.
    MemoryError
        ``device="cuda"``, or an option that only GPUs have, and a graph beyond the GPU's memory.

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
    if direction is not None:
        choose("direction", direction, cpu.DIRECTIONS)
    for name, value in (("alpha", alpha), ("beta", beta)):
        if value is not None and not as_number(value, name) > 0:
            raise ValueError(f"{name} must be positive, not {value!r}")
    limit = _NO_LIMIT
    if depth_limit is not None:
        whole = hasattr(depth_limit, "__index__") and not isinstance(depth_limit, bool)
        if not whole or depth_limit < 0:
            raise ValueError(f"depth_limit must be a non-negative integer, not {depth_limit!r}")
        limit = min(depth_limit.__index__(), _NO_LIMIT)
    how = gpu.check_schedule(device, direction, balance, loop, frontier, duplicates, preset)
    for name, value in (("alpha", alpha), ("beta", beta)):
        if value is not None and how.direction != "optimizing":
            raise ValueError(
                f"{name} is a knob of direction 'optimizing', not of {how.direction!r}"
            )
    sources, single = as_sources(source, graph.num_vertices)
    search = Search(
        graph,
        sources,
        single or nearest,
        how.direction,
        alpha,
        beta,
        limit,
        predecessors,
        how.policy,
    )

    def paths(engine: str) -> Paths:
        if engine == "cuda":
            answer = gpu.run(search, how.balance, how.loop, trace, watch)
        else:
            answer = _on_cpu(search, trace, watch)
        distance, predecessor, stats = answer
        return Paths(
            graph=graph,
            source=int(sources[0]) if single else sources,
            distance=distance,
            predecessor=predecessor,
            stats=stats,
            weighted=False,
            limit=_rows(depth_limit, search.one_answer, len(sources)),
            nearest=nearest,
        )

    if device == "auto" and gpu.is_worth_it(graph, how.only_on_gpus):
        try:
            return paths("cuda").to_numpy()
        except MemoryError:
            if how.only_on_gpus:
                raise
            return paths("cpu")
    return paths(device)


def _on_cpu(search: Search, trace: bool, watch: Stopwatch) -> Answer:
    """Distances, predecessors (or None) and statistics by the CPU engine."""
    graph, sources = search.graph, search.sources
    alpha = cpu.ALPHA if search.alpha is None else search.alpha
    beta = cpu.BETA if search.beta is None else search.beta

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
