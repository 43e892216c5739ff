"""Vertices that a file calls by sparse ids, numbered anew."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.graph.check import as_ids

Array = NDArray[Any]

# A table with a place for every id up to the largest beats sorting while it is not much
# larger than the list of ids; guess, within a factor of 4 of where they meet.
_TABLE_PER_ID = 16


def compact(source: Array, target: Array) -> tuple[Array, Array, Array | None]:
    """Number the ids that occur 0, 1, … in ascending order.

    Parameters
    ----------
    source, target : integer arrays, shape (m,)

    Returns
    -------
    source, target : int32 arrays, shape (m,)
    labels : int64 array, shape (n,), or None
        The id of each vertex; None if they are 0 … n − 1 already.

    Raises
    ------
    ValueError
        If an id is negative or no integer.
    """
    source, target = as_ids(source, "source"), as_ids(target, "target")
    size = 1 + max((int(ids.max()) for ids in (source, target) if len(ids)), default=-1)
    if size > _TABLE_PER_ID * (len(source) + 1):
        labels, places = np.unique(np.concatenate([source, target]), return_inverse=True)
        source, target = np.split(places.astype(np.int32), 2)
    else:
        occurs = np.zeros(size, bool)
        occurs[source] = True
        occurs[target] = True
        labels = np.flatnonzero(occurs)
        number = np.empty(size, np.int32)
        number[labels] = np.arange(len(labels), dtype=np.int32)
        source, target = number[source], number[target]
    dense = len(labels) == size
    return source, target, None if dense else labels.astype(np.int64)
