"""`Operator`: a Python function that runs on edges or on vertices, on CPUs and GPUs."""

from collections.abc import Callable, Mapping
from functools import update_wrapper
from typing import Any

from warpath.errors import OperatorError
from warpath.language.cpp_source import CppSource
from warpath.language.source import OperatorSource
from warpath.language.translate import Use, translate
from warpath.language.tree import Function
from warpath.language.types import Type


class Operator:
    """What `operator` makes of a function, or of a body in CUDA C++. Called, it runs as plain Python.

    Parameters
    ----------
    function : callable or CppSource
        See `operator`.

    Attributes
    ----------
    source : OperatorSource or CppSource
        It as it is written.

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

    source: OperatorSource | CppSource

    def __init__(self, function: Callable[..., Any] | CppSource) -> None:
        self._trees: dict[Any, Function] = {}
        if isinstance(function, CppSource):
            self.source = function
        else:
            self.source = OperatorSource(function)
            update_wrapper(self, function)

    def __call__(self, *args: Any) -> Any:
        """The function itself, in plain Python.

        Raises
        ------
        OperatorError
            If it is written in CUDA C++.
        """
        if isinstance(self.source, CppSource):
            raise OperatorError("an operator of CUDA C++ is no Python function: traverse calls it")
        return self.source.function(*args)

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
        source = self.source
        if tree is None or not (isinstance(source, CppSource) or source.still_says(tree)):
            if isinstance(source, CppSource):
                tree = source.typed(given, weight, use)
            else:
                tree = translate(source, given, weight, use)
            self._trees[key] = tree
        return tree


def operator(
    function: Callable[..., Any] | None = None,
    /,
    *,
    source: str | None = None,
    parameters: str = "",
    returns: str | None = None,
) -> Operator:
    """Make an operator of a function: what an edge, or a vertex, does.

    Parameters
    ----------
    function : callable
        On edges it is called with u and v, or with u, v and w: an edge from u to v of weight w, 1 where the
        graph has no weights. On vertices it is called with v. All other parameters are arrays with an element
        for each vertex, or numbers, which the call gives. What it returns, for an edge, says whether v enters
        the next frontier.
    source : str, optional
        Instead of a function, its body in CUDA C++, for arrays on a GPU. ``u`` and ``v`` are ints, arrays are
        pointers. Besides CUDA's own functions there are ``atomic_min(array + v, value)``, ``atomic_max``,
        ``atomic_add``, ``atomic_or`` and ``atomic_cas``, which return what those of Python do.
    parameters : str, optional
        The names of what ``source`` takes, as in ``"u, v, w, distance"``. Their types are those of what a
        call gives.
    returns : str, optional
        The dtype of what ``source`` returns, where that is not whether v enters.

    Returns
    -------
    Operator
        It is for `advance` and `traverse` (edges), `compute`, `filter` and `reduce` (vertices).

    Raises
    ------
    OperatorError
        If the function is none of these; when it first runs, if it has something that operators do not
        have: it names the line, and what to write. If ``source`` does not compile, with the compiler's messages,
        or gets arrays on the CPU.
    TypeError
        If both a function and ``source`` are given, or neither; ``parameters`` or ``returns`` without ``source``.

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
    element that another edge may write with another value is refused. Names from outside the function stand
    for what they do when it runs, as in Python.

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

    For arrays on a GPU:

    >>> relax = wp.operator(
    ...     source="return atomic_min(distance + v, distance[u] + w);", parameters="u, v, w, distance"
    ... )
    >>> relax
    wp.operator source(u, v, w, distance)
    """
    if (function is None) == (source is None):
        raise TypeError("give wp.operator a function, or source= in CUDA C++")
    if source is not None:
        return Operator(CppSource(source, parameters, returns))
    if parameters or returns is not None:
        raise TypeError("parameters= and returns= are for source=: a Python function has its own")
    assert function is not None
    return Operator(function)
