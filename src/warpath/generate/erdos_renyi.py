"""Erdős–Rényi graphs G(n, m): every edge as likely as every other."""

import numpy as np

from warpath.generate.counter import Stream, below, random_bits, shuffled, stream_key
from warpath.generate.draw import Kernel, part
from warpath.generate.weights import Range, uniform_weights
from warpath.graph.arrays import module_for
from warpath.graph.check import as_vertex_count
from warpath.graph.graph import Graph
from warpath.parallel.jit import compiled
from warpath.typing import BuildDeviceName

_EDGES_PER_THREAD = 4096  # guess: some 0.2 ms of work, against some 20 µs to start a team


def erdos_renyi(
    n: int,
    m: int,
    *,
    directed: bool = False,
    replace: bool = False,
    weights: Range | None = None,
    seed: int = 0,
    device: BuildDeviceName = "cpu",
) -> Graph:
    """A random graph with n vertices and m edges.

    Parameters
    ----------
    n, m : int
    directed : bool
        True: m arcs among the n(n − 1) ordered pairs; False: m edges among the
        n(n − 1)/2 unordered ones.
    replace : bool
        False: without replacement, the classic G(n, m): no self-loops, no parallel edges,
        exactly m edges. True: both ends of each edge are drawn independently from all
        vertices, so that self-loops and parallel edges occur.
    weights : (low, high), optional
    seed : int
    device : {"cpu", "cuda"}
        See `warpath.generate`.

    Returns
    -------
    Graph
        n vertices and m edges.

    Raises
    ------
    ValueError
        If m is negative, or larger than the number of pairs, or there are edges but no
        vertices.

    See Also
    --------
    rmat : Skewed degrees.
    configuration : Given degrees.

    Notes
    -----
    Without replacement, edge i is the i-th pair of a pseudorandom permutation of all
    pairs: no table, no rejected duplicates. Erdős, Rényi: On random graphs I, 1959.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.generate.erdos_renyi(1000, 8000, seed=1)
    >>> g.num_vertices, g.num_edges
    (1000, 8000)
    """
    n = as_vertex_count(n)
    if isinstance(m, bool) or not isinstance(m, (int, np.integer)) or m < 0:
        raise ValueError(f"m must be a number of edges, not {m!r}")
    m = int(m)
    pairs = n * (n - 1) if directed else n * (n - 1) // 2
    if m > pairs and not (replace and n):
        raise ValueError(f"m is {m}, but {n} vertices have only {pairs} pairs to join")
    key = stream_key(seed, Stream.EDGES)
    xp, ends = module_for(device), (np.int32, np.int32)
    drawn = uniform_weights(m, weights, seed, xp)
    if replace:
        source, target = _ENDS.draw(xp, m, ends, key, n)
    else:
        width = max(1, (pairs - 1).bit_length())
        source, target = _PAIRS.draw(xp, m, ends, key, n, bool(directed), pairs, width)
    return Graph.from_edges(source, target, drawn, n=n, directed=directed, device=device)


@compiled
def _draw_ends(thread, threads, sync, first, last, key, n, source, target):  # type: ignore[no-untyped-def]
    """Draw both ends of my share of the edges."""
    begin, end = part(first, last, thread, threads)
    for i in range(begin, end):
        source[i] = below(random_bits(key, 2 * i), n)
        target[i] = below(random_bits(key, 2 * i + 1), n)


@compiled
def _draw_pairs(thread, threads, sync, first, last, key, n, directed, pairs, width, source, target):  # type: ignore[no-untyped-def]
    """Draw my share of the edges: edge i is the image of pair number i.

    The pairs are [0, pairs) ⊆ [0, 2^width).
    """
    begin, end = part(first, last, thread, threads)
    for i in range(begin, end):
        pair = shuffled(i, pairs, width, key)
        if directed:
            # n − 1 other vertices for each u: skip u itself.
            u, v = pair // (n - 1), pair % (n - 1)
            v += v >= u
        else:
            u, v = _unordered_pair(pair)
        source[i] = u
        target[i] = v


@compiled
def _unordered_pair(pair):  # type: ignore[no-untyped-def]
    """(u, v) with v < u and u(u − 1)/2 + v = pair: 0 is (1, 0), 1 is (2, 0), 2 is (2, 1), …"""
    u = np.int64((1.0 + np.sqrt(1.0 + 8.0 * pair)) / 2.0)
    # The square root of a number beyond 2⁵³ may round across a row's end.
    while u * (u - 1) // 2 > pair:
        u -= 1
    while u * (u + 1) // 2 <= pair:
        u += 1
    return u, pair - u * (u - 1) // 2


_ENDS = Kernel("ends", _draw_ends, _EDGES_PER_THREAD)
_PAIRS = Kernel("pairs", _draw_pairs, _EDGES_PER_THREAD)
