"""Workspaces: the arrays of a run in one allocation, by name."""

from typing import Any

import numpy as np

from warpath.cuda import runtime

_ALIGNMENT = 128  # bytes: a cache line, so that blocks which wait for one array do not slow another


class Layout:
    """Where the arrays of one allocation lie.

    Parameters
    ----------
    **arrays : (dtype, int)
        The dtype of their elements, and how many there are. Each begins at a multiple of 128 bytes.

    Attributes
    ----------
    begin : dict of str to int
        Where each array begins, in bytes.
    nbytes : int
        The size of all together.
    """

    def __init__(self, **arrays: tuple[Any, int]) -> None:
        self.begin: dict[str, int] = {}
        self.nbytes = 0
        self._parts: list[tuple[int, int]] = []
        red_zone = runtime.current().red_zone
        for name, (dtype, length) in arrays.items():
            self.begin[name] = self.nbytes
            nbytes = np.dtype(dtype).itemsize * length
            self._parts.append((self.nbytes, nbytes))
            self.nbytes += -(-nbytes // _ALIGNMENT) * _ALIGNMENT + red_zone

    def at(self, address: int) -> dict[str, int]:
        """The arrays' addresses in an allocation that begins at ``address``."""
        runtime.current().guard(address, self._parts)
        return {name: address + begin for name, begin in self.begin.items()}


def words_of_bits(n: int) -> int:
    """32-bit words of a bitmap of n bits, in whole groups of four."""
    return -(-n // 128) * 4


def address_of_vertex_0(values: Any, first: int) -> int:
    """Where the value of vertex 0 would lie, as kernels know vertices, of an array that begins with vertex ``first``; 0 if it is empty."""
    here = runtime.current().address(values)
    return here - first * values.itemsize if len(values) else 0
