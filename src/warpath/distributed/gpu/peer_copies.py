"""Ranks that are threads of one process with a GPU each: copies from GPU to GPU."""

from collections.abc import Sequence
from typing import Any

from warpath.cuda import runtime
from warpath.distributed.gpu_exchange import GpuExchange
from warpath.distributed.threads import ThreadTransport

Array = Any  # of the runtime's module


class PeerCopies(GpuExchange):
    """Each rank copies what the others have for it.

    Parameters
    ----------
    transport : ThreadTransport
        This rank's.
    devices : tuple of int
        CUDA's number of each rank's GPU. Two ranks may have the same one.
    """

    def __init__(self, transport: ThreadTransport, devices: tuple[int, ...]) -> None:
        super().__init__(devices[transport.rank])
        self._transport, self._devices = transport, devices

    def exchange(self, blocks: Sequence[Array]) -> list[Array]:
        """See `GpuExchange`."""
        self._transport.announce(blocks)
        # The blocks are complete when others read them.
        runtime.current().xp.cuda.get_current_stream().synchronize()
        return self._transport.swap(blocks, self._copied)

    def _copied(self, blocks: Sequence[Array]) -> list[Array]:
        """The other GPUs' blocks on this one."""
        here = runtime.current()
        stream = here.xp.cuda.get_current_stream()
        copies = []
        for device, block in zip(self._devices, blocks, strict=True):
            copy = here.xp.empty(len(block), block.dtype)
            if block.nbytes:
                here.xp.cuda.runtime.memcpyPeerAsync(
                    here.address(copy), self.device, here.address(block), device, block.nbytes, stream.ptr
                )  # fmt: skip
            copies.append(copy)
        stream.synchronize()  # copied, before their owners change the blocks
        return copies
