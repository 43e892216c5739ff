"""Atomic operations of operators, as plain Python does them: one call at a time."""

from typing import Any


def atomic_min(array: Any, index: int, value: Any) -> bool:
    """Lower ``array[index]`` to ``value``; whether that made it smaller.

    Parameters
    ----------
    array : int32, int64, float32 or float64 array
    index : int
    value : number

    Examples
    --------
    >>> import numpy as np, warpath as wp
    >>> distance = np.array([3, 7])
    >>> wp.atomic_min(distance, 1, 5), wp.atomic_min(distance, 1, 6), distance.tolist()
    (True, False, [3, 5])
    """
    before = array[index]
    if value < before:
        array[index] = value
        return True
    return False


def atomic_max(array: Any, index: int, value: Any) -> bool:
    """Raise ``array[index]`` to ``value``; whether that made it larger. As `atomic_min`."""
    before = array[index]
    if value > before:
        array[index] = value
        return True
    return False


def atomic_add(array: Any, index: int, value: Any) -> Any:
    """Add ``value`` to ``array[index]``; the number that was there before. As `atomic_min`.

    Floats are added in any order, so their last bits may differ from run to run.
    """
    before = array[index]
    array[index] = before + value
    return before


def atomic_or(array: Any, index: int, bits: int) -> bool:
    """Set bits of the integer ``array[index]``; whether one of them was not set. As `atomic_min`."""
    before = array[index]
    array[index] = before | bits
    return bool(before | bits != before)


def atomic_cas(array: Any, index: int, expected: Any, value: Any) -> bool:
    """Compare and swap: store ``value`` if ``array[index]`` is ``expected``; whether it was.

    Of several calls that expect the same, exactly one succeeds. As `atomic_min`.
    """
    if array[index] == expected:
        array[index] = value
        return True
    return False


ATOMICS = {
    atomic_min: "min", atomic_max: "max", atomic_add: "add", atomic_or: "or", atomic_cas: "cas",
}  # fmt: skip
