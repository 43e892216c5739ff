"""Vertices in the order of their degrees: caches then hold hubs together, and rows begin with them."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from warpath.graph.build import Batch

_EDGES_AT_ONCE = 2**29  # CuPy's routines are not to be trusted beyond 2³¹


def order_by_degree(xp: Any, degree: Any, parts: int = 1) -> Any:
    """The vertices by degree, the largest first; of equal degrees the order stays.

    Parameters
    ----------
    xp : module
        numpy or cupy: that of the arrays.
    degree : int64 array, shape (n,)
    parts : int
        Into how many parts the order falls, one behind the other. They get the vertices cyclically, so that each has hubs.

    Returns
    -------
    int64 array, shape (n,)
    """
    order = xp.argsort(-degree, kind="stable")
    return order if parts == 1 else xp.concatenate([order[part::parts] for part in range(parts)])


def inverse_permutation(xp: Any, order: Any) -> Any:
    """Where each vertex stands in an order: int32 array."""
    number = xp.empty(len(order), np.int32)
    number[order] = xp.arange(len(order), dtype=np.int32)
    return number


def numbers_by_degree(
    xp: Any,
    n: int,
    edges: Iterable[Batch],
    parts: int = 1,
    total: Callable[[Any], Any] = lambda degree: degree,
) -> Any:
    """Other numbers for the vertices of edges, by how many ends of edges each is: int32 array, shape (n,).

    Parameters
    ----------
    xp, parts
        As of `order_by_degree`.
    n : int
        Vertices.
    edges : iterable of Batch
    total : callable, optional
        The sum of all ranks' degrees, where each rank has some of the edges.
    """
    degree = xp.zeros(n, np.int64)
    for batch in edges:
        for begin in range(0, len(batch.source), _EDGES_AT_ONCE):
            some = batch.rows(slice(begin, begin + _EDGES_AT_ONCE))
            for ends in (some.source, some.target):
                degree += xp.bincount(ends, minlength=n)
    return inverse_permutation(xp, order_by_degree(xp, total(degree), parts))
