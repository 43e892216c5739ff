"""Arrays in parts of one array: a kernel's workspace, allocated at once."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.core.typing.npydecl import parse_dtype
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from warpath.parallel.atomics import element_pointer


@intrinsic
def carve(typingctx, words, begin, dtype, shape):  # type: ignore[no-untyped-def]
    """The memory from ``words[begin]`` on as an array of another dtype and shape.

    As ``words[begin:end].view(dtype).reshape(shape)``, which takes Numba 0.1 s to compile. The array has no owner
    (see `warpath.parallel.atomics.unowned`), and nothing checks that it ends within ``words``.

    Parameters
    ----------
    words : array, shape (n,)
        The caller must keep it alive.
    begin : int
    dtype : dtype or NumPy's scalar class
    shape : tuple of int
    """
    if not (isinstance(words, types.Array) and words.ndim == 1 and words.layout == "C"):
        raise TypingError(f"carve needs a contiguous 1-d array, not {words}")
    if not (
        isinstance(shape, types.BaseTuple) and all(isinstance(k, types.Integer) for k in shape)
    ):
        raise TypingError(f"a shape is a tuple of integers, not {shape}")
    array = types.Array(parse_dtype(dtype), len(shape), "C")

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        result = context.make_array(array)(context, builder)
        start = element_pointer(context, builder, signature, args)
        sizes = [
            context.cast(builder, builder.extract_value(args[3], k), of, types.intp)
            for k, of in enumerate(signature.args[3])
        ]
        itemsize = context.get_constant(
            types.intp, context.get_abi_sizeof(context.get_data_type(array.dtype))
        )
        strides = [itemsize]
        for size in reversed(sizes[1:]):
            strides.insert(0, builder.mul(strides[0], size))
        populate_array(
            result,
            data=builder.bitcast(start, result.data.type),
            shape=sizes,
            strides=strides,
            itemsize=itemsize,
            meminfo=ir.Constant(cgutils.voidptr_t, None),
        )
        return result._getvalue()

    return array(words, begin, dtype, shape), codegen
