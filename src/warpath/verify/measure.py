"""What a path is worth, as the checks take it: each algebra by its definition, in users' terms."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from warpath.typing import AlgebraName

Array = NDArray[Any]


@dataclass(frozen=True)
class Measure:
    """How values of paths are made and compared.

    Attributes
    ----------
    extend : numpy.ufunc, or another function of arrays
        The value of a path and one more arc, from the path's and the arc's weight.
    better : numpy.ufunc
        Whether the first value is better than the second: ``less`` or ``greater``.
    source, none : float
        The value at a source, and of no path; for integers ±inf are the ends of their dtype.
    """

    extend: Callable[[Any, Any], Any]
    better: np.ufunc
    source: float
    none: float


MEASURES = {
    "shortest": Measure(np.add, np.less, 0.0, np.inf),
    "widest": Measure(np.minimum, np.greater, np.inf, -np.inf),
    "most-reliable": Measure(np.multiply, np.greater, 1.0, 0.0),
    "minimax": Measure(np.maximum, np.less, -np.inf, np.inf),
    "reachability": Measure(np.logical_and, np.greater, True, False),
}


class Rule(Protocol):
    """What a user says of an algebra: see `warpath.Algebra`."""

    extend: Callable[[Any, Any], Any]
    select: Callable[..., Any]
    start: float
    unreached: float


def measure_of(algebra: AlgebraName | Rule) -> Measure:
    """The measure of an algebra, by its name or by a user's rule.

    Raises
    ------
    ValueError
        An unknown name.
    """
    if not isinstance(algebra, str) and hasattr(algebra, "extend"):
        better = np.less if algebra.select is min else np.greater
        return Measure(on_arrays(algebra.extend), better, algebra.start, algebra.unreached)
    if algebra not in MEASURES:
        raise ValueError(f"unknown algebra {algebra!r}; choose one of {', '.join(MEASURES)}")
    return MEASURES[algebra]


def on_arrays(extend: Callable[[Any, Any], Any]) -> Callable[[Array, Array], Array]:
    """A function of two numbers, for arrays of them: each as NumPy's number, in the array's dtype."""

    def extended(values: Array, weights: Array) -> Array:
        with np.errstate(all="ignore"):
            try:  # arithmetic alone takes arrays as they are
                made = np.broadcast_to(extend(values, weights), values.shape)
            except (TypeError, ValueError):
                each = [extend(*pair) for pair in zip(values, weights, strict=True)]
                made = np.array(each).reshape(values.shape)
            return made.astype(values.dtype)

    return extended


def as_scalar(value: float, dtype: np.dtype[Any]) -> Any:
    """A value of `Measure` as a distance of ``dtype`` has it, a Python number."""
    if dtype.kind in "iu" and np.isinf(value):
        return int(np.iinfo(dtype).max if value > 0 else np.iinfo(dtype).min)
    return dtype.type(value).item() if dtype.kind in "iufb" else value
