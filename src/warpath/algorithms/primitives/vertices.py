"""`compute`, `filter` and `reduce`: an operator on vertices."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from warpath import devices
from warpath.algorithms.common.sources import check_call
from warpath.algorithms.primitives.arguments import Arguments, bind
from warpath.algorithms.primitives.checks import checking, raise_if_any
from warpath.algorithms.primitives.frontier import Frontier
from warpath.algorithms.primitives.prepared import Prepared, faults_of
from warpath.graph.check import choose
from warpath.graph.graph import Graph
from warpath.language import Operator
from warpath.language.translate import Use
from warpath.language.types import is_float
from warpath.planning.threads import threads_for_vertices

# What an integer or a truth is before any vertex counts.
_INT64 = np.iinfo(np.int64)
_STARTS = {"sum": 0, "min": _INT64.max, "max": _INT64.min, "any": 0, "all": 1}


def compute(over: Graph | Frontier, operator: Operator, *arguments: Any, layers: int = 1) -> None:
    """Call an operator for each vertex of a graph, or of a frontier.

    Parameters
    ----------
    over : Graph or Frontier
        Whose vertices.
    operator : Operator
        On vertices; what it returns is not looked at.
    *arguments : array or number
        Its other parameters, as for `warpath.advance`.
    layers : int, default 1
        k elements per vertex, side by side, in all arrays that the operator reads at a vertex. For each vertex it is called
        k times: ``v`` is the element's place, k · v + j for layer j.

    Raises
    ------
    TypeError, ValueError, OperatorError, IndexError, DeviceUnavailableError
        See `advance`; the operator is on vertices; more than 2³¹ − 1 elements.

    See Also
    --------
    filter : Keep the vertices for which an operator returns something true.
    reduce : Sum up what it returns.
    advance : An operator on edges.

    Examples
    --------
    >>> import numpy as np, warpath as wp
    >>> @wp.operator
    ... def double(v, x):
    ...     x[v] = 2 * x[v]
    >>> x = np.arange(4)
    >>> wp.compute(wp.generate.grid(2, 2), double, x)
    >>> x.tolist()
    [0, 2, 4, 6]

    Two elements of each vertex, of one vertex alone:

    >>> wp.compute(wp.Frontier(wp.generate.grid(1, 2), 1), double, x, layers=2)
    >>> x.tolist()
    [0, 2, 8, 12]
    """
    prepare_compute(over, operator, *arguments, layers=layers).run()


def prepare_compute(
    over: Graph | Frontier, operator: Operator, *arguments: Any, layers: int = 1
) -> Prepared:
    """A `compute` that may be run many times; parameters and errors are the same."""
    given = _checked(over, operator, arguments, "compute", layers=layers)
    return _prepared(over, operator, given, keeps_values=False)


def filter(over: Graph | Frontier, operator: Operator, *arguments: Any) -> Frontier:
    """The vertices of a graph, or of a frontier, for which an operator returns something true.

    Parameters
    ----------
    over : Graph or Frontier
        Whose vertices.
    operator : Operator
        On vertices.
    *arguments : array or number
        Its other parameters, as for `warpath.advance`.

    Returns
    -------
    Frontier
        Those vertices.

    Raises
    ------
    TypeError, ValueError, OperatorError, IndexError, DeviceUnavailableError
        See `advance`; the operator is on vertices, and returns something.

    See Also
    --------
    compute : Call an operator for each vertex.
    advance : Follow the edges of a frontier.

    Examples
    --------
    >>> import numpy as np, warpath as wp
    >>> @wp.operator
    ... def is_low(v, degree, k):
    ...     return degree[v] < k
    >>> g = wp.Graph.from_edges([0, 0, 0], [1, 2, 3], directed=False)
    >>> len(wp.filter(g, is_low, np.diff(g.row_offsets), 2))
    3
    """
    given = _checked(over, operator, arguments, "filter", returns=True)
    graph = over if isinstance(over, Graph) else over.graph
    return Frontier.of(graph, _kept(over, operator, given))


def _kept(over: Graph | Frontier, operator: Operator, given: Arguments) -> Any:
    xp, vertices, count = _place(over, given)
    if count == 0:
        return xp.empty(0, np.int32)
    if xp is np:
        values = _prepared(over, operator, given, keeps_values=True).run()
        kept = values.nonzero()[0].astype(np.int32)
        return kept if vertices is None else vertices[kept]
    from warpath.cuda import operators

    faults = faults_of(xp)
    kept = operators.kept_vertices(vertices, count, given.function, given.given, faults)
    raise_if_any(operator, given.function, given.given, faults)
    return kept


def reduce(
    over: Graph | Frontier, operator: Operator, *arguments: Any, by: str = "sum", layers: int = 1
) -> Any:
    """What an operator returns for each vertex of a graph, or of a frontier, summed up.

    Parameters
    ----------
    over : Graph or Frontier
        Whose vertices.
    operator : Operator
        On vertices.
    *arguments : array or number
        Its other parameters, as for `warpath.advance`.
    by : {"sum", "min", "max", "any", "all"}, default "sum"
        Sums of integers and bools are int64. As in NumPy, sum, minimum and maximum are NaN if a value is.
    layers : int, default 1
        Elements per vertex, each with a value: see `compute`.

    Returns
    -------
    number
        The sum of no vertices is 0.

    Raises
    ------
    TypeError, ValueError, OperatorError, IndexError, DeviceUnavailableError
        See `advance`; the operator is on vertices, and returns something. The minimum of no vertices.

    See Also
    --------
    aggregate : Sum up, for each vertex, over the edges that come in.
    compute : Call an operator for each vertex.

    Examples
    --------
    >>> import numpy as np, warpath as wp
    >>> @wp.operator
    ... def difference(v, a, b):
    ...     return abs(a[v] - b[v])
    >>> a, b = np.array([1.0, 2.0, 4.0]), np.array([1.0, 3.0, 1.0])
    >>> wp.reduce(wp.generate.grid(1, 3), difference, a, b, by="max")
    3.0
    """
    prepared = prepare_reduce(over, operator, *arguments, by=by, layers=layers)
    found = prepared.run().item()
    is_bool = prepared.given.function.result == "bool" and by != "sum"
    return bool(found) if is_bool or by in ("any", "all") else found


def prepare_reduce(
    over: Graph | Frontier, operator: Operator, *arguments: Any, by: str = "sum", layers: int = 1
) -> Prepared:
    """A `reduce` that may be run many times; parameters and errors are the same.

    Returns
    -------
    Prepared
        Its ``out`` has one element, which another operator may take: an int64 array. A float's sum, minimum or maximum is
        of the float's dtype.
    """
    choose("by", by, tuple(_STARTS))
    use: Use = "value" if by in ("min", "max") else "call"
    given = _checked(over, operator, arguments, "reduce", returns=True, use=use, layers=layers)
    xp, vertices, count = _place(over, given)
    if by in ("min", "max") and count == 0:
        raise ValueError(f"the {by} of no vertices")
    function = given.function
    of_floats = is_float(function.result) and by not in ("any", "all")
    out = xp.empty(1, function.result if of_floats else np.int64)
    # Blocks add up in any order. A sum of floats depends on it, and the smallest of them may be NaN, which atomic operations
    # do not know. So floats are written, and reduced by CuPy.
    if xp is np or of_floats:
        values = _prepared(over, operator, given, keeps_values=True)

        def reduce_values() -> None:
            values.launch()
            getattr(values.out, by)(axis=0, out=out, keepdims=True)

        return replace(values, launch=reduce_values, out=out)
    from warpath.cuda import operators

    faults, start = faults_of(xp), _STARTS[by]
    launch = operators.prepare_reduce(
        vertices, count, function, given.given, by, out, faults, given.layers
    )
    return Prepared(operator, given, launch.run, faults, out, start)


def _checked(
    over: Any,
    operator: Operator,
    arguments: tuple[Any, ...],
    call: str,
    *,
    returns: bool = False,
    use: Use = "call",
    layers: int = 1,
) -> Arguments:
    graph = over.graph if isinstance(over, Frontier) else over
    check_call(graph, "cpu")
    given = bind(operator, arguments, graph, on_edges=False, call=call, use=use, layers=layers)
    if returns and not given.function.result:
        raise ValueError(
            f"{call} needs what {operator.source.name} returns, and it returns nothing"
        )
    return given


def _place(over: Graph | Frontier, given: Arguments) -> tuple[Any, Any, int]:
    """The arrays' module where it runs, the vertices there (None: all), and how many they are."""
    if isinstance(over, Frontier):
        device, count = given.device or over.device, len(over)
        vertices = over.on(device)
    else:
        device, count, vertices = given.device or "cpu", over.num_vertices, None
    if device == "cpu":
        return np, vertices, count
    devices.require()
    import cupy

    return cupy, vertices, count


def _prepared(
    over: Graph | Frontier, operator: Operator, given: Arguments, *, keeps_values: bool
) -> Prepared:
    """Its ``out`` takes what the operator returns for each vertex, if that is kept."""
    xp, vertices, count = _place(over, given)
    function, faults = given.function, faults_of(xp)
    out = xp.empty(count * given.layers, function.result) if keeps_values else None
    launch: Callable[[], object]
    if xp is np:
        from warpath.cpu.vertex_operator import for_vertices

        threads = threads_for_vertices(count * given.layers)
        launch = partial(
            for_vertices, vertices, count, function, given.ordered, out, threads, faults, checking(), given.layers,
        )  # fmt: skip
    else:
        from warpath.cuda import operators

        launch = operators.prepare_compute(
            vertices, count, function, given.given, out, faults, given.layers
        ).run
    return Prepared(operator, given, launch, faults, out)
