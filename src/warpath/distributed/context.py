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


def check_not_joined() -> None:
    """Refuse to join ranks again: graphs are cut for those of the first time.

    Raises
    ------
    RuntimeError
        If this process is one of several ranks.
    """
    if _of_process is not None and _of_process.size > 1:
        raise RuntimeError(
            f"this process is rank {_of_process.rank} of {_of_process.size}, for which its graphs are cut: "
            "call wp.distributed.init once"
        )


def use(transport: Transport) -> None:
    """Make it the transport of all threads from now on.

    Raises
    ------
    RuntimeError
        If it joins several ranks, and this process has made distributed graphs alone.
    """
    global _of_process
    if transport.size > 1 and _of_process is not None and _of_process.graphs:
        raise RuntimeError(
            f"this process made distributed graphs before it was rank {transport.rank} of {transport.size}, in one "
            "part each: call wp.distributed.init first"
        )
    _of_process = transport


@contextmanager
def using(transport: Transport) -> Iterator[None]:
    """Use a transport inside a block, in this thread alone."""
    token = _of_thread.set(transport)
    try:
        yield
    finally:
        _of_thread.reset(token)
