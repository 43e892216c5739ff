"""What kernels take: one struct by value, laid out in Python as C++ lays it out.

A struct of C++ is a `Struct` here, field for field, by the same names; a template by the type of row
offsets, weights or distances is a function of that type. A test compares all offsets and
sizes with the compiler's (tests/cuda/test_arguments.py), and a launch its size with the kernel's.
"""

from collections.abc import Callable
from functools import cache
from struct import Struct as Packer
from typing import Any

import numpy as np

INVALID_VERTEX = 2**32 - 1  # `invalid_vertex` of core/types.cuh
POINTER, BOOL, U8, U32, I32, U64, F32 = "u8", "?", "u1", "u4", "i4", "u8", "f4"
_CODES = {"b": "?", "u": "BHIQ", "i": "bhiq", "f": "..fd"}  # by log₂ of the size


class Struct:
    """A struct of C++: named fields, aligned as C++ aligns them.

    Calling it with a value for each field packs them: numbers, for a struct in it what that one
    packed, for an array a tuple. A field that is missing, or none of its own, is a TypeError; a
    number that does not fit, a `struct.error`.

    Parameters
    ----------
    **fields : str, dtype, Struct, or (one of these, int)
        The types of the fields, in order; a pair is an array.

    Examples
    --------
    >>> pair = Struct(size=U32, rows=POINTER)
    >>> pair(size=1, rows=2)
    b'\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x02\\x00\\x00\\x00\\x00\\x00\\x00\\x00'
    """

    __call__: Callable[..., bytes]

    def __new__(cls, **fields: Any) -> "Struct":
        """A struct with a class of its own, whose ``__call__`` is a function of its fields.

        With keywords that a dictionary collects first, a call took twice as long, and a small search packs
        half a dozen structs.
        """
        return super().__new__(type("Struct", (cls,), {}))

    def __init__(self, **fields: Any) -> None:
        self.dtype = np.dtype([_field(name, of) for name, of in fields.items()], align=True)
        starred = [f"*{name}" if isinstance(of, tuple) else name for name, of in fields.items()]
        source = f"lambda *, {', '.join(fields)}: pack({', '.join(starred)})"
        call = eval(source, {"pack": self._packer().pack})  # of names of fields alone
        call.__qualname__ = f"a struct of {', '.join(fields)}"
        type(self).__call__ = staticmethod(call)  # type: ignore[method-assign]

    @property
    def nbytes(self) -> int:
        """Its size."""
        return int(self.dtype.itemsize)

    def _packer(self) -> Packer:
        code, end = "<", 0
        fields = self.dtype.fields
        assert fields is not None
        for name in self.dtype.names or ():
            of, begin = fields[name][:2]
            code += f"{begin - end}x{_code(of)}"
            end = begin + of.itemsize
        return Packer(f"{code}{self.dtype.itemsize - end}x")

    def offset(self, *path: str) -> int:
        """Where a field of a field … begins, in bytes."""
        begin, dtype = 0, self.dtype
        for name in path:
            assert dtype.fields is not None
            dtype, at = dtype.fields[name][:2]
            begin += at
        return begin


def _field(name: str, of: Any) -> tuple[Any, ...]:
    if isinstance(of, tuple):
        return (name, getattr(of[0], "dtype", of[0]), of[1])
    return (name, of.dtype if isinstance(of, Struct) else of)


def _code(of: np.dtype[Any]) -> str:
    """A field's code in the ``struct`` module: of a struct its bytes."""
    if of.subdtype is not None:
        base, shape = of.subdtype
        return f"{shape[0]}{_code(base)}" if base.fields is None else f"{of.itemsize}s"
    if of.fields is not None:
        return f"{of.itemsize}s"
    return _CODES[of.kind][of.itemsize.bit_length() - 1]


# Structs that several kernels have: core/types.cuh, balance/balance.cuh, engine/trace.cuh.
CSR = Struct(vertices=U32, row_offsets=POINTER, column_indices=POINTER)
SOURCES = Struct(several=POINTER, first=U32, count=U32)
RUN = Struct(iterations=U32, resumes=BOOL)
BALANCE_MEMORY = Struct(prepared=POINTER, workspace=POINTER)
TRACE_ROWS = Struct(first=POINTER, count=U32)
AMOUNT = Struct(vertices=U64, arcs=U64)


@cache
def segments_struct(offset_bytes: int) -> Struct:
    """``Segments`` of frontier/queue.cuh."""
    return Struct(vertices=POINTER, prefix=POINTER, size=U32, items=f"u{offset_bytes}")
