"""The emulator's device memory: an arena that the kernels' process maps at the same address."""

import ctypes
import os
import weakref
from bisect import bisect_left, bisect_right, insort
from collections import deque
from collections.abc import Iterable
from functools import cache
from threading import RLock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emulated_cuda import MemoryPool

ADDRESS = 0x3000_0000_0000  # where AddressSanitizer, CUDA and the system place nothing
BYTES = 1 << 30
ALIGNED = 256  # as CUDA's allocations; at least this number of bytes lies between two
_libc = ctypes.CDLL(None, use_errno=True)
_libc.mmap.restype = ctypes.c_void_p
_libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *3 * [ctypes.c_int], ctypes.c_long]
_MAP = 0x01 | 0x4000 | 0x100000  # MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE
_READ_WRITE = 0x3


class EmulatedMemory:
    """An allocation in the arena, freed with this object and with what is a view of it.

    Attributes
    ----------
    address, nbytes : int
    """

    def __init__(self, address: int, nbytes: int) -> None:
        self.address = address
        self.nbytes = nbytes

    @property
    def __array_interface__(self) -> dict[str, Any]:
        data = (self.address, False)
        return {"version": 3, "shape": (self.nbytes,), "typestr": "|u1", "data": data}

    def clear(self, begin: int, end: int, value: int = 0) -> None:
        self._bytes(begin, end)[:] = value

    def fetch(self, begin: int, end: int) -> NDArray[np.uint8]:
        return self._bytes(begin, end).copy()

    def _bytes(self, begin: int, end: int) -> NDArray[np.uint8]:
        if not 0 <= begin <= end <= self.nbytes:
            raise IndexError(f"bytes {begin} … {end} of an allocation of {self.nbytes}")
        return np.asarray(self)[begin:end]


class Arena:
    """Memory that child processes map as well. Addresses are used again as late as possible."""

    def __init__(self) -> None:
        self.file = os.memfd_create("warpath-emulator")
        os.ftruncate(self.file, BYTES)
        if _libc.mmap(ADDRESS, BYTES, _READ_WRITE, _MAP, self.file, 0) != ADDRESS:
            raise OSError(ctypes.get_errno(), "the emulator's device memory cannot be mapped")
        self.used = self._next = ADDRESS + ALIGNED
        self._starts: list[int] = []  # of live allocations, ascending
        self._sizes: dict[int, int] = {}
        self._parts: dict[int, list[tuple[int, int]]] = {}
        self._pinned: set[int] = set()  # where what would be the host's memory starts
        # A destructor may run within any of the functions below.
        self._dead: deque[int] = deque()
        self._lock = RLock()  # drivers copy in threads

    def allocate(self, nbytes: int, pinned: bool = False) -> EmulatedMemory:
        """Memory that holds what was there before."""
        with self._lock:
            limit = pool().get_limit()
            if not pinned and limit and self.device_bytes() + nbytes > limit:
                raise MemoryError(f"{nbytes:,} bytes exceed the pool's limit of {limit:,}")
            self._bury()
            start = self._room(nbytes)
            insort(self._starts, start)
            self._sizes[start] = nbytes
            self._parts[start] = [(start, nbytes)]
            if pinned:
                self._pinned.add(start)
            self._next = self._end(start)
            self.used = max(self.used, self._next)
        memory = EmulatedMemory(start, nbytes)
        weakref.finalize(memory, self._dead.append, start).atexit = False
        return memory

    def guard(self, start: int, parts: Iterable[tuple[int, int]]) -> None:
        """Let kernels touch nothing of an allocation but these (offset, bytes), ascending."""
        self._parts[start] = [(start + offset, size) for offset, size in parts]

    def live(self) -> list[tuple[int, int]]:
        """(address, bytes) of all that kernels may touch, in order."""
        with self._lock:
            self._bury()
            return [part for start in self._starts for part in self._parts[start]]

    def device_bytes(self) -> int:
        """Of all live allocations that are not the host's."""
        with self._lock:
            self._bury()
            return sum(size for at, size in self._sizes.items() if at not in self._pinned)

    def in_use(self) -> tuple[list[tuple[int, int]], int]:
        """`live`, and the address behind all that was ever used."""
        with self._lock:  # other ranks may allocate meanwhile
            return self.live(), self.used

    def describe(self, address: int) -> str:
        """Where an address lies among live allocations, or nothing if it is none of the arena's."""
        if not ADDRESS <= address < ADDRESS + BYTES:
            return ""
        live = self.live()
        place = bisect_right(live, (address, BYTES))
        said = [f"{address:#x} lies"]
        for start, size in live[max(place - 1, 0) : place]:
            at = address - start
            where = f"{at} bytes into" if at < size else f"{at - size} bytes behind the end of"
            said.append(f"{where} the {size} bytes at {start:#x},")
        for start, size in live[place : place + 1]:
            said.append(f"{start - address} bytes before the {size} bytes at {start:#x}")
        return " ".join(said)

    def holds(self, address: int, nbytes: int) -> bool:
        """Whether these bytes are a part of one live allocation."""
        with self._lock:
            place = bisect_right(self._starts, address)
            if place == 0:
                return False
            start = self._starts[place - 1]
            return address + nbytes <= start + self._sizes[start]

    def _bury(self) -> None:
        while self._dead:
            start = self._dead.popleft()
            del self._sizes[start], self._parts[start]
            self._pinned.discard(start)
            self._starts.remove(start)

    def _end(self, start: int) -> int:
        """Where the red zone behind an allocation ends, which is also the one before the next."""
        return -(-(start + self._sizes[start] + ALIGNED) // ALIGNED) * ALIGNED

    def _room(self, nbytes: int) -> int:
        """The next address with room behind it, from the front again behind the last one."""
        for start in (self._next, ADDRESS + ALIGNED):
            while True:
                place = bisect_left(self._starts, start)
                behind = self._starts[place] if place < len(self._starts) else ADDRESS + BYTES
                if start + nbytes + ALIGNED <= behind:
                    return start
                if place == len(self._starts):
                    break
                start = self._end(behind)
        raise MemoryError(f"the emulator has no {nbytes} bytes left of {BYTES}")


@cache
def arena() -> Arena:
    return Arena()


@cache
def pool() -> MemoryPool:
    return MemoryPool(lambda: arena().device_bytes())
