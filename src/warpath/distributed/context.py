"""The transport in use."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from warpath.distributed.threads import joined
from warpath.distributed.transport import Transport

_current: ContextVar[Transport | None] = ContextVar("transport", default=None)


def current() -> Transport:
    """The transport that `init` made, or that of a process without others."""
    transport = _current.get()
    if transport is None:
        transport = alone()
        _current.set(transport)
    return transport


def alone() -> Transport:
    """The transport of a process without others."""
    (transport,) = joined(1)
    return transport


def use(transport: Transport) -> None:
    """Make it the transport of this thread from now on."""
    _current.set(transport)


@contextmanager
def using(transport: Transport) -> Iterator[None]:
    """Use a transport inside a block."""
    token = _current.set(transport)
    try:
        yield
    finally:
        _current.reset(token)
