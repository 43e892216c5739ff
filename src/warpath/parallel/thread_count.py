"""How many threads a call may use."""

import os

from warpath.parallel import cores

_num_threads: int | None = None


def num_threads() -> int:
    """The most threads that one call uses.

    As `set_num_threads` said, else the environment's ``WARPATH_NUM_THREADS``, else
    the cores that this thread may run on, or fewer where a cgroup's quota grants less time.

    Returns
    -------
    int
        At least 1.

    See Also
    --------
    set_num_threads : Choose another number.

    Examples
    --------
    >>> import warpath as wp
    >>> wp.num_threads() >= 1
    True
    """
    if _num_threads is not None:
        return _num_threads
    given = os.environ.get("WARPATH_NUM_THREADS", "")
    if given:
        if not given.isdecimal() or int(given) < 1:
            raise ValueError(f"WARPATH_NUM_THREADS must be a positive integer, not {given!r}")
        return int(given)
    return cores.count()


def set_num_threads(threads: int | None) -> None:
    """Use at most ``threads`` threads a call; None: the default again.

    Parameters
    ----------
    threads : int or None
        At least 1, or None for the default.

    Raises
    ------
    ValueError
        If ``threads`` is not a positive integer.

    See Also
    --------
    num_threads : The number in use.

    Examples
    --------
    >>> import warpath as wp
    >>> wp.set_num_threads(1)
    >>> wp.num_threads()
    1
    >>> wp.set_num_threads(None)
    """
    global _num_threads
    whole = isinstance(threads, int) and not isinstance(threads, bool)
    if threads is not None and (not whole or threads < 1):
        raise ValueError(f"the number of threads must be a positive integer, not {threads!r}")
    _num_threads = threads


def use_if_not_chosen(threads: int) -> None:
    """Use at most ``threads`` threads a call, unless the user says a number in one of the two ways."""
    if _num_threads is None and not os.environ.get("WARPATH_NUM_THREADS"):
        set_num_threads(threads)
