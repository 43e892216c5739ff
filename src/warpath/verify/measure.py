"""What a path is worth, as the checks take it: each algebra by its definition, in users' terms."""

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Measure:
    """How values of paths are made and compared.

    Attributes
    ----------
    extend : numpy.ufunc
        The value of a path and one more arc, from the path's and the arc's weight.
    better : numpy.ufunc
        Whether the first value is better than the second: ``less`` or ``greater``.
    source, none : float
        The value at a source, and of no path; for integers ±inf are the ends of their dtype.
    """

    extend: np.ufunc
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


def as_scalar(value: float, dtype: np.dtype[Any]) -> Any:
    """A value of `Measure` as a distance of ``dtype`` has it, a Python number."""
    if dtype.kind in "iu" and np.isinf(value):
        return int(np.iinfo(dtype).max if value > 0 else np.iinfo(dtype).min)
    return dtype.type(value).item() if dtype.kind in "iufb" else value
