"""Weights of a NetworkX graph's arcs, as an array."""

from collections.abc import Callable, Iterable
from itertools import chain, compress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.graph.distance import unreachable

Array = NDArray[Any]

_INTEGERS = frozenset({int, bool})
_FLOATS = _INTEGERS | {float}


def attribute(
    G: Any, name: str | None, missing: float = 1, chosen: list[bool] | None = None
) -> Array:
    """The values of an edge attribute, or ``missing``, in the order of ``G.adjacency()``.

    Parameters
    ----------
    G : networkx.Graph
    name : str or None
    missing : number
    chosen : list of bool, optional
        Of which arcs.

    Raises
    ------
    NotImplementedError
        See `as_array`.
    """
    edges: Iterable[Any] = chain.from_iterable(row.values() for _, row in G.adjacency())
    if chosen is not None:
        edges = compress(edges, chosen)
    if G.is_multigraph():
        return as_array(
            [min([data.get(name, missing) for data in keys.values()]) for keys in edges], name
        )
    return as_array([data.get(name, missing) for data in edges], name)


def called(G: Any, weight: Callable[[Any, Any, Any], Any], num_arcs: int) -> Array:
    """What a weight function says of each arc; where it says None, the arc is `hidden`.

    Raises
    ------
    NotImplementedError
        See `as_array`.
    """
    values = [weight(u, v, data) for u, row in G.adjacency() for v, data in row.items()]
    missing = np.fromiter((value is None for value in values), bool, num_arcs)
    if not missing.any():
        return as_array(values, "the weight function")
    shown = as_array([value for value in values if value is not None], "the weight function")
    array = np.full(num_arcs, unreachable(shown.dtype), shown.dtype)
    array[~missing] = shown
    return array


def hidden(values: Array) -> NDArray[np.bool_]:
    """Which arcs are none: their weight is what no path's can be."""
    found: NDArray[np.bool_] = np.equal(values, unreachable(values.dtype))
    return found


def as_array(values: list[Any], what: str | None) -> Array:
    """Python numbers as int64, or float64 if there is a float.

    Raises
    ------
    NotImplementedError
        Other numbers (fractions, NumPy's, …), integers beyond 64 bits, NaN or infinite ones:
        NetworkX's own function takes them.
    """
    types = set(map(type, values))
    if types <= _INTEGERS:
        try:
            array = np.array(values, np.int64)
        except OverflowError:
            array = None
        if array is None or hidden(array).any():
            raise NotImplementedError(f"{what}: integers beyond 64 bits")
        return array
    if not types <= _FLOATS:
        raise NotImplementedError(f"{what}: {_names(types - _FLOATS)} are not plain numbers")
    array = np.array(values, np.float64)
    if not np.isfinite(array).all():
        raise NotImplementedError(f"{what}: a weight is NaN or infinite")
    return array


def _names(types: Iterable[type]) -> str:
    return ", ".join(sorted(kind.__name__ for kind in types))
