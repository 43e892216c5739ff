"""Memory that other processes reach, on a stand-in for CUDA: threads are ranks, and see each other's memory elsewhere."""

import ctypes
from contextlib import contextmanager
from types import SimpleNamespace

import numpy as np
import pytest

from thread_ranks import answers_on
from warpath.distributed.context import current
from warpath.distributed.gpu import ipc

ELSEWHERE = 1 << 50  # a multiple of it from its own address another rank sees a byte


class RefusedError(Exception):
    """CUDA's error."""


class Pool:
    """It takes a chunk for each array."""

    def __init__(self, allocate):
        self.malloc = allocate


class Cuda:
    """What `IpcMemory` uses of ``cupy`` and ``cupy.cuda``."""

    MemoryPool, allocator = Pool, None

    def __init__(self):
        self._bytes, self._used = np.zeros(16 << 20, np.uint8), 0
        self.Memory = self._memory
        self.opened, self.refuses = {}, set()
        self.cuda = self.runtime = self
        self.CUDARuntimeError = RefusedError
        self.MemoryPointer, self.UnownedMemory = self._pointer, self._unowned
        self.ipcGetMemHandle, self.ipcOpenMemHandle = self.get_handle, self.open_handle

    def _memory(self, size):
        """One behind the other, as CUDA's often lie."""
        begin, self._used = self._bytes.ctypes.data + self._used, self._used + size
        return SimpleNamespace(ptr=begin, size=size)

    def _pointer(self, memory, offset):
        return SimpleNamespace(memory=memory, ptr=memory.ptr + offset)

    def _unowned(self, address, size, owner):
        return SimpleNamespace(ptr=address)

    @contextmanager
    def using_allocator(self, allocator):
        self.allocator = allocator
        yield

    def full(self, size, value, dtype):
        pointer = self.allocator(8 * size)
        ctypes.c_int64.from_address(pointer.ptr).value = value
        return pointer

    def ndarray(self, size, dtype, pointer):
        address = pointer.ptr % ELSEWHERE
        return np.array([ctypes.c_int64.from_address(address).value])

    def get_current_stream(self):
        return SimpleNamespace(synchronize=lambda: None)

    def get_handle(self, address):
        if current().rank in self.refuses:
            raise RefusedError("no handles here")
        return address.to_bytes(8, "little")

    def open_handle(self, handle):
        begin = int.from_bytes(handle, "little")
        assert begin not in self.opened
        self.opened[begin] = begin + ELSEWHERE * (len(self.opened) + 1)
        return self.opened[begin]


@pytest.fixture
def cudas(monkeypatch):
    """The stand-in of each of three ranks."""
    made = [Cuda() for _ in range(3)]

    def here():
        cuda = made[current().rank]
        return SimpleNamespace(xp=cuda, address=lambda array: array.ptr)

    monkeypatch.setattr(ipc, "runtime", SimpleNamespace(current=here))
    return made


def memory(hosts="aaa"):
    transport = current()
    transport.processes = [SimpleNamespace(host=host) for host in hosts]
    return ipc.IpcMemory.of(transport)


def test_ranks_see_each_other_s_addresses(cudas):
    def seen():
        rank, found = current().rank, memory()
        own = cudas[rank].allocator(8 * (rank + 1)).ptr  # a chunk that the others do not know
        rows = found.exchanged([10 * rank], [own, own + 8])
        again = found.exchanged([10 * rank], [own, own + 8])
        assert rows == again
        return own, rows

    outcomes = answers_on(3, seen)
    for rank, (_, rows) in enumerate(outcomes):
        for other, ((own, _), row) in enumerate(zip(outcomes, rows, strict=True)):
            first = own if rank == other else cudas[rank].opened[own]
            assert row == [10 * other, first, first + 8]
    # Two chunks of each of two others, each once.
    assert [len(cuda.opened) for cuda in cudas] == [4, 4, 4]


def test_ranks_of_several_hosts_do_not_reach_each_other(cudas):
    assert answers_on(3, lambda: memory("aab")) == [None] * 3


def test_a_rank_that_gets_no_handle(cudas):
    cudas[1].refuses.add(1)
    assert answers_on(3, lambda: memory()) == [None] * 3


def test_a_look_that_finds_other_memory(cudas, monkeypatch):
    monkeypatch.setattr(
        cudas[2], "ipcOpenMemHandle", lambda handle: int.from_bytes(handle, "little") + 8
    )
    assert answers_on(3, lambda: memory()) == [None] * 3
