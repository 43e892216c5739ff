"""Random weights, and negative ones without a negative cycle."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.generate.counter import Stream, advanced, below, random_bits, stream_key, unit
from warpath.generate.draw import Kernel, part
from warpath.graph.graph import Graph, check_graph
from warpath.parallel.jit import compiled

Array = NDArray[Any]
Range = tuple[float, float]

_DRAWS_PER_THREAD = 65536  # guess: some 0.1 ms of work, against some 20 µs to start a team
_SUM_BITS = 52  # a float64 holds 53: one is left for weights that were rounded upwards
_INT32 = np.iinfo(np.int32)
# Odd constants of a multiplicative hash: Knuth's golden ratio, and SplitMix64's finalizer's.
_MIX, _FINISH = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)
_TOP_BITS = np.uint64(40)


def uniform_weights(
    count: int, weights: Range | None, seed: int, xp: Any = np, *, first: int = 0
) -> Array | None:
    """``count`` random weights, NumPy's or CuPy's: see `warpath.generate` for ``weights``.

    ``first``: the number of weights of the same seed that come before them.

    Raises
    ------
    ValueError
        If ``weights`` is not a pair of finite numbers in order, or integers beyond int32.
    """
    key = advanced(stream_key(seed, Stream.WEIGHTS), first)
    if weights is None:
        return None
    low, high = _as_range(weights)
    if isinstance(low, int):
        return _uniform(key, count, low, high, np.int32, xp)
    return _uniform(key, count, low, high, np.float64, xp)


def _as_range(weights: Any) -> Any:
    """(low, high), both int or both float."""
    try:
        low, high = weights
    except (TypeError, ValueError):
        raise ValueError(f"weights must be a pair (low, high), not {weights!r}") from None
    for value in (low, high):
        if isinstance(value, (bool, np.bool_)) or not isinstance(
            value, (int, float, np.integer, np.floating)
        ):
            raise ValueError(f"weights must be a pair of numbers, not {weights!r}")
    if isinstance(low, (int, np.integer)) and isinstance(high, (int, np.integer)):
        low, high = int(low), int(high)
        if not (_INT32.min <= low and high <= _INT32.max):
            raise ValueError(f"integer weights must fit in int32, not {weights!r}")
    else:
        low, high = float(low), float(high)
        if not math.isfinite(high - low):
            raise ValueError(f"weights must be finite numbers, not {weights!r}")
    if low > high:
        raise ValueError(f"weights must be (low, high) with low ≤ high, not {weights!r}")
    return low, high


@compiled
def _uniform_integers(thread, threads, sync, first, last, key, low, high, out):  # type: ignore[no-untyped-def]
    begin, end = part(first, last, thread, threads)
    for i in range(begin, end):
        out[i] = low + below(random_bits(key, i), high - low + 1)


@compiled
def _uniform_floats(thread, threads, sync, first, last, key, low, high, out):  # type: ignore[no-untyped-def]
    begin, end = part(first, last, thread, threads)
    for i in range(begin, end):
        out[i] = low + (high - low) * unit(random_bits(key, i))


_INTEGERS = Kernel("integers", _uniform_integers, _DRAWS_PER_THREAD)
_FLOATS = Kernel("floats", _uniform_floats, _DRAWS_PER_THREAD)


def _uniform(key: np.uint64, count: int, low: Any, high: Any, dtype: Any, xp: Any = np) -> Array:
    kernel = _FLOATS if np.dtype(dtype).kind == "f" else _INTEGERS
    return kernel.draw(xp, count, (dtype,), key, low, high)[0]  # type: ignore[no-any-return]


@compiled
def _hashed(thread, threads, sync, first, last, source, target, low, high, out):  # type: ignore[no-untyped-def]
    """Write the weights of my share of the arcs."""
    begin, end = part(first, last, thread, threads)
    for i in range(begin, end):
        less, more = min(source[i], target[i]), max(source[i], target[i])
        bits = (np.uint64(less) * _MIX + np.uint64(more)) * _FINISH >> _TOP_BITS
        out[i] = low + np.int64(bits % np.uint64(high - low + 1))


_HASHED = Kernel("hashed", _hashed, _DRAWS_PER_THREAD)


def hashed_weights(source: Array, target: Array, low: int, high: int, xp: Any = np) -> Array:
    """Integer weights in low … high, hashed from an arc's ends.

    So both arcs of an edge weigh the same, and weights do not depend on the order of arcs.

    Parameters
    ----------
    source, target : int32 array, shape (k,)
        Arrays of the module ``xp``.
    low, high : int
        With fewer than 2²⁴ numbers between them: the hash has 24 bits.
    xp : module
        numpy or cupy.

    Returns
    -------
    int32 array, shape (k,)
    """
    return _HASHED.draw(xp, len(source), (np.int32,), source, target, low, high)[0]  # type: ignore[no-any-return]


def negative_weights(graph: Graph, seed: int = 0, *, spread: float | None = None) -> Graph:
    """The same graph with negative weights among its weights, but no negative cycle.

    Each vertex v draws a potential p(v), uniform on [0, spread], and the arc (u, v) gets
    w'(u, v) = w(u, v) + p(u) − p(v). Along a path from s to t the potentials between
    cancel: every path changes by p(s) − p(t). So shortest paths stay the same,
    d'(s, t) = d(s, t) + p(s) − p(t), and a cycle weighs what it weighed before.

    Parameters
    ----------
    graph : Graph
        Directed, with weights that are not negative.
    seed : int
    spread : int or float, optional
        The largest potential: above 0, below 2³² for integer weights, of which it must be
        one. By default twice the largest weight, or 1 if all are zero.

    Returns
    -------
    Graph
        Shares the topology's arrays. Integer weights stay int32 where they fit, else
        they are int64; float weights become float64.

    Raises
    ------
    ValueError
        If the graph is undirected or has no weights, a weight is negative, or ``spread``
        is out of range.
    OverflowError
        If a new weight does not fit in int64.
    TypeError
        If ``graph`` is no graph.

    See Also
    --------
    warpath.sssp : Takes them.

    Notes
    -----
    With floats the rounding of w' or of a sum could make a cycle of weight zero negative.
    So weights and potentials are first rounded to multiples of one power of two. With n
    vertices every sum along a path is less than 2⁵³ times that power: a float64 holds it
    exactly. No sum exceeds B = n · max w + 2 · spread, but for the rounding.
    Weights thus change by at most 2⁻⁵² B; ``graph`` itself has them unrounded.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.generate.grid(10, weights=(1, 9), directed=True, seed=1)
    >>> h = wp.generate.negative_weights(g, seed=1)
    >>> bool(h.weights.min() < 0)
    True
    >>> wp.sssp(h, 0).path(99) == wp.sssp(g, 0).path(99)
    True
    """
    check_graph(graph)
    key = stream_key(seed, Stream.POTENTIALS)
    if not graph.directed:
        raise ValueError(
            "an undirected edge of negative weight is a negative cycle: give a directed graph"
        )
    source, target, weights = graph.coo()
    if weights is None:
        raise ValueError("the graph has no weights")
    low, high = graph.weight_range
    if low < 0:
        arc = int(np.argmin(weights))
        raise ValueError(
            f"the weight of the arc from {source[arc]} to {target[arc]} is {low}: "
            "potentials are added to weights that are not negative"
        )
    if weights.dtype.kind == "f":
        return graph.with_weights(_shift_floats(graph, source, key, high, spread))
    return graph.with_weights(_shift_integers(graph, source, key, high, spread))


def _shift_integers(graph: Graph, source: Array, key: np.uint64, high: int, spread: Any) -> Array:
    if spread is None:
        spread = min(2 * high, 2**32 - 1) or 1
    whole = isinstance(spread, (int, np.integer)) and not isinstance(spread, bool)
    if not (whole and 0 < spread < 2**32):
        raise ValueError(f"spread must be an integer in 1 … 2³² − 1, not {spread!r}")
    if high + spread > np.iinfo(np.int64).max:
        raise OverflowError(f"a weight of {high} plus a potential of {spread} exceeds int64")
    potential = _uniform(key, graph.num_vertices, 0, int(spread), np.int64)
    shifted = graph.weights + potential[source] - potential[graph.column_indices]
    if not len(shifted) or (_INT32.min <= shifted.min() and shifted.max() <= _INT32.max):
        return shifted.astype(np.int32)
    return shifted


def _shift_floats(graph: Graph, source: Array, key: np.uint64, high: float, spread: Any) -> Array:
    if spread is None:
        spread = 2 * high or 1.0
    elif not (isinstance(spread, (int, float, np.integer, np.floating)) and 0 < spread < math.inf):
        raise ValueError(f"spread must be a finite number above 0, not {spread!r}")
    n = graph.num_vertices
    bound = n * float(high) + 2 * float(spread)
    if not math.isfinite(bound):
        raise OverflowError(f"a path of {n} vertices with weights up to {high} exceeds float64")
    # frexp: bound < 2^exponent, so bound / quantum < 2⁵². math.ulp(0.0): every float64 is
    # a multiple of the smallest one.
    quantum = max(math.ldexp(1.0, math.frexp(bound)[1] - _SUM_BITS), math.ulp(0.0))
    potential = np.rint(_uniform(key, n, 0.0, float(spread), np.float64) / quantum) * quantum
    shifted = np.rint(graph.weights.astype(np.float64) / quantum) * quantum  # type: ignore[union-attr]
    shifted += potential[source]
    shifted -= potential[graph.column_indices]
    return shifted
