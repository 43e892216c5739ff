"""Relaxing an arc, once for all methods: a distance and its predecessor change as one.

``predecessor[v]`` is v's lock as well: a thread that wants to lower ``distance[v]``
puts `LOCKED` there, and what it stores at last unlocks it. So the two never disagree,
whatever the dtype of the distance (a packed 64-bit word would hold only 32-bit ones).

Why predecessors form a tree, with zero-weight cycles and several threads too: each
predecessor is written together with a distance that is strictly smaller than before.
So at every moment d(v) ≥ d(predecessor(v)) + w. If lowering d(v) closed a cycle among
predecessors, the sum of its weights would be negative
(Cormen et al., lemma 24.16; a stale d(u) only makes the sum larger). In the other path
algebras no arc makes a path better, so d(u) is no better than d(v) for any u behind v,
and no arc back to v can lower it.

Distances are keys (`warpath.operators.Algebra`): in every algebra the less is the better.
Sums of integers do not pass for others when they wrap. Only a reached vertex's distance is extended,
never the value for "no path". A plan takes 32 bits only where every path fits there, and every walk
of 2n arcs if a weight is negative (`warpath.planning.shortest_paths.relaxation`); `add` then extends
them to 64 bits. There a sum of two numbers wraps at most once. One with a weight of 0 or more then lies
below ``d``, which all callers refuse; one with a negative weight lies above it (`fell_short`). What was
refused is found after the run, where a plan could not rule it out (`warpath.algorithms.shortest_paths.overflow`).

Which algebra, kernels are told by an argument without any content, of `typed`: its type
is known when they are compiled, once for each.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.extending import intrinsic, overload
from numba.np.numpy_support import as_dtype

from warpath.cpu.custom_algebra import CustomType, custom
from warpath.graph.distance import unreachable
from warpath.operators import PathAlgebra
from warpath.parallel.atomics import atomic_exchange, atomic_load, atomic_store
from warpath.parallel.jit import inlined
from warpath.parallel.sync import back_off

NONE = -1
LOCKED = -2


class Sum(NamedTuple):
    """Distances are sums of weights."""


class Largest(NamedTuple):
    """Distances are the largest weight."""


class Least(NamedTuple):
    """Distances are the least weight, turned round."""


class Product(NamedTuple):
    """Distances are products of weights from 0 to 1, turned round: they are below 0."""


ALGEBRAS = {
    "shortest": Sum(), "minimax": Largest(), "widest": Least(), "most-reliable": Product(),
}  # fmt: skip


def typed(algebra: PathAlgebra, dtype: np.dtype[Any], weight_dtype: np.dtype[Any]) -> Any:
    """An algebra as kernels take it, for distances and weights of these dtypes."""
    if algebra.extension is None:
        return ALGEBRAS[algebra.name]
    return custom(algebra, dtype, weight_dtype)


@intrinsic
def add(typingctx, d, w):  # type: ignore[no-untyped-def]
    """``d + w``, for integers in 64 bits and modulo 2⁶⁴.

    LLVM may assume that Numba's own ``+`` does not wrap, and then drops the comparison
    that would find out that it did.
    """
    total = types.int64 if isinstance(d, types.Integer) else d

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        terms = [context.cast(builder, args[k], signature.args[k], total) for k in (0, 1)]
        return builder.fadd(*terms) if isinstance(total, types.Float) else builder.add(*terms)

    return total(d, w), codegen


def extend(algebra, d, w):  # type: ignore[no-untyped-def]
    """The key of a path of key ``d`` and one more arc of weight ``w``, in a kernel."""
    raise TypeError("only compiled code extends paths")


@overload(extend, jit_options={"forceinline": True})
def _extend(algebra, d, w):  # type: ignore[no-untyped-def]
    if isinstance(algebra, CustomType):
        return algebra.extend()

    # Of the two zeros of floats 0 + w and 0 − w are always the one, so that keys which compare
    # equal are the same to the bit.
    zero = as_dtype(w).type(0)

    def total(algebra, d, w):  # type: ignore[no-untyped-def]
        return add(d, w)

    def largest(algebra, d, w):  # type: ignore[no-untyped-def]
        w = zero + w
        return w if w > d else d

    def least(algebra, d, w):  # type: ignore[no-untyped-def]
        w = zero - w if floats else ~w
        return w if w > d else d

    def product(algebra, d, w):  # type: ignore[no-untyped-def]
        reliability = d * w
        return reliability if reliability < 0 else none  # an arc of weight 0 is no arc

    floats = isinstance(d, types.Float)
    none = unreachable(as_dtype(d))
    return {Sum: total, Largest: largest, Least: least, Product: product}[algebra.instance_class]


def fell_short(algebra, d, w, candidate):  # type: ignore[no-untyped-def]
    """Whether ``candidate``, an integer extended by a negative weight, wrapped; in a kernel."""
    raise TypeError("only compiled code extends paths")


@overload(fell_short, jit_options={"forceinline": True})
def _fell_short(algebra, d, w, candidate):  # type: ignore[no-untyped-def]
    if getattr(algebra, "instance_class", None) is Sum:
        return lambda algebra, d, w, candidate: (w < 0) & (candidate > d)
    return lambda algebra, d, w, candidate: False


@inlined
def lock(predecessor, v, threads):  # type: ignore[no-untyped-def]
    """Become the only writer of v's distance; return its predecessor."""
    if threads == 1:
        return predecessor[v]
    spins = 0
    while True:
        held = atomic_exchange(predecessor, v, LOCKED)
        if held != LOCKED:
            return held
        while atomic_load(predecessor, v) == LOCKED:
            spins += 1
            back_off(spins)


@inlined
def unlock(predecessor, v, u, threads):  # type: ignore[no-untyped-def]
    """Make ``u`` the predecessor of v, and let others write."""
    if threads == 1:
        predecessor[v] = u
    else:
        atomic_store(predecessor, v, u)


@inlined
def lower(distance, predecessor, u, v, candidate, threads):  # type: ignore[no-untyped-def]
    """Make ``candidate`` the distance of v and u its predecessor, if that is shorter.

    Returns whether it was.
    """
    held = lock(predecessor, v, threads)
    if candidate < distance[v]:
        distance[v] = candidate
        unlock(predecessor, v, np.int32(u), threads)
        return True
    unlock(predecessor, v, held, threads)
    return False
