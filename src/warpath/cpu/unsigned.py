"""Unsigned integers: graph arrays as kernels index them, words of bits.

Numba takes a negative index to count from the end, as NumPy does, which costs a compare and
a select for every signed index: a BFS on a grid takes 1.5 times as long.
Unsigned indices need none. Ids and offsets are never negative, so their bits are the same.
"""

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

ONE = np.uint64(1)
ZERO = np.uint64(0)
WORD, LOW = np.uint64(6), np.uint64(63)  # bit v is bit ``v & LOW`` of word ``v >> WORD``
_UNSIGNED = {size: np.dtype(f"u{size}") for size in (1, 2, 4, 8)}


def unsigned(array: NDArray[Any]) -> NDArray[Any]:
    """A view of an integer array with the unsigned dtype of the same width."""
    return array.view(_UNSIGNED[array.dtype.itemsize])


@intrinsic
def trailing_zeros(typingctx, word):  # type: ignore[no-untyped-def]
    """The number of the lowest set bit of a uint64; 64 for 0."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        value = context.cast(builder, args[0], signature.args[0], types.uint64)
        return builder.cttz(value, context.get_constant(types.boolean, False))

    return types.uint64(word), codegen
