"""Ranks that are threads of one process with a GPU each: copies from GPU to GPU.

Headers and NumPy's arrays, which are small, go the way of `ThreadTransport`.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Lock
from typing import Any, TypeVar

from numpy.typing import NDArray

from warpath.cuda import runtime
from warpath.cuda.transport import let_access
from warpath.distributed.context import using
from warpath.distributed.threads import Shared, ThreadTransport
from warpath.errors import RankFailedError

Array = NDArray[Any]
T = TypeVar("T")


class GpuTransport(ThreadTransport):
    """A rank that is a thread with a GPU.

    Parameters
    ----------
    rank : int
    devices : tuple of int
        CUDA's number of each rank's GPU. Two ranks may have the same one.
    shared : Shared
    """

    moves_gpu_arrays = True

    def __init__(self, rank: int, devices: tuple[int, ...], shared: Shared) -> None:
        super().__init__(rank, len(devices), shared)
        self.devices = devices

    def _is_of_host(self, block: Array) -> bool:
        return not isinstance(block, runtime.current().xp.ndarray)

    def _swap_blocks(self, blocks: Sequence[Array], counts: Sequence[int]) -> list[Array]:
        here = runtime.current()
        if self._is_of_host(blocks[0]):
            return super()._swap_blocks(blocks, counts)
        here.xp.cuda.get_current_stream().synchronize()  # the blocks are complete when others read them
        return self._swap(blocks, self._copied)

    def _copied(self, blocks: Sequence[Array]) -> list[Array]:
        """The other GPUs' blocks on this one."""
        here = runtime.current()
        stream = here.xp.cuda.get_current_stream()
        copies = []
        for device, block in zip(self.devices, blocks, strict=True):
            copy = here.xp.empty(len(block), block.dtype)
            if block.nbytes:
                here.xp.cuda.runtime.memcpyPeerAsync(
                    here.address(copy), self.devices[self.rank], here.address(block), device,
                    block.nbytes, stream.ptr,
                )  # fmt: skip
            copies.append(copy)
        stream.synchronize()  # copied, before their owners change the blocks
        return copies


class GpuGroup:
    """GPUs of this process, each of which has a thread that is a rank.

    Parameters
    ----------
    devices : tuple of int
        CUDA's number of each rank's GPU.
    """

    def __init__(self, devices: tuple[int, ...]) -> None:
        self.devices = devices
        # No time limit: a rank that fails says so.
        self._shared = Shared(len(devices), timeout=None)
        self._transports = [
            GpuTransport(rank, devices, self._shared) for rank in range(len(devices))
        ]
        self._lock = Lock()  # one call at a time
        for one in set(devices):
            for other in set(devices) - {one}:
                let_access(one, other)

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
