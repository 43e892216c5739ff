"""A number on its way from a GPU to the host."""

from typing import Any

import numpy as np


class HostCopy:
    """The element of an array of one, copied to the host while a GPU goes on with what is queued later.

    Parameters
    ----------
    array : array, shape (1,)
    xp : module
        NumPy or CuPy, whose array it is.

    Examples
    --------
    >>> import numpy as np
    >>> copy = HostCopy(np.array([7]), np)
    >>> copy.begin()
    >>> copy.wait()
    7
    """

    def __init__(self, array: Any, xp: Any) -> None:
        self._array = array
        self._copied = None
        if xp is np:
            self._on_host = np.empty_like(array)
        else:
            self._cuda = xp.cuda
            pinned = xp.cuda.alloc_pinned_memory(array.nbytes)
            self._on_host = np.frombuffer(pinned, array.dtype, 1)
            self._copied = xp.cuda.Event(disable_timing=True)

    def begin(self) -> None:
        """Queue the copy."""
        if self._copied is None:
            self._on_host[:] = self._array
            return
        self._array.get(out=self._on_host, blocking=False)
        self._copied.record(self._cuda.get_current_stream())

    def wait(self) -> Any:
        """The element at the last `begin`; what was queued after it is not waited for."""
        if self._copied is not None:
            self._copied.synchronize()
        return self._on_host[0].item()
