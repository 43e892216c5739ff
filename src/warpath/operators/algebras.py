"""The path algebras, by name."""

import numpy as np

from warpath.operators.algebra import Algebra

_INF = np.inf

ALGEBRAS = {
    algebra.name: algebra
    for algebra in (
        Algebra(
            "shortest", "the least sum of weights",
            extend=np.add, better=np.less, empty=0.0, missing=_INF,
        ),
        Algebra(
            "widest", "the largest least weight: the capacity of a route (Pollack 1960; Hu 1961)",
            extend=np.minimum, better=np.greater, empty=_INF, missing=-_INF,
        ),
        Algebra(
            "most-reliable", "the largest product of weights from 0 to 1, as of probabilities",
            extend=np.multiply, better=np.greater, empty=1.0, missing=0.0,
        ),
        Algebra(
            "minimax", "the least largest weight: the bottleneck of a route",
            extend=np.maximum, better=np.less, empty=-_INF, missing=_INF,
        ),
        Algebra(
            "reachability", "whether there is a path, whatever the weights",
            extend=np.logical_and, better=np.greater, empty=1.0, missing=0.0,
        ),
    )
}  # fmt: skip
"""Each algebra by its name; `warpath.sssp` has the table of their values."""


def lookup(algebra: str | Algebra) -> Algebra:
    """An algebra by its name.

    Raises
    ------
    ValueError
        An unknown name; the message lists the known ones.
    """
    if isinstance(algebra, Algebra):
        return algebra
    if algebra not in ALGEBRAS:
        raise ValueError(f"unknown algebra {algebra!r}; choose one of {', '.join(ALGEBRAS)}")
    return ALGEBRAS[algebra]
