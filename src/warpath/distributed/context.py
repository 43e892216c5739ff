"""The transport in use."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from warpath.distributed.launchers import started
from warpath.distributed.threads import joined
from warpath.distributed.transport import Transport

_of_process: Transport | None = None
_of_thread: ContextVar[Transport | None] = ContextVar("transport", default=None)


def current() -> Transport:
    """That of the block `using` one, else the one that `init` made, or that of a process without others.

    Warns of a launcher that has started others.
    """
    transport = _of_thread.get() or _of_process
    if transport is None:
        if started() > 1:
            warnings.warn(
                f"{started()} processes were started, and none knows of the others: call "
                "wp.distributed.init() first",
                stacklevel=3,
            )
        transport = alone()
        use(transport)
    return transport


def alone() -> Transport:
    """The transport of a process without others."""
    (transport,) = joined(1)
    return transport


def use(transport: Transport) -> None:
    """Make it the transport of all threads from now on."""
    global _of_process
    _of_process = transport


@contextmanager
def using(transport: Transport) -> Iterator[None]:
    """Use a transport inside a block, in this thread alone."""
    token = _of_thread.set(transport)
    try:
        yield
    finally:
        _of_thread.reset(token)
