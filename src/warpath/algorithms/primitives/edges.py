"""`advance`, `traverse` and `aggregate`: an operator on edges."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Literal

import numpy as np

from warpath import devices
from warpath.algorithms.common.sources import check_call
from warpath.algorithms.primitives.arguments import Arguments, bind
from warpath.algorithms.primitives.checks import checking, raise_if_any
from warpath.algorithms.primitives.frontier import Frontier
from warpath.algorithms.primitives.prepared import Prepared, faults_of
from warpath.cpu.arithmetic import FAULTS
from warpath.display import counted
from warpath.graph.check import as_positive, choose
from warpath.graph.distance import unreachable
from warpath.graph.graph import Graph
from warpath.language import Operator
from warpath.language.staging import staged
from warpath.language.translate import Use
from warpath.language.writes import is_translated
from warpath.planning.fitted_balance import fitted
from warpath.planning.small_frontiers import of_operator
from warpath.planning.threads import threads_for
from warpath.schedule import Schedule, ScheduleLike, schedule_for


def advance(
    graph: Graph,
    frontier: Frontier,
    operator: Operator,
    *arguments: Any,
    schedule: ScheduleLike = None,
) -> Frontier:
    """Follow the edges of a frontier once.

    Parameters
    ----------
    graph : Graph
        Whose edges.
    frontier : Frontier
        The vertices whose edges are followed.
    operator : Operator
        On edges. It is called for each edge u → v with u in the frontier, for many at once, in any order.
    *arguments : array or number
        Its other parameters. Arrays decide where it runs: NumPy's on the CPU, CuPy's on their GPU, others'
        by dlpack, without a copy.
    schedule : Schedule, str or Technique, optional
        On a GPU, the balance; ``"direction=bottom-up"``: each vertex looks at the edges that come in (pull),
        instead of out of the frontier (push).

    Returns
    -------
    Frontier
        The vertices v for which the operator returned something true, each once.

    Raises
    ------
    TypeError
        What is no graph, frontier or operator on edges, or a wrong number of arguments.
    ValueError
        A frontier of a graph with another number of vertices. Arrays of a wrong shape or dtype, too short, read-only, or some on the CPU
        and some on a GPU. A schedule that has something else, or a balance for NumPy's arrays.
    OperatorError
        An operator that cannot be translated.
    IndexError
        An index out of range, after ``wp.set_checks(True)``.
    DeviceUnavailableError
        Arrays on a GPU that cannot be used.

    See Also
    --------
    traverse : The same until no frontier is left, in one launch.
    operator : Make an operator of a function.

    Notes
    -----
    What an operator reads of an array that others write in the same call may be the value before or after.

    Examples
    --------
    >>> import numpy as np, warpath as wp
    >>> @wp.operator
    ... def visit(u, v, level):
    ...     return wp.atomic_cas(level, v, -1, level[u] + 1)
    >>> g = wp.generate.grid(2, 3)
    >>> level = np.full(6, -1, np.int32)
    >>> level[0] = 0
    >>> f = wp.Frontier(g, 0)
    >>> while f:
    ...     f = wp.advance(g, f, visit, level)
    >>> level.tolist()
    [0, 1, 2, 1, 2, 3]
    """
    given, how = _checked(graph, frontier, operator, arguments, schedule, "advance")
    _, left = _run(graph, frontier, operator, given, how, 1)
    return left


def traverse(
    graph: Graph,
    sources: Any,
    operator: Operator,
    *arguments: Any,
    schedule: ScheduleLike = None,
    max_iterations: int | None = None,
) -> int:
    """Follow the edges of frontier after frontier, until none is left.

    On a GPU the whole loop is one launch, by default.

    Parameters
    ----------
    graph : Graph
        Whose edges.
    sources : vertex, sequence of them, or Frontier
        The first frontier. The operator is not called for these: give them their values first.
    operator : Operator
        On edges.
    *arguments : array or number
        Its other parameters, as for `advance`.
    schedule : Schedule, str or Technique, optional
        The balance and the direction, as for `advance`; on a GPU, how small frontiers are expanded
        (``small_frontiers`` of `Schedule`). By default a cluster of blocks does where the graph is sparse and no balance
        is named. With ``"small_frontiers=async"`` blocks do not wait for each other. It needs an operator that ends with
        ``return wp.atomic_min(array, v, …)``, on int32 or int64, of a value that depends on u and w alone.
        ``"loop=host"`` launches each iteration by itself, as it is with balances that launch child grids.
    max_iterations : int, optional
        Stop after this number of iterations. By default more than n + 1 are an error.

    Returns
    -------
    int
        The number of iterations. An asynchronous one counts as one.

    Raises
    ------
    RuntimeError
        If it does not end.
    TypeError, ValueError, OperatorError, IndexError, DeviceUnavailableError
        See `advance`.

    See Also
    --------
    advance : Follow the edges of one frontier.
    bfs, sssp : The built-in searches.

    Examples
    --------
    >>> import numpy as np, warpath as wp
    >>> @wp.operator
    ... def widen(u, v, w, width):
    ...     return wp.atomic_max(width, v, min(width[u], w))
    >>> g = wp.Graph.from_edges([0, 0, 1], [1, 2, 2], [5, 2, 4])
    >>> width = np.array([9, 0, 0])
    >>> wp.traverse(g, 0, widen, width), width.tolist()
    (3, [9, 5, 4])
    """
    first = sources if isinstance(sources, Frontier) else Frontier(graph, sources)
    given, how = _checked(graph, first, operator, arguments, schedule, "traverse")
    if given.device == "cuda":
        has_steps = not checking() and staged(given.function) is not None
        limited = max_iterations is not None
        small = of_operator(
            graph,
            how,
            has_steps=has_steps,
            limited=limited,
            translated=is_translated(given.function),
        )
        how = replace(how, small_frontiers=small)
    limit = graph.num_vertices + 1
    if max_iterations is not None:
        limit = min(as_positive(max_iterations, "max_iterations", or_zero=True), 2**31 - 2)
    iterations, left = _run(graph, first, operator, given, how, limit)
    if left and max_iterations is None:
        raise RuntimeError(
            f"{operator.source.name} still has a frontier of {counted(len(left), 'vertex', 'vertices')} after {counted(iterations, 'iteration')}, "
            "more than the graph has vertices: it returns true for ever, or give max_iterations"
        )
    return iterations


def aggregate(
    graph: Graph,
    operator: Operator,
    *arguments: Any,
    by: Literal["sum", "min", "max"] = "sum",
    frontier: Frontier | None = None,
    among: Frontier | None = None,
    others: Literal["ignored", "neutral"] = "ignored",
    layers: int = 1,
    out: Any = None,
    schedule: ScheduleLike = None,
) -> Any:
    """Sum up, for each vertex, what an operator returns for the edges that come in.

    Parameters
    ----------
    graph : Graph
        Whose edges.
    operator : Operator
        On edges u → v. What it returns is a number; it writes nothing.
    *arguments : array or number
        Its other parameters, as for `advance`.
    by : {"sum", "min", "max"}, default "sum"
        How values are put together. As in NumPy, with NaN among them all three are NaN.
    frontier : Frontier, optional
        The vertices that look at the edges that come in; by default, all. For others nothing is written.
    among : Frontier, optional
        The vertices whose edges out count; by default, all.
    others : {"ignored", "neutral"}, default "ignored"
        Vertices that are not ``among``. "ignored": their values are not looked at. "neutral": the operator returns for them
        what changes nothing, 0 to a sum, so they are looked at where that is faster.
    layers : int, default 1
        k elements per vertex, side by side, in all arrays that the operator reads at a vertex. For each edge it is called
        k times: ``u`` and ``v`` are the elements' places, k · u + j and k · v + j for layer j.
    out : array, shape (n · k,), optional
        To what the values are added, or with what they are compared; in the dtype of the result. By default a new one.
    schedule : Schedule, str or Technique, optional
        On a GPU, the balance; by default ``two-phase-search``. All edges of an undirected graph whose degrees are regular, and
        8 or less on average, are taken by ``auto``, unless there are layers.

    Returns
    -------
    array, shape (n · k,)
        ``out``; else NumPy's, or CuPy's if the arguments are. Sums of integers and bools are int64. Where no edge comes
        in: 0, the largest or the smallest number of the dtype.

    Raises
    ------
    TypeError, ValueError, OperatorError, IndexError, DeviceUnavailableError
        See `advance`; an operator that returns nothing; an ``out`` of another shape or dtype; more than 2³¹ − 1 elements.

    See Also
    --------
    reduce : Sum up over vertices.
    advance : Follow the edges of a frontier.

    Notes
    -----
    Each vertex gathers: a warp adds up the edges that it has of one vertex and makes one atomic addition for
    them. On a GPU, if those ``among`` have few edges next to those that look, they scatter instead: each of their edges
    makes one. Integer sums are the same everywhere; on a GPU floats are added in another order from run to run.

    Examples
    --------
    >>> import numpy as np, warpath as wp
    >>> @wp.operator
    ... def carried(u, v, w, load):
    ...     return load[u] * w
    >>> g = wp.Graph.from_edges([0, 1, 0], [2, 2, 1], [3, 5, 7])
    >>> wp.aggregate(g, carried, np.array([1, 10, 100])).tolist()
    [0, 7, 53]

    Two loads of each vertex:

    >>> load = np.array([1, 2, 10, 20, 100, 200])
    >>> wp.aggregate(g, carried, load, layers=2).tolist()
    [0, 0, 7, 14, 53, 106]
    >>> wp.aggregate(g, carried, load, layers=2, among=wp.Frontier(g, 0)).tolist()
    [0, 0, 7, 14, 3, 6]
    """
    return prepare_aggregate(
        graph, operator, *arguments, by=by, frontier=frontier, among=among, others=others, layers=layers, out=out,
        schedule=schedule,
    ).run()  # fmt: skip


def prepare_aggregate(
    graph: Graph,
    operator: Operator,
    *arguments: Any,
    by: Literal["sum", "min", "max"] = "sum",
    frontier: Frontier | None = None,
    among: Frontier | None = None,
    others: Literal["ignored", "neutral"] = "ignored",
    layers: int = 1,
    out: Any = None,
    schedule: ScheduleLike = None,
) -> Prepared:
    """An `aggregate` that may be run many times; parameters and errors are the same.

    Returns
    -------
    Prepared
        Each run goes on from what a given ``out`` holds; without one it starts again from what there is without edges.
    """
    check_call(graph, "cpu")
    for one in (frontier, among):
        if one is not None:
            _check_frontier(graph, one, "aggregate")
    choose("by", by, ("sum", "min", "max"))
    choose("others", others, ("ignored", "neutral"))
    if others == "neutral" and among is None:
        raise ValueError("others='neutral' is of vertices that are not among some: give among")
    how = schedule_for("aggregate", schedule)
    use: Use = "sum" if by == "sum" else "value"
    given = bind(
        operator, arguments, graph, on_edges=True, call="aggregate", use=use, layers=layers
    )
    _check_device(how, given, "aggregate")
    function, size = given.function, graph.num_vertices * given.layers
    if not function.result:
        raise ValueError(f"aggregate needs what {function.name} returns, and it returns nothing")
    if function.result == "bool":
        raise ValueError(f"the {by} of bools: let {function.name} return a number")
    dtype = np.dtype(function.result)
    if given.device == "cuda":
        devices.require()
        import cupy as xp
    else:
        xp = np
    start = None
    if out is None:
        out, start = xp.empty(size, dtype), _start(by, dtype)
    elif not isinstance(out, xp.ndarray) or out.shape != (size,) or out.dtype != dtype:
        raise ValueError(
            f"out must be a {xp.__name__} array of shape ({size},) and dtype {dtype}, not {_like(out)}"
        )
    elif not out.flags.c_contiguous:
        raise ValueError(f"out must be contiguous, not of strides {out.strides}: give a copy")
    elif not getattr(out.flags, "writeable", True):  # CuPy's are
        raise ValueError("out is read-only: give a copy")
    elif shared := [
        name for name in function.arrays if xp.may_share_memory(out, given.given[name])
    ]:
        raise ValueError(
            f"{function.name} reads {shared[0]}, which is out as well and changes: give a copy of one"
        )
    faults = faults_of(xp)
    device = "cpu" if xp is np else "cuda"
    some: dict[str, Any] = {
        "layers": given.layers,
        "vertices": None if frontier is None else frontier.on(device),
        "among": None if among is None else among.on(device),
    }
    launch: Callable[[], object]
    if device == "cuda":
        from warpath.cuda import operators
        from warpath.cuda.device_graph import on_device

        there, gathers = on_device(graph), frontier is None and given.layers == 1
        balance = fitted(
            how.technique, graph.reverse, gathers=gathers, out_of_core=there.out_of_core
        )
        launch = operators.prepare_aggregate(
            there.reverse, function, given.given, by, out, balance, faults, forward=there,
            others_are_neutral=others == "neutral", **some,
        ).run  # fmt: skip
    else:
        from warpath.cpu.aggregate import aggregate as run

        launch = partial(
            run, graph, function, given.ordered, by, out, threads_for(graph), faults, checking(), **some,
        )  # fmt: skip
    return Prepared(operator, given, launch, faults, out, start)


def _start(by: str, dtype: np.dtype[Any]) -> Any:
    """What a vertex has into which no edge comes."""
    if by == "sum":
        return 0
    if by == "min":
        return unreachable(dtype)
    return -np.inf if dtype.kind == "f" else np.iinfo(dtype).min


def _like(array: Any) -> str:
    shape, dtype = getattr(array, "shape", None), getattr(array, "dtype", None)
    return (
        type(array).__name__
        if dtype is None
        else f"{type(array).__name__} of shape {shape} and dtype {dtype}"
    )


def _checked(
    graph: Graph,
    frontier: Any,
    operator: Operator,
    arguments: tuple[Any, ...],
    schedule: ScheduleLike,
    call: str,
) -> tuple[Arguments, Schedule]:
    check_call(graph, "cpu")
    _check_frontier(graph, frontier, call)
    how = schedule_for(call, schedule)
    if how.direction == "optimizing":
        raise ValueError(f"{call} has the directions top-down and bottom-up, not optimizing")
    given = bind(operator, arguments, graph, on_edges=True, call=call)
    _check_device(how, given, call)
    return given, how


def _check_frontier(graph: Graph, frontier: Any, call: str) -> None:
    if not isinstance(frontier, Frontier):
        raise TypeError(f"{call} takes a frontier, wp.Frontier(graph, vertices), not {frontier!r}")
    if frontier.graph.num_vertices != graph.num_vertices:
        raise ValueError(
            f"a frontier of a graph of {counted(frontier.graph.num_vertices, 'vertex', 'vertices')}, "
            f"and a graph of {graph.num_vertices:,}"
        )


def _check_device(how: Schedule, given: Arguments, call: str) -> None:
    for name in ("balance", "small_frontiers", "loop"):
        value = getattr(how, name)
        if value is not None and given.device != "cuda":
            raise ValueError(f"{name}={value!r} is for arrays on a GPU: these are NumPy's")
    if call == "aggregate" and how.technique is not None and how.technique.launches_children:
        raise ValueError(f"balance={how.balance!r} launches child grids, which {call} has not")


def _run(
    graph: Graph, first: Frontier, operator: Operator, given: Arguments, how: Schedule, limit: int
) -> tuple[int, Frontier]:
    """The iterations, and the frontier that is left."""
    if not first or limit == 0:
        return 0, first
    run = _on_gpu if (given.device or first.device) == "cuda" else _on_cpu
    iterations, left, faults = run(graph, first, given, how, limit)
    raise_if_any(operator, given.function, given.given, faults)
    return iterations, Frontier.of(graph, left)


def _on_cpu(
    graph: Graph, first: Frontier, given: Arguments, how: Schedule, limit: int
) -> tuple[int, Any, Any]:
    from warpath.cpu.edge_operator import traverse as run

    faults = np.zeros(FAULTS, np.int64)
    pull = how.direction == "bottom-up"
    left, iterations = run(
        graph, first.on("cpu"), given.function, given.ordered, pull, limit, threads_for(graph), faults,
        checking(),
    )  # fmt: skip
    return iterations, left, faults


def _on_gpu(
    graph: Graph, first: Frontier, given: Arguments, how: Schedule, limit: int
) -> tuple[int, Any, Any]:
    devices.require()
    import cupy

    from warpath.cuda import operators
    from warpath.cuda.device_graph import on_device

    faults = cupy.zeros(FAULTS, np.int64) if checking() else None
    with devices.memory_for(f"a traversal of {graph.num_vertices:,} vertices"):
        iterations, left = operators.traverse(
            on_device(graph), first.on("cuda"), given.function, given.given, fitted(how.technique, graph),
            limit, how.direction == "bottom-up", how.small_frontiers or "off", how.loop or "device", faults,
        )  # fmt: skip
    return iterations, left, faults
