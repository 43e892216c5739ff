"""A stand-in for CuPy's module for NCCL, between threads: it copies what ranks send, and notes what they call."""

import ctypes
from queue import Queue
from threading import local

from emulated_cuda import Stream

SECONDS = 30  # that a rank waits for what another sends


class FakeNccl:
    """What is used of ``cupy.cuda.nccl``.

    Attributes
    ----------
    calls : list of (str, int, int, int)
        "send" or "recv", the rank, the other one, and bytes, in the order of calls of each rank.
    aborted : set of int
        Ranks that have given up.
    failing : int or None
        The rank whose GPU reports an error.
    """

    NCCL_INT8 = 0

    class NcclError(RuntimeError):
        """What NCCL reports."""

    def __init__(self, size):
        self.calls, self.aborted, self.failing = [], set(), None
        self._size, self._group = size, local()
        self._sent = {(a, b): Queue() for a in range(size) for b in range(size)}
        self.NcclCommunicator = lambda *given: Communicator(self, *given)

    def get_unique_id(self):
        return bytes(range(128))

    def groupStart(self):  # noqa: N802
        self._group.calls = []

    def groupEnd(self):  # noqa: N802
        calls = self._group.calls
        del self._group.calls
        for what, rank, other, address, nbytes in calls:
            if what == "send":
                self._sent[rank, other].put(ctypes.string_at(address, nbytes))
        for what, rank, other, address, nbytes in calls:
            self.calls.append((what, rank, other, nbytes))
            if what == "recv":
                block = self._sent[other, rank].get(timeout=SECONDS)
                assert len(block) == nbytes, (rank, other, len(block), nbytes)
                ctypes.memmove(address, block, nbytes)


class Communicator:
    """A rank's; parameters as of CuPy's."""

    def __init__(self, nccl, size, identifier, rank):
        assert (size, identifier) == (nccl._size, nccl.get_unique_id())
        self._nccl, self._rank = nccl, rank

    def send(self, address, count, datatype, other, stream):
        self._queue("send", address, count, datatype, other, stream)

    def recv(self, address, count, datatype, other, stream):
        self._queue("recv", address, count, datatype, other, stream)

    def _queue(self, what, address, count, datatype, other, stream):
        assert (datatype, stream) == (FakeNccl.NCCL_INT8, Stream.ptr)
        assert self._rank not in self._nccl.aborted
        self._nccl._group.calls.append((what, self._rank, other, address, count))

    def check_async_error(self):
        if self._rank == self._nccl.failing:
            raise FakeNccl.NcclError("the network is down")

    def abort(self):
        self._nccl.aborted.add(self._rank)
