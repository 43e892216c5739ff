"""Where a matrix of distances goes: to memory of either device, an array of the caller's, a file."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath import devices
from warpath.algorithms.all_pairs.many_to_many import Search
from warpath.algorithms.all_pairs.matrix_file import check_target, reading, writing
from warpath.algorithms.all_pairs.rows import Tick
from warpath.planning import memory
from warpath.planning.plan import Plan

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class MatrixTarget:
    """Where the matrix goes: a file, an array of the caller's, or a new one."""

    out: Any
    is_array: bool
    shape: tuple[int, int]
    dtype: np.dtype[Any]

    @classmethod
    def of(cls, out: Any, shape: tuple[int, int], dtype: np.dtype[Any]) -> "MatrixTarget":
        """Check what ``out=`` says.

        Raises
        ------
        ValueError
            If it is no ``.npy`` file, or an array of another shape or dtype.
        """
        is_array = hasattr(out, "shape") and hasattr(out, "dtype")
        if is_array and (tuple(out.shape) != shape or out.dtype != dtype):
            raise ValueError(
                f"out has shape {tuple(out.shape)} and dtype {out.dtype}, but the distances have "
                f"{shape} and {dtype}"
            )
        if is_array and isinstance(out, np.ndarray) and not out.flags.writeable:
            raise ValueError("out is read-only")
        return cls(out if is_array or out is None else check_target(out), is_array, shape, dtype)

    def fill(self, search: Search, plan: Plan, on_device: bool, tick: Tick) -> Array:
        """The matrix, filled.

        Raises
        ------
        MemoryError, OSError
            If there is not enough memory or disk.
        """
        needed = plan.memory["answer"] + plan.memory["workspace"]
        what = f"a matrix of {self.shape[0]:,} × {self.shape[1]:,} distances in {self.dtype}"
        if self.is_array:
            # Kernels are compiled for plain arrays: a mapped file's memory is taken as one.
            plain = np.asarray(self.out) if isinstance(self.out, np.ndarray) else self.out
            search.fill(plain, tick)
            return self.out  # type: ignore[no-any-return]
        if self.out is not None:
            with writing((self.out, self.shape, self.dtype)) as (file,):
                search.fill(file, tick)
            return reading(self.out)
        if on_device:
            from warpath.cuda.out_of_core import free_bytes

            if needed <= free_bytes():
                import cupy

                with devices.memory_for(f"{what} takes {needed:,} bytes"):
                    on_gpu = cupy.empty(self.shape, self.dtype)
                    search.fill(on_gpu, tick)
                return on_gpu  # type: ignore[no-any-return]
        memory.check(needed, lambda: what, "out='d.npy' writes it to a file")
        matrix = np.empty(self.shape, self.dtype)
        search.fill(matrix, tick)
        return matrix
