"""Atomic operations on the elements of NumPy arrays, for Numba kernels.

Numba has none for CPUs. Each function here takes ``(array, index, ...)`` and compiles to
one LLVM atomic instruction. ``array`` is one-dimensional and aligned, of dtype int32, int64, float32
or float64. Floats are moved as the integers with the same bits where LLVM asks for integers.

Memory order: read-modify-write operations are sequentially consistent, loads
acquire and stores release, which on x86 costs no more than weaker orders and
is what a reader of the kernels expects.

The index is not checked and not wrapped: a kernel's index is the vertex.
"""

import platform
import sys
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic

_SUPPORTED = (types.int32, types.int64, types.float32, types.float64)


def _check(array: Any, index: Any, *values: Any) -> None:
    if not (isinstance(array, types.Array) and array.ndim == 1 and array.dtype in _SUPPORTED):
        raise TypingError(f"atomics need a 1-d int32/int64/float32/float64 array, not {array}")
    if not array.mutable or not array.aligned:
        raise TypingError(f"atomics need a writeable, aligned array, not {array}")
    if not isinstance(index, types.Integer):
        raise TypingError(f"atomics need an integer index, not {index}")
    for value in values:
        # An integer may be narrowed, as where Numba itself stores into an array; a float
        # that silently lost its fraction would be a bug.
        known = (types.Integer, types.Boolean)
        if not isinstance(
            value, known if isinstance(array.dtype, types.Integer) else (*known, types.Float)
        ):
            raise TypingError(f"atomics cannot store {value} in an array of {array.dtype}")


def element_pointer(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """The address of an intrinsic's element, ``array[index]``, its first two arguments."""
    array_type, index_type = signature.args[:2]
    array = context.make_array(array_type)(context, builder, args[0])
    index = context.cast(builder, args[1], index_type, types.intp)
    return cgutils.get_item_pointer(context, builder, array_type, array, [index], wraparound=False)


def _read_modify_write(integer_op: str, float_op: str) -> Any:
    """Build the implementation of an ``atomicrmw`` that returns the old value."""

    def implementation(typingctx: Any, array: Any, index: Any, value: Any) -> Any:
        _check(array, index, value)
        dtype = array.dtype

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            pointer = element_pointer(context, builder, signature, args)
            operand = context.cast(builder, args[2], signature.args[2], dtype)
            op = float_op if isinstance(dtype, types.Float) else integer_op
            return builder.atomic_rmw(op, pointer, operand, "seq_cst")

        return dtype(array, index, value), codegen

    return implementation


@intrinsic
def atomic_add(typingctx, array, index, value):  # type: ignore[no-untyped-def]
    """``array[index] += value``; return the value before."""
    return _read_modify_write("add", "fadd")(typingctx, array, index, value)


@intrinsic
def atomic_min(typingctx, array, index, value):  # type: ignore[no-untyped-def]
    """``array[index] = min(array[index], value)``; return the value before."""
    return _read_modify_write("min", "fmin")(typingctx, array, index, value)


@intrinsic
def atomic_max(typingctx, array, index, value):  # type: ignore[no-untyped-def]
    """``array[index] = max(array[index], value)``; return the value before."""
    return _read_modify_write("max", "fmax")(typingctx, array, index, value)


@intrinsic
def atomic_or(typingctx, array, index, value):  # type: ignore[no-untyped-def]
    """``array[index] |= value`` of integers; return the value before."""
    return _read_modify_write("or", "")(typingctx, array, index, value)


@intrinsic
def atomic_exchange(typingctx, array, index, value):  # type: ignore[no-untyped-def]
    """``array[index] = value``; return the value before."""
    return _read_modify_write("xchg", "xchg")(typingctx, array, index, value)


@intrinsic
def atomic_compare_and_swap(typingctx, array, index, expected, value):  # type: ignore[no-untyped-def]
    """If ``array[index]`` has the bits of ``expected``, store ``value``; return the value before.

    The swap happened exactly when the returned value has the bits of ``expected``.
    """
    _check(array, index, expected, value)
    dtype = array.dtype

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        bits = ir.IntType(dtype.bitwidth)  # LLVM compares no floats
        element = element_pointer(context, builder, signature, args)
        old, new = (
            builder.bitcast(context.cast(builder, args[k], signature.args[k], dtype), bits)
            for k in (2, 3)
        )
        pointer = builder.bitcast(element, bits.as_pointer())
        pair = builder.cmpxchg(pointer, old, new, "seq_cst", "seq_cst")
        return builder.bitcast(builder.extract_value(pair, 0), context.get_value_type(dtype))

    return dtype(array, index, expected, value), codegen


@intrinsic
def atomic_load(typingctx, array, index):  # type: ignore[no-untyped-def]
    """Read ``array[index]``; what its writer wrote before is visible afterwards."""
    _check(array, index)
    dtype = array.dtype

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = element_pointer(context, builder, signature, args)
        return builder.load_atomic(pointer, "acquire", dtype.bitwidth // 8)

    return dtype(array, index), codegen


@intrinsic
def atomic_store(typingctx, array, index, value):  # type: ignore[no-untyped-def]
    """Write ``array[index]``; what this thread wrote before is visible to a thread that reads it."""
    _check(array, index, value)
    dtype = array.dtype

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = element_pointer(context, builder, signature, args)
        operand = context.cast(builder, args[2], signature.args[2], dtype)
        builder.store_atomic(operand, pointer, "release", dtype.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(array, index, value), codegen


@intrinsic
def prefetch(typingctx, array, index):  # type: ignore[no-untyped-def]
    """Ask for the cache line of ``array[index]``; never faults, changes nothing."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = element_pointer(context, builder, signature, args)
        byte = ir.IntType(8).as_pointer()
        i32 = ir.IntType(32)
        function = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(ir.VoidType(), [byte, i32, i32, i32]),
            "llvm.prefetch.p0",
        )
        read, keep, data = (ir.Constant(i32, k) for k in (0, 3, 1))
        builder.call(function, [builder.bitcast(pointer, byte), read, keep, data])
        return context.get_dummy_value()

    return types.void(array, index), codegen


@intrinsic
def unowned(typingctx, values):  # type: ignore[no-untyped-def]
    """The same tuple, whose arrays, in tuples inside it too, are not counted as references to them.

    Numba counts references to arrays, also for the length of a call that LLVM inlines:
    two atomic operations an array, 33 ns for a helper that does 1 ns of work. Arrays
    without an owner cost nothing. The caller must keep the arrays alive.
    """
    if not isinstance(values, types.BaseTuple):
        raise TypingError(f"unowned needs a tuple of arrays, not {values}")

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _without_owners(context, builder, signature.args[0], args[0])

    return values(values), codegen


def _without_owners(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    if isinstance(kind, types.BaseTuple):
        parts = [
            _without_owners(context, builder, part, builder.extract_value(value, i))
            for i, part in enumerate(kind)
        ]
        return context.make_tuple(builder, kind, parts)
    if isinstance(kind, types.Array):
        view = context.make_array(kind)(context, builder, value)
        view.meminfo = cgutils.get_null_value(view.meminfo.type)
        return view._getvalue()
    return value


@intrinsic
def spin_hint(typingctx):  # type: ignore[no-untyped-def]
    """Tell the core that this thread spins (``pause`` on x86; nothing elsewhere)."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if platform.machine().lower() in {"x86_64", "amd64"}:
            function = cgutils.get_or_insert_function(
                builder.module, ir.FunctionType(ir.VoidType(), []), "llvm.x86.sse2.pause"
            )
            builder.call(function, [])
        return context.get_dummy_value()

    return types.void(), codegen


# Gives the rest of the time slice to another thread: a spinning thread must not
# starve the one it waits for where there are more threads than cores.
yield_core = types.ExternalFunction(
    "SwitchToThread" if sys.platform == "win32" else "sched_yield", types.int32()
)
