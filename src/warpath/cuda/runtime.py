"""Where kernels run: on a CUDA device, or on the host in tests.

The drivers of this package ask a runtime for arrays, memory, kernels and launches, and for nothing
else. So the same drivers run on a device (`warpath.cuda.device_runtime`) and, without one, on the
emulator of the tests.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


class Memory(Protocol):
    """Device memory that is freed with this object, but not before what is queued has ended.

    Attributes
    ----------
    address : int
        A multiple of 256 on a device, of 16 on the host.
    """

    address: int

    def clear(self, begin: int, end: int, value: int = 0) -> None:
        """Queue that bytes ``begin`` … ``end`` − 1 become ``value``."""

    def fetch(self, begin: int, end: int) -> NDArray[np.uint8]:
        """Bytes ``begin`` … ``end`` − 1; waits until all that was queued before has ended."""


class Kernel(Protocol):
    """One instance of a kernel template, with the grid that it is launched with.

    Attributes
    ----------
    blocks : int
        Blocks of the grid, which all run at once.
    """

    blocks: int

    def launch(self, arguments: bytes) -> None:
        """Queue one launch on the current stream.

        Parameters
        ----------
        arguments : bytes
            The kernel's one parameter: see `warpath.cuda.arguments`.
        """


class GridKernel(Protocol):
    """One instance of a kernel template whose blocks do not wait for each other."""

    def launch(self, arguments: bytes, *blocks: int) -> None:
        """Queue one launch on the current stream.

        Parameters
        ----------
        arguments : bytes
            As of `Kernel.launch`.
        *blocks : int
            How many the grid has: one number, or columns and rows.
        """


class Runtime(Protocol):
    """Where kernels run.

    Attributes
    ----------
    xp : module
        Its arrays' module: CuPy, or one with the same functions.
    red_zone : int
        Bytes between the arrays of one allocation, where writes are found: 0 on a device.
    """

    xp: Any
    red_zone: int

    def __hash__(self) -> int:
        """By identity: what drivers keep belongs to one runtime."""

    @property
    def device(self) -> int:
        """The number of the current device."""

    @property
    def compute_capability(self) -> tuple[int, int]:
        """The compute capability of the current device."""

    @property
    def multiprocessors(self) -> int:
        """The number of multiprocessors of the current device."""

    @property
    def max_shared_bytes(self) -> int:
        """The most shared memory that a block may have on the current device."""

    def threads(self, preferred: int) -> int:
        """Threads per block for a kernel that is tuned for ``preferred`` of them."""

    def address(self, array: Any) -> int:
        """Where an array's first element lies; 0 for None."""

    def allocate(self, nbytes: int) -> Memory:
        """Memory with any content, for work that is queued on the current stream."""

    def pin(self, array: NDArray[Any]) -> Any:
        """The array as one of `xp` that kernels read in pinned memory of the host.

        Raises
        ------
        MemoryError
            If the host's memory does not suffice.
        """

    def empty_pinned(self, size: int, dtype: Any) -> Any:
        """An array of `xp` in pinned memory of the host, with any content, padded as kernels read."""

    def guard(self, address: int, parts: Iterable[tuple[int, int]]) -> None:
        """Report what kernels do in an allocation beyond its parts; nothing on a device.

        Parameters
        ----------
        address : int
            Where the allocation begins.
        parts : iterable of (int, int)
            Where each begins in it, and how many bytes it has; ascending.
        """

    def grid(self, header: str, expression: str, threads: int, shared_bytes: int = 0) -> GridKernel:
        """A kernel for grids of any size; parameters as of `persistent`.

        Parameters
        ----------
        shared_bytes : int
            Dynamic shared memory for each block.
        """

    def persistent(
        self,
        header: str,
        expression: str,
        threads: int,
        blocks: int,
        cluster: int = 1,
        children: bool = False,
    ) -> Kernel:
        """A kernel whose blocks all run at once, so that they can wait for each other.

        Parameters
        ----------
        header, expression : str
            The file of its template, and the instance as C++ names it.
        threads : int
            Per block.
        blocks : int
            At most; at least one cluster is launched.
        cluster : int
            Blocks that share memory; more than 1 needs compute capability 9.0.
        children : bool
            Whether it launches child grids.
        """


_in_use: Runtime | None = None


def current() -> Runtime:
    """The runtime that drivers use: that of CUDA devices, unless a test has chosen another."""
    global _in_use
    if _in_use is None:
        from warpath.cuda.device_runtime import DEVICE

        _in_use = DEVICE
    return _in_use


@contextmanager
def use(runtime: Runtime) -> Iterator[None]:
    """Let drivers use ``runtime`` in the body; for tests."""
    global _in_use
    before, _in_use = _in_use, runtime
    try:
        yield
    finally:
        _in_use = before
