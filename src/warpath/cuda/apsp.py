"""All pairs' shortest paths of a matrix on a CUDA device."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from warpath.cuda import runtime
from warpath.cuda.arguments import POINTER, U32, Struct
from warpath.cuda.elimination import Elimination, factor_bytes, max_packed
from warpath.cuda.minplus import (
    ALGEBRAS,
    BASE,
    DTYPES,
    Close,
    Relax,
    Rows,
    Tile,
    Words,
    closing,
    step_kernel,
    words_of,
)
from warpath.cuda.product import Matrix, Products, packed_words, paths_nbytes
from warpath.cuda.representation import Representation, represent, span
from warpath.graph.distance import unreachable
from warpath.operators import lookup

VARIANTS = ("blocked", "r-kleene", "repeated-squaring", "plain")
# Vertices whose rows are closed, by halves, before all other rows go through them at once. 512 to
# 4096 differ by 2 % (H200, 2026-11); the larger, the more rarely predecessors are looked for.
BLOCK = 2048
_STEP_THREADS, _STEP_ROWS = 256, 1024
# StepArguments of floyd_warshall.cuh.
STEP_ARGUMENTS = Struct(distance=POINTER, predecessor=POINTER, n=U32, k=U32)
_WIDER = {"int16": "int32", "int32": "int64"}


def floyd_warshall(
    distance: Any,
    predecessor: Any = None,
    algebra: str = "shortest",
    variant: str = "blocked",
    *,
    block: int = BLOCK,
    tile: Tile | None = None,
    lazy: bool = False,
) -> None:
    """Close a matrix of arcs: the best path of every pair, in place.

    Queued on the current stream; waits once for the least weight, and repeated squaring each time.

    Parameters
    ----------
    distance : cupy array of int16, int32, int64, float32 or float64, shape (n, n)
        C-contiguous. At (u, v) the best arc's weight; `unreachable` of the dtype where there is
        none ("widest": the dtype's least, −inf; "most-reliable": 0). On the diagonal what a path
        without arcs is worth (0; minimax: the dtype's least; widest: its largest; most-reliable: 1),
        or better. No NaN.
    predecessor : cupy array of int32, shape (n, n), optional
        C-contiguous. At (u, v) the last vertex before v: u where there is an arc, else -1.
        Afterwards each row is a tree, with zero-weight cycles too.
    algebra : {"shortest", "minimax", "widest", "most-reliable"}
        ``most-reliable`` takes floats in [0, 1].
    variant : {"blocked", "r-kleene", "repeated-squaring", "plain"}
    block : int
        For "blocked": how many vertices' rows are closed, by halves, before all other rows are relaxed
        through them.
    tile : Tile
        The tile of large products; see `warpath.cuda.minplus`.
    lazy : bool
        Whether products look for what leads nowhere and pass over it (``kernels/minplus.cuh``); not
        of "plain", which has none. The answer is the same.

    Raises
    ------
    ValueError
        Wrong shapes, dtypes, layouts or names.
    OverflowError
        int64 weights, some of them negative, whose paths may be longer than 2⁶¹.

    Notes
    -----
    A negative cycle leaves a negative distance on the diagonal, of each vertex on it; other
    distances then mean nothing.

    Memory, from CuPy's pool, in units of the matrix: "blocked" block / n (int16: twice that),
    "r-kleene" a quarter (a half), "repeated-squaring" 2 (3, and one more of predecessors), "plain"
    none. Where n is not a multiple of 64 (int16: 128), a copy of the matrix and of the
    predecessors is padded to one. Integers of less than 64 bits with negative weights are computed
    in the next wider dtype if a path might be longer than an eighth of what theirs holds.

    Every row is relaxed through one group of vertices after the other, in all columns at once,
    and ties go to the group's first. Let the last improvement of d(i, v) be through a group's
    vertex k, with u before v. Then the last one of d(i, u) was through k, or through a vertex or
    group before it. On a cycle of predecessors all had to be the same, and the cycle had to be in
    row k already. It takes sums that do not round, or weights that are not negative.

    "r-kleene" is the recursion of Buluç, Gilbert, Budak, Solving path problems on the GPU (2010),
    on halves of the rows with all of their columns. The "blocked" variant uses it within a block.
    """
    if variant not in VARIANTS:
        raise ValueError(f"variant={variant!r}: one of {', '.join(VARIANTS)}")
    if block < 1:
        raise ValueError(f"block={block}: at least 1 vertex")
    dtype = check(distance, predecessor, algebra)
    n = len(distance)
    if n == 0:
        return
    try:
        how = represent(n, dtype, algebra, lambda: span(distance, lookup(algebra).none(dtype)))
    except OverflowError:
        if dtype.name not in _WIDER:
            raise
        wide = distance.astype(_WIDER[dtype.name])
        wide[distance == unreachable(dtype)] = unreachable(wide.dtype)
        floyd_warshall(wide, predecessor, algebra, variant, block=block, tile=tile, lazy=lazy)
        distance[...] = runtime.current().xp.clip(
            wide, np.iinfo(dtype).min, unreachable(dtype), out=wide
        )
        return
    how.replace_no_path(distance)
    close(distance, predecessor, how, variant, block, tile, lazy)
    how.restore(distance, predecessor)


def workspace_nbytes(
    n: int,
    dtype: np.dtype[Any],
    predecessors: bool,
    variant: str = "blocked",
    block: int = BLOCK,
    lazy: bool = False,
) -> int:
    """What `floyd_warshall` takes in addition to the matrices, unless it needs wider integers."""
    if variant == "plain" or n == 0:
        return 0
    words = words_of(dtype.name, "shortest", True)
    padded, size = _sizes(n, words, variant, block)
    element = dtype.itemsize + 4 * predecessors
    copies = (padded != n) + (variant == "repeated-squaring")
    steps: Iterable[Close | Relax] = closing(padded, size)
    if variant == "repeated-squaring":
        steps = [Relax(Rows(0, padded), 0, padded)]
    extra = max_packed(steps) * words.bytes + factor_bytes(words)
    if lazy:
        extra += paths_nbytes(padded, padded, padded if variant != "blocked" else size)
    return copies * padded**2 * element + extra


def _sizes(n: int, words: Words, variant: str, block: int) -> tuple[int, int]:
    """Rows of the padded matrix, and of a group of it."""
    unit = BASE * words.distances
    padded = -(-n // unit) * unit
    return padded, padded if variant == "r-kleene" else min(-(-block // unit) * unit, padded)


def check(distance: Any, predecessor: Any, algebra: str) -> np.dtype[Any]:
    """The distances' dtype, if these matrices can be closed.

    Raises
    ------
    ValueError
        If not: see `floyd_warshall`.
    """
    if algebra not in ALGEBRAS:
        raise ValueError(f"algebra={algebra!r}: one of {', '.join(ALGEBRAS)}")
    dtype: np.dtype[Any] = np.dtype(distance.dtype)
    if dtype.name not in DTYPES or (algebra == "most-reliable" and dtype.kind != "f"):
        allowed = [name for name in DTYPES if algebra != "most-reliable" or "float" in name]
        raise ValueError(f"distances of {dtype}: {algebra!r} takes {', '.join(allowed)}")
    if distance.ndim != 2 or distance.shape[0] != distance.shape[1]:
        raise ValueError(f"distances of shape {distance.shape}: not a square")
    if predecessor is not None and (
        predecessor.shape != distance.shape or predecessor.dtype != np.int32
    ):
        raise ValueError(
            f"predecessors of shape {predecessor.shape} and {predecessor.dtype}: "
            f"int32 of shape {distance.shape} are needed"
        )
    for name, array in (("distances", distance), ("predecessors", predecessor)):
        if array is not None and not array.flags.c_contiguous:
            raise ValueError(f"{name} are not C-contiguous: use ascontiguousarray")
    return dtype


def close(
    distance: Any, predecessor: Any, how: Representation, variant: str, block: int = BLOCK,
    tile: Tile | None = None, lazy: bool = False,
) -> None:  # fmt: skip
    """`floyd_warshall` of a matrix in a representation's numbers."""
    here, n, words = runtime.current(), len(distance), how.words
    lazy_none = how.none if lazy else None
    if variant == "plain":
        _plain(distance, predecessor, words)
        return
    padded, size = _sizes(n, words, variant, block)
    inner, inner_predecessor = distance, predecessor
    if padded != n or here.address(distance) % 16:
        inner = here.xp.full((padded, padded), how.none, distance.dtype)
        inner[:n, :n] = distance
        if predecessor is not None:
            inner_predecessor = here.xp.full((padded, padded), -1, np.int32)
            inner_predecessor[:n, :n] = predecessor
    matrix = Matrix(inner, inner_predecessor, words)
    if variant == "repeated-squaring":
        _square(matrix, n, tile, lazy_none)
    else:
        steps = list(closing(padded, size))
        predecessors = predecessor is not None
        Elimination(words, predecessors, max_packed(steps), tile, lazy_none).close(matrix, steps)
    if inner is not distance:
        distance[...] = inner[:n, :n]
        if predecessor is not None:
            predecessor[...] = inner_predecessor[:n, :n]


def _plain(distance: Any, predecessor: Any, words: Words) -> None:
    matrix = Matrix(distance, predecessor, words)
    n = matrix.n
    name = step_kernel(words, predecessor is not None)
    kernel = runtime.current().grid("floyd_warshall.cuh", name, _STEP_THREADS)
    first, first_predecessor = matrix.addresses(0)
    for k in range(n):
        step = STEP_ARGUMENTS(distance=first, predecessor=first_predecessor, n=n, k=k)
        kernel.launch(step, -(-n // _STEP_THREADS), min(n, _STEP_ROWS))


def _square(matrix: Matrix, n: int, tile: Tile | None, lazy_none: Any) -> None:
    """Paths of twice as many arcs each time, until nothing changes or there are no longer ones."""
    predecessors = matrix.predecessor is not None
    step = Relax(Rows(0, matrix.n), 0, matrix.n)
    products = Products(matrix.words, predecessors, packed_words(step), tile, lazy_none)
    xp = runtime.current().xp
    before = Matrix(
        xp.empty_like(matrix.distance),
        xp.empty_like(matrix.predecessor) if predecessors else None,
        matrix.words,
    )
    for _ in range(n.bit_length()):
        xp.copyto(before.distance, matrix.distance)
        if predecessors:
            xp.copyto(before.predecessor, matrix.predecessor)
        products.relax(matrix, step, before)
        if bool((before.distance == matrix.distance).all()):
            return
