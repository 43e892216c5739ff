"""Graphs whose arcs are short: as in a circuit."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from warpath.generate.counter import Stream, below, random_bits, stream_key
from warpath.generate.lattice import (
    AXES,
    MOST_REACH,
    VERTICES_PER_THREAD,
    as_shape,
    box_around,
    check_rings,
    narrow,
    vertex_at,
)
from warpath.graph.check import as_vertex_count, check_flags
from warpath.graph.graph import Graph
from warpath.parallel import team, thread_count
from warpath.parallel.jit import compiled
from warpath.parallel.sync import share, stopping_at


def local(
    shape: Sequence[int], degree: ArrayLike, *, reach: int = 4, loops: bool = False, seed: int = 0
) -> Graph:
    """A directed graph in which arcs are short: as in a circuit; on the CPU, without weights.

    Vertices stand on a lattice whose axes are rings, and each has arcs to as many different
    places of the box around it as its degree says, chosen at random.

    Parameters
    ----------
    shape : sequence of 2 or 3 int
        Vertices along each axis.
    degree : integer array, shape (n,)
        Out-degrees.
    reach : int
        1 … 4: how far an arc goes along an axis.
    loops : bool
        True: the first arc of each vertex that has one is a self-loop.
    seed : int
        See `warpath.generate`.

    Returns
    -------
    Graph
        Directed.

    Raises
    ------
    ValueError
        If a parameter is out of its range, or a vertex has more arcs than there are places.

    See Also
    --------
    mesh : Undirected, all near vertices are neighbours.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.generate.local((10, 10), [3] * 100, reach=2, seed=1)
    >>> g.num_vertices, g.num_arcs
    (100, 300)
    """
    check_flags(loops=loops)
    lengths, rings = as_shape(shape), np.ones(AXES, np.bool_)
    n = as_vertex_count(int(np.prod(lengths)))
    if reach not in range(1, MOST_REACH + 1):
        raise ValueError(f"reach is {reach!r}: choose 1 … {MOST_REACH}")
    places = box_around(len(shape), reach)
    check_rings(lengths, rings, places)
    degree = np.asarray(degree)
    if degree.shape != (n,) or degree.dtype.kind not in "iu":
        raise ValueError(f"degree must be {n} integers, not {degree.dtype}{degree.shape}")
    most = len(places) + loops
    if n and not 0 <= degree.min() <= degree.max() <= most:
        v = int(np.flatnonzero((degree < 0) | (degree > most))[0])
        raise ValueError(f"degree[{v}] is {degree[v]}: there are 0 … {most} places")
    key = stream_key(seed, Stream.PLACES)
    offsets = np.zeros(n + 1, np.int64)
    np.cumsum(degree, out=offsets[1:])
    indices = np.empty(int(offsets[-1]), np.int32)
    # Mixed, so that places that follow each other are not side by side.
    mixed = places[np.argsort([int(random_bits(key, i)) for i in range(len(places))])]
    threads = max(1, min(thread_count.num_threads(), n // VERTICES_PER_THREAD))
    team.run(_fill, threads, lengths, rings, mixed, bool(loops), key, offsets, indices)
    return Graph._from_parts(narrow(offsets), indices, None, directed=True)


@compiled
def _fill(thread, threads, sync, lengths, rings, places, loops, key, offsets, indices):  # type: ignore[no-untyped-def]
    """Write the arcs of my share of the vertices: to places in turn, from a random one on."""
    begin, end = share(offsets.shape[0] - 1, thread, threads)
    for v in range(begin, end):
        if stopping_at(sync, v):
            return
        row = indices[offsets[v] : offsets[v + 1]]
        # The first numbers of the stream mixed the places.
        k = below(random_bits(key, places.shape[0] + v), places.shape[0])
        for i in range(row.shape[0]):
            if loops and i == 0:
                row[i] = v
                continue
            row[i] = vertex_at(v, places[k], lengths, rings)
            k = k + 1 if k + 1 < places.shape[0] else 0
        row.sort()
