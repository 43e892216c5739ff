"""`Algebra`: an algebra of a user's own."""

import ast
import math
from collections.abc import Callable
from typing import Any

from warpath.graph.check import as_number
from warpath.language.extension import Extension
from warpath.operators.algebra import PathAlgebra


class Algebra:
    """What a path is worth, and which of two paths is better.

    Parameters
    ----------
    extend : callable
        ``extend(d, w)``: the value of a path of value ``d`` and one more edge of weight ``w``. A function of two
        numbers, or a lambda; what it may have is what an `operator` may have, but for arrays.
    select : {min, max}
        Which of two values is better: Python's ``min`` or ``max``.
    start : number
        The value at a source, of the path without edges. Finite.
    unreached : number
        The value of "no path", worse than all others; of integers inf and -inf are the largest and the smallest.
        Where ``extend`` returns nothing better than this, the edge cannot be taken.

    Attributes
    ----------
    extend : callable
        As given, but names from outside of it stand for what they do when the algebra is made.
    select, start, unreached
        As given.

    Raises
    ------
    OperatorError
        If ``extend`` is no function of two numbers; when a search starts, if it has something that operators do
        not have: it names the line, and what to write.
    ValueError
        If ``select`` is another function, a value is no number, or ``start`` is not better than ``unreached``.

    See Also
    --------
    sssp : Finds the best paths by it, on CPUs and GPUs.
    operator : Functions of edges and vertices.

    Notes
    -----
    The function is translated to C++ for GPUs and for Numba, and becomes part of the kernels of `sssp`.
    Before a search, two laws are checked on a sample of weights and values. An edge never makes a path better:
    ``extend(d, w)`` is not better than ``d``. And it keeps the order: a better ``d`` makes no worse
    ``extend(d, w)``.

    Types are NumPy's: integers are int32 or int64 like the distances. A value that does not fit raises an
    OverflowError.

    References
    ----------
    M. Gondran, M. Minoux, "Graphs, Dioids and Semirings", 2008, chapter 4.

    Examples
    --------
    >>> import warpath as wp
    >>> toll = wp.Algebra(lambda d, w: d + w + 10 if w > 5 else d + w)
    >>> g = wp.Graph.from_edges([0, 0, 1, 2], [1, 3, 2, 3], [5, 8, 3, 4])
    >>> wp.sssp(g, 0, algebra=toll).distance.tolist()
    [0, 5, 8, 12]
    """

    def __init__(
        self,
        extend: Callable[[Any, Any], Any],
        *,
        select: Callable[..., Any] = min,
        start: float = 0,
        unreached: float = math.inf,
    ) -> None:
        if select not in (min, max):
            raise ValueError(f"select is Python's min or max, not {select!r}")
        extension = Extension(extend)
        self.extend: Callable[[Any, Any], Any] = extension.function
        self.select = select
        self.start, self.unreached = as_number(start, "start"), as_number(unreached, "unreached")
        self._path_algebra = PathAlgebra(
            "custom", self.extend, select, self.start, self.unreached, self, extension
        )
        if not math.isfinite(self.start):
            raise ValueError(
                f"start must be finite, not {start!r}: take a value that no path is better than, as the largest "
                "weight where the least weight of a path counts"
            )
        if not self._path_algebra.better(self.start, self.unreached):
            raise ValueError(
                f"start={start!r} is not better than unreached={unreached!r} with select={select.__name__}: "
                f"let unreached be {'-inf' if select is max else 'inf'}"
            )

    def __repr__(self) -> str:
        extension = self._path_algebra.extension
        assert extension is not None
        tree = extension.source.tree
        function = tree.name if isinstance(tree, ast.FunctionDef) else ast.unparse(tree)
        return f"Algebra({function}, select={self.select.__name__}, start={self.start}, unreached={self.unreached})"

    def __str__(self) -> str:
        return self._path_algebra.name
