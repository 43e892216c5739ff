"""Arrays that travel between GPUs through the host's memory, by MPI, Gloo or threads."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from warpath.cuda import runtime
from warpath.distributed.gpu_exchange import GpuExchange
from warpath.distributed.part import cut
from warpath.distributed.transport import Transport

Array = Any  # of the runtime's module


class ThroughHost(GpuExchange):
    """Blocks are copied to the host, sent as any other, and copied to the GPU.

    Parameters
    ----------
    transport : Transport
        What sends them.
    device : int
        CUDA's number of this rank's GPU.
    """

    def __init__(self, transport: Transport, device: int) -> None:
        super().__init__(device)
        self._transport = transport

    def exchange(self, blocks: Sequence[Array]) -> list[Array]:
        """See `GpuExchange`."""
        xp = runtime.current().xp
        if all(block is blocks[0] for block in blocks):  # one copy, which all ranks get
            sent = [xp.asnumpy(blocks[0])] * len(blocks)
        else:
            sent = cut(xp.asnumpy(xp.concatenate(blocks)), _ends(blocks))
        received = self._transport.exchange(sent)
        return cut(xp.asarray(np.concatenate(received)), _ends(received))


def _ends(blocks: Sequence[Array]) -> list[int]:
    """Where blocks begin that follow each other, and where the last one ends."""
    return list(accumulate(map(len, blocks), initial=0))
