"""How far an answer goes: ``cutoff=`` and ``target=``."""

from typing import Any

import numpy as np

from warpath.graph.distance import unreachable


def limits(known: Any, dtype: np.dtype[Any], cutoff: Any, rows: int | None) -> Any:
    """How far the answer goes: a number, an array of one each row, or None for all the way.

    Distances beyond the cutoff are unreachable already, so a target that is reached lies
    within it, and the smaller of the two is the limit.

    Parameters
    ----------
    known : number, array of shape (rows,), or None
        The target's distance; None without a target.
    dtype : dtype
        The distances' dtype.
    cutoff : number or None
    rows : int or None
        None: there is one answer.
    """
    if known is None:
        return cutoff if cutoff is None or rows is None else np.full(rows, cutoff)
    if cutoff is not None:
        known = np.minimum(known, cutoff)
    return None if rows is None and known == unreachable(dtype) else known
