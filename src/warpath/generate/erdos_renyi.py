"""Erdős–Rényi graphs G(n, m): every edge as likely as every other."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypedDict, Unpack, overload

import numpy as np

from warpath.distributed.graph import DistributedGraph
from warpath.distributed.multi_gpu import MultiGpuGraph
from warpath.generate.counter import Stream, advanced, below, random_bits, shuffled, stream_key
from warpath.generate.draw import Kernel, part
from warpath.generate.edges import DrawnEdges, graph_of
from warpath.generate.weights import Range, uniform_weights
from warpath.graph.build import Batch
from warpath.graph.check import as_vertex_count, check_flags
from warpath.graph.graph import Graph
from warpath.parallel.jit import compiled
from warpath.typing import BuildDeviceName

_EDGES_PER_THREAD = 4096  # guess: some 0.2 ms of work, against some 20 µs to start a team


class _Options(TypedDict, total=False):
    directed: bool
    replace: bool
    weights: Range | None
    seed: int
    device: BuildDeviceName | None


@overload
def erdos_renyi(
    n: int,
    m: int,
    *,
    devices: None = ...,
    distributed: Literal[False] = ...,
    **options: Unpack[_Options],
) -> Graph: ...
@overload
def erdos_renyi(
    n: int,
    m: int,
    *,
    devices: None = ...,
    distributed: Literal[True],
    **options: Unpack[_Options],
) -> DistributedGraph: ...
@overload
def erdos_renyi(
    n: int,
    m: int,
    *,
    devices: int | Sequence[int],
    distributed: Literal[False] = ...,
    **options: Unpack[_Options],
) -> MultiGpuGraph: ...
def erdos_renyi(
    n: int,
    m: int,
    *,
    directed: bool = False,
    replace: bool = False,
    weights: Range | None = None,
    seed: int = 0,
    device: BuildDeviceName | None = None,
    devices: int | Sequence[int] | None = None,
    distributed: bool = False,
) -> Graph | DistributedGraph | MultiGpuGraph:
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
    device, devices, distributed : as of `rmat`

    Returns
    -------
    Graph, DistributedGraph or MultiGpuGraph
        n vertices and m edges.

    Raises
    ------
    ValueError
        If m is negative, or larger than the number of pairs, or there are edges but no
        vertices; GPUs that are not there.
    DeviceUnavailableError, MemoryError
        See `rmat`.

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
    check_flags(directed=directed, replace=replace, distributed=distributed)
    edges = RandomEdges.of(n, m, directed, replace, weights, seed)
    return graph_of(
        edges, directed=directed, simple=False, device=device, devices=devices,
        distributed=distributed,
    )  # fmt: skip


@dataclass(frozen=True)
class RandomEdges(DrawnEdges):
    """The edges of a random graph, any range of which can be drawn.

    Attributes
    ----------
    n, count : int
        Vertices and edges.
    pairs : int
        How many there are to join; 0: with replacement.
    directed, weights, seed
        As in `erdos_renyi`.
    """

    n: int
    count: int
    pairs: int
    directed: bool
    weights: Range | None
    seed: int

    @classmethod
    def of(
        cls, n: int, m: int, directed: bool, replace: bool, weights: Range | None, seed: int
    ) -> "RandomEdges":
        """Those that the arguments of `erdos_renyi` ask for, checked."""
        n = as_vertex_count(n)
        if isinstance(m, bool) or not isinstance(m, (int, np.integer)) or m < 0:
            raise ValueError(f"m must be a number of edges, not {m!r}")
        pairs = n * (n - 1) if directed else n * (n - 1) // 2
        if m > pairs and not (replace and n):
            raise ValueError(f"m is {m}, but {n} vertices have only {pairs} pairs to join")
        return cls(n, int(m), 0 if replace else pairs, bool(directed), weights, seed)

    def drawn(self, xp: Any, first: int, last: int) -> Batch:
        """The edges ``first`` to ``last``, NumPy's or CuPy's."""
        key, count, ends = stream_key(self.seed, Stream.EDGES), last - first, (np.int32, np.int32)
        weight = uniform_weights(count, self.weights, self.seed, xp, first=first)
        if not self.pairs:
            source, target = _ENDS.draw(xp, count, ends, advanced(key, 2 * first), self.n)
        else:
            width = max(1, (self.pairs - 1).bit_length())
            source, target = _PAIRS.draw(
                xp, count, ends, key, self.n, self.directed, self.pairs, width, first
            )
        return Batch(source, target, weight)


@compiled
def _draw_ends(thread, threads, sync, first, last, key, n, source, target):  # type: ignore[no-untyped-def]
    """Draw both ends of my share of the edges."""
    begin, end = part(first, last, thread, threads)
    for i in range(begin, end):
        source[i] = below(random_bits(key, 2 * i), n)
        target[i] = below(random_bits(key, 2 * i + 1), n)


@compiled
def _draw_pairs(  # type: ignore[no-untyped-def]
    thread, threads, sync, first, last, key, n, directed, pairs, width, number, source, target
):
    """Draw my share of the edges: edge i is the image of pair number i, which counts from ``number`` here.

    The pairs are [0, pairs) ⊆ [0, 2^width).
    """
    begin, end = part(first, last, thread, threads)
    for i in range(begin, end):
        pair = shuffled(number + i, pairs, width, key)
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
