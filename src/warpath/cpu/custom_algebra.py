"""Algebras of users' own in kernels: an argument without any content, whose type has the function's text.

Kernels are compiled for its type, so they are kept under what the function does, and not under its name.
"""

import hashlib
from dataclasses import astuple, dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numba import types
from numba.extending import NativeValue, models, register_model, typeof_impl, unbox

from warpath.cpu import arithmetic
from warpath.graph.distance import unreachable
from warpath.language.python import definition
from warpath.operators import PathAlgebra
from warpath.parallel.jit import inlined


@dataclass(frozen=True)
class Custom:
    """An algebra for values of a dtype.

    Attributes
    ----------
    text : str
        The definition of ``extension(d, w)``, of values.
    dtype : str
    larger_is_better : bool
    unreached : number or None
        The key that values must be better than; None where "no path" is the dtype's last anyway.
    """

    text: str
    dtype: str
    larger_is_better: bool
    unreached: float | None


@lru_cache(maxsize=64)
def custom(algebra: PathAlgebra, dtype: np.dtype[Any], weight_dtype: np.dtype[Any]) -> Custom:
    """A user's algebra, translated for distances and weights."""
    assert algebra.extension is not None
    text = definition(algebra.extension.typed(dtype.name, weight_dtype.name), "extension")
    return Custom(text, dtype.name, algebra.larger_is_better, algebra.last_key(dtype))


class CustomType(types.Type):  # type: ignore[misc]
    """Numba's type of it; two are the same if the algebras are."""

    def __init__(self, algebra: Custom) -> None:
        self.algebra = algebra
        digest = hashlib.sha256(repr(astuple(algebra)).encode()).hexdigest()[:32]
        super().__init__(name=f"Custom({digest})")

    def extend(self) -> Any:
        """What `warpath.cpu.relax.extend` does for it: ``extend(algebra, d, w)``, of keys.

        A key that wrapped may be less than d; callers refuse it, as they do sums.
        """
        own = self.algebra
        floats = own.dtype.startswith("float")
        if own.larger_is_better:
            value, key = ("zero - d", "zero - made") if floats else ("~d", "~made")
        else:
            value, key = "d", "zero + made" if floats else "made"
        made = "key" if own.unreached is None else "key if key < last else none"
        text = (
            "def extend(algebra, d, w):\n"
            f"    made = np.{own.dtype}(extension(np.{own.dtype}({value}), w))\n"
            f"    key = np.{own.dtype}({key})\n"
            f"    return {made}\n"
        )
        dtype = np.dtype(own.dtype)
        last = None if own.unreached is None else dtype.type(own.unreached)
        names = {name: getattr(arithmetic, name) for name in arithmetic.__all__}
        names |= {"np": np, "zero": dtype.type(0), "none": unreachable(dtype), "last": last}
        exec(own.text, names)
        names["extension"] = inlined(names["extension"])
        exec(text, names)
        return names["extend"]


register_model(CustomType)(models.OpaqueModel)


@typeof_impl.register(Custom)
def _type_of(value: Custom, context: Any) -> CustomType:
    return CustomType(value)


@unbox(CustomType)
def _unboxed(kind: Any, value: Any, context: Any) -> Any:
    return NativeValue(context.context.get_dummy_value())
