"""Single-source shortest paths."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from warpath.algorithms.common.on_parts import or_on_parts
from warpath.algorithms.common.problem import SsspProblem
from warpath.algorithms.common.result import Paths
from warpath.algorithms.common.several_gpus import search_parts
from warpath.algorithms.common.sources import check_call
from warpath.algorithms.common.stats import Stopwatch
from warpath.algorithms.common.tuning import is_profile, tuned
from warpath.algorithms.shortest_paths import cpu_sssp, gpu_sssp
from warpath.algorithms.shortest_paths.negative import check_undirected
from warpath.distributed import searches
from warpath.graph.check import as_flag, as_sources, as_vertex, choose
from warpath.graph.graph import Graph
from warpath.graph.names import Vertex, by_name
from warpath.operators import Algebra, lookup
from warpath.operators.asked import as_dtype, as_limit
from warpath.planning.methods import METHODS
from warpath.planning.placement import Placement, choose_place, only_on_gpus, run_on
from warpath.schedule import ScheduleLike, schedule_for
from warpath.typing import DEVICES, AlgebraName, DeviceName, MethodName


@or_on_parts(searches.sssp)
@by_name("source", "target")
def sssp(
    graph: Graph,
    source: Vertex | Sequence[Vertex] | NDArray[Any],
    *,
    algebra: AlgebraName | Algebra = "shortest",
    method: MethodName = "auto",
    target: Vertex | None = None,
    cutoff: float | None = None,
    dtype: DTypeLike | None = None,
    predecessors: bool = True,
    nearest: bool = False,
    device: DeviceName = "auto",
    devices: int | Sequence[int] | None = None,
    schedule: ScheduleLike = None,
    trace: bool = True,
) -> Paths:
    """Shortest paths by weight from a source; negative weights too. Or the best by another measure.

    Parameters
    ----------
    graph : Graph, DistributedGraph or MultiGpuGraph
        Without weights, each arc counts 1. A `DistributedGraph` takes ``target``, ``cutoff``, ``dtype``,
        ``nearest`` and ``device``.
    source : vertex, or sequence of k vertices
        Each of several gets a row of its own; with ``nearest`` they share one answer. On
        a GPU the rows of a small graph are searched at once, a block each.
    algebra : {"shortest", "widest", "most-reliable", "minimax", "reachability"} or Algebra
        What a path is worth, which ``distance`` then holds: see Notes. Or a rule of your own, an `Algebra`.
    method : str
        One of `warpath.planning.methods.METHODS`, which says what each is and which
        devices have it. "auto" takes one that is right for the weights and the device.
    target : vertex, optional
        Stop when this vertex's distance is known. Then vertices farther than it read as
        unreachable. With sums of negative weights, and for reachability, nothing can stop
        early, and all is complete.
    cutoff : number, optional
        Vertices farther than this, or whose best path is worth less, read as unreachable.
    dtype : dtype, optional
        The distances' dtype: int32, int64, float32 or float64. By default the weights' where
        no path can overflow it, n − 1 times the largest absolute weight for sums; for integers else int64.
    predecessors : bool
    nearest : bool
        Distances from the nearest source.
    device : {"auto", "cpu", "cuda"}
        "cuda": the current CUDA device; the arrays of the answer are CuPy's. The call
        returns when its work is queued on the current stream, but waits for it where
        something must be looked at: negative weights, ``target``, distances that might
        not fit. The graph is copied to the device at the first call and kept there as
        long as it lives.
        "auto": a GPU if there is one, it has the method, and the graph was built there or
        is large (2²² arcs), or the schedule has what only GPUs have; else the CPU. The
        arrays are NumPy's, wherever it ran.
    devices : int or sequence of int, optional
        Several GPUs: how many, or CUDA's numbers of them. The graph is cut into parts for them at the first call
        (`warpath.distribute`), and these are kept. By default one, or as many as the graph needs, if it does not
        fit one: see docs/distributed.md, also for what several do not have.
    schedule : Schedule, str, Technique or path, optional
        How it runs, which changes no distance: a `Schedule` or its text. On both devices
        ``"delta=64"``, the width of the buckets, for methods that have them. By default it comes
        from the mean weight and degree. On a GPU it also comes from the graph's size, and grows
        where frontiers stay small and behind the buckets that hold hubs. On a GPU also a balance,
        ``"virtual-warp:width=16"``, by default "two-phase-search", but "auto" for methods without buckets; and
        what ``method="h-bf"`` does,
        ``"optimizations=edge-queue+duplicate-removal"`` of `warpath.schedule.optimizations.OPTIMIZATIONS`, by
        default duplicate-removal (of distances of 64 bits: stamps) and coalesced-enqueue.
        Without a balance of its own "workfront-sweep" runs asynchronously on sparse graphs
        (docs/architecture.md).
        Or the path of a profile that ``warpath advise -o`` wrote of this graph, ``"profile.json"``:
        the best that was measured and agrees with ``device`` and ``method``.
    trace : bool
        Whether to keep the rows of `Paths.stats`.

    Returns
    -------
    Paths, or DistributedPaths of a `DistributedGraph`
        ``distance``: shape (n,) or (k, n); unreachable is ``inf``, or the largest integer,
        if ``algebra`` does not say otherwise. A mean or a plot of integers takes that for a
        distance: use ``distance[reached]``, or `Paths.to_frame`, where it is null. The same on
        every device, by every method and schedule; predecessors may differ.

    Raises
    ------
    NegativeCycleError
        If a source reaches a cycle of negative weight.
    ValueError
        A method that the device does not have, or that cannot take the graph's negative weights.
        ``cutoff`` with sums of negative weights. A source or target out of range. ``predecessors``,
        ``nearest`` or ``trace`` that is neither True nor False. Integers asked
        for float weights. A schedule that is none, does not go together or with the method, or is a
        GPU's, for the CPU. Weights, a dtype, a cutoff or a method that do not fit the algebra. An
        algebra of your own that breaks a law. A profile of another graph. ``devices`` that are not there, or
        with an option that several GPUs do not have.
    OverflowError
        If a distance does not fit in the dtype.
    DeviceUnavailableError
        ``device="cuda"``, or a method or schedule that only GPUs have, where CUDA cannot be used:
        it says what is missing.
    MemoryError
        One of these: the answer and the workspace are beyond the GPU's memory, or the host's cannot be
        pinned for a graph that is.

    See Also
    --------
    bfs : Distances in edges.
    shortest_path : One path from one vertex to another.
    distance_matrix : Distances from some vertices to others.
    apsp : Distances between all pairs of vertices.
    plan : What a call would do, without running it.

    Notes
    -----
    Complexity: "dijkstra" takes O((n + m) log n) time, a Bellman-Ford method O(n m) at worst. Δ-stepping
    does O(n + m) work in expectation for random weights, and more where Δ is far from right.

    The better of two paths to a vertex counts; ``distance`` is the best path's value:

    ==================  ==================================  ======  ===========  ===========
    algebra             value of a path                     better  at a source  unreachable
    ==================  ==================================  ======  ===========  ===========
    ``shortest``        sum of its weights                  less    0            inf
    ``widest``          its least weight, or capacity       more    inf          -inf
    ``most-reliable``   product of its weights, in [0, 1]   more    1            0
    ``minimax``         its largest weight, or bottleneck   less    -inf         inf
    ``reachability``    that it is there                    –       True         False
    ==================  ==================================  ======  ===========  ===========

    For integers inf and -inf are the largest and the smallest of the dtype. A source has the
    value of the path without arcs, which no arc limits. Only sums care about signs: widest and
    minimax paths may have weights of any, and every method finds them. An arc of weight 0 is
    no arc for ``most-reliable``, whose distances are floats (float64 for integer weights, or
    without). A reliability that is too small for its dtype raises an OverflowError, unless there
    is a ``cutoff``. ``reachability`` is a breadth-first search (`warpath.bfs`) whose ``distance``
    is boolean; it looks at no weight and takes no method, Δ, cutoff or dtype.

    References
    ----------
    U. Meyer, P. Sanders, "Δ-stepping: a parallelizable shortest path algorithm", Journal of Algorithms
    49 (2003).
    A. Davidson, S. Baxter, M. Garland, J. D. Owens, "Work-efficient parallel GPU methods for
    single-source shortest paths", IPDPS 2014.
    F. Busato, N. Bombieri, "An efficient implementation of the Bellman-Ford algorithm for Kepler GPU
    architectures", IEEE TPDS 27 (2016).

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.Graph.from_edges([0, 0, 1], [1, 2, 2], [5, 2, 4])
    >>> wp.sssp(g, 0).distance[1:].tolist()
    [5, 2]
    >>> widest = wp.sssp(g, 0, algebra="widest")
    >>> widest.distance[1:].tolist(), widest.path(2)
    ([5, 4], [0, 1, 2])
    """
    watch = Stopwatch()
    if trace is not True:
        as_flag(trace, "trace")
    problem = sssp_problem(
        graph, source, algebra=algebra, method=method, target=target, cutoff=cutoff, dtype=dtype,
        predecessors=predecessors, nearest=nearest, device=device, devices=devices, schedule=schedule,
    )  # fmt: skip
    measure = problem.algebra
    # The cutoff that no path attains.
    missed = None
    if problem.arcs is not graph:
        rows = problem.rows
        missed = measure.start if rows is None else np.full(rows, measure.start)

    def paths(place: Placement) -> Paths:
        if place.device == "cuda" and (plan := problem.plan(place)).parts:
            return search_parts(
                problem,
                plan,
                searches.sssp,
                trace,
                watch,
                target=target,
                cutoff=cutoff,
                dtype=problem.dtype,
            )
        run = gpu_sssp.run if place.device == "cuda" else cpu_sssp.run
        found = run(problem, place, trace, watch)
        answer = Paths(
            graph=graph,
            source=int(problem.sources[0]) if problem.single else problem.sources,
            distance=measure.values(found.distance),
            predecessor=found.predecessor,
            stats=found.stats,
            weighted=True,
            limit=missed if found.limit is None else measure.values(found.limit),
            nearest=nearest,
            algebra=measure.given,
        )
        is_elsewhere = problem.on_host and place.device == "cuda"
        return answer.to_numpy() if is_elsewhere else answer

    return run_on(problem.device, problem.place, paths, cpu_is_able=problem.cpu_is_able)


def sssp_problem(
    graph: Graph,
    source: Any,
    *,
    algebra: AlgebraName | Algebra = "shortest",
    method: MethodName = "auto",
    target: Any = None,
    cutoff: float | None = None,
    dtype: DTypeLike | None = None,
    predecessors: bool = True,
    nearest: bool = False,
    device: DeviceName = "auto",
    devices: int | Sequence[int] | None = None,
    schedule: ScheduleLike = None,
) -> SsspProblem:
    """What a call of `sssp` asks for, checked."""
    check_call(graph, device, DEVICES)
    measure = lookup(algebra)
    choose("method", method, METHODS)
    on_host = device == "auto"
    if is_profile(schedule):
        given = tuned("sssp", graph, schedule, algebra=measure.name, device=device, method=method)
        device, method, schedule = given["device"], given["method"], given["schedule"]
    how = schedule_for("sssp", schedule)
    if how.optimizations is not None and method != "h-bf":
        raise ValueError(f"optimizations are switches of method 'h-bf', not of {method!r}")
    needs = only_on_gpus(device, how)
    n = graph.num_vertices
    sources, single = as_sources(source, n)
    goal = -1 if target is None else as_vertex(target, n, "target")
    measure.check(graph)
    wanted = as_dtype(graph, measure, dtype)
    signed = measure.adds and graph.weight_range[0] < 0
    limit = as_limit(graph, measure, cutoff)
    if measure.is_boolean and method != "auto":
        raise ValueError(f"algebra {measure.name!r} is a breadth-first search, not {method!r}")
    if METHODS[method].only_adds and not measure.adds:
        raise ValueError(
            f"method {method!r} is for sums of weights, not for algebra {measure.name!r}"
        )
    place = _place(graph, method, device, needs, devices)
    if signed and not METHODS[method].negative:
        here = place.device
        those = [name for name, one in METHODS.items() if one.negative and here in one.devices]
        raise ValueError(
            f"method {method!r} cannot take negative weights (the smallest is "
            f"{graph.weight_range[0]}); use one of {', '.join(those)}"
        )
    if signed or measure.is_boolean:
        goal = -1  # nothing can stop early
    if signed and not graph.directed:
        check_undirected(graph, sources)
        signed = False  # the negative edges are out of reach
    arcs = graph
    unattainable = limit is not None and not measure.is_attainable(limit, wanted)
    if unattainable and measure.tells(graph, wanted):
        # Kernels' limits are integers like the weights, and cannot say that none is as good.
        arcs = Graph.from_edges([], [], np.empty(0, graph.weight_dtype), n=n)
        limit, goal = None, -1
    return SsspProblem(
        graph=graph,
        sources=sources,
        single=single,
        nearest=as_flag(nearest, "nearest"),
        predecessors=as_flag(predecessors, "predecessors"),
        device=device,
        on_host=on_host,
        schedule=how,
        place=place,
        cpu_is_able=not needs and devices is None and "cpu" in METHODS[method].devices,
        arcs=arcs,
        algebra=measure,
        method=method,
        signed=signed,
        cutoff=limit,
        target=goal,
        dtype=wanted,
    )


def _place(
    graph: Graph,
    method: str,
    device: DeviceName,
    needs: str,
    devices: int | Sequence[int] | None,
) -> Placement:
    """Where a method runs, whatever ``device`` and the schedule mean.

    Parameters
    ----------
    needs : str
        What of the schedule only a GPU has: see `only_on_gpus`.
    devices : int or sequence of int, optional
        As of `choose_place`.

    Raises
    ------
    ValueError
        If they contradict each other.
    DeviceUnavailableError
        If there is any of it and no GPU.
    """
    have = METHODS[method].devices
    if device != "auto" and device not in have:
        those = ", ".join(name for name, one in METHODS.items() if device in one.devices)
        raise ValueError(
            f"method {method!r} is for device={have[0]!r}, not {device!r}, which has {those}"
        )
    if needs and "cuda" not in have:
        raise ValueError(f"{needs} is for methods of device='cuda', not {method!r}")
    if device == "auto" and devices is None and len(have) == 1:
        return Placement(have[0], f"only there is method {method!r}")
    return choose_place(graph, device, needs, devices)
