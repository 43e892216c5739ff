"""GPUs of one process, each of which is a rank with a thread."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from threading import Lock
from typing import Any, TypeVar

from warpath import devices as gpus
from warpath.cuda import multi_gpu, runtime
from warpath.cuda.multi_gpu import MAX_GPUS, Companion, Mailboxes
from warpath.cuda.transport import let_access
from warpath.distributed.context import using
from warpath.distributed.gpu.peer_copies import PeerCopies
from warpath.distributed.threads import Shared, ThreadTransport
from warpath.errors import RankFailedError
from warpath.planning.parts import is_one_launch

T = TypeVar("T")


class GpuGroup:
    """GPUs of this process, each of which has a thread that is a rank.

    Parameters
    ----------
    devices : tuple of int
        CUDA's number of each rank's GPU.

    Attributes
    ----------
    shares_memory : bool
        Whether kernels on each GPU reach the memory of the others: then searches are one launch on each.
    mailboxes : Mailboxes
        Where these launches tell each other (`warpath.distributed.together`).

    Raises
    ------
    DeviceUnavailableError
        If CUDA cannot be used.
    """

    def __init__(self, devices: tuple[int, ...]) -> None:
        gpus.require()
        self.devices = devices
        # No time limit: a rank that fails says so.
        self._shared = Shared(len(devices), timeout=None)
        self._transports = [
            ThreadTransport(rank, len(devices), self._shared) for rank in range(len(devices))
        ]
        # Two launches that wait for each other may not both fit on one GPU.
        self.shares_memory = is_one_launch(devices) and len(devices) <= MAX_GPUS
        for one in set(devices):
            for other in set(devices) - {one}:
                self.shares_memory &= let_access(one, other)
        for transport in self._transports:
            transport.gpu = PeerCopies(transport, devices)
        self.mailboxes = Mailboxes(devices)
        self._lock = Lock()  # one call at a time

    def peer_memory(self) -> AbstractContextManager[None]:
        """As of `Together`."""
        return nullcontext()

    def launch(self, companions: Sequence[Companion]) -> None:
        """As of `Together`."""
        multi_gpu.run_together(companions, self.devices, self.mailboxes)

    def all_gather(self, values: list[T]) -> list[T]:
        """As of `Together`."""
        return values

    def share(self, arrays: Sequence[Any], bounds: Sequence[int]) -> None:
        """As of `Together`; a GPU copies those of the next one first, so that all are read at once."""
        here, count = runtime.current(), len(arrays)
        cuda = here.xp.cuda
        for rank, (to, mine) in enumerate(zip(self.devices, arrays, strict=True)):
            with cuda.Device(to):
                stream, size = cuda.get_current_stream(), mine.dtype.itemsize
                for other in ((rank + i) % count for i in range(1, count)):
                    at, nbytes = bounds[other] * size, (bounds[other + 1] - bounds[other]) * size
                    if nbytes:
                        cuda.runtime.memcpyPeerAsync(
                            here.address(mine) + at, to, here.address(arrays[other]) + at, self.devices[other],
                            nbytes, stream.ptr,
                        )  # fmt: skip
        for device in self.devices:
            with cuda.Device(device):
                cuda.get_current_stream().synchronize()

    def run(self, function: Callable[[int], T]) -> list[T]:
        """What ``function(rank)`` returns on each rank, with its GPU the current one.

        Raises
        ------
        Exception
            What the first rank that failed has raised.
        """
        with self._lock, ThreadPoolExecutor(len(self.devices)) as threads:
            self._shared.barrier.reset()
            outcomes = list(threads.map(partial(self._outcome, function), range(len(self.devices))))
        errors = [error for _, error in outcomes if error is not None]
        # The others may only have seen that one is missing.
        for error in sorted(errors, key=lambda error: isinstance(error, RankFailedError)):
            raise error
        return [answer for answer, _ in outcomes]

    def _outcome(self, function: Callable[[int], T], rank: int) -> tuple[Any, BaseException | None]:
        cuda = runtime.current().xp.cuda
        with cuda.Device(self.devices[rank]), using(self._transports[rank]):
            try:
                return function(rank), None
            except BaseException as error:
                self._shared.barrier.abort()  # the others wait for no more
                return None, error
