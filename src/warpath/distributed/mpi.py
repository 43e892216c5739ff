"""Ranks that are processes of MPI."""

import atexit
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.distributed.peers import Process, Watch
from warpath.distributed.transport import Transport
from warpath.errors import RankFailedError

Array = NDArray[Any]

_SPINS = 2000  # tests of a request before a rank leaves its core to others: a guess
_NAP, _GLANCE = (
    20e-6,
    0.1,
)  # seconds between tests then, and between looks at other processes: guesses
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
        self._communicator, self._timeout = communicator.Dup(), timeout
        self._has_lost = False
        super().__init__(communicator.Get_rank(), communicator.Get_size())
        self.processes = self._communicator.allgather(Process.this())
        self._watch = Watch(self.rank, self.processes)
        atexit.register(self._end)

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
            self._wait(getattr(self._communicator, name)(*buffers))
        except MPI.Exception as error:
            self._lose(f"MPI lost a rank: {error}")

    def _wait(self, request: Any) -> None:
        """Until a request is done, a process of this host has ended, or the time is over."""
        for _ in range(_SPINS):
            if request.Test():
                return
        began = glance = time.monotonic()
        while not request.Test():
            time.sleep(_NAP)
            now = time.monotonic()
            if now - glance < _GLANCE:
                continue
            glance = now
            ended = self._watch.ended()
            if ended is not None and not any(request.Test() for _ in range(_SPINS)):
                self._lose(f"the process of rank {ended} has ended")
            if now - began > self._timeout:
                self._lose(f"a rank has not answered for {self._timeout:g} seconds")

    def _lose(self, why: str) -> None:
        self._has_lost = True
        self.broken = RankFailedError(why)
        raise self.broken

    def _end(self) -> None:
        """At the end of the process: tell others, or end what waits for a process that was lost."""
        self.leave()
        if self._has_lost:  # MPI would wait for it at its end
            time.sleep(_FAREWELL)
            self._communicator.Abort(1)


def _byte() -> Any:
    from mpi4py import MPI

    return MPI.BYTE
