"""The path algebras that have names."""

import numpy as np

from warpath.operators.algebra import PathAlgebra
from warpath.operators.rule import Algebra

_INF = np.inf


ALGEBRAS = {
    algebra.name: algebra
    for algebra in (
        PathAlgebra("shortest", np.add, min, 0.0, _INF),
        # The capacity of a route: Pollack 1960; Hu 1961.
        PathAlgebra("widest", np.minimum, max, _INF, -_INF),
        PathAlgebra("most-reliable", np.multiply, max, 1.0, 0.0),
        PathAlgebra("minimax", np.maximum, min, -_INF, _INF),
        PathAlgebra("reachability", np.logical_and, max, 1.0, 0.0),
    )
}
"""Each algebra by its name; `warpath.sssp` has the table of their values."""


def lookup(algebra: str | Algebra | PathAlgebra) -> PathAlgebra:
    """An algebra by its name, a user's own, or itself.

    Raises
    ------
    ValueError
        An unknown name; the message lists the known ones.
    """
    if isinstance(algebra, PathAlgebra):
        return algebra
    if isinstance(algebra, Algebra):
        return algebra._path_algebra
    if algebra not in ALGEBRAS:
        names = ", ".join(ALGEBRAS)
        raise ValueError(
            f"unknown algebra {algebra!r}; choose one of {names}, or give a wp.Algebra(…)"
        )
    return ALGEBRAS[algebra]
