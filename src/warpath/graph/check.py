"""The gate: whatever array a user passes becomes one that kernels know, or a clear error."""

from collections.abc import Sequence
from operator import index
from reprlib import repr as shortened
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.display import counted
from warpath.graph.arrays import as_cupy, is_on_gpu, module_of, to_host

Array = NDArray[Any]
MAX_VERTICES = 2**31 - 1
_INT32 = np.dtype(np.int32)
WEIGHT_DTYPES = (np.dtype("i4"), np.dtype("i8"), np.dtype("f4"), np.dtype("f8"))


def as_vector(values: Any, name: str, *, fetch: bool = True) -> Array:
    """``values`` as a one-dimensional NumPy array, without a copy where there is a way.

    Takes anything with ``__array__``, ``__dlpack__`` or ``__cuda_array_interface__``, pandas
    and Polars columns, and sequences. Arrays in a GPU's memory are copied to the host, or
    with ``fetch=False`` given back as CuPy's on the current device.

    Raises
    ------
    ValueError
        If it has another number of dimensions, or a masked element: the message names the first.
    """
    given = values
    if isinstance(values, np.ma.MaskedArray):
        check_unmasked(values, name)
        values = values.data
    elif is_on_gpu(values):
        values = as_cupy(values)
        if fetch:
            values = to_host(values)
    elif not isinstance(values, np.ndarray):
        if hasattr(values, "__array__"):
            values = np.asarray(values)
        elif hasattr(values, "__dlpack__"):
            values = np.from_dlpack(values)
        else:
            values = _of_sequence(values, name)
    if values.ndim == 0:  # NumPy's array of a set, a generator or a function holds that one object
        raise ValueError(f"{name} must be a sequence or an array, not {type(given).__name__}")
    if values.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional, not of shape {values.shape}")
    return values  # type: ignore[no-any-return]


def _of_sequence(values: Any, name: str) -> Array:
    """NumPy's array, or an error that names the first element that is a sequence, where not all are equally long.

    Integers stay integers, where NumPy makes floats of them: next to a negative one beyond int64.
    """
    try:
        array = np.asarray(values)
        if array.size and array.dtype.kind == "f" and all(isinstance(one, int) for one in values):
            array = np.array(values, object)
        return array
    except ValueError:
        for i, one in enumerate(values):
            if hasattr(one, "__len__") and not isinstance(one, (str, bytes)):
                raise ValueError(
                    f"{name} must be one-dimensional, and {name}[{i}] is {shortened(one)}: give one value in each "
                    "place (numpy.concatenate joins lists)"
                ) from None
        raise


def check_unmasked(values: Any, name: str) -> None:
    """Refuse a masked array of NumPy in which something is masked."""
    if np.ma.is_masked(values):
        where = np.argwhere(np.ma.getmaskarray(values))[0].tolist()
        raise ValueError(f"{name}[{', '.join(map(str, where))}] is masked: fill it or leave it out")


def check_not_missing(values: Array, name: str, expected: str) -> None:
    """Refuse what pandas' and Polars' columns hold for no value: NaN, None or NA."""
    if values.dtype.kind == "f":
        missing = module_of(values).isnan(values)
    elif values.dtype.kind == "O":
        missing = np.fromiter(map(is_missing, values), bool, len(values))
    else:
        return
    if missing.any():
        where = f"{name}[{int(missing.argmax())}]"
        raise ValueError(f"{expected}, not missing values ({where}): leave them out")


def is_missing(value: Any) -> bool:
    """Whether a value is what frames hold for none."""
    is_na = type(value).__name__ == "NAType"  # pandas', which need not be there
    return value is None or is_na or (isinstance(value, float) and value != value)


def as_ids(values: Any, name: str, *, fetch: bool = True, of_text: str = "") -> Array:
    """Vertex ids as an integer array of any width; missing and negative ones are refused.

    ``of_text`` is advice for ids that are text.
    """
    ids = as_vector(values, name, fetch=fetch)
    if len(ids) == 0:
        return np.empty(0, np.int32)
    expected = f"{name} must hold integer vertex ids"
    check_not_missing(ids, name, expected)
    if ids.dtype.kind not in "iu":
        advice = f"; {of_text}" if of_text and ids.dtype.kind in "OUT" else ""
        raise ValueError(f"{expected}, not {ids.dtype}{advice}")
    if ids.dtype.kind == "i" and ids.min() < 0:
        where = int(ids.argmin())
        raise ValueError(f"{name}[{where}] is {ids[where].item()}: vertex ids are 0 or more")
    return ids


def check_below(ids: Array, n: int, name: str) -> Array:
    """``ids`` as int32, once each is known to be below ``n``."""
    if len(ids) and int(ids.max()) >= n:
        where = int(ids.argmax())
        raise ValueError(
            f"{name}[{where}] is {ids[where].item()}, but the graph has {counted(n, 'vertex', 'vertices')}"
        )
    return module_of(ids).ascontiguousarray(ids, np.int32)  # type: ignore[no-any-return]


def check_offsets(offsets: Array, end: int, name: str, of: str = "column indices") -> None:
    """Refuse offsets that do not run from 0 to ``end``, the number of ``of``, without a descent."""
    if len(offsets) == 0 or offsets.dtype.kind not in "iu":
        raise ValueError(f"{name} must be a non-empty integer array")
    if bool(offsets[0] != 0) or bool(offsets[-1] != end):
        raise ValueError(
            f"{name} must run from 0 to {end}, the number of {of}, "
            f"not from {offsets[0]} to {offsets[-1]}"
        )
    descents = module_of(offsets).flatnonzero(offsets[1:] < offsets[:-1])
    if len(descents):
        u = int(descents[0])
        raise ValueError(f"{name} descends at {u}: {offsets[u]} to {offsets[u + 1]}")


def as_vertex_count(n: Any) -> int:
    """``n`` as a number of vertices."""
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)):
        raise ValueError(f"the number of vertices must be an integer, not {n!r}")
    if not 0 <= n <= MAX_VERTICES:
        raise ValueError(f"the number of vertices must be in 0 … 2³¹ − 1, not {n}")
    return int(n)


def as_weights(values: Any, name: str = "weight", *, fetch: bool = True) -> Array:
    """Weights as int32, int64, float32 or float64: the narrowest that holds the given dtype.

    Raises
    ------
    ValueError
        If a weight is missing, NaN or infinite, or the dtype is none that holds numbers.
    OverflowError
        If an integer exceeds int64.
    """
    weights = as_vector(values, name, fetch=fetch)
    expected = f"{name} must hold integers or floats"
    if weights.dtype.kind == "O":
        check_not_missing(weights, name, expected)
        for i, one in enumerate(weights):
            if isinstance(one, int) and not -(2**63) <= one < 2**63:
                raise OverflowError(f"{name}[{i}] is {one}: it exceeds int64")
    xp = module_of(weights)
    dtype = weights.dtype
    if dtype in WEIGHT_DTYPES and dtype.isnative:
        target = dtype
    elif dtype.kind == "b" or (dtype.kind in "iu" and dtype.itemsize < 4):
        target = np.dtype("i4")
    elif dtype.kind in "iu":
        if dtype.kind == "u" and len(weights) and int(weights.max()) > np.iinfo(np.int64).max:
            where = int(weights.argmax())
            raise OverflowError(f"{name}[{where}] is {weights[where].item()}: it exceeds int64")
        target = np.dtype("i4" if dtype.itemsize == 4 and dtype.kind == "i" else "i8")
    elif dtype.kind == "f":
        target = np.dtype("f4" if dtype.itemsize <= 4 else "f8")
    elif dtype.kind == "O" and len(weights) == 0:  # a column of an empty frame
        target = np.dtype("f8")
    elif dtype.kind in "OUT" and len(weights):
        where = next((i for i, one in enumerate(weights) if not _is_like_a_number(one)), 0)
        raise ValueError(
            f"{expected}, not {dtype} ({name}[{where}] is {weights[where : where + 1].tolist()[0]!r}): "
            f"convert them, as numpy.asarray({name}, float) does"
        )
    else:
        raise ValueError(f"{expected}, not {dtype}")
    with np.errstate(over="ignore"):
        weights = xp.ascontiguousarray(weights, target)
    if weights.dtype.kind == "f" and not xp.isfinite(weights).all():
        where = int(xp.flatnonzero(~xp.isfinite(weights))[0])
        raise ValueError(f"{name}[{where}] is {weights[where].item()}: weights are finite numbers")
    return weights  # type: ignore[no-any-return]


def _is_like_a_number(value: Any) -> bool:
    """Whether ``float`` takes a value."""
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True


def wrong_kind(expected: str, value: Any, advice: str = "") -> TypeError:
    """The error of a value that is another kind of object than was expected.

    Examples
    --------
    >>> print(wrong_kind("a warpath.Graph", np.zeros(3), "wp.Graph(...) makes one"))
    expected a warpath.Graph, not numpy.ndarray: wp.Graph(...) makes one
    """
    kind = type(value)
    home = "" if kind.__module__ == "builtins" else f"{kind.__module__.partition('.')[0]}."
    return TypeError(f"expected {expected}, not {home}{kind.__name__}{advice and ': '}{advice}")


def as_numpy_dtype(dtype: Any) -> np.dtype[Any]:
    """A dtype as NumPy's; what is none, as that of objects."""
    try:
        known: np.dtype[Any] = np.dtype(dtype)
    except TypeError:
        known = np.dtype(object)
    return known


def unequal(
    what: str, entries: int, things: int, thing: str, nouns: str | None = None
) -> ValueError:
    """The error of an array that has not one entry for each of some things.

    Examples
    --------
    >>> print(unequal("weight", 2, 1, "edge"))
    weight has 2 entries for 1 edge: give one per edge
    """
    return ValueError(
        f"{what} has {counted(entries, 'entry', 'entries')} for {counted(things, thing, nouns)}: "
        f"give one per {thing}"
    )


def as_vertex(v: Any, n: int, name: str = "vertex") -> int:
    """``v`` as a vertex id of a graph with ``n`` vertices."""
    if isinstance(v, (bool, np.bool_)) or not hasattr(v, "__index__"):
        raise ValueError(f"{name} must be an integer vertex id, not {v!r}")
    try:
        v = v.__index__()
    except TypeError:  # of an array, whose numbers may stand for labels
        what = f"a sequence of {len(v)}" if getattr(v, "ndim", 0) else repr(v)
        raise ValueError(f"{name} must be one vertex, not {what}") from None
    if not 0 <= v < n:
        raise ValueError(
            f"{name} {v} is out of range: the graph has {counted(n, 'vertex', 'vertices')}"
        )
    return int(v)


def as_sources(
    source: Any, n: int, what: str = "source", several: str | None = None
) -> tuple[NDArray[np.int32], bool]:
    """Source ids as an int32 array, and whether a single one was given.

    Parameters
    ----------
    source : int, or sequence or array of k of them
    n : int
        Number of vertices.
    what : str
        What messages call one.
    several : str, optional
        What they call several; by default with an s.

    Raises
    ------
    ValueError
        If a source is no integer or out of range, or there is none.
    """
    if type(source) is int:  # the most frequent: before all that takes time
        return np.array([as_vertex(source, n, what)], _INT32), True
    if isinstance(source, np.ndarray) and source.ndim == 0:
        source = source.item()
    if hasattr(source, "__index__") and getattr(source, "ndim", 0) == 0:
        return np.array([as_vertex(source, n, what)], np.int32), True
    if isinstance(source, (str, bytes, float, complex)) or source is None:
        raise ValueError(
            f"{what} must be an integer vertex id or a sequence of them, not {source!r}"
        )
    several = several or f"{what}s"
    values = as_vector(source, several)
    if len(values) == 0:
        raise ValueError(f"{several} is empty: give at least one vertex")
    if values.dtype.kind not in "iu":
        raise ValueError(f"{several} must be integer vertex ids, not {values.dtype}")
    for i in np.flatnonzero((values < 0) | (values >= n))[:1]:
        raise ValueError(
            f"{several}[{i}] {values[i]} is out of range: the graph has {counted(n, 'vertex', 'vertices')}"
        )
    return values.astype(np.int32), False


def as_number(value: Any, name: str) -> int | float:
    """A finite or infinite real number that is not NaN, as Python's int or float."""
    if isinstance(value, (bool, str, bytes)) or not isinstance(
        value, (int, float, np.integer, np.floating)
    ):
        raise ValueError(f"{name} must be a number, not {value!r}")
    if value != value:
        raise ValueError(f"{name} must be a number, not NaN")
    return value.item() if isinstance(value, np.generic) else value


def choose(what: str, name: Any, choices: Any) -> str:
    """``name``, if it is one of ``choices``; else a ValueError that lists them."""
    if name not in tuple(choices):
        raise ValueError(f"unknown {what} {name!r}; choose one of {', '.join(choices)}")
    return str(name)


def object_array(values: Sequence[Any]) -> NDArray[Any]:
    """An array of the values as they are, tuples too."""
    array = np.empty(len(values), object)
    array[:] = values
    return array


def as_flag(value: Any, name: str) -> bool:
    """``value``, if it is True or False. Any text would count as True.

    Raises
    ------
    ValueError
        If it is neither.
    """
    if value is True or value is False:
        return value
    if isinstance(value, np.bool_):
        return bool(value)
    raise ValueError(f"{name} must be True or False, not {value!r}")


def check_flags(**options: Any) -> None:
    """Refuse the first option that is neither True nor False: see `as_flag`."""
    for name, value in options.items():
        as_flag(value, name)


def as_positive(value: Any, name: str, *, or_zero: bool = False) -> int:
    """A positive integer that a caller gave, or with ``or_zero`` a non-negative one.

    Raises
    ------
    ValueError
        If it is none.
    """
    try:
        number = -1 if isinstance(value, bool) else index(value)
    except TypeError:  # arrays of several numbers have an index, too, which raises
        number = -1
    if number < 1 - or_zero:
        kind = "non-negative" if or_zero else "positive"
        raise ValueError(f"{name} must be a {kind} integer, not {value!r}")
    return number
