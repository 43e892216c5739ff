"""R-MAT: power-law graphs from a recursive choice of the adjacency matrix's quarters."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypedDict, Unpack, overload

import numpy as np

from warpath.distributed.graph import DistributedGraph
from warpath.distributed.multi_gpu import MultiGpuGraph
from warpath.generate.counter import (
    LOW_32,
    S32,
    Stream,
    advanced,
    permuted,
    random_bits,
    stream_key,
)
from warpath.generate.draw import Kernel, part
from warpath.generate.edges import DrawnEdges, graph_of
from warpath.generate.weights import Range, uniform_weights
from warpath.graph.build import Batch
from warpath.graph.check import as_number, as_vertex_count, check_flags
from warpath.graph.graph import Graph
from warpath.parallel.jit import compiled
from warpath.typing import BuildDeviceName

_MAX_SCALE = 30  # 2³⁰ vertices: ids are int32
_EDGES_PER_THREAD = 4096  # guess: some 0.2 ms of work, against some 20 µs to start a team
_ROUNDING = 1e-9  # a + b + c + d may miss 1 by this much: decimal fractions have no exact sum


class _Options(TypedDict, total=False):
    a: float
    b: float
    c: float
    d: float | None
    n: int | None
    directed: bool
    simple: bool
    weights: Range | None
    seed: int
    permute: bool
    by_degree: bool
    device: BuildDeviceName | None


@overload
def rmat(
    scale: int,
    edge_factor: float = ...,
    *,
    devices: None = ...,
    distributed: Literal[False] = ...,
    **options: Unpack[_Options],
) -> Graph: ...
@overload
def rmat(
    scale: int,
    edge_factor: float = ...,
    *,
    devices: None = ...,
    distributed: Literal[True],
    **options: Unpack[_Options],
) -> DistributedGraph: ...
@overload
def rmat(
    scale: int,
    edge_factor: float = ...,
    *,
    devices: int | Sequence[int],
    distributed: Literal[False] = ...,
    **options: Unpack[_Options],
) -> MultiGpuGraph: ...
def rmat(
    scale: int,
    edge_factor: float = 16,
    *,
    a: float = 0.57,
    b: float = 0.19,
    c: float = 0.19,
    d: float | None = None,
    n: int | None = None,
    directed: bool = False,
    simple: bool = False,
    weights: Range | None = None,
    seed: int = 0,
    permute: bool = True,
    by_degree: bool = False,
    device: BuildDeviceName | None = None,
    devices: int | Sequence[int] | None = None,
    distributed: bool = False,
) -> Graph | DistributedGraph | MultiGpuGraph:
    """An R-MAT (stochastic Kronecker) graph with 2^scale vertices.

    Each of edge_factor · 2^scale edges starts with the whole adjacency matrix and chooses
    ``scale`` times one of its quarters: upper left with probability a, upper right b,
    lower left c, lower right d. The defaults are Graph500's.

    Parameters
    ----------
    scale : int
        0 … 30.
    edge_factor : int or float
        Edges per vertex.
    a, b, c, d : float
        Probabilities; ``d`` is 1 − a − b − c by default.
    n : int, optional
        Vertices, where 2^scale is too many: vertex v becomes ⌊v · n / 2^scale⌋, so that some
        are two in one. There are edge_factor · n edges then.
    directed : bool
        False: each drawn pair is one undirected edge.
    simple : bool
        True: drop self-loops and merge parallel edges (the lightest stays). False: keep
        them, as Graph500 does.
    weights : (low, high), optional
    seed : int
    permute : bool
        True: rename the vertices at random, so that an id says nothing of the degree.
    by_degree : bool
        True: then rename them by how many ends of drawn edges they are, the largest first, which most searches gain by: see
        `Graph.by_degree`. GPUs and ranks get them cyclically.
    device : {"cpu", "cuda"}, optional
        See `warpath.generate`; by default the CPU, with ``devices`` GPUs.
    devices : int or sequence of int, optional
        Several GPUs of this process, as `warpath.distribute` takes them: each makes and holds
        a part of the same graph. So the graph may be larger than one GPU's memory, or the host's.
    distributed : bool
        True: each rank draws its share, and holds a part of the same graph (`warpath.distributed`).

    Returns
    -------
    Graph, DistributedGraph or MultiGpuGraph
        2^scale vertices, or n.

    Raises
    ------
    ValueError
        If a parameter is out of its range; GPUs that are not there.
    DeviceUnavailableError
        If CUDA is asked for and cannot be used.
    MemoryError
        If a GPU's memory does not suffice.

    See Also
    --------
    erdos_renyi : All pairs are equally likely.
    configuration : Given degrees.

    Notes
    -----
    Chakrabarti, Zhan, Faloutsos: R-MAT: A recursive model for graph mining, SDM 2004;
    Graph500 specification, section 3. The probabilities are multiples of 2⁻³².

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.generate.rmat(10, weights=(1, 255), seed=1)
    >>> g.num_vertices, g.weights.dtype
    (1024, dtype('int32'))
    """
    check_flags(
        directed=directed,
        simple=simple,
        permute=permute,
        by_degree=by_degree,
        distributed=distributed,
    )
    edges = RmatEdges.of(scale, edge_factor, (a, b, c, d), n, weights, seed, permute)
    return graph_of(
        edges, directed=directed, simple=simple, device=device, devices=devices,
        distributed=distributed, by_degree=by_degree,
    )  # fmt: skip


@dataclass(frozen=True)
class RmatEdges(DrawnEdges):
    """The edges of an R-MAT graph, any range of which can be drawn.

    Attributes
    ----------
    n, count : int
        Vertices and edges.
    scale, seed, weights, permute
        As in `rmat`.
    quarters : tuple of int
        Where the second row, the second quarter and the last quarter begin, in 2⁻³².
    """

    n: int
    count: int
    scale: int
    quarters: tuple[int, int, int]
    weights: Range | None
    seed: int
    permute: bool

    @classmethod
    def of(
        cls,
        scale: int,
        edge_factor: float,
        quarters: tuple[float, float, float, float | None],
        n: int | None,
        weights: Range | None,
        seed: int,
        permute: bool,
    ) -> "RmatEdges":
        """Those that the arguments of `rmat` ask for, checked."""
        vertices, count = _check_size(scale, edge_factor, n)
        rows = _check_quarters(*quarters)
        return cls(vertices, count, int(scale), rows, weights, seed, bool(permute))

    def drawn(self, xp: Any, first: int, last: int) -> Batch:
        """The edges ``first`` to ``last``, NumPy's or CuPy's."""
        ids, draws = stream_key(self.seed, Stream.VERTEX_IDS), (self.scale + 1) // 2
        key = advanced(stream_key(self.seed, Stream.EDGES), first * draws)
        weight = uniform_weights(last - first, self.weights, self.seed, xp, first=first)
        source, target = _RMAT.draw(
            xp, last - first, (np.int32, np.int32), key, ids, self.scale, *self.quarters, self.permute
        )  # fmt: skip
        if self.n < 1 << self.scale:
            source, target = (
                ((end.astype(np.int64) * self.n) >> self.scale).astype(np.int32)
                for end in (source, target)
            )
        return Batch(source, target, weight)


@compiled
def _draw(  # type: ignore[no-untyped-def]
    thread, threads, sync, first, last, edges, ids, scale, row, a, abc, renamed, source, target
):
    """Draw my share of the edges: one bit of both ends a level, two levels a random number.

    A number r < 2³² falls into the quarters [0, a), [a, row), [row, abc), [abc, 2³²).
    """
    begin, end = part(first, last, thread, threads)
    draws = (scale + 1) // 2
    for i in range(begin, end):
        u, v = 0, 0
        bits = np.uint64(0)
        for level in range(scale):
            if level % 2 == 0:
                bits = random_bits(edges, i * draws + level // 2)
                r = np.int64(bits & LOW_32)
            else:
                r = np.int64(bits >> S32)
            lower = r >= row
            right = ((r >= a) != lower) | (r >= abc)
            u = 2 * u + lower
            v = 2 * v + right
        if renamed:
            u, v = permuted(u, scale, ids), permuted(v, scale, ids)
        source[i] = u
        target[i] = v


_RMAT = Kernel("rmat", _draw, _EDGES_PER_THREAD)


def _check_size(scale: Any, edge_factor: Any, n: Any) -> tuple[int, int]:
    """Numbers of vertices and of edges."""
    whole = isinstance(scale, (int, np.integer)) and not isinstance(scale, bool)
    if not whole or not 0 <= scale <= _MAX_SCALE:
        raise ValueError(f"scale must be an integer in 0 … {_MAX_SCALE}, not {scale!r}")
    if not 0 <= as_number(edge_factor, "edge_factor") < math.inf:
        raise ValueError(f"edge_factor must be a number of edges per vertex, not {edge_factor!r}")
    most = 1 << int(scale)
    n = most if n is None else as_vertex_count(n)
    if not 1 <= n <= most:
        raise ValueError(f"n is {n}: scale {scale} makes 1 … {most} vertices")
    return n, round(edge_factor * n)


def _check_quarters(a: float, b: float, c: float, d: float | None) -> tuple[int, int, int]:
    """Where the second row, the second quarter and the last quarter begin, in 2⁻³²."""
    for name, value in (("a", a), ("b", b), ("c", c), ("d", d)):
        if value is not None and not 0 <= as_number(value, name) <= 1:
            raise ValueError(f"{name} is {value!r}: the probability of a quarter is in 0 … 1")
    if a + b + c > 1 + _ROUNDING:
        raise ValueError(f"a + b + c is {a + b + c:g}: the quarters' probabilities sum to 1")
    if d is not None and abs(a + b + c + d - 1) > _ROUNDING:
        raise ValueError(
            f"a + b + c + d is {a + b + c + d:g}: the quarters' probabilities sum to 1"
        )
    row, first, last = (round(min(p, 1.0) * 2**32) for p in (a + b, a, a + b + c))
    return row, first, last
