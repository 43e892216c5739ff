"""All pairs' shortest paths."""

from collections.abc import Callable, Sequence
from os import PathLike

from numpy.typing import DTypeLike

from warpath.algorithms.all_pairs import cpu_apsp, gpu_apsp
from warpath.algorithms.all_pairs.matrix import AllPairs
from warpath.algorithms.all_pairs.matrix_file import check_target
from warpath.algorithms.all_pairs.problem import ApspProblem
from warpath.algorithms.all_pairs.rows import no_tick
from warpath.algorithms.common.sources import check_call
from warpath.algorithms.common.stats import Stopwatch
from warpath.graph.check import check_flags, choose
from warpath.graph.graph import Graph
from warpath.graph.names import by_name
from warpath.operators import Algebra, lookup
from warpath.operators.asked import as_dtype
from warpath.planning.all_pairs import METHODS, SPREAD
from warpath.planning.placement import Placement, choose_place_of_all_pairs, run_on
from warpath.typing import APSP_DEVICES, AlgebraName, ApspDeviceName, ApspMethodName


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
        One of `warpath.planning.all_pairs.METHODS`. The dense ones take n³ steps whatever
        the number of arcs: "floyd-warshall", "blocked-floyd-warshall", "r-kleene",
        "repeated-squaring". "partitioned" is for graphs that few vertices separate into parts, as
        roads; it takes pymetis. The others search from every vertex: "johnson" (with negative
        weights), "sssp", "bfs" (without weights). "auto" takes the one that should be fastest;
        ``stats.why`` says why.
    device : {"auto", "cpu", "cuda", "hybrid"}
        "cuda": the current CUDA device; the arrays of the answer are CuPy's where they fit there,
        else NumPy's. In that case "blocked-floyd-warshall" and "repeated-squaring" take them past the device in
        blocks, and methods of single sources write them row by row. "auto": a GPU if there is one and the graph was
        built there or is large (2¹¹ vertices or 2²² arcs); arrays are NumPy's. "hybrid": the current CUDA device and the
        CPU's threads together, each as much as it is fast, on a matrix in the host's memory or in
        a file; "blocked-floyd-warshall" alone does that.
    devices : int or sequence of int, optional
        How many GPUs, or which ones by CUDA's numbers: "blocked-floyd-warshall" spreads the matrix's rows
        over them, "partitioned" its parts. By default all of them where the matrix is large, else the current one.
    predecessors : bool
    algebra : {"shortest", "widest", "most-reliable", "minimax", "reachability"}
        What a path is worth: see `warpath.sssp`.
    dtype : dtype, optional
        The distances' dtype, as for `warpath.sssp`.
    exact : bool
        Dense methods add up parts of paths, so that floats differ from those of `warpath.sssp` in
        their last bits. True: sum them again from left to right, to the bit; takes time and
        memory as predecessors do, and a look at each arc for each vertex.
    lazy : bool
        Let dense methods test for blocks without paths and skip them. This is faster where whole
        blocks have no path until late, as in graphs of several components. The same answer. It has
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
        ``predecessors``, ``exact`` or ``lazy`` that is neither True nor False.
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

    See Also
    --------
    distance_matrix : Only some rows and columns.
    sssp : One row.
    diameter : The largest distance, without a matrix.

    Notes
    -----
    Complexity: dense methods take O(n³) time, the others one search per vertex. The answer takes n²
    numbers, twice that with predecessors.

    Integers, widest and minimax paths are the same by every method, to the bit.

    References
    ----------
    G. Venkataraman, S. Sahni, S. Mukhopadhyaya, "A blocked all-pairs shortest-paths algorithm", Journal
    of Experimental Algorithmics 8 (2003).
    G. J. Katz, J. T. Kider, "All-pairs shortest-paths for large graphs on the GPU", Graphics Hardware
    2008.
    H. Djidjev, S. Thulasidasan, G. Chapuis, R. Andonov, D. Lavenier, "Efficient multi-GPU computation
    of all-pairs shortest paths", IPDPS 2014.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.Graph.from_edges([0, 0, 1, 2], [1, 2, 3, 1], [5, 1, 1, 2])
    >>> r = wp.apsp(g, predecessors=True)
    >>> r.distance[0].tolist(), r.path(0, 3)
    ([0, 3, 1, 4], [0, 2, 1, 3])
    """
    watch = Stopwatch()
    problem = apsp_problem(
        graph, method=method, device=device, devices=devices, predecessors=predecessors,
        algebra=algebra, dtype=dtype, exact=exact, lazy=lazy, out=out, progress=progress,
    )  # fmt: skip

    def matrix(place: Placement) -> AllPairs:
        how = problem.run(place.device)
        engine = gpu_apsp.run if place.device == "cuda" else cpu_apsp.run
        found = engine(problem, how, place, watch)
        answer = AllPairs(
            graph=graph,
            distance=found.distance,
            predecessor=found.predecessor,
            stats=found.stats,
            algebra=problem.algebra.name,  # type: ignore[arg-type]
            exact=how.is_exact,
        )
        return answer.to_numpy() if device == "auto" else answer

    return run_on(
        "auto" if device == "auto" and devices is None else problem.place.device,
        problem.place,
        matrix,
    )


def apsp_problem(
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
) -> ApspProblem:
    """What a call of `apsp` asks for, checked."""
    check_call(graph, device, APSP_DEVICES)
    check_flags(predecessors=predecessors, exact=exact, lazy=lazy)
    choose("method", method, METHODS)
    measure = lookup(algebra)
    if measure.extension is not None:
        raise ValueError(
            "apsp joins two paths, and an algebra of your own says how one edge extends a path: call "
            "wp.distance_matrix(graph, range(graph.num_vertices), algebra=…)"
        )
    measure.check(graph)
    target = None if out is None else check_target(out, predecessors=predecessors)
    if devices is not None and device in ("cpu", "hybrid"):
        raise ValueError(f"devices={devices!r} are GPUs, which device={device!r} does not use")
    hybrid = device == "hybrid"
    if hybrid and method not in ("auto", SPREAD):
        raise ValueError(
            f"method {method!r} runs on one device: device='hybrid' takes method={SPREAD!r}"
        )
    if lazy and method != "auto" and not METHODS[method].dense:
        those = ", ".join(name for name, one in METHODS.items() if one.dense)
        raise ValueError(f"lazy=True is for dense methods ({those}), not for {method!r}")
    if device == "hybrid" or (device == "auto" and devices is not None):
        place = Placement("cuda", "as asked")
    else:
        place = choose_place_of_all_pairs(graph, device)
    return ApspProblem(
        graph=graph,
        algebra=measure,
        method=SPREAD if hybrid else method,
        dtype=as_dtype(graph, measure, dtype),
        predecessors=predecessors,
        exact=exact,
        lazy=lazy,
        target=target,
        gpus=devices,
        hybrid=hybrid,
        progress=progress or no_tick,
        place=place,
    )
