"""Filling arrays with what is drawn by counter: on a team of threads, or on a GPU."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from warpath import devices
from warpath.parallel import team

CUDA_SOURCE = Path(__file__).with_name("draw.cuh")
_THREADS = 256  # a block
_BLOCKS = 8  # a multiprocessor: all the threads that it holds


@dataclass(frozen=True)
class Kernel:
    """One drawing, written twice: for CPUs and for GPUs. Both draw the same numbers.

    Attributes
    ----------
    name : str
        The kernel of ``draw.cuh``: ``name(*arguments, count, *arrays)``.
    function : Numba function
        ``function(thread, threads, sync, *arguments, *arrays)``.
    share : int
        Elements that are worth another thread of a CPU.
    """

    name: str
    function: Any
    share: int

    def draw(self, xp: Any, count: int, dtypes: Sequence[DTypeLike], *arguments: Any) -> list[Any]:
        """Arrays of ``count`` elements, NumPy's or CuPy's, one for each of ``dtypes``.

        Raises
        ------
        MemoryError
            If a GPU's memory does not suffice.
        """
        if xp is np:
            arrays = [np.empty(count, dtype) for dtype in dtypes]
            threads = max(1, min(team.num_threads(), count // self.share))
            team.run(self.function, threads, *arguments, *arrays)
            return arrays
        with devices.memory_for(f"drawing {count:,} times"):
            arrays = [xp.empty(count, dtype) for dtype in dtypes]
            if count:
                given = (*map(_as_parameter, arguments), np.int64(count), *arrays)
                most = devices.require().multiprocessors * _BLOCKS
                blocks = min(-(-count // _THREADS), most)
                _module().get_function(self.name)((blocks,), (_THREADS,), given)
            return arrays


@cache
def _module() -> Any:
    import cupy

    return cupy.RawModule(code=CUDA_SOURCE.read_text())


def _as_parameter(value: Any) -> Any:
    """A kernel's argument: a Python number becomes NumPy's of 64 bits (a bool of 8)."""
    if isinstance(value, bool):
        return np.bool_(value)
    if isinstance(value, int):
        return np.int64(value)
    return np.float64(value) if isinstance(value, float) else value
