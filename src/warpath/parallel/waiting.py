"""How kernels wait, and how they notice a signal: futexes, a clock and Python's signal handlers.

All of it is called from compiled code, without Python's global lock.
"""

import platform
import sys
import time
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from warpath.parallel.atomics import element_pointer

_I32, _I64, _BYTE = ir.IntType(32), ir.IntType(64), ir.IntType(8).as_pointer()
_VOID = ir.VoidType()
# The system call's number; where it is not known, threads yield their core instead of sleeping.
_FUTEX = {"x86_64": 202, "aarch64": 98, "riscv64": 98, "ppc64le": 221, "s390x": 238}.get(
    platform.machine() if sys.platform == "linux" and sys.maxsize > 2**32 else ""
)
_WAIT_PRIVATE, _WAKE_PRIVATE = 128, 129
_ALL = 2**31 - 1
_TIMEOUT_NANOSECONDS = 50_000_000  # a thread that sleeps looks for signals so often
_LOW_HALF = 4 if sys.byteorder == "big" else 0  # a futex is 32 bits, where the cell has 64
# A clock that is read without a system call, from what the kernel's last tick left.
_CLOCK = {"linux": 6, "darwin": 5}.get(sys.platform, getattr(time, "CLOCK_MONOTONIC", 1))

CAN_SLEEP = _FUTEX is not None


def _call(builder: Any, name: str, result: Any, *args: Any) -> Any:
    kind = ir.FunctionType(result, [arg.type for arg in args])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), args)


def _futex(context: Any, builder: Any, signature: Any, args: Any, *rest: Any) -> None:
    cell = builder.bitcast(element_pointer(context, builder, signature, args), _BYTE)
    cell = builder.gep(cell, [_I64(_LOW_HALF)])
    operation, value, timeout = rest
    _call(
        builder, "syscall", _I64, _I64(_FUTEX), cell, _I64(operation), value, timeout,
        ir.Constant(_BYTE, None), _I64(0),
    )  # fmt: skip


@intrinsic
def sleep_while(typingctx, array, index, value):  # type: ignore[no-untyped-def]
    """Sleep until `wake_all` at ``array[index]``, if it is ``value``; some 50 ms at most."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if CAN_SLEEP:
            timeout = cgutils.alloca_once(builder, ir.ArrayType(_I64, 2))
            builder.store(ir.Constant(ir.ArrayType(_I64, 2), [0, _TIMEOUT_NANOSECONDS]), timeout)
            expected = builder.and_(args[2], _I64(2**32 - 1))
            rest = (_WAIT_PRIVATE, expected, builder.bitcast(timeout, _BYTE))
            _futex(context, builder, signature, args, *rest)
        return context.get_dummy_value()

    return types.void(array, index, types.int64), codegen


@intrinsic
def wake_all(typingctx, array, index):  # type: ignore[no-untyped-def]
    """Wake every thread that sleeps at ``array[index]``."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if CAN_SLEEP:
            rest = (_WAKE_PRIVATE, _I64(_ALL), ir.Constant(_BYTE, None))
            _futex(context, builder, signature, args, *rest)
        return context.get_dummy_value()

    return types.void(array, index), codegen


@intrinsic
def milliseconds(typingctx):  # type: ignore[no-untyped-def]
    """Some clock's time, exact to a few milliseconds; read in some 5 ns."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if sys.platform == "win32":
            return _call(builder, "GetTickCount64", _I64)
        now = cgutils.alloca_once(builder, ir.ArrayType(_I64, 2))
        _call(builder, "clock_gettime", _I32, _I32(_CLOCK), builder.bitcast(now, _BYTE))
        seconds, nanoseconds = (
            builder.load(builder.gep(now, [_I32(0), _I32(k)])) for k in range(2)
        )
        return builder.add(
            builder.mul(seconds, _I64(1000)), builder.sdiv(nanoseconds, _I64(1_000_000))
        )

    return types.int64(), codegen


@intrinsic
def thread_identity(typingctx):  # type: ignore[no-untyped-def]
    """`threading.get_ident` of the thread that runs this."""
    width = _I32 if sys.platform == "win32" else _I64  # C's unsigned long

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        identity = _call(builder, "PyThread_get_thread_ident", width)
        return builder.zext(identity, _I64) if width is _I32 else identity

    return types.int64(), codegen


@intrinsic
def raised_by_signal(typingctx, array, index):  # type: ignore[no-untyped-def]
    """Let Python's handlers of signals that have come run; whether one has raised.

    Its exception is then in ``array[index:index + 3]``, for `raise_from`. Only in the main thread do
    handlers run.
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        state = _call(builder, "PyGILState_Ensure", _I32)
        raised = builder.icmp_signed("!=", _call(builder, "PyErr_CheckSignals", _I32), _I32(0))
        with builder.if_then(raised, likely=False):
            cell = builder.bitcast(element_pointer(context, builder, signature, args), _BYTE)
            places = [builder.gep(cell, [_I64(8 * k)]) for k in range(3)]
            _call(builder, "PyErr_Fetch", _VOID, *places)
        _call(builder, "PyGILState_Release", _VOID, state)
        return raised

    return types.boolean(array, index), codegen


def raise_from(array: Any, index: int) -> None:
    """Raise the exception that `raised_by_signal` has left in an array."""
    from ctypes import c_void_p, pythonapi

    pythonapi.PyErr_Restore(*(c_void_p(int(pointer)) for pointer in array[index : index + 3]))
