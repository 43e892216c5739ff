"""Atomic operations of operators, as plain Python does them: one call at a time."""

from typing import Any


def atomic_min(array: Any, index: int, value: Any) -> bool:
    """Lower ``array[index]`` to ``value``; whether that made it smaller.

    Parameters
    ----------
    array : int32, int64, float32 or float64 array
        In an operator, one of its parameters.
    index : int
        The element's number.
    value : number
        What it is lowered to.

    Returns
    -------
    bool
        Whether the element was larger.

    See Also
    --------
    operator : Where atomic functions are used.

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
    """Raise ``array[index]`` to ``value``; whether that made it larger.

    Parameters
    ----------
    array : int32, int64, float32 or float64 array
        In an operator, one of its parameters.
    index : int
        The element's number.
    value : number
        What it is raised to.

    Returns
    -------
    bool
        Whether the element was smaller.

    See Also
    --------
    atomic_min : The other way round.

    Examples
    --------
    >>> import numpy as np, warpath as wp
    >>> width = np.array([3, 7])
    >>> wp.atomic_max(width, 0, 5), width.tolist()
    (True, [5, 7])
    """
    before = array[index]
    if value > before:
        array[index] = value
        return True
    return False


def atomic_add(array: Any, index: int, value: Any) -> Any:
    """Add ``value`` to ``array[index]``; the number that was there before.

    Parameters
    ----------
    array : int32, int64, float32 or float64 array
        In an operator, one of its parameters.
    index : int
        The element's number.
    value : number
        What is added.

    Returns
    -------
    number
        The element before.

    See Also
    --------
    aggregate : Sum up over the edges that come in.

    Notes
    -----
    Floats are added in any order, so their last bits may differ from run to run.

    Examples
    --------
    >>> import numpy as np, warpath as wp
    >>> count = np.array([3, 7])
    >>> int(wp.atomic_add(count, 0, 2)), count.tolist()
    (3, [5, 7])
    """
    before = array[index]
    array[index] = before + value
    return before


def atomic_or(array: Any, index: int, bits: int) -> bool:
    """Set bits of the integer ``array[index]``; whether one of them was not set.

    Parameters
    ----------
    array : int32 or int64 array
        In an operator, one of its parameters.
    index : int
        The element's number.
    bits : int
        Those to set.

    Returns
    -------
    bool
        Whether the element has changed.

    See Also
    --------
    atomic_add : Add instead.

    Examples
    --------
    >>> import numpy as np, warpath as wp
    >>> seen = np.array([1, 0])
    >>> wp.atomic_or(seen, 0, 3), seen.tolist()
    (True, [3, 0])
    """
    before = array[index]
    array[index] = before | bits
    return bool(before | bits != before)


def atomic_cas(array: Any, index: int, expected: Any, value: Any) -> bool:
    """Compare and swap: store ``value`` if ``array[index]`` is ``expected``; whether it was.

    Parameters
    ----------
    array : int32, int64, float32 or float64 array
        In an operator, one of its parameters.
    index : int
        The element's number.
    expected : number
        What must be there.
    value : number
        What is stored then.

    Returns
    -------
    bool
        Whether it was stored. Where several calls expect the same, exactly one succeeds.

    See Also
    --------
    atomic_min : Lower instead.

    Examples
    --------
    >>> import numpy as np, warpath as wp
    >>> parent = np.array([-1, 4])
    >>> wp.atomic_cas(parent, 0, -1, 7), wp.atomic_cas(parent, 1, -1, 7), parent.tolist()
    (True, False, [7, 4])
    """
    if array[index] == expected:
        array[index] = value
        return True
    return False


ATOMICS = {
    atomic_min: "min", atomic_max: "max", atomic_add: "add", atomic_or: "or", atomic_cas: "cas",
}  # fmt: skip
