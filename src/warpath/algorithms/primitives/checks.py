"""Whether indices of operators are checked."""

from typing import Any

from warpath.language import Operator
from warpath.language.tree import Function

_checks = False


def set_checks(on: bool) -> None:
    """Compare each index that an operator uses with the length of its array, from now on, or no more.

    Parameters
    ----------
    on : bool
        An index out of range is an IndexError that names the line, when the call ends; nothing outside the
        array is read or written. Without checks it may crash the process.

    Raises
    ------
    TypeError
        If ``on`` is no bool.

    See Also
    --------
    operator : What an operator may do.

    Examples
    --------
    >>> import warpath as wp
    >>> wp.set_checks(True)
    >>> wp.set_checks(False)
    """
    global _checks
    if not isinstance(on, bool):
        raise TypeError(f"set_checks takes True or False, not {on!r}")
    _checks = on


def checking() -> bool:
    """Whether they are."""
    return _checks


def raise_if_any(
    operator: Operator, function: Function, given: dict[str, Any], faults: Any
) -> None:
    """Raise what a run has noted.

    Parameters
    ----------
    faults : int64 array, shape (4,), or None
        See `warpath.cpu.arithmetic`.
    """
    if faults is None or int(faults[0]) == 0:
        return
    _, line, index, number = map(int, faults)
    name = list(function.arrays)[number]
    raise IndexError(
        f"{operator.source.place_of_line(line)}: index {index} is out of range: {name} has {len(given[name])} elements"
    )
