"""The configuration model: a random graph in which every vertex has the degree that it is given."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from warpath.generate.counter import Stream, shuffled, stream_key
from warpath.generate.draw import Kernel, part
from warpath.generate.weights import Range, uniform_weights
from warpath.graph.arrays import module_for
from warpath.graph.build import expand_sources
from warpath.graph.check import check_flags, unequal
from warpath.graph.graph import Graph
from warpath.parallel.jit import compiled
from warpath.typing import BuildDeviceName

Array = NDArray[Any]

_EDGES_PER_THREAD = 4096  # guess: some 0.2 ms of work, against some 20 µs to start a team


def configuration(
    degree: ArrayLike,
    in_degree: ArrayLike | None = None,
    *,
    simple: bool = False,
    weights: Range | None = None,
    seed: int = 0,
    device: BuildDeviceName = "cpu",
) -> Graph:
    """A random graph with the given degrees.

    Each vertex has as many half-edges as its degree says, and half-edges are joined two by
    two at random.

    Parameters
    ----------
    degree : integer array, shape (n,)
        Degrees of an undirected graph, of even sum; with ``in_degree`` the out-degrees of a
        directed one.
    in_degree : integer array, shape (n,), optional
        In-degrees, with the same sum: the graph is directed, and half-edges that lead out are
        joined to such as lead in.
    simple : bool
        True: drop self-loops and merge parallel edges (the lightest stays), so that hubs lose
        some of their edges: the erased configuration model. False: keep them, and the degrees
        are exact (but that an undirected self-loop is one arc).
    weights : (low, high), optional
    seed : int
    device : {"cpu", "cuda"}
        See `warpath.generate`.

    Returns
    -------
    Graph
        Undirected, or directed with ``in_degree``.

    Raises
    ------
    ValueError
        If degrees are no integers, negative, of unequal length or sum, or of odd sum.
    DeviceUnavailableError, MemoryError
        As `warpath.Graph.from_edges`.

    See Also
    --------
    rmat : Degrees of a power law, by a rule.
    erdos_renyi : All pairs are equally likely.

    Notes
    -----
    Bollobás: A probabilistic proof of an asymptotic formula for the number of labelled regular
    graphs, 1980. Half-edges are joined by a pseudorandom permutation that needs no table.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.generate.configuration([2, 2, 1, 1], seed=1, simple=False)
    >>> g.num_vertices, g.num_edges
    (4, 3)
    """
    check_flags(simple=simple)
    key, xp = stream_key(seed, Stream.EDGES), module_for(device)
    out_offsets = _offsets(degree, "degree")
    n, total = len(out_offsets) - 1, int(out_offsets[-1])
    stubs = xp.asarray(expand_sources(out_offsets))
    width = max(1, (total - 1).bit_length())
    if in_degree is None:
        if total % 2:
            raise ValueError(f"the degrees sum up to {total}, which is odd: an edge has two ends")
        ends = (np.int32, np.int32)
        source, target = _JOIN.draw(xp, total // 2, ends, stubs, total, width, key)
    else:
        in_offsets = _offsets(in_degree, "in_degree")
        if len(in_offsets) != n + 1:
            raise unequal("in_degree", len(in_offsets) - 1, n, "vertex", "vertices")
        if int(in_offsets[-1]) != total:
            raise ValueError(
                f"degrees sum up to {total}, in-degrees to {int(in_offsets[-1])}: "
                "each arc leads out of one vertex and into one"
            )
        heads = xp.asarray(expand_sources(in_offsets))
        source, (target,) = stubs, _LEAD.draw(xp, total, (np.int32,), heads, total, width, key)
    return Graph.from_edges(
        source,
        target,
        uniform_weights(len(source), weights, seed, xp),
        n=n,
        directed=in_degree is not None,
        drop_self_loops=simple,
        merge="min" if simple else "keep",
        device=device,
    )


def _offsets(degree: ArrayLike, name: str) -> Array:
    """Where each vertex's half-edges begin."""
    degree = np.asarray(degree)
    if degree.ndim != 1 or degree.dtype.kind not in "iu":
        raise ValueError(f"{name} must be a vector of integers, not {degree.dtype}{degree.shape}")
    if len(degree) and degree.min() < 0:
        v = int(degree.argmin())
        raise ValueError(f"{name}[{v}] is {degree[v]}: a degree is not negative")
    offsets = np.zeros(len(degree) + 1, np.int64)
    np.cumsum(degree, out=offsets[1:])
    return offsets


@compiled
def _join(thread, threads, sync, first, last, stubs, total, width, key, source, target):  # type: ignore[no-untyped-def]
    """Draw my share of the edges: edge i joins numbers 2i and 2i + 1 of the shuffled half-edges."""
    begin, end = part(first, last, thread, threads)
    for i in range(begin, end):
        source[i] = stubs[shuffled(2 * i, total, width, key)]
        target[i] = stubs[shuffled(2 * i + 1, total, width, key)]


@compiled
def _lead(thread, threads, sync, first, last, stubs, total, width, key, target):  # type: ignore[no-untyped-def]
    """Draw where my share of the arcs lead: arc i to number i of the shuffled half-edges."""
    begin, end = part(first, last, thread, threads)
    for i in range(begin, end):
        target[i] = stubs[shuffled(i, total, width, key)]


_JOIN = Kernel("join", _join, _EDGES_PER_THREAD)
_LEAD = Kernel("lead", _lead, _EDGES_PER_THREAD)
