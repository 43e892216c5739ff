"""Arrays on either side: NumPy's in the host's memory, CuPy's in a GPU's.

Functions that take an ``xp`` run on both: it is the module, ``numpy`` or ``cupy``.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpath import devices
from warpath.typing import BUILD_DEVICES

_ON_CUDA = (2, 13)  # DLPack's kDLCUDA and kDLCUDAManaged
_ALIGNED = 4  # kernels read column indices and weights four at a time, beyond the last one


class Csr(NamedTuple):
    """Compressed sparse rows: three arrays of one module, as `Graph` describes them."""

    row_offsets: Any
    column_indices: Any
    weights: Any


def module_for(device: str) -> Any:
    """The array module of a device: CuPy works, if it is CuPy.

    Raises
    ------
    ValueError
        If ``device`` is none of `BUILD_DEVICES`.
    DeviceUnavailableError
        If CUDA cannot be used: it says what is missing and what to install.
    """
    if device not in BUILD_DEVICES:
        raise ValueError(f"unknown device {device!r}; choose one of {', '.join(BUILD_DEVICES)}")
    if device == "cpu":
        return np
    devices.require()
    import cupy

    return cupy


def module_of(array: Any) -> Any:
    """NumPy or CuPy, whichever the array is of."""
    if isinstance(array, np.ndarray):
        return np
    import cupy

    return cupy


def is_on_gpu(values: Any) -> bool:
    """Whether ``values`` is an array in a GPU's memory, of any library."""
    if isinstance(values, np.ndarray):
        return False
    if hasattr(values, "__cuda_array_interface__"):
        return True
    place = getattr(values, "__dlpack_device__", None)
    return place is not None and place()[0] in _ON_CUDA


def as_cupy(values: Any) -> Any:
    """Any library's array in a GPU's memory as CuPy's, on the current device; no copy if it is there.

    By DLPack where there is a choice: that waits for the stream which writes the array.
    """
    import cupy

    if not isinstance(values, cupy.ndarray) and hasattr(values, "__dlpack__"):
        values = cupy.from_dlpack(values)
    return cupy.asarray(values)


def to_module(array: Any, xp: Any) -> Any:
    """The array as one of ``xp``: copied to the host or the current device where it is not."""
    if xp is np:
        return to_host(array)
    return xp.asarray(array)


def to_host(array: Any) -> NDArray[Any]:
    """The array as NumPy's; waits for the GPU where it is CuPy's."""
    return array if isinstance(array, np.ndarray) else array.get()


@contextmanager
def made_on_gpu(what: str) -> Iterator[None]:
    """Make arrays that every stream may use at the end, or say that memory did not suffice.

    Raises
    ------
    MemoryError
        See `devices.memory_for`.
    """
    import cupy

    with devices.memory_for(what):
        yield
        cupy.cuda.get_current_stream().synchronize()


def empty_padded(xp: Any, size: int, dtype: Any) -> Any:
    """An array in an allocation that ends at a multiple of four elements, as kernels read it."""
    return xp.empty(-(-max(size, 1) // _ALIGNED) * _ALIGNED, dtype)[:size]


def readable(array: Any) -> Any:
    """The array, or if kernels cannot read it where it lies a copy.

    They read whole groups of four elements, also the last one. A group that begins at a multiple
    of its size never leaves the page that its first element lies in.
    """
    xp = module_of(array)
    if xp is np or array.data.ptr % (_ALIGNED * array.dtype.itemsize) == 0:
        return array
    return padded(xp, [array])


def padded(xp: Any, parts: list[Any]) -> Any:
    """The parts behind each other, padded as kernels read; of the widest dtype among them."""
    joined = empty_padded(xp, sum(map(len, parts)), np.result_type(*(part.dtype for part in parts)))
    begin = 0
    for part in parts:
        joined[begin : begin + len(part)] = part
        begin += len(part)
    return joined
