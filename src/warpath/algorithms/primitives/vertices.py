"""`compute`, `filter` and `reduce`: an operator on vertices."""

from typing import Any, Literal

import numpy as np

from warpath import devices
from warpath.algorithms.common.sources import check_call
from warpath.algorithms.primitives.arguments import Arguments, bind
from warpath.algorithms.primitives.checks import checking, raise_if_any
from warpath.algorithms.primitives.frontier import Frontier
from warpath.cpu.arithmetic import FAULTS
from warpath.graph.check import choose
from warpath.graph.graph import Graph
from warpath.language import Operator
from warpath.language.types import is_float
from warpath.planning.threads import threads_for_vertices

_REDUCTIONS = ("sum", "min", "max", "any", "all")


def compute(over: Graph | Frontier, operator: Operator, *arguments: Any) -> None:
    """Call an operator for each vertex of a graph, or of a frontier.

    Parameters
    ----------
    over : Graph or Frontier
        Whose vertices.
    operator : Operator
        On vertices; what it returns is not looked at.
    *arguments : array or number
        Its other parameters, as for `warpath.advance`.

    Raises
    ------
    TypeError, ValueError, OperatorError, IndexError, DeviceUnavailableError
        See `advance`; the operator is on vertices.

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
    """
    given = _checked(over, operator, arguments, "compute")
    _run(over, operator, given, "nothing")


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
    return Frontier.of(graph, _run(over, operator, given, "kept"))


def reduce(over: Graph | Frontier, operator: Operator, *arguments: Any, by: str = "sum") -> Any:
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
        Sums of integers and bools are int64.

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
    choose("by", by, _REDUCTIONS)
    return _reduced(over, operator, arguments, by).item()


def total(over: Graph | Frontier, operator: Operator, *arguments: Any) -> Any:
    """The sum of `reduce` in an array of one element, which another operator may take; a GPU is not waited for.

    Parameters
    ----------
    over, operator, *arguments : as of `reduce`

    Returns
    -------
    array, shape (1,)
    """
    return _reduced(over, operator, arguments, "sum")


def _reduced(
    over: Graph | Frontier, operator: Operator, arguments: tuple[Any, ...], by: str
) -> Any:
    given = _checked(over, operator, arguments, "reduce", returns=True)
    values = _run(over, operator, given, "values")
    if by in ("min", "max") and len(values) == 0:
        raise ValueError(f"the {by} of no vertices")
    if by == "sum" and not is_float(given.function.result):
        values = values.astype(np.int64, copy=False)
    return getattr(values, by)(keepdims=True)


def _checked(
    over: Any, operator: Operator, arguments: tuple[Any, ...], call: str, *, returns: bool = False
) -> Arguments:
    graph = over.graph if isinstance(over, Frontier) else over
    check_call(graph, "cpu")
    given = bind(operator, arguments, graph, on_edges=False, call=call)
    if returns and not given.function.result:
        raise ValueError(
            f"{call} needs what {operator.source.name} returns, and it returns nothing"
        )
    return given


def _run(
    over: Graph | Frontier,
    operator: Operator,
    given: Arguments,
    wanted: Literal["nothing", "values", "kept"],
) -> Any:
    """What it returns for each vertex, or the vertices for which that is true: an array where they are, or None."""
    if isinstance(over, Frontier):
        count, device = len(over), given.device or over.device
        vertices = over.on(device)
    else:
        count, device, vertices = over.num_vertices, given.device or "cpu", None
    if device == "cuda":
        devices.require()
        import cupy as xp
    else:
        xp = np
    if count == 0 and wanted == "kept":
        return xp.empty(0, np.int32)
    dtype = np.dtype(given.function.result or "bool")
    of_all = wanted == "values" or (wanted == "kept" and device == "cpu")
    out = xp.empty(count, dtype) if of_all else None
    if count == 0:
        return out
    # On a GPU to look at them would wait for all that is queued.
    faults: Any = xp.zeros(FAULTS, np.int64) if device == "cpu" or checking() else None
    if device == "cpu":
        from warpath.cpu.vertex_operator import for_vertices

        threads = threads_for_vertices(count)
        for_vertices(
            vertices, count, given.function, given.ordered, out, threads, faults, checking()
        )
        if out is not None and wanted == "kept":
            kept = out.nonzero()[0].astype(np.int32)
            out = kept if vertices is None else vertices[kept]
    else:
        from warpath.cuda import operators

        if wanted == "kept":
            out = operators.kept_vertices(vertices, count, given.function, given.given, faults)
        else:
            operators.for_vertices(vertices, count, given.function, given.given, out, faults)
    raise_if_any(operator, given.function, given.given, faults)
    return out
