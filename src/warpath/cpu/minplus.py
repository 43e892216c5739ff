"""Min-plus products of dense matrices, the inner part of all dense methods.

``D[i, j] = min(D[i, j], A[i, k] + B[k, j])`` over a panel of some 64 k at a time, for keys of any
path algebra: min is always the least key, + the algebra's extension (`join`).

What is in the encoding:

- A step works on packed copies of a panel of columns of A and of a panel of rows of B. So D
  itself may be A or B, every product is made of the values from before the step, and the
  answer does not depend on the number of threads.
- The innermost loop goes along the columns of two rows of D and takes four k at once. Each
  vector of B is loaded once for both rows, each vector of D once for four k. LLVM turns it into
  vector instructions of add and min alone (a test looks at the assembly).
- "No path" must not wrap when it is added to: `no_path`, half of an integer's largest value, fits twice.
  Paths are at most L long, less than half of `no_path` (`warpath.planning.all_pairs.work_dtype`).
  Negative cycles are looked for before, so negative weights take at most L off "no path": what they
  leave is longer than any path.
- A panel is filled up with "no path" to a multiple of four k.
- A lazy product skips four k at a time, where two rows of A, or the columns of B, have no path. What
  it saves does not depend on what B's columns hold, and a look at B costs a 64th of the work.
- ``P`` is None, or holds predecessors: v's on the way from i is v's on the way from the k that
  bettered it. Only a strictly better key changes one.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.extending import intrinsic, overload
from numpy.typing import NDArray

from warpath.cpu.relax import ALGEBRAS, Largest, Least, Product, Sum
from warpath.cpu.unsigned import ZERO
from warpath.parallel.atomics import atomic_add, unowned
from warpath.parallel.jit import compiled, inlined
from warpath.parallel.sync import barrier, share, stopping

Array = NDArray[Any]

# Measured with one thread of Zen 5 (48 KiB and 1 MiB of cache), n = 2048, 2026-11: 20 billion
# float64 a second, and 34 billion float32. Panels of 32 k or segments of 128 columns: a third less.
PANEL = 64  # also how many rows of D a thread takes at once: a guess
_SEGMENT = 512  # columns of D and of B's panel that a thread works on at once
_K = 4  # k of one innermost loop


@cache
def no_path(algebra: str, dtype: Any) -> Any:
    """The key for "no path" that these kernels use: joined with any key it stays the worst."""
    dtype = np.dtype(dtype)
    if algebra == "most-reliable":
        return dtype.type(0)
    if dtype.kind == "f":
        return dtype.type(np.inf)
    most = np.iinfo(dtype).max
    return dtype.type(most // 2 if algebra == "shortest" else most)


class Keys(NamedTuple):
    """How keys are joined, which one says "no path", and whether what leads nowhere is passed over.

    The latter, Harish, Vineet, Narayanan's lazy minimum, changes no distance or predecessor of a path.
    """

    algebra: Any
    none: Any
    lazy: Any


def keys_of(algebra: str, dtype: Any, lazy: bool = False) -> Keys:
    """Those of an algebra of `warpath.cpu.relax.ALGEBRAS`."""
    return Keys(ALGEBRAS[algebra], no_path(algebra, dtype), lazy)


class Factors(NamedTuple):
    """D is bettered by X · Y, where YP are predecessors, or None; A, B and BP are panels of these.

    All but YP and BP are of one dtype and have n columns; X and Y may be D. ``cursor`` is 0.
    """

    D: Any
    X: Any
    Y: Any
    YP: Any
    A: Any
    B: Any
    BP: Any
    cursor: Any


class Rows(NamedTuple):
    """Rows i0 … i1 of D are bettered, but not skip … resume, by columns k0 … k1 of X.

    ``skip - i0`` and ``resume - i0`` are multiples of `PANEL`, but at the end; k0 and k1 are at most
    `PANEL` apart.
    """

    i0: Any
    i1: Any
    skip: Any
    resume: Any
    k0: Any
    k1: Any


class Apart(NamedTuple):
    """As `Factors`, of X with any number of columns; for the tails see `tails`."""

    D: Any
    X: Any
    Y: Any
    YP: Any
    tail: Any
    tail_parents: Any
    cursor: Any


@intrinsic
def _sum(typingctx, a, b):  # type: ignore[no-untyped-def]
    """``a + b`` in their own dtype: Numba's + would make 64 bits of 32."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        add = builder.fadd if isinstance(signature.return_type, types.Float) else builder.add
        return add(*args)

    return a(a, a), codegen


def join(algebra, a, b):  # type: ignore[no-untyped-def]
    """The key of two paths, one behind the other, in a kernel."""
    raise TypeError("only compiled code joins paths")


@overload(join, jit_options={"forceinline": True})
def _join(algebra, a, b):  # type: ignore[no-untyped-def]
    if algebra.instance_class is Sum:
        return lambda algebra, a, b: _sum(a, b)
    if algebra.instance_class is Product:
        return lambda algebra, a, b: -(a * b)
    assert algebra.instance_class in (Largest, Least)
    return lambda algebra, a, b: a if a > b else b


@inlined
def _least(algebra, a, b, x):  # type: ignore[no-untyped-def]
    """The better one of key x and that of the paths a and b behind each other."""
    t = join(algebra, a, b)
    return t if t < x else x


@inlined
def _pick(algebra, a, b, parent, x, p):  # type: ignore[no-untyped-def]
    """As `_least`, with the predecessor: ``parent`` is b's, p is x's."""
    t = join(algebra, a, b)
    is_less = t < x
    return t if is_less else x, parent if is_less else p


@compiled
def _look_for_paths(B, j0, j1, depth, none, some):  # type: ignore[no-untyped-def]
    """Write of each group of k whether a path leads from it to these columns."""
    for k in range(0, depth, _K):
        found = False
        for row in range(k, k + _K):
            part = B[row, j0:j1]
            for j in range(np.uint64(j1 - j0)):
                found |= part[j] != none
        some[k // _K] = found


@compiled
def _better(keys, D, P, A, B, BP, box, depth, some):  # type: ignore[no-untyped-def]
    """Better a ``box`` of D, rows i0 … i1 and columns j0 … j1, by the product of two packed panels.

    ``some`` says of groups of k whether a path leads from them: see `Keys`.
    """
    algebra, none, lazy = keys
    i0, i1, j0, j1 = box
    width = np.uint64(j1 - j0)
    for i in range(i0, i1, 2):
        other = min(i + 1, i1 - 1)  # an odd last row is its own other one
        d0 = D[i, j0:j1]
        d1 = D[other, j0:j1]
        left0 = A[i]
        left1 = A[other]
        for k in range(0, depth, _K):
            a00, a01, a02, a03 = left0[k], left0[k + 1], left0[k + 2], left0[k + 3]
            a10, a11, a12, a13 = left1[k], left1[k + 1], left1[k + 2], left1[k + 3]
            if lazy:
                from_one = a00 != none or a01 != none or a02 != none or a03 != none
                from_other = a10 != none or a11 != none or a12 != none or a13 != none
                if not (some[k // _K] and (from_one or from_other)):
                    continue
            r0 = B[k, j0:j1]
            r1 = B[k + 1, j0:j1]
            r2 = B[k + 2, j0:j1]
            r3 = B[k + 3, j0:j1]
            if P is None:
                for j in range(width):
                    x, y = d0[j], d1[j]
                    b = r0[j]
                    x, y = _least(algebra, a00, b, x), _least(algebra, a10, b, y)
                    b = r1[j]
                    x, y = _least(algebra, a01, b, x), _least(algebra, a11, b, y)
                    b = r2[j]
                    x, y = _least(algebra, a02, b, x), _least(algebra, a12, b, y)
                    b = r3[j]
                    d0[j], d1[j] = _least(algebra, a03, b, x), _least(algebra, a13, b, y)
            else:
                p0, p1 = P[i, j0:j1], P[other, j0:j1]
                q0, q1, q2, q3 = BP[k, j0:j1], BP[k + 1, j0:j1], BP[k + 2, j0:j1], BP[k + 3, j0:j1]
                for j in range(width):
                    x, y = d0[j], d1[j]
                    p, q = p0[j], p1[j]
                    b, parent = r0[j], q0[j]
                    x, p = _pick(algebra, a00, b, parent, x, p)
                    y, q = _pick(algebra, a10, b, parent, y, q)
                    b, parent = r1[j], q1[j]
                    x, p = _pick(algebra, a01, b, parent, x, p)
                    y, q = _pick(algebra, a11, b, parent, y, q)
                    b, parent = r2[j], q2[j]
                    x, p = _pick(algebra, a02, b, parent, x, p)
                    y, q = _pick(algebra, a12, b, parent, y, q)
                    b, parent = r3[j], q3[j]
                    x, p = _pick(algebra, a03, b, parent, x, p)
                    y, q = _pick(algebra, a13, b, parent, y, q)
                    d0[j], d1[j] = x, y
                    p0[j], p1[j] = p, q


@compiled
def multiply(thread, threads, sync, keys, factors, rows, P):  # type: ignore[no-untyped-def]
    """Better rows of D by X[:, k0:k1] · Y[k0:k1], by a team; P are D's predecessors, or None.

    P stands alone as Numba asks only arguments whether they are None as it compiles.
    """
    D, X, Y, YP, A, B, BP, cursor = unowned(factors)
    i0, i1, skip, resume, k0, k1 = rows
    n = D.shape[1]
    first, last = share(i1 - i0, thread, threads)
    for i in range(i0 + first, i0 + last):
        A[i, : k1 - k0] = X[i, k0:k1]
        A[i, k1 - k0 :] = keys.none
    first, last = share(n, thread, threads)
    for k in range(k1 - k0):
        B[k, first:last] = Y[k0 + k, first:last]
        if P is not None:
            BP[k, first:last] = YP[k0 + k, first:last]
    for k in range(k1 - k0, PANEL):
        B[k, first:last] = keys.none
    barrier(sync, threads)  # the panels are complete

    depth = (k1 - k0 + _K - 1) // _K * _K
    across = (n + _SEGMENT - 1) // _SEGMENT
    tiles = (i1 - i0 + PANEL - 1) // PANEL * across
    some = np.ones(PANEL // _K, np.bool_)
    while True:
        tile = atomic_add(cursor, ZERO, 1)
        if tile >= tiles or stopping(sync):
            break
        i = i0 + tile // across * PANEL
        j = tile % across * _SEGMENT
        if i < skip or i >= resume:
            last, end = min(i + PANEL, i1), min(j + _SEGMENT, n)
            if keys.lazy:
                _look_for_paths(B, j, end, depth, keys.none, some)
            _better(keys, D, P, A, B, BP, (i, last, j, end), depth, some)


def factors_of(D: Array, X: Array, Y: Array, YP: Array | None) -> Factors:
    """The factors of a product, with panels."""
    n = len(D)
    parents = None if YP is None else np.empty((PANEL, n), np.int32)
    A, B = np.empty((n, PANEL), D.dtype), np.empty((PANEL, n), D.dtype)
    return Factors(D, X, Y, YP, A, B, parents, np.zeros(1, np.int64))


@compiled
def multiply_apart(thread, threads, sync, keys, factors, P):  # type: ignore[no-untyped-def]
    """Better D by X · Y, none of which are parts of another, by a team.

    Nothing is packed but X's rows, and a thread's part of D stays in its cache for all k.
    """
    D, X, Y, YP, tail, tail_parents, cursor = unowned(factors)
    rows, n = D.shape
    depth = len(Y)
    whole = depth // _K * _K
    panels = (whole + PANEL - 1) // PANEL
    across = (n + _SEGMENT - 1) // _SEGMENT
    tiles = (rows + PANEL - 1) // PANEL * across
    A = np.empty((PANEL, PANEL), D.dtype)
    some = np.ones(PANEL // _K, np.bool_)
    while True:
        tile = atomic_add(cursor, ZERO, 1)
        if tile >= tiles or stopping(sync):
            break
        i = tile // across * PANEL
        j = tile % across * _SEGMENT
        last, end = min(i + PANEL, rows), min(j + _SEGMENT, n)
        for panel in range(panels + (whole < depth)):
            inside = panel < panels
            k0 = panel * PANEL if inside else whole
            k1 = min(k0 + PANEL, whole) if inside else depth
            steps = (k1 - k0 + _K - 1) // _K * _K
            for row in range(i, last):
                A[row - i, : k1 - k0] = X[row, k0:k1]
                A[row - i, k1 - k0 : steps] = keys.none
            B = Y[k0:k1] if inside else tail
            if keys.lazy:
                _look_for_paths(B, j, end, steps, keys.none, some)
            box = 0, last - i, j, end
            if P is None:
                _better(keys, D[i:last], None, A, B, None, box, steps, some)
            else:
                BP = YP[k0:k1] if inside else tail_parents
                _better(keys, D[i:last], P[i:last], A, B, BP, box, steps, some)


def tails(Y: Array, YP: Array | None, none: Any) -> tuple[Array, Array | None]:
    """The last rows of Y and YP that do not make up four, filled up with no paths."""
    whole = len(Y) // _K * _K
    tail: Array = np.full((_K, Y.shape[1]), none, Y.dtype)
    tail[: len(Y) - whole] = Y[whole:]
    if YP is None:
        return tail, None
    parents = np.full(tail.shape, -1, np.int32)
    parents[: len(Y) - whole] = YP[whole:]
    return tail, parents
