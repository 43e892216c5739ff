"""How many bytes things hold that are kept with a graph."""

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

_NO_ARRAYS = (str, bytes, int, float, np.generic, np.dtype)


def owner_of(value: Any) -> Any:
    """The array whose memory a view shows; anything else as it is."""
    while hasattr(getattr(value, "base", None), "dtype"):
        value = value.base
    return value


def nbytes_of(value: Any, seen: set[int]) -> int:
    """Bytes of the arrays in a value: an array, or dictionaries, sequences and dataclasses of them.

    Parameters
    ----------
    value : object
    seen : set of int
        Identities of what was counted before, which is not counted again; grows.
    """
    value = owner_of(value)
    if value is None or id(value) in seen or isinstance(value, _NO_ARRAYS):
        return 0
    seen.add(id(value))
    if hasattr(value, "dtype") and hasattr(value, "nbytes"):
        return int(value.nbytes)
    if is_dataclass(value) and not isinstance(value, type):
        parts: Iterable[Any] = [getattr(value, one.name) for one in fields(value)]
        # What a cached_property computed is not among the fields.
        parts = [*parts, *vars(value).values()] if hasattr(value, "__dict__") else parts
    elif isinstance(value, Mapping):
        parts = value.values()
    elif isinstance(value, (tuple, list)):
        parts = value
    else:
        parts = vars(value).values() if hasattr(value, "labels") else ()
    return sum(nbytes_of(one, seen) for one in parts)
