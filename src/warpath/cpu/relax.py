"""Relaxing an arc, once for all methods: a distance and its predecessor change as one.

``predecessor[v]`` is v's lock as well: a thread that wants to lower ``distance[v]``
puts `LOCKED` there, and what it stores at last unlocks it. So the two never disagree,
whatever the dtype of the distance (a packed 64-bit word would hold only 32-bit ones).

Why predecessors form a tree, with zero-weight cycles and several threads too: each
predecessor is written together with a distance that is strictly smaller than the one
before it, and at every moment d(v) ≥ d(predecessor(v)) + w. Were a cycle of
predecessors closed by lowering d(v), the sum of its weights would be negative
(Cormen et al., lemma 24.16; a stale d(u) only makes the sum larger).
"""

from typing import Any

from numba import njit, types
from numba.extending import intrinsic

from warpath.parallel.atomics import atomic_exchange, atomic_load, atomic_store
from warpath.parallel.team import back_off

NONE = -1
LOCKED = -2


@intrinsic
def extend(typingctx, d, w):  # type: ignore[no-untyped-def]
    """``d + w``, for integers in 64 bits and modulo 2⁶⁴.

    Of Numba's own ``+`` LLVM may assume that it does not wrap, and then drops the
    comparison that would find out that it did.
    """
    total = types.int64 if isinstance(d, types.Integer) else d

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        terms = [context.cast(builder, args[k], signature.args[k], total) for k in (0, 1)]
        return builder.fadd(*terms) if isinstance(total, types.Float) else builder.add(*terms)

    return total(d, w), codegen


@njit(nogil=True, cache=True, forceinline=True)
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


@njit(nogil=True, cache=True, forceinline=True)
def unlock(predecessor, v, u, threads):  # type: ignore[no-untyped-def]
    """Make ``u`` the predecessor of v, and let others write."""
    if threads == 1:
        predecessor[v] = u
    else:
        atomic_store(predecessor, v, u)


@njit(nogil=True, cache=True, forceinline=True)
def lower(distance, predecessor, u, v, candidate, threads):  # type: ignore[no-untyped-def]
    """Make ``candidate`` the distance of v and u its predecessor, if that is shorter.

    Returns whether it was.
    """
    held = lock(predecessor, v, threads)
    if candidate < distance[v]:
        distance[v] = candidate
        unlock(predecessor, v, u, threads)
        return True
    unlock(predecessor, v, held, threads)
    return False
