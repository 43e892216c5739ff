"""Memory of a GPU that kernels of other processes reach, by CUDA's handles for other processes (IPC)."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from warpath.cuda import runtime
from warpath.distributed.transport import Transport

# CUDA divides smaller allocations of a process among themselves, and a handle would be that of several.
_CHUNK = 2 << 20  # bytes


class IpcMemory:
    """A pool on the current GPU, whose chunks the other ranks' processes know.

    It keeps its chunks, since others have them among their addresses. Each rank opens those of the others once.

    Parameters
    ----------
    transport : Transport
        By which ranks tell each other of their chunks.
    """

    def __init__(self, transport: Transport) -> None:
        self._transport, self._cuda = transport, runtime.current().xp.cuda
        self._pool = self._cuda.MemoryPool(self._chunk)
        self._chunks: list[Any] = []
        self._theirs: list[list[int]] = [[] for _ in range(transport.size)]

    @classmethod
    def of(cls, transport: Transport) -> "IpcMemory | None":
        """This rank's, if all ranks' kernels reach it: a look decides. All ranks call it."""
        hosts = {process.host for process in transport.processes}
        if len(hosts) > 1:
            return None
        memory, xp = cls(transport), runtime.current().xp
        try:
            with memory.peer_memory():
                mine = xp.full(1, transport.rank, np.int64)
            xp.cuda.get_current_stream().synchronize()
            problem = ""
        except xp.cuda.runtime.CUDARuntimeError as error:
            problem = str(error)
        if any(transport.gather_objects(problem)):
            return None
        try:
            places = memory.exchanged([], [runtime.current().address(mine)])
            seen = [memory._number_at(place) for (place,) in places]
            problem = "" if seen == list(range(transport.size)) else "another process's memory"
        except (xp.cuda.runtime.CUDARuntimeError, _NoHandleError) as error:
            problem = str(error)
        return None if any(transport.gather_objects(problem)) else memory

    def peer_memory(self) -> AbstractContextManager[Any]:
        """Where this thread allocates from the pool."""
        return self._cuda.using_allocator(self._pool.malloc)  # type: ignore[no-any-return]

    def exchanged(self, numbers: Sequence[int], addresses: Sequence[int]) -> list[list[int]]:
        """Some numbers of each rank, and addresses there as this rank sees them; all ranks call it."""
        places = [number for address in addresses for number in self._place(address)]
        row = np.array([len(self._chunks), *numbers, *places], np.int64)
        rows = [one.tolist() for one in self._transport.gather(row)]
        if any(count > len(known) for (count, *_), known in zip(rows, self._theirs, strict=True)):
            self._open_chunks()
        seen = []
        for (_, *row), known in zip(rows, self._theirs, strict=True):
            told, places = row[: len(numbers)], row[len(numbers) :]
            there = zip(places[::2], places[1::2], strict=True)
            seen.append([*told, *(known[chunk] + offset for chunk, offset in there)])
        return seen

    def _chunk(self, nbytes: int) -> Any:
        """Memory for CuPy's pool to divide."""
        chunk = self._cuda.Memory(-(-nbytes // _CHUNK) * _CHUNK)
        self._chunks.append(chunk)
        return self._cuda.MemoryPointer(chunk, 0)

    def _place(self, address: int) -> tuple[int, int]:
        """Which chunk has an address, and where; that of an array without elements may be a chunk's end."""
        for most in (-1, 0):  # where a chunk ends, another one may begin
            for i, chunk in enumerate(self._chunks):
                if chunk.ptr <= address <= chunk.ptr + chunk.size + most:
                    return i, address - chunk.ptr
        raise AssertionError(f"{address:#x} lies in no chunk")

    def _open_chunks(self) -> None:
        """Know all chunks of all ranks."""
        cuda, handles = self._cuda.runtime, []
        for chunk in self._chunks:
            try:
                handles.append(cuda.ipcGetMemHandle(chunk.ptr))
            except cuda.CUDARuntimeError as error:
                handles.append(str(error))
        for rank, theirs in enumerate(self._transport.gather_objects(handles)):
            known = self._theirs[rank]
            if rank == self._transport.rank:
                known[:] = [chunk.ptr for chunk in self._chunks]
                continue
            for handle in theirs[len(known) :]:
                if isinstance(handle, str):
                    raise _NoHandleError(handle)
                known.append(cuda.ipcOpenMemHandle(handle))

    def _number_at(self, address: int) -> int:
        """What a kernel of this GPU reads there."""
        xp, memory = runtime.current().xp, self._cuda.UnownedMemory(address, 8, self)
        return int(xp.ndarray(1, np.int64, self._cuda.MemoryPointer(memory, 0)).sum())


class _NoHandleError(Exception):
    """CUDA gives no handle of a chunk."""
