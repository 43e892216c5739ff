"""Vertices that are called by text or by sparse integers, numbered."""

import warnings
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.display import counted
from warpath.graph.check import MAX_VERTICES, as_ids, as_vector, check_not_missing, object_array

Array = NDArray[Any]

_EXPECTED = "vertex ids must be integers or text"
_TEXT = "OUT"  # kinds of dtypes that may hold text
# A table with a place for every id up to the largest is faster than sorting while it is not much
# larger than the list of ids; guess, within a factor of 4 of where they meet.
_TABLE_PER_ID = 16
# Polars numbers the text of more edges faster than a dictionary of Python's (2 cores, 2026-11).
_MANY_NAMES = 1 << 16
# A graph warns of sparse ids if it has more vertices than this, and more than this many times the edges' ends: guesses.
_MANY_VERTICES, _VERTICES_PER_END = 10_000_000, 64


def numbered_ends(
    source: Any, target: Any, *, compact: bool | None, n: int | None, fetch: bool
) -> tuple[Array, Array, int, Array | None]:
    """The ends of edges by number, how many vertices they need, and what these are called.

    Parameters
    ----------
    source, target : array-like, shape (m,)
    compact : bool or None
        True: ids are names, to be numbered. False: they are numbers. None: names if they are text,
        or if ``n`` is None and one is too large for a number.
    n : int or None
        The number of vertices, where the caller gave it.
    fetch : bool
        Whether to copy numbers from a GPU.

    Raises
    ------
    ValueError
        See `Graph.from_edges`.
    """
    if compact is not False and n is None and _is_text(source) and _is_text(target):
        *ends, names = _by_column(source, target)
        return *ends, len(names), names  # type: ignore[return-value]
    source = as_vector(_with_text(source), "source", fetch=fetch)
    target = as_vector(_with_text(target), "target", fetch=fetch)
    named = bool(compact)
    if compact is None:
        named = any(len(ids) and ids.dtype.kind in _TEXT for ids in (source, target))
    if not named:
        source, target = (
            as_ids(ids, name, fetch=fetch, of_text="compact=True numbers text")
            for ids, name in ((source, "source"), (target, "target"))
        )
        least = max((int(ids.max()) + 1 for ids in (source, target) if len(ids)), default=0)
        too_large = n is None and least > MAX_VERTICES
        if too_large and compact is not None:
            raise ValueError(
                f"vertex id {least - 1} is larger than {MAX_VERTICES - 1}: compact=True numbers the "
                "ids that occur"
            )
        if not too_large:
            if n is None and compact is None:
                warn_of_gaps(least, len(source), stacklevel=5)
            return source, target, least, None
    if n is not None:
        raise ValueError(
            f"n={n} is for ids that are vertex numbers; names are numbered in their order (compact)"
        )
    numbers = numbered(as_vector(source, "source"), as_vector(target, "target"))
    source, target, labels = numbers
    least = max((int(ids.max()) + 1 for ids in (source, target) if len(ids)), default=0)
    return source, target, least, labels


def numbered(source: Any, target: Any) -> tuple[Array, Array, Array | None]:
    """Number the ids that occur 0, 1, … in ascending order.

    Parameters
    ----------
    source, target : arrays of integers, or of text, shape (m,)

    Returns
    -------
    source, target : int32 arrays, shape (m,)
    labels : array, shape (n,), or None
        The id of each vertex, int64 or str objects; None if they are 0 … n − 1 already.

    Raises
    ------
    ValueError
        If an id is missing, or neither an integer nor text; if some are integers and some text.
    """
    source, target = _names(source, "source"), _names(target, "target")
    if not len(source) or not len(target):
        kind = source.dtype if len(source) else target.dtype
        source, target = source.astype(kind), target.astype(kind)
    if source.dtype != target.dtype:
        raise ValueError("vertex ids must be all integers or all text: source and target differ")
    if source.dtype == object:
        if len(source) < _MANY_NAMES:
            return _by_dictionary(source, target)
        try:
            return _by_column(source, target)
        except UnicodeEncodeError:  # lone surrogates, which Polars' text has not
            return _by_dictionary(source, target)
    ends = (source, target)
    low = min((int(ids.min()) for ids in ends if len(ids)), default=0)
    size = 1 + max((int(ids.max()) for ids in ends if len(ids)), default=-1)
    if low < 0 or size > _TABLE_PER_ID * (len(source) + 1):
        labels, places = np.unique(np.concatenate(ends), return_inverse=True)
        source, target = np.split(places.astype(np.int32), [len(source)])
    else:
        occurs = np.zeros(size, bool)
        occurs[source] = True
        occurs[target] = True
        labels = np.flatnonzero(occurs)
        number = np.empty(size, np.int32)
        number[labels] = np.arange(len(labels), dtype=np.int32)
        source, target = number[source], number[target]
    dense = low >= 0 and len(labels) == size
    return source, target, None if dense else labels.astype(np.int64)


def _with_text(values: Any) -> Any:
    """A list that holds text as objects: NumPy would make text of its numbers."""
    if not isinstance(values, (list, tuple)) or not any(isinstance(one, str) for one in values):
        return values
    return object_array(values)


def warn_of_gaps(n: int, edges: int, *, stacklevel: int = 2) -> None:
    """Warn of a graph most of whose vertices are no ends of edges: ids are sparse.

    Parameters
    ----------
    n : int
        One more than the largest id.
    edges : int
    stacklevel : int
        As of `warnings.warn`, seen from the caller.
    """
    if n > _MANY_VERTICES and n > _VERTICES_PER_END * 2 * edges:
        warnings.warn(
            f"the graph has {counted(n, 'vertex', 'vertices')} for {counted(edges, 'edge')}, as the largest id is {n - 1}: "
            f"compact=True of Graph.from_edges numbers only the ids that occur, n={n} keeps all without this warning",
            UserWarning,
            stacklevel=stacklevel,
        )


def _is_text(values: Any) -> bool:
    """Whether it is a Polars column of text, without nulls."""
    text = str(getattr(values, "dtype", "")).startswith(("String", "Categorical", "Enum"))
    return text and hasattr(values, "null_count") and not values.null_count()


def _by_column(source: Any, target: Any) -> tuple[Array, Array, Array]:
    """Number text, arrays of str objects or Polars columns, in its order."""
    import polars as pl

    ends = [pl.Series(names).cast(pl.String) for names in (source, target)]
    # In UTF-8, bytes have the order of Python's str. Those that occur become objects, not all.
    names = pl.concat([end.unique() for end in ends]).unique().sort()
    numbers = (end.cast(pl.Enum(names)).to_physical().to_numpy() for end in ends)
    return *(one.astype(np.int32) for one in numbers), object_array(names.to_list())  # type: ignore[return-value]


def _by_dictionary(source: Array, target: Array) -> tuple[Array, Array, Array]:
    ends = source.tolist(), target.tolist()
    known = sorted(set(chain(*ends)))
    number = {name: i for i, name in enumerate(known)}
    places = (np.fromiter(map(number.__getitem__, names), np.int32, len(names)) for names in ends)
    return *places, object_array(known)  # type: ignore[return-value]


def _names(values: Any, what: str) -> Array:
    """Ids as int64, or as objects that are all str."""
    ids = as_vector(values, what)
    if ids.dtype.kind in "UT":
        return ids.astype(object)
    if ids.dtype == object:
        kinds = set(map(type, ids.tolist()))
        return ids if all(issubclass(kind, str) for kind in kinds) else _integers(ids, what)
    if ids.dtype.kind not in "iu" and len(ids):
        check_not_missing(ids, what, _EXPECTED)
        raise ValueError(f"{_EXPECTED}, and {what} holds {ids.dtype}")
    if ids.dtype.kind == "u" and len(ids) and ids.max() > np.iinfo(np.int64).max:
        raise ValueError(
            f"vertex ids must be below 2⁶³, or text, and {what}[{int(ids.argmax())}] is {ids.max()}"
        )
    return ids.astype(np.int64, copy=False)


def _integers(ids: Array, what: str) -> Array:
    """Objects that are not all text as int64."""
    check_not_missing(ids, what, _EXPECTED)
    for i, one in enumerate(ids.tolist()):
        if isinstance(one, str):
            continue
        whole = hasattr(one, "__index__") and not isinstance(one, (bool, np.bool_))
        if not whole or not -(2**63) <= one.__index__() < 2**63:
            raise ValueError(
                f"vertex ids must be integers of 64 bits or text, and {what}[{i}] is {one!r}"
            )
    text = [i for i, one in enumerate(ids.tolist()) if isinstance(one, str)]
    if text:
        i, k = text[0], next(k for k in range(len(ids)) if not isinstance(ids[k], str))
        raise ValueError(
            f"vertex ids must be all integers or all text, but {what}[{i}] is {ids[i]!r} and "
            f"{what}[{k}] is {ids[k]!r}"
        )
    return ids.astype(np.int64)
