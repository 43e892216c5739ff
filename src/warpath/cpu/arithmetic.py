"""What operators compute on the CPU (`warpath.language.python`): as on a GPU, to the bit.

Division by zero gives 0 for integers, and what IEEE says for floats; an index out of range is noted.
"""

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic, overload

from warpath.parallel.atomics import atomic_add as add_atomic
from warpath.parallel.atomics import (
    atomic_compare_and_swap,
    atomic_max,
    atomic_min,
    atomic_or,
)
from warpath.parallel.jit import inlined

__all__ = [
    "add_atomic",
    "cas_atomic",
    "checked",
    "divided",
    "floor_divided",
    "floor_remainder",
    "larger",
    "lesser",
    "max_atomic",
    "min_atomic",
    "minus",
    "or_atomic",
    "plus",
    "shifted_left",
    "shifted_right",
    "times",
    "trips",
    "whole",
]

FAULTS = 4
"""Words that say what went wrong: whether anything did, the line, the index, the number of the array."""


@inlined
def min_atomic(array, index, value):  # type: ignore[no-untyped-def]
    """`warpath.atomic_min`."""
    return value < array[index] and value < atomic_min(array, index, value)


@inlined
def max_atomic(array, index, value):  # type: ignore[no-untyped-def]
    """`warpath.atomic_max`."""
    return value > array[index] and value > atomic_max(array, index, value)


@inlined
def or_atomic(array, index, bits):  # type: ignore[no-untyped-def]
    """`warpath.atomic_or`."""
    return bits & ~array[index] != 0 and bits & ~atomic_or(array, index, bits) != 0


@inlined
def cas_atomic(array, index, expected, value):  # type: ignore[no-untyped-def]
    """`warpath.atomic_cas`."""
    found = array[index]
    while found == expected:  # 0 and -0 are equal, and the swap compares bits
        before = atomic_compare_and_swap(array, index, found, value)
        if before == found and np.signbit(before) == np.signbit(found):
            return True
        found = before
    return False


@inlined
def checked(index, length, faults, line, array):  # type: ignore[no-untyped-def]
    """An index that is in range: itself, or else 0, and the first of these is noted."""
    if 0 <= index < length:
        return np.int64(index)
    if atomic_compare_and_swap(faults, 0, 0, 1) == 0:
        faults[1] = line
        faults[2] = index
        faults[3] = array
    return np.int64(0)


@intrinsic
def plus(typingctx, a, b):  # type: ignore[no-untyped-def]
    """``a + b`` of int64, modulo 2⁶⁴."""
    return _wrapping("add", a, b)


@intrinsic
def minus(typingctx, a, b):  # type: ignore[no-untyped-def]
    """``a - b``, likewise."""
    return _wrapping("sub", a, b)


@intrinsic
def times(typingctx, a, b):  # type: ignore[no-untyped-def]
    """``a * b``, likewise."""
    return _wrapping("mul", a, b)


def _wrapping(name: str, a: Any, b: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return getattr(builder, name)(*args)

    return types.int64(types.int64, types.int64), codegen


@inlined
def trips(start, stop, step):  # type: ignore[no-untyped-def]
    """The length of ``range(start, stop, step)``, as far as one can count: Numba's is 0 where ``stop - start`` wraps."""
    low, high, size = (start, stop, step) if step > 0 else (stop, start, -step)
    if low >= high:
        return np.int64(0)
    last = (np.uint64(high) - np.uint64(low) - np.uint64(1)) // np.uint64(size)
    return np.int64(min(last, np.uint64(2**63 - 2))) + 1


@inlined
def lesser(a, b):  # type: ignore[no-untyped-def]
    """Python's ``min``."""
    return b if b < a else a


@inlined
def larger(a, b):  # type: ignore[no-untyped-def]
    """Python's ``max``."""
    return b if b > a else a


@inlined
def divided(a, b):  # type: ignore[no-untyped-def]
    """``a / b`` of floats, with IEEE's answers for 0."""
    if b != 0:
        return a / b
    return a * np.copysign(np.inf, b)  # 0 · ∞ is no number


@inlined
def floor_divided(a, b):  # type: ignore[no-untyped-def]
    """``a // b`` of integers; 0 where b is 0."""
    if b == -1:  # the smallest number divided by -1 is itself
        return minus(a - a, a) if _bits(a) == 64 else -a
    return a // b if b != 0 else a - a


@inlined
def floor_remainder(a, b):  # type: ignore[no-untyped-def]
    """``a % b`` of integers; 0 where b is 0."""
    return a % b if b != 0 else a - a


@inlined
def shifted_left(a, b):  # type: ignore[no-untyped-def]
    """``a << b``; 0 where b is not 0 … the bits of a less one."""
    return a << b if 0 <= b < _bits(a) else a - a


@inlined
def shifted_right(a, b):  # type: ignore[no-untyped-def]
    """``a >> b``; where b is not 0 … the bits of a less one, the sign."""
    return a >> b if 0 <= b < _bits(a) else (a - a) - (a < 0)


@inlined
def whole(a, least):  # type: ignore[no-untyped-def]
    """A float as an int64, of a dtype with this smallest number; beyond its ends, the end, and 0 for NaN."""
    end = -np.float64(least)
    if a >= end:
        return ~least
    if a < -end:
        return least
    return np.int64(a) if a == a else np.int64(0)


def _bits(a):  # type: ignore[no-untyped-def]
    """The bits of an integer's dtype, in a kernel."""


@overload(_bits)
def _bits_of(a):  # type: ignore[no-untyped-def]
    if isinstance(a, types.Integer):
        bits = a.bitwidth
        return lambda a: bits
    return None
