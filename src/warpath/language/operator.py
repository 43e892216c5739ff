"""`Operator`: a Python function that runs on edges or on vertices, on CPUs and GPUs."""

from collections.abc import Callable, Mapping
from functools import update_wrapper
from typing import Any

from warpath.language.source import OperatorSource
from warpath.language.translate import Use, translate
from warpath.language.tree import Function
from warpath.language.types import Type


class Operator:
    """What `operator` makes of a function. Called, it runs as plain Python.

    Parameters
    ----------
    function : callable
        See `operator`.

    Attributes
    ----------
    source : OperatorSource
        The function as it is written.

    See Also
    --------
    operator : The decorator that makes one.

    Examples
    --------
    >>> import warpath as wp
    >>> @wp.operator
    ... def is_even(v):
    ...     return v % 2 == 0
    >>> is_even, is_even(4)
    (wp.operator is_even(v), True)
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.source = OperatorSource(function)
        self._function = function
        self._trees: dict[Any, Function] = {}
        update_wrapper(self, function)

    def __call__(self, *args: Any) -> Any:
        """The function itself, in plain Python."""
        return self._function(*args)

    def __repr__(self) -> str:
        names = [*self.source.vertices, *(["w"] if self.source.takes_weight else [])]
        return f"wp.operator {self.source.name}({', '.join((*names, *self.source.parameters))})"

    def typed(
        self, given: Mapping[str, Type], weight: str = "int32", use: Use = "call"
    ) -> Function:
        """Translate it for arguments of certain types, or find the tree.

        Parameters
        ----------
        given : mapping of str to Type
            The types of its parameters but u, v and w.
        weight : str
            The dtype of w.
        use : {"call", "value", "sum"}
            Whether what it returns for an edge is a value, one to be summed up, or else truth.

        Returns
        -------
        Function
            The typed tree.
        """
        key = (*given.items(), weight, use)
        tree = self._trees.get(key)
        if tree is None:
            tree = self._trees[key] = translate(self.source, given, weight, use)
        return tree


def operator(function: Callable[..., Any]) -> Operator:
    """Make an operator of a function: what an edge, or a vertex, does.

    Parameters
    ----------
    function : callable
        On edges it is called with u and v, or with u, v and w: an edge from u to v of weight w, 1 where the
        graph has no weights. On vertices it is called with v. All other parameters are arrays with an element
        for each vertex, or numbers, which the call gives. What it returns, for an edge, says whether v enters
        the next frontier.

    Returns
    -------
    Operator
        It is for `advance` and `traverse` (edges), `compute`, `filter` and `reduce` (vertices).

    Raises
    ------
    OperatorError
        If the function is none of these; when it first runs, if it has something that operators do not
        have: it names the line, and what to write.

    See Also
    --------
    traverse : Run one on frontier after frontier.
    compute : Run one on vertices.
    atomic_min : What several edges may do to one element.

    Notes
    -----
    Threads run an operator for many edges at once. A part of Python is translated, to CUDA C++ and for Numba.
    There are assignments, ``if``, ``while``, ``for … in range(…)``, ``return``, arithmetic and comparisons.
    Functions are ``min``, ``max``, ``abs``, ``len``, some of ``math``, NumPy's dtypes as casts, and the atomic ones.
    Types are promoted as NumPy does. A plain store to an
    element that another edge may write with another value is refused. Names from outside the function are
    read when it first runs.

    Examples
    --------
    >>> import numpy as np, warpath as wp
    >>> @wp.operator
    ... def relax(u, v, w, distance):
    ...     return wp.atomic_min(distance, v, distance[u] + w)
    >>> g = wp.Graph.from_edges([0, 0, 1], [1, 2, 2], [5, 9, 1])
    >>> distance = np.array([0, 1000, 1000])
    >>> wp.traverse(g, [0], relax, distance), distance.tolist()
    (3, [0, 5, 6])
    """
    return Operator(function)
