"""The types of an operator's values: NumPy's, promoted as NumPy promotes them (NEP 50).

A number that stands in the source, or that a caller gave as Python's int or float, is *weak*. It takes the type of the
other operand: ``x + 1`` is an int32 if x is one. So is what is computed of such numbers alone, and a counter; but such an
int may not fit in 32 bits (`WIDE`), and is compared with an int32 in 64.
"""

from dataclasses import dataclass

import numpy as np

BOOL, INT, FLOAT = "bool", "weak int", "weak float"
WIDE = "weak wide int"
"""A weak int that need not fit in 32 bits, as an `INT` does."""
DTYPES = ("bool", "int32", "int64", "float32", "float64")
VERTEX = "int32"
"""The type of u and v."""
_STORED = {INT: "int64", WIDE: "int64", FLOAT: "float64"}


@dataclass(frozen=True)
class ArrayOf:
    """The type of an array."""

    dtype: str

    def __str__(self) -> str:
        return f"an array of {self.dtype}"


Type = str | ArrayOf


def is_integer(kind: str) -> bool:
    """Whether a number is an integer, and no bool."""
    return kind in (INT, WIDE) or kind.startswith("int")


def is_float(kind: str) -> bool:
    """Whether it is a float."""
    return kind == FLOAT or kind.startswith("float")


def is_weak(kind: str) -> bool:
    """Whether it takes the type of what it meets."""
    return kind in _STORED


def stored(kind: str) -> str:
    """The dtype of a variable that such a number is assigned to."""
    return _STORED.get(kind, kind)


def common(a: str, b: str) -> str:
    """The type that an operation on two numbers has."""
    if is_weak(a) and is_weak(b):
        return next(kind for kind in (FLOAT, WIDE, INT) if kind in (a, b))
    if is_weak(a):
        a, b = b, a
    if is_weak(b):
        if a == BOOL or (is_integer(a) and b == FLOAT):
            return stored(b)
        return a
    return np.result_type(a, b).name


def either(a: str, b: str) -> str:
    """The type of what may be one number or the other, or in which they are compared: no int is cut off."""
    return "int64" if {a, b} == {"int32", WIDE} else common(a, b)


def can_hold(kind: str, value: str) -> bool:
    """Whether a variable of dtype ``kind`` takes every ``value`` as it is."""
    return (
        kind == value
        or (is_weak(value) and common(kind, value) == kind)
        or (not is_weak(value) and np.can_cast(value, kind, "safe"))
    )


def range_of(kind: str) -> tuple[int, int]:
    """The smallest and the largest integer of a dtype."""
    ends = np.iinfo(kind)
    return int(ends.min), int(ends.max)
