"""Arrays that travel from GPU to GPU by NCCL, between the processes of one host or of several.

NCCL is told of no error and of no rank that ends: it waits. So ranks agree by their `Transport` before each exchange,
and what could fail on one of them has been done by then. While NCCL sends, a rank looks whether others still run.
"""

from collections.abc import Sequence
from typing import Any

from warpath.cuda import runtime
from warpath.cuda.transport import nccl
from warpath.distributed.gpu_exchange import GpuExchange
from warpath.distributed.transport import Transport

Array = Any  # of the runtime's module


class Nccl(GpuExchange):
    """Each rank sends a block to each, and receives one from each, as one operation; all ranks make one.

    Parameters
    ----------
    transport : Transport
        By which ranks agree.
    device : int
        CUDA's number of this rank's GPU, which no other rank has.
    """

    def __init__(self, transport: Transport, device: int) -> None:
        super().__init__(device)
        self._transport, self._nccl = transport, nccl()
        self.use()
        identifier = self._nccl.get_unique_id() if transport.rank == 0 else None
        self._communicator = self._nccl.NcclCommunicator(
            transport.size, transport.gather_objects(identifier)[0], transport.rank
        )

    @staticmethod
    def is_installed() -> bool:
        """Whether this process has the library."""
        return nccl() is not None

    def exchange(self, blocks: Sequence[Array]) -> list[Array]:
        """See `GpuExchange`."""
        counts = self._transport.announce(blocks)
        received = [runtime.current().xp.empty(count, blocks[0].dtype) for count in counts]
        self._transport.announce(received)  # a rank whose memory does not suffice says so here
        try:
            self._send(blocks, received)
        except self._nccl.NcclError as error:
            self._communicator.abort()
            self._transport.lose(f"NCCL failed: {error}")
        except BaseException:  # a rank was lost, or a signal came: the GPU would wait for ever
            self._communicator.abort()
            raise
        return received

    def _send(self, blocks: Sequence[Array], received: Sequence[Array]) -> None:
        """Exchange blocks; returns when those for this rank are there."""
        here = runtime.current()
        stream = here.xp.cuda.get_current_stream()
        self._nccl.groupStart()
        for rank, (sent, mine) in enumerate(zip(blocks, received, strict=True)):
            for call, block in (self._communicator.send, sent), (self._communicator.recv, mine):
                if block.nbytes:
                    call(here.address(block), block.nbytes, self._nccl.NCCL_INT8, rank, stream.ptr)
        self._nccl.groupEnd()
        end = here.xp.cuda.Event(disable_timing=True)
        end.record(stream)

        def has_ended() -> bool:
            self._communicator.check_async_error()
            return bool(end.done)

        self._transport.wait(has_ended)
