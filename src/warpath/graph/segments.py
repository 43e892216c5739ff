"""Minima and sums over consecutive parts of an array, NumPy's or CuPy's.

Part i is ``values[starts[i]:starts[i + 1]]``, the last one ends with the array; none is empty.
Sums add from left to right, so that floats come out the same on every device.
"""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.graph.arrays import module_of
from warpath.parallel.jit import compiled

Array = NDArray[Any]

# A sum of int64 that wrapped is off by a multiple of 2⁶⁴: far beyond the rounding of doubles.
_WRAPPED = 2.0**62


def least(values: Array, starts: Array) -> Array:
    """The least value of each part."""
    if module_of(values) is np:
        return np.minimum.reduceat(values, starts)
    return _on_gpu("least", values, starts)  # type: ignore[no-any-return]


def total(values: Array, starts: Array) -> Array:
    """The sum of each part, in the values' dtype; int64 where a sum does not fit in int32.

    Raises
    ------
    OverflowError
        If a sum of integers does not fit in 64 bits, or one of floats in their dtype.
    """
    xp = module_of(values)
    if values.dtype.kind == "f":
        sums = _add(values, starts, values.dtype)
        if not xp.isfinite(sums).all():
            raise OverflowError(f"the sum of some parallel edges' weights exceeds {values.dtype}")
        return sums
    sums = _add(values, starts, np.dtype(np.int64))
    if xp.abs(_add(values, starts, np.dtype(np.float64)) - sums).max() >= _WRAPPED:
        raise OverflowError("the sum of some parallel edges' weights exceeds 64 bits")
    fits = np.iinfo(np.int32)
    if values.dtype == np.int32 and fits.min <= sums.min() and sums.max() <= fits.max:
        return sums.astype(np.int32)
    return sums


def _add(values: Array, starts: Array, dtype: "np.dtype[Any]") -> Array:
    """Sums in ``dtype``; those of integers wrap."""
    if module_of(values) is np:
        sums = np.empty(len(starts), dtype)
        _add_parts(values, starts, sums)
        return sums
    # In CUDA C++ only unsigned integers may wrap.
    wrapping = np.dtype(np.uint64) if dtype.kind == "i" else dtype
    return _on_gpu("sum", values, starts, wrapping).view(dtype)  # type: ignore[no-any-return]


@compiled
def _add_parts(values, starts, sums):  # type: ignore[no-untyped-def]
    for part in range(starts.shape[0]):
        end = starts[part + 1] if part + 1 < starts.shape[0] else values.shape[0]
        result = sums.dtype.type(values[starts[part]])
        for at in range(starts[part] + 1, end):
            result += sums.dtype.type(values[at])
        sums[part] = result


# CuPy compiles with -ftz=true, which takes subnormal floats for zeros; PTX without .ftz does not.
_CUDA_SOURCE = """
template <class T> __device__ inline T warpath_least(T a, T b) { return b < a ? b : a; }
template <class T> __device__ inline T warpath_sum(T a, T b) { return a + b; }
__device__ inline float warpath_least(float a, float b) {
    float result;
    asm("min.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
    return result;
}
__device__ inline float warpath_sum(float a, float b) {
    float result;
    asm("add.rn.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
    return result;
}
"""


def _on_gpu(fold: str, values: Any, starts: Any, dtype: "np.dtype[Any] | None" = None) -> Any:
    """Fold each part by a thread of its own: parallel edges are few."""
    import cupy

    result = cupy.empty(len(starts), dtype or values.dtype)
    ends = cupy.empty_like(starts)
    ends[:-1] = starts[1:]
    ends[-1:] = len(values)
    _kernel(fold)(values, starts, ends, result)
    return result


@cache
def _kernel(fold: str) -> Any:
    import cupy

    return cupy.ElementwiseKernel(
        "raw T values, int64 begin, int64 end",
        "R result",
        f"""
        R folded = (R)values[begin];
        for (long long at = begin + 1; at < end; ++at) {{
            folded = warpath_{fold}(folded, (R)values[at]);
        }}
        result = folded;
        """,
        f"warpath_{fold}_of_parts",
        preamble=_CUDA_SOURCE,
    )
