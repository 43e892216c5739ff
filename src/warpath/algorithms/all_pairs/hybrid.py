"""The CPU's part of a matrix that it closes together with a GPU (`warpath.cuda.work_sharing`)."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.blocks import Blocks
from warpath.operators import PathAlgebra
from warpath.parallel import thread_count

Array = NDArray[Any]

# The share of the threads that compute; others copy rows to the device and back. Next to an H200, 2, 4 and 8 of 16
# take as long, to 6 %; an earlier version took 1.1 to 1.5 times as long with 8, with 14 it took 1.5 to 2.5 times.
_SHARE = 0.5
_ROWS_AT_ONCE = 1024  # rows of a group, whose keys are made again where larger is better: a guess


def threads() -> int:
    """How many of the CPU's threads take part."""
    return max(1, int(_SHARE * thread_count.num_threads()))


def host_products(
    algebra: PathAlgebra, dtype: np.dtype[Any], predecessors: bool, lazy: bool
) -> Callable[..., None]:
    """What `warpath.cuda.out_of_core` asks of the host, by the CPU engine; compiled already."""
    blocks = Blocks(algebra.name, threads(), lazy)

    def better(C: Array, CP: Array | None, A: Array, B: Array, BP: Array | None) -> None:
        if not algebra.larger_is_better:
            blocks.better(C, CP, A, B, BP)
            return
        keys, left = algebra.keys(C), algebra.keys(A)
        for begin in range(0, len(B), _ROWS_AT_ONCE):
            part = slice(begin, begin + _ROWS_AT_ONCE)
            blocks.better(
                keys, CP, left[:, part], algebra.keys(B[part]), None if BP is None else BP[part]
            )
        C[...] = algebra.values(keys)

    # Compiling would hold the GIL, which the threads that copy need now and then.
    kinds = [dtype]
    if dtype.kind == "i" and algebra.adds:
        kinds.append(np.dtype(f"u{dtype.itemsize}"))
    for kind in kinds:
        one = np.zeros((1, 1), kind)
        parent = np.zeros((1, 1), np.int32) if predecessors else None
        better(one, parent, one, one.copy(), None if parent is None else parent.copy())
    return better
