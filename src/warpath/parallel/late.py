"""Functions that a kernel calls by address, so that they are compiled only once a call needs them.

Such a function is itself a kernel, ``function(thread, threads, sync, *args)``, and returns nothing. The kernel gets its
address as an argument. If that is `ABSENT` where it needs the function, all members return and say so; their caller
finds the address and runs the kernel again.
"""

from typing import Any

from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic

from warpath.parallel.interruption import new_sync
from warpath.parallel.team import signature

ABSENT = 0


def address(function: Any, *args: Any) -> int:
    """Where the machine code of ``function(thread, threads, sync, *args)`` lies, for arguments of these types.

    It stays there as long as the process lives.
    """
    types_of_arguments = signature(new_sync(), args)
    function.compile(types_of_arguments)
    result = function.overloads[types_of_arguments]
    if result.fndesc.restype != types.none:
        raise TypeError(
            f"{function.__name__} returns {result.fndesc.restype}; it must return nothing"
        )
    place: int = result.library.get_pointer_to_function(result.fndesc.llvm_func_name)
    return place


@intrinsic
def call_at(typingctx, where, args):  # type: ignore[no-untyped-def]
    """Call the function whose `address` is ``where``, with a tuple of arguments of exactly its types.

    It must not raise, as all that a team runs.
    """
    if not (isinstance(where, types.Integer) and isinstance(args, types.BaseTuple)):
        raise TypingError(f"call_at needs an address and a tuple of arguments, not {where}, {args}")

    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        # As Numba itself calls a function by its address (`Lower._lower_call_FunctionType`), so by its convention.
        kinds = tuple(signature.args[1])
        convention = context.call_conv
        function = convention.get_function_type(types.none, kinds).as_pointer()
        given = cgutils.unpack_tuple(builder, values[1], len(kinds))
        convention.call_function(
            builder, builder.inttoptr(values[0], function), types.none, kinds, given
        )
        return context.get_dummy_value()

    return types.void(types.int64, args), codegen
