"""Arrays whose memory goes back to the system as soon as it is not needed any more.

NumPy frees an array as a whole, and the C library may keep what is freed. Where edges become a graph, both
would stand in memory at once. The memory of a scratch array is taken when it is first written, in
pages of 4 KB, and can be given back piece by piece.
"""

import mmap
from typing import Any

import numpy as np
from numpy.typing import NDArray

_MIN_BYTES = 1 << 17  # a guess: below it the calls of the system cost more than memory does


class Scratch:
    """An array that is not initialised.

    Parameters
    ----------
    size : int
    dtype : dtype
    piecewise : bool
        False: an array as any other, whose memory is taken faster and freed as a whole.

    Attributes
    ----------
    array : array, shape (size,)
        Valid as long as it is referred to.

    Raises
    ------
    MemoryError
    """

    def __init__(self, size: int, dtype: Any, *, piecewise: bool = True) -> None:
        self.array: NDArray[Any]
        self._memory: mmap.mmap | None = None
        width = np.dtype(dtype).itemsize
        if not piecewise or size * width < _MIN_BYTES or not hasattr(mmap, "MADV_DONTNEED"):
            self.array = np.empty(size, dtype)
            return
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
        try:
            self._memory = mmap.mmap(-1, size * width, flags=flags)
        except OSError:
            raise MemoryError(f"cannot allocate {size * width:,} bytes") from None
        if hasattr(mmap, "MADV_NOHUGEPAGE"):  # arrays are filled in many places at once
            self._memory.madvise(mmap.MADV_NOHUGEPAGE)
        self.array = np.frombuffer(self._memory, dtype)

    def release(self, end: int) -> None:
        """Give back the memory of the elements before ``end``: their values are lost."""
        size = end * self.array.itemsize // mmap.PAGESIZE * mmap.PAGESIZE
        if self._memory is not None and size:
            self._memory.madvise(mmap.MADV_DONTNEED, 0, size)
