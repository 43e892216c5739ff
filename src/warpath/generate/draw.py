"""Filling arrays with what is drawn by counter: on a team of threads, or on a GPU."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from warpath import devices
from warpath.parallel import team, thread_count
from warpath.parallel.jit import compiled
from warpath.parallel.sync import share
from warpath.progress import Progress

CUDA_SOURCE = Path(__file__).with_name("draw.cuh")
_THREADS = 256  # a block
_BLOCKS = 8  # a multiprocessor: all the threads that it holds
_AT_ONCE = 2**21  # elements drawn on a CPU in one call, which takes up to some 0.5 s: a guess


@dataclass(frozen=True)
class Kernel:
    """One drawing, written twice: for CPUs and for GPUs. Both draw the same numbers.

    Attributes
    ----------
    name : str
        The kernel of ``draw.cuh``: ``name(*arguments, count, *arrays)``.
    function : Numba function
        ``function(thread, threads, sync, first, last, *arguments, *arrays)`` draws the elements
        ``first`` to ``last``, each of its members a `part`.
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
            threads = max(1, min(thread_count.num_threads(), count // self.share))
            with Progress("Drawing", count, "steps") as progress:
                for first in range(0, count, _AT_ONCE):
                    last = min(first + _AT_ONCE, count)
                    team.run(self.function, threads, first, last, *arguments, *arrays)
                    progress.advance(last - first)
            return arrays
        with devices.memory_for(f"drawing {count:,} times"):
            arrays = [xp.empty(count, dtype) for dtype in dtypes]
            if count:
                given = (*map(_as_parameter, arguments), np.int64(count), *arrays)
                most = devices.require().multiprocessors * _BLOCKS
                blocks = min(-(-count // _THREADS), most)
                _module().get_function(self.name)((blocks,), (_THREADS,), given)
            return arrays


@compiled
def part(first, last, thread, threads):  # type: ignore[no-untyped-def]
    """``(begin, end)`` of this thread's share of the elements ``first`` to ``last``."""
    begin, end = share(last - first, thread, threads)
    return first + begin, first + end


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
