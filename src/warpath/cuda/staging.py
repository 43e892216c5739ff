"""Rows between host arrays and device buffers, through pinned memory."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.cuda import runtime

# The size of a slab: long enough for copies at full rate, a small part of a block. A guess.
_SLAB_BYTES = 64 << 20
_THREADS = 4  # that copy between a slab and the host array: one reaches about 10 GB/s. A guess.


class Staging:
    """Copies in one direction, with a stream and two pinned slabs of its own.

    While the device copies to or from one slab, threads copy from or to the other. Any host array
    will do, memory-mapped files too, which cannot be pinned themselves.

    Parameters
    ----------
    row_bytes : int
        That of the longest row.
    """

    def __init__(self, row_bytes: int):
        self.cuda = runtime.current().xp.cuda
        self.stream = self.cuda.Stream(non_blocking=True)
        size = max(_SLAB_BYTES, row_bytes)
        self.slabs = [
            np.frombuffer(self.cuda.alloc_pinned_memory(size), np.uint8, size) for _ in range(2)
        ]
        self.copied = [self.cuda.Event(disable_timing=True) for _ in range(2)]
        self.threads = ThreadPoolExecutor(_THREADS)

    def __enter__(self) -> "Staging":
        return self

    def __exit__(self, *_: object) -> None:
        """End its threads."""
        self.threads.shutdown()

    def to_device(self, host: NDArray[Any], device: Any) -> None:
        """Copy rows to the first columns of as many rows; returns when they are there.

        Parameters
        ----------
        host : array, shape (rows, n)
        device : cupy array of the same dtype, shape (rows, n or more)
        """
        for which, part, slab in self._parts(host):
            self.copied[which].synchronize()  # the slab's last copy
            self._copy(slab, host[part])
            self._between(slab, device[part], self.cuda.runtime.memcpyHostToDevice)
            self.copied[which].record(self.stream)
        self.stream.synchronize()

    def to_host(self, device: Any, host: NDArray[Any], worked: Any) -> None:
        """Copy the first columns of rows to as many rows; returns when they are there.

        Parameters
        ----------
        device : cupy array, shape (rows, n or more)
        host : array of the same dtype, shape (rows, n)
        worked : cupy.cuda.Event
            After which the device's rows are complete.
        """
        self.stream.wait_event(worked)
        before = None
        for which, part, slab in self._parts(host):
            self._between(slab, device[part], self.cuda.runtime.memcpyDeviceToHost)
            self.copied[which].record(self.stream)
            if before is not None:
                self._fetch(host, *before)
            before = which, part, slab
        if before is not None:
            self._fetch(host, *before)

    def _parts(self, host: NDArray[Any]) -> Iterator[tuple[int, slice, NDArray[Any]]]:
        """(which slab, rows, the slab as these rows); slabs alternate."""
        rows, n = host.shape
        max_rows = len(self.slabs[0]) // (n * host.itemsize)
        for number, first in enumerate(range(0, rows, max_rows)):
            count = min(max_rows, rows - first)
            slab = self.slabs[number % 2][: count * n * host.itemsize].view(host.dtype)
            yield number % 2, slice(first, first + count), slab.reshape(count, n)

    def _between(self, slab: NDArray[Any], device: Any, kind: int) -> None:
        on_host = slab.ctypes.data, slab.strides[0]
        on_device = runtime.current().address(device), device.strides[0]
        to_device = kind == self.cuda.runtime.memcpyHostToDevice
        ends = (*on_device, *on_host) if to_device else (*on_host, *on_device)
        copy = self.cuda.runtime.memcpy2DAsync
        copy(*ends, slab.strides[0], len(slab), kind, self.stream.ptr)

    def _fetch(self, host: NDArray[Any], which: int, part: slice, slab: NDArray[Any]) -> None:
        self.copied[which].synchronize()
        self._copy(host[part], slab)

    def _copy(self, to: NDArray[Any], of: NDArray[Any]) -> None:
        """By several threads, which NumPy lets run at once."""
        pieces = zip(np.array_split(to, _THREADS), np.array_split(of, _THREADS), strict=True)
        list(self.threads.map(lambda piece: np.copyto(*piece), pieces))
