"""Ranks that are processes of MPI."""

import atexit
import pickle
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.distributed.peers import Process, Watch
from warpath.distributed.transport import Transport

Array = NDArray[Any]

_FAREWELL = 3.0  # seconds that other ranks get to see by themselves that a process has ended


class MpiTransport(Transport):
    """A rank of an MPI communicator.

    Parameters
    ----------
    communicator : mpi4py.MPI.Comm
        It is duplicated, so that its own messages are not mixed with these.
    timeout : float
        Seconds that a rank waits for others in an exchange.
    """

    def __init__(self, communicator: Any, timeout: float) -> None:
        super().__init__(communicator.Get_rank(), communicator.Get_size(), (), timeout)
        self._communicator = communicator  # until it is duplicated
        atexit.register(self._end)
        try:
            duplicate, request = communicator.Idup()
            self.wait(request.Test)
            self._communicator = duplicate
            said = self._gathered(pickle.dumps(Process.this()))
        except BaseException:  # ranks do not meet again
            self.has_lost = self.size > 1
            raise
        self.processes = [pickle.loads(one) for one in said]
        self._watch = Watch(self.rank, self.processes, timeout)

    def _gathered(self, data: bytes) -> list[bytes]:
        """What each rank says, before ranks know each other."""
        sizes = np.empty(self.size, np.int64)
        self._call("Iallgather", np.array([len(data)], np.int64), sizes)
        padded = np.zeros(int(sizes.max()), np.uint8)
        padded[: len(data)] = np.frombuffer(data, np.uint8)
        rows = np.empty((self.size, len(padded)), np.uint8)
        self._call("Iallgather", padded, rows)
        return [row[:size].tobytes() for row, size in zip(rows, sizes, strict=True)]

    def _swap_headers(self, header: NDArray[np.uint8]) -> NDArray[np.uint8]:
        received = np.empty_like(header)
        self._call("Ialltoall", header, received)
        return received

    def _swap_blocks(self, blocks: Sequence[Array], counts: Sequence[int]) -> list[Array]:
        dtype = blocks[0].dtype
        sent = np.array([block.nbytes for block in blocks])
        if all(block is blocks[0] for block in blocks):  # it is sent from one place
            data, starts = np.ascontiguousarray(blocks[0]), np.zeros(len(blocks), np.int64)
        else:
            data, starts = np.concatenate(blocks), np.cumsum(sent) - sent
        received = np.empty(sum(counts), dtype)
        taken = np.array(counts) * dtype.itemsize
        self._call(
            "Ialltoallv",
            [data.view(np.uint8), sent, starts, _byte()],
            [received.view(np.uint8), taken, np.cumsum(taken) - taken, _byte()],
        )
        return np.split(received, np.cumsum(counts)[:-1])

    def _call(self, name: str, *buffers: Any) -> None:
        from mpi4py import MPI

        try:
            request = getattr(self._communicator, name)(*buffers)
            self.wait(request.Test)
        except MPI.Exception as error:
            self.lose(f"MPI lost a rank: {error}")

    def _end(self) -> None:
        """At the end of the process: tell others, or end what waits for a process that was lost."""
        from mpi4py import MPI

        if MPI.Is_finalized():  # the program has said that it makes no more calls
            return
        if not self.has_lost:
            self.leave()
        if self.has_lost:  # MPI would wait for it at its end
            time.sleep(_FAREWELL)
            self._communicator.Abort(1)


def _byte() -> Any:
    from mpi4py import MPI

    return MPI.BYTE
