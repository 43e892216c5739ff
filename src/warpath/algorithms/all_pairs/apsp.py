"""All pairs' shortest paths."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from warpath.algorithms.all_pairs import hybrid, several_gpus
from warpath.algorithms.all_pairs.apsp_methods import METHODS, Plan, choose, parts_for, work_dtype
from warpath.algorithms.all_pairs.cpu_apsp import run_dense, threads_for
from warpath.algorithms.all_pairs.host_apsp import matrices
from warpath.algorithms.all_pairs.johnson import potentials
from warpath.algorithms.all_pairs.matrix import AllPairs
from warpath.algorithms.all_pairs.matrix_file import check_target
from warpath.algorithms.all_pairs.partition import cut
from warpath.algorithms.all_pairs.rows import Rows, no_tick, rows_of
from warpath.algorithms.common import memory
from warpath.algorithms.common.sources import check_call
from warpath.algorithms.common.stats import Stats, Stopwatch
from warpath.algorithms.shortest_paths.sssp import as_dtype
from warpath.graph.check import choose as choose_name
from warpath.graph.graph import Graph
from warpath.graph.names import by_name
from warpath.operators import Algebra, lookup
from warpath.parallel import team
from warpath.planning.placement import Placement, choose_place_of_all_pairs, run_on
from warpath.planning.shortest_paths import relaxation
from warpath.typing import (
    APSP_DEVICES,
    AlgebraName,
    ApspDeviceName,
    ApspMethodName,
    BuildDeviceName,
)

Array = NDArray[Any]


@by_name()
def apsp(
    graph: Graph,
    *,
    method: ApspMethodName = "auto",
    device: ApspDeviceName = "auto",
    devices: int | Sequence[int] | None = None,
    predecessors: bool = False,
    algebra: AlgebraName | Algebra = "shortest",
    dtype: DTypeLike | None = None,
    exact: bool = False,
    lazy: bool = False,
    out: str | PathLike[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> AllPairs:
    """The shortest paths between all pairs of vertices, or the best by another measure.

    Parameters
    ----------
    graph : Graph
        Weights may be negative. Without weights, each arc counts 1.
    method : str
        One of `warpath.algorithms.all_pairs.apsp_methods.METHODS`. The dense ones take n³ steps whatever
        the number of arcs: "floyd-warshall", "blocked-floyd-warshall", "r-kleene",
        "repeated-squaring". "partitioned" is for graphs that few vertices separate into parts, as
        roads; it takes pymetis. The others search from every vertex: "johnson" (with negative
        weights), "sssp", "bfs" (without weights). "auto" takes the one that should be fastest;
        ``stats.why`` says why.
    device : {"auto", "cpu", "cuda", "hybrid"}
        "cuda": the current CUDA device; the arrays of the answer are CuPy's where they fit there,
        else NumPy's: "blocked-floyd-warshall" then takes them past the device in blocks, methods
        of single sources write them row by row. "auto": a GPU if there is one and the graph was
        built there or is large; arrays are NumPy's. "hybrid": the current CUDA device and the
        CPU's threads together, each as much as it is fast, on a matrix in the host's memory or in
        a file; "blocked-floyd-warshall" alone does that.
    devices : int or sequence of int, optional
        So many GPUs, or these of CUDA's numbers: "blocked-floyd-warshall" spreads the matrix's rows
        over them. By default all of them where the matrix is large, else the current one.
    predecessors : bool
    algebra : {"shortest", "widest", "most-reliable", "minimax", "reachability"}
        What a path is worth: see `warpath.sssp`.
    dtype : dtype, optional
        Of the distances: as of `warpath.sssp`.
    exact : bool
        Dense methods add up parts of paths, so that floats differ from those of `warpath.sssp` in
        their last bits. True: sum them again from left to right, to the bit; takes time and
        memory as predecessors do, and a look at each arc for each vertex.
    lazy : bool
        Let dense methods test for blocks without paths and skip them: faster where whole blocks of
        the matrix have no path until late, as of graphs in several components. The same answer. It has
        no effect on "floyd-warshall" on a GPU. A ValueError with a method that is not dense.
    out : path, optional
        Write distances to this ``.npy`` file instead of to memory; predecessors to one whose
        name ends in ``.predecessor.npy``. Until both are complete their names end in
        ``.unfinished``; their room on the disk is taken before work begins. Such files of a run
        that was killed are removed, with a ``RuntimeWarning``.
    progress : callable, optional
        Called with (work done, all work) from time to time; may raise to stop.

    Returns
    -------
    AllPairs

    Raises
    ------
    NegativeCycleError
        If there is a negative cycle.
    ValueError
        A method, device, algebra or dtype that is unknown, or that the graph's weights do not
        allow; an ``out`` that is no ``.npy`` file, is a folder, or whose folder is not there.
    OSError
        A file that cannot be made, that another run is writing, or for which, both together, the
        disk has too little space: before work begins.
    OverflowError
        If a distance does not fit in its dtype, or might not in a dense method's.
    MemoryError
        If there is not enough memory, of the host or of the device: before any is taken, with
        what would fit.
    DeviceUnavailableError
        ``device="cuda"``, ``device="hybrid"`` or ``devices`` where CUDA cannot be used.
    ModuleNotFoundError
        "partitioned" without pymetis.

    Notes
    -----
    Integers, widest and minimax paths are the same by every method, to the bit.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.Graph.from_edges([0, 0, 1, 2], [1, 2, 3, 1], [5, 1, 1, 2])
    >>> r = wp.apsp(g, predecessors=True)
    >>> r.distance[0].tolist(), r.path(0, 3)
    ([0, 3, 1, 4], [0, 2, 1, 3])
    """
    watch = Stopwatch()
    check_call(graph, device, APSP_DEVICES)
    choose_name("method", method, METHODS)
    measure = lookup(algebra)
    measure.check(graph)
    tick = progress or no_tick
    target = None if out is None else check_target(out, predecessors=predecessors)
    if devices is not None and device in ("cpu", "hybrid"):
        raise ValueError(f"devices={devices!r} are GPUs, which device={device!r} does not use")
    if device == "hybrid" and method not in ("auto", hybrid.METHOD):
        raise ValueError(
            f"method {method!r} runs on one device: device='hybrid' takes method={hybrid.METHOD!r}"
        )
    if device == "hybrid":
        method = hybrid.METHOD
    if lazy and method != "auto" and not METHODS[method].dense:
        those = ", ".join(name for name, one in METHODS.items() if one.dense)
        raise ValueError(f"lazy=True is for dense methods ({those}), not for {method!r}")

    def answer(engine: BuildDeviceName) -> AllPairs:
        plan = _plan(graph, measure, method, engine, predecessors, dtype, exact, target, devices)
        plan = replace(plan, lazy=lazy, hybrid=device == "hybrid")
        if engine == "cuda":
            from warpath.algorithms.all_pairs import gpu_apsp

            return gpu_apsp.run(plan, target, tick, watch)
        return _on_cpu(plan, target, tick, watch)

    if device == "hybrid":
        return answer("cuda")
    if device == "auto" and devices is not None:
        return answer("cuda").to_numpy()

    def placed(place: Placement) -> AllPairs:
        found = answer(place.device)
        return found.to_numpy() if device == "auto" else found

    return run_on(device, choose_place_of_all_pairs(graph, device), placed)


def _plan(
    graph: Graph,
    algebra: Algebra,
    method: str,
    device: str,
    predecessors: bool,
    dtype: DTypeLike | None,
    exact: bool,
    target: Path | None,
    gpus: int | Sequence[int] | None,
) -> Plan:
    """Decide the method and the dtypes; refuse what cannot be."""
    wanted = as_dtype(graph, algebra, dtype)
    signed = algebra.adds and graph.weight_range[0] < 0
    counts = algebra.is_boolean or (algebra.adds and graph.weight_dtype is None)
    if method == "bfs" and not counts:
        raise ValueError(
            "method 'bfs' counts arcs, but the graph has weights: give it graph.without_weights()"
        )
    if algebra.is_boolean and METHODS[method].dense:
        raise ValueError(f"algebra {algebra.name!r} is a breadth-first search, not {method!r}")
    if method == "johnson" and not algebra.adds:
        raise ValueError(f"method 'johnson' is for sums of weights, not for {algebra.name!r}")
    run = relaxation(graph, algebra, "auto", signed, None, None, -1, wanted, device)
    work = None if algebra.is_boolean else work_dtype(graph, algebra, run.dtype, device)
    why, parts = "as asked", None
    if method == "auto" and several_gpus.are_asked_for(gpus) and work is not None:
        method, why = several_gpus.SPREAD, "several GPUs are asked for"
    elif method == "auto":
        # A device takes a matrix that is in a file in as few passes as fit.
        fits = device == "cuda" or target is None or _matrix_bytes(graph, wanted) <= memory.free()
        method, why = choose(graph, algebra, work, signed, device, predecessors, fits)
        if work is not None and fits and method != "bfs":
            parts = parts_for(graph, algebra, work, device, predecessors)
        if parts is not None:
            method, why = "partitioned", "few vertices separate the graph"
    if METHODS[method].dense and work is None:
        raise OverflowError(
            f"method {method!r} needs (n − 1) · max |w| to be well below what {run.dtype} holds; "
            "method='sssp' looks at each distance"
        )
    if method == "partitioned":
        parts = parts or cut(graph)
        why = f"{why}; {parts}"
    return Plan(
        graph=graph,
        algebra=algebra,
        method=method,
        why=why,
        device=device,
        dtype=wanted,
        work=wanted if work is None else work,
        signed=signed,
        predecessors=predecessors,
        exact=exact,
        gpus=gpus,
        cut=parts,
    )


def _matrix_bytes(graph: Graph, dtype: np.dtype[Any]) -> int:
    return graph.num_vertices**2 * dtype.itemsize


def _on_cpu(
    plan: Plan, target: Path | None, tick: Callable[[int, int], None], watch: Stopwatch
) -> AllPairs:
    """The answer by the CPU engine."""
    rows = None
    if plan.dense:
        if plan.signed:
            potentials(plan.graph, np.dtype(np.int64) if plan.work.kind == "i" else plan.work)
    else:
        rows = rows_of(plan.method, plan.graph, plan.algebra, plan.dtype, "cpu")
    distance, predecessor = matrices(plan, rows, run_dense, target, tick)
    return AllPairs(
        graph=plan.graph,
        distance=distance,
        predecessor=predecessor,
        stats=_stats(plan, rows, watch),
        algebra=plan.algebra.name,
        exact=plan.is_exact,
    )


def _stats(plan: Plan, rows: Rows | None, watch: Stopwatch) -> Stats:
    n = plan.graph.num_vertices
    why = plan.why if rows is None else f"{plan.why}; {rows.about}"
    return Stats(
        method=plan.method,
        why=why,
        **watch.read(),
        threads=threads_for(n) if rows is None else team.num_threads(),
        iterations=n if rows is None else rows.iterations,
        frontier=np.array([n]),
        edges=np.array([n**3 if rows is None else rows.arcs]),
    )
