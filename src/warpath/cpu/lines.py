"""Operations on cache lines of bits: 8 words of a uint64 array at once, as one vector.

LLVM does not make vectors of loops over 8 words in arrays that might overlap.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from warpath.parallel.atomics import element_pointer

_WORD = ir.IntType(64)
_LINE = ir.VectorType(_WORD, 8)


class _Lines:
    """Vectors at places of arrays, for one call of an intrinsic."""

    def __init__(self, context: Any, builder: Any, signature: Any, args: Any) -> None:
        self.context, self.builder, self.signature, self.args = context, builder, signature, args

    def pointer(self, array: int, index: int) -> Any:
        """Where the line of argument ``array`` at argument ``index`` stands."""
        of = types.void(self.signature.args[array], self.signature.args[index])
        place = self.args[array], self.args[index]
        element = element_pointer(self.context, self.builder, of, place)
        return self.builder.bitcast(element, _LINE.as_pointer())

    def load(self, array: int, index: int) -> Any:
        """The line there; arrays are aligned to their words only."""
        return self.builder.load(self.pointer(array, index), align=8)

    def without(self, line: Any, other: Any) -> Any:
        """Bits of ``line`` that ``other`` does not have."""
        return self.builder.and_(line, self.builder.not_(other))

    def any(self, line: Any) -> Any:
        """All words of a line, or-ed."""
        reduce = cgutils.get_or_insert_function(
            self.builder.module, ir.FunctionType(_WORD, [_LINE]), "llvm.vector.reduce.or.v8i64"
        )
        return self.builder.call(reduce, [line])


@intrinsic
def push(typingctx, front, here, seen, found, there):  # type: ignore[no-untyped-def]
    """``found[there] |= front[here] & ~seen[there]``, for lines; returns what is new, or-ed."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        lines = _Lines(context, builder, signature, args)
        new = lines.without(lines.load(0, 1), lines.load(2, 4))
        builder.store(builder.or_(lines.load(3, 4), new), lines.pointer(3, 4), align=8)
        return lines.any(new)

    return types.uint64(front, here, seen, found, there), codegen


@intrinsic
def pull(typingctx, front, here, seen, found, there, full, start):  # type: ignore[no-untyped-def]
    """``found[there] |= front[here]``; returns which bits of ``full`` are still missing, or-ed."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        lines = _Lines(context, builder, signature, args)
        bits = builder.or_(lines.load(3, 4), lines.load(0, 1))
        builder.store(bits, lines.pointer(3, 4), align=8)
        return lines.any(lines.without(lines.load(5, 6), builder.or_(lines.load(2, 4), bits)))

    return types.uint64(front, here, seen, found, there, full, start), codegen
