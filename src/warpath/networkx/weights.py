"""Weights of a NetworkX graph's arcs, as an array."""

from collections.abc import Callable, Iterable
from itertools import chain, compress
from operator import is_, itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.graph.distance import unreachable

Array = NDArray[Any]

# NumPy's scalars of 64 bits count as Python's. Sums of the others NetworkX rounds or wraps to
# their own size.
_INTEGERS = frozenset({int, bool, np.int64})
_FLOATS = _INTEGERS | {float, np.float64}

# Dicts up to which their order in the memory does not matter: a guess.
_FIT_THE_CACHE = 2**14


class EdgeData:
    """The dicts of a graph's edge attributes.

    Keeping them makes reading an attribute again several times faster, and so does the order in
    which they stand in the memory.

    Parameters
    ----------
    G : networkx.Graph
    chosen : list of bool, optional
        Which arcs.
    """

    def __init__(self, G: Any, chosen: list[bool] | None = None) -> None:
        edges: Iterable[Any] = chain.from_iterable(row.values() for _, row in G.adjacency())
        if chosen is not None:
            edges = compress(edges, chosen)
        self._parallel: list[int] | None = None
        if G.is_multigraph():
            groups = [list(keys.values()) for keys in edges]
            self._parallel = list(map(len, groups))
            edges = chain.from_iterable(groups)
        dicts = list(edges)
        self._places: Array | None = None
        if len(dicts) > _FIT_THE_CACHE:
            self._places = np.argsort(np.fromiter(map(id, dicts), np.int64, len(dicts)))
            dicts = [dicts[i] for i in self._places.tolist()]
        self._dicts = dicts

    def read(self, name: str | None, missing: float = 1) -> list[Any]:
        """The values of an attribute, or ``missing``, one for each dict, in an order of its own."""
        try:
            return list(map(itemgetter(name), self._dicts))
        except KeyError:
            return [data.get(name, missing) for data in self._dicts]

    def by_arc(self, values: list[Any]) -> list[Any]:
        """The values of `read` in the order of ``G.adjacency()``, of parallel edges the least."""
        if self._places is not None:
            in_order = np.empty(len(values), object)
            in_order[self._places] = values
            values = in_order.tolist()
        if self._parallel is None:
            return values
        each = iter(values)
        return [min([next(each) for _ in range(size)]) for size in self._parallel]


def unchanged(values: list[Any], before: list[Any]) -> bool:
    """Whether all are the same objects: numbers cannot change."""
    return len(values) == len(before) and all(map(is_, values, before))


def called(
    G: Any, weight: Callable[[Any, Any, Any], Any]
) -> tuple[Array, NDArray[np.bool_] | None]:
    """What a weight function says of each arc, and which arcs it shows.

    An arc of which it says None is hidden, and weighs 0 in the array. None: it hides no arc.

    Raises
    ------
    NotImplementedError
        See `as_array`.
    """
    values = [weight(u, v, data) for u, row in G.adjacency() for v, data in row.items()]
    shown = np.fromiter((value is not None for value in values), bool, len(values))
    if shown.all():
        return as_array(values, "the weight function"), None
    said = as_array([value for value in values if value is not None], "the weight function")
    array = np.zeros(len(values), said.dtype)
    array[shown] = said
    return array, shown


def as_array(values: list[Any], what: str | None) -> Array:
    """Numbers as int64, or float64 if there is a float.

    Raises
    ------
    NotImplementedError
        Other numbers (fractions, NumPy's of other sizes, …), integers beyond 64 bits, NaN or
        infinite ones: NetworkX's own function takes them.
    """
    types = set(map(type, values))
    if types <= _INTEGERS:
        try:
            array = np.array(values, np.int64)
        except OverflowError:
            array = None
        # The largest says that there is no path, and the least has no opposite.
        most = unreachable(np.int64)
        if array is None or array.max(initial=0) == most or array.min(initial=0) < -most:
            raise NotImplementedError(f"{what}: integers beyond 64 bits")
        return array
    if not types <= _FLOATS:
        raise NotImplementedError(f"{what}: {_names(types - _FLOATS)} are not plain numbers")
    try:
        array = np.array(values, np.float64)
    except OverflowError:  # an integer beyond every float
        array = None
    if array is None or not np.isfinite(array).all():
        raise NotImplementedError(f"{what}: a weight is NaN or infinite")
    return array


def _names(types: Iterable[type]) -> str:
    return ", ".join(sorted(kind.__name__ for kind in types))
