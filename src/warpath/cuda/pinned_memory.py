"""Pinned memory of the host, which kernels of every device read and write where it lies."""

import ctypes
import mmap
from collections.abc import Callable
from threading import Lock
from typing import Any
from weakref import WeakValueDictionary, finalize

import cupy
import numpy as np
from numpy.typing import NDArray

from warpath import devices
from warpath.planning import memory

driver = devices.cuda_module("cuda.bindings.driver")

_ALIGNED = 16  # bytes: kernels read four column indices at a time, beyond the last one
_FOR_ALL_DEVICES = driver.CU_MEMHOSTREGISTER_PORTABLE | driver.CU_MEMHOSTREGISTER_DEVICEMAP
_ALLOCATED_FOR_ALL = driver.CU_MEMHOSTALLOC_PORTABLE | driver.CU_MEMHOSTALLOC_DEVICEMAP


class _Pinned:
    """Pinned bytes, until this object is gone.

    Attributes
    ----------
    address : int
        Where kernels find them.
    """

    def __init__(self, on_host: int, nbytes: int, free: Callable[[int], Any], owner: Any) -> None:
        error, address = driver.cuMemHostGetDevicePointer(on_host, 0)
        if error:
            free(on_host)
            raise MemoryError(f"pinned memory is not mapped: {_name(error)}")
        self.address, self.nbytes = int(address), nbytes
        # The finalizer keeps the array whose memory it is; when the process ends, so does this.
        finalize(self, _free, cupy.cuda.get_device_id(), free, on_host, owner).atexit = False

    def array(self, size: int, dtype: "np.dtype[Any]") -> Any:
        """CuPy's array of the first elements; it keeps the memory."""
        device = cupy.cuda.get_device_id()
        where = cupy.cuda.UnownedMemory(self.address, self.nbytes, self, device)
        return cupy.ndarray((size,), dtype, cupy.cuda.MemoryPointer(where, 0))


# By the address and the bytes of the host's array: graphs share arrays, which are pinned once.
_registered: "WeakValueDictionary[tuple[int, int], _Pinned]" = WeakValueDictionary()
_lock = Lock()


def pin(array: NDArray[Any]) -> Any:
    """The array as CuPy's, in the host's memory.

    Where it lies if the driver pins that, else in a pinned copy: file mappings, and arrays
    whose last four elements kernels could not read at once.

    Raises
    ------
    MemoryError
        If the memory of the host does not suffice.
    """
    _use_context()
    array = np.ascontiguousarray(array)
    key = array.ctypes.data, array.nbytes
    with _lock:
        there = _registered.get(key)
        if there is None and _is_readable(array):
            (error,) = driver.cuMemHostRegister(*key, _FOR_ALL_DEVICES)
            if not error:
                there = _registered[key] = _Pinned(*key, driver.cuMemHostUnregister, array)
    if there is not None:
        return there.array(len(array), array.dtype)
    on_host, copy = _allocated(len(array), array.dtype)
    on_host[: len(array)] = array
    return copy


def empty(size: int, dtype: Any) -> Any:
    """A CuPy array in pinned memory with any content, as kernels read it.

    Raises
    ------
    MemoryError
        If the memory of the host does not suffice.
    """
    return _allocated(size, np.dtype(dtype))[1]


def _allocated(size: int, dtype: "np.dtype[Any]") -> tuple[NDArray[Any], Any]:
    """The same memory as NumPy's array and as CuPy's."""
    nbytes = -(-max(size, 1) * dtype.itemsize // _ALIGNED) * _ALIGNED
    memory.check(nbytes, lambda: "pinned memory for edges", "close other programs")
    _use_context()
    error, on_host = driver.cuMemHostAlloc(nbytes, _ALLOCATED_FOR_ALL)
    if error:
        raise MemoryError(
            f"the driver pins no {nbytes:,} bytes of the host's memory ({_name(error)}): close other "
            "programs, or raise the container's limit"
        )
    address = int(on_host)
    there = _Pinned(address, nbytes, driver.cuMemFreeHost, None)
    buffer = (ctypes.c_byte * nbytes).from_address(address)
    return np.ctypeslib.as_array(buffer).view(dtype)[:size], there.array(size, dtype)


def _use_context() -> None:
    """Make the device's context current in this thread, as the driver's functions need it: a thread begins without."""
    cupy.cuda.runtime.free(0)


def _is_readable(array: NDArray[Any]) -> bool:
    """Whether kernels may read the array's last four elements at once: pages are pinned as a whole."""
    first, end = array.ctypes.data, array.ctypes.data + array.nbytes
    padded = first + -(-array.nbytes // _ALIGNED) * _ALIGNED
    page = mmap.PAGESIZE
    return array.nbytes > 0 and first % _ALIGNED == 0 and (end - 1) // page == (padded - 1) // page


def _free(device: int, free: Callable[[int], Any], on_host: int, owner: Any) -> None:
    """After what was queued on the device, which may read it."""
    with cupy.cuda.Device(device):
        cupy.cuda.runtime.deviceSynchronize()
        free(on_host)


def _name(error: Any) -> str:
    _, name = driver.cuGetErrorName(error)
    return str(name.decode())
