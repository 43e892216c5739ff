"""How kernels end early: by the exception of a signal handler, or because another thread ends them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import get_ident, main_thread

import numpy as np
from numpy.typing import NDArray

from warpath.parallel.sync import LENGTH, MAIN, RAISED, STOP
from warpath.parallel.waiting import raise_from

_INT64 = np.dtype(np.int64)


def new_sync() -> NDArray[np.int64]:
    """What a team meets by."""
    sync: NDArray[np.int64] = np.zeros(LENGTH, _INT64)
    identity = get_ident()
    if identity == main_thread().ident:
        sync[MAIN] = identity
    else:
        _last[identity] = sync
        sync[STOP] = identity in _to_stop
    return sync


@contextmanager
def interruptible() -> Iterator[NDArray[np.int64]]:
    """``sync`` for a kernel that is called without a team, which asks `stopping`.

    The exception of a signal handler that ended the kernel comes out at the end of the block.
    """
    sync = new_sync()
    yield sync
    raise_if_stopped(sync)


def raise_if_stopped(sync: NDArray[np.int64]) -> None:
    """Raise what ended the kernel of a team, if something did."""
    if sync[STOP]:
        if sync[RAISED]:
            raise_from(sync, RAISED)
        raise Stopped


class Stopped(BaseException):
    """A thread's kernel was ended by `stopped`."""


# For threads other than the main one: the array of the barrier of their last kernel.
_last: dict[int, NDArray[np.int64]] = {}
_to_stop: set[int] = set()


@contextmanager
def stopped(identities: Sequence[int | None]) -> Iterator[None]:
    """End the kernels of some threads, other than the main one, and those that they begin.

    They are to end before the block does.
    """
    known = {identity for identity in identities if identity is not None}
    _to_stop.update(known)
    for identity in known:
        if identity in _last:
            _last[identity][STOP] = 1
    try:
        yield
    finally:
        _to_stop.difference_update(known)
        for identity in known:
            _last.pop(identity, None)
