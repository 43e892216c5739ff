"""Ranks of one host with a GPU each, whose kernels reach the memory of the others': one launch on each.

Ranks that are processes have different addresses: each tells the others of its memory by CUDA's handles for other processes
(`warpath.distributed.gpu.ipc`).
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from warpath.cuda import runtime
from warpath.cuda.multi_gpu import MAX_GPUS, Companion, Mailboxes, Peer
from warpath.distributed.gpu.ipc import IpcMemory
from warpath.distributed.transport import Transport

Array = Any  # of the runtime's module
T = TypeVar("T")


class Memory(Protocol):
    """Memory of this rank's GPU that the kernels of other ranks reach."""

    def peer_memory(self) -> AbstractContextManager[Any]:
        """Where this thread allocates it."""

    def exchanged(self, numbers: Sequence[int], addresses: Sequence[int]) -> list[list[int]]:
        """Some numbers of each rank, and addresses there as this rank sees them; all ranks call it."""


class SameMemory(NamedTuple):
    """That of ranks which are threads: they have the same addresses."""

    transport: Transport

    def peer_memory(self) -> AbstractContextManager[None]:
        """As of `Memory`."""
        return nullcontext()

    def exchanged(self, numbers: Sequence[int], addresses: Sequence[int]) -> list[list[int]]:
        """As of `Memory`."""
        return [
            row.tolist()
            for row in self.transport.gather(np.array([*numbers, *addresses], np.int64))
        ]


class RankGroup:
    """A rank's GPU, and those of the others: a `warpath.distributed.together.Together`.

    Parameters
    ----------
    transport : Transport
    device : int
        CUDA's number of this rank's GPU, which no other rank has.
    memory : Memory
        On this GPU.
    """

    def __init__(self, transport: Transport, device: int, memory: Memory) -> None:
        self.devices = (device,)
        self._transport, self._memory = transport, memory
        self._mailboxes = Mailboxes(self.devices)

    @classmethod
    def of(cls, transport: Transport, device: int) -> "RankGroup | None":
        """The group of all ranks, each of which has its own GPU; None if these do not reach each other. All ranks call it."""
        if transport.size > MAX_GPUS:
            return None
        if transport.size == 1 or not transport.processes:
            return cls(transport, device, SameMemory(transport))
        memory = IpcMemory.of(transport)
        return None if memory is None else cls(transport, device, memory)

    def peer_memory(self) -> AbstractContextManager[Any]:
        """As of `Together`."""
        return self._memory.peer_memory()

    def launch(self, companions: Sequence[Companion]) -> None:
        """As of `Together`.

        Ranks agree before the launch, when all have launched, and when all have ended: until then others may read the
        memory.
        """
        (mine,) = companions
        cuda, transport = runtime.current().xp.cuda, self._transport
        with self.peer_memory():
            (box,) = self._mailboxes.of(mine.counters)
        mailbox, *addresses, begin, end = mine.peer(box.address)
        said = self._memory.exchanged([mine.kernel.blocks, begin, end], [mailbox, *addresses])
        try:
            mine.take_blocks(min(blocks for blocks, *_ in said))
            mine.launching([Peer(*[*there, first, last]) for _, first, last, *there in said])()
            ended = cuda.Event(disable_timing=True)
            ended.record(cuda.get_current_stream())
            transport.reduce(0)  # else a rank that failed would be waited for on the GPU
            transport.wait(lambda: bool(ended.done))
            cuda.get_current_stream().synchronize()
            transport.reduce(0)
        except BaseException:
            self._mailboxes.stop(mine.counters)
            # The kernel ends before its memory is freed; what that says is not the first error.
            with suppress(Exception):
                cuda.get_current_stream().synchronize()
            self._mailboxes.forget()
            raise

    def all_gather(self, values: list[T]) -> list[T]:
        """As of `Together`."""
        return [one for values in self._transport.gather_objects(values) for one in values]

    def share(self, arrays: Sequence[Array], bounds: Sequence[int]) -> None:
        """As of `Together`."""
        (mine,) = arrays
        rank = self._transport.rank
        own = mine[bounds[rank] : bounds[rank + 1]]
        for other, block in enumerate(self._transport.gather(own)):
            if other != rank:
                mine[bounds[other] : bounds[other + 1]] = block
