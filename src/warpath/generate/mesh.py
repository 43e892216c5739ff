"""Meshes: vertices on a lattice, each joined to those around it."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.generate.counter import Stream, random_bits, stream_key, unit
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
from warpath.graph.check import as_number, as_vertex_count, check_flags
from warpath.graph.graph import Graph
from warpath.parallel import team, thread_count
from warpath.parallel.jit import compiled
from warpath.parallel.sync import share, stopping_at

Array = NDArray[Any]


def mesh(
    shape: Sequence[int],
    neighbors: float | tuple[float, float] = 6,
    *,
    loops: bool = False,
    periodic: bool = False,
    seed: int = 0,
) -> Graph:
    """A mesh in two or three dimensions, undirected, without weights, on the CPU.

    Vertices stand on a lattice. Two of them are neighbours if the place of the one is among
    the nearest to the other: among the ``neighbors`` nearest where that is one number. With
    a pair (low, high) each vertex draws its own number, uniformly, and for two vertices the mean
    of theirs decides: fine and coarse elements, mixed.

    Parameters
    ----------
    shape : sequence of 2 or 3 int
        Vertices along each axis. The last axis varies fastest.
    neighbors : float or (float, float)
        How many neighbours an inner vertex has; an odd number counts as the even one above. In three
        dimensions 6 are those along the axes, 26 a box of 3³ places, 124 one of 5³.
    loops : bool
        True: each vertex has a self-loop, as a matrix with a full diagonal has.
    periodic : bool
        True: every axis but the first is closed to a ring, so that there is less of a surface.
    seed : int
        See `warpath.generate`.

    Returns
    -------
    Graph
        One vertex for each place of the lattice.

    Raises
    ------
    ValueError
        If a parameter is out of its range, or a closed axis is too short for that many
        neighbours.

    See Also
    --------
    grid : The simplest mesh.
    delaunay : Triangles of random points.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.generate.mesh((5, 5, 5), 6)
    >>> g.num_vertices, int(g.degree.max())
    (125, 6)
    """
    check_flags(loops=loops, periodic=periodic)
    lengths = as_shape(shape)
    n = as_vertex_count(int(np.prod(lengths)))
    low, high = neighbors if isinstance(neighbors, tuple) else (neighbors, neighbors)
    if not 0 <= as_number(low, "neighbors") <= as_number(high, "neighbors"):
        raise ValueError(f"neighbors is {neighbors!r}: give a number, or (low, high) in order")
    places, rank = _ranked_places(len(shape), high)
    rings = np.arange(AXES) > AXES - len(shape) if periodic else np.zeros(AXES, np.bool_)
    check_rings(lengths, rings, places)
    key = stream_key(seed, Stream.PLACES)
    args = (lengths, rings, places, rank, float(low) / 2, float(high) / 2, bool(loops), key)
    offsets = np.zeros(n + 1, np.int64)
    threads = max(1, min(thread_count.num_threads(), n // VERTICES_PER_THREAD))
    team.run(_count, threads, *args, offsets)
    np.cumsum(offsets, out=offsets)
    indices = np.empty(int(offsets[-1]), np.int32)
    team.run(_fill, threads, *args, offsets, indices)
    # Sorted, and each arc's reverse is there, by construction: nothing is left to check.
    return Graph._from_parts(narrow(offsets), indices, None, directed=False)


def _ranked_places(axes: int, neighbors: float) -> tuple[Array, Array]:
    """The smallest box with this number of places, and each place's rank by distance, from 0.

    A place and the opposite one share the lower of their ranks: what decides about an edge
    is the same from both ends.
    """
    for reach in range(1, MOST_REACH + 1):
        box = box_around(axes, reach)
        if len(box) >= neighbors:
            break
    else:
        raise ValueError(f"neighbors is {neighbors!r}, but a box around has {len(box)} places")
    half = len(box) // 2  # the box is symmetric: place i is opposite to place −1 − i
    order = np.empty(half, np.int64)
    order[np.argsort((box[:half] ** 2).sum(axis=1), kind="stable")] = np.arange(half)
    return box, 2 * np.concatenate([order, order[::-1]])


@compiled
def _half_reach(low, high, key, v):  # type: ignore[no-untyped-def]
    """Half the number of neighbours that v asks for."""
    return low + (high - low) * unit(random_bits(key, v)) if high > low else low


@compiled
def _row(v, lengths, rings, places, rank, low, high, loops, key, out):  # type: ignore[no-untyped-def]
    """Write v's neighbours; how many there are."""
    mine = _half_reach(low, high, key, v)
    count = 0
    if loops:
        out[count] = v
        count += 1
    for k in range(places.shape[0]):
        if rank[k] >= mine + high:
            continue
        u = vertex_at(v, places[k], lengths, rings)
        if u >= 0 and rank[k] < mine + _half_reach(low, high, key, u):
            out[count] = u
            count += 1
    return count


@compiled
def _count(  # type: ignore[no-untyped-def]
    thread, threads, sync, lengths, rings, places, rank, low, high, loops, key, offsets
):
    """Count the neighbours of my share of the vertices: v's stand at v + 1."""
    begin, end = share(offsets.shape[0] - 1, thread, threads)
    row = np.empty(places.shape[0] + 1, np.int32)
    for v in range(begin, end):
        if stopping_at(sync, v):
            return
        offsets[v + 1] = _row(v, lengths, rings, places, rank, low, high, loops, key, row)


@compiled
def _fill(  # type: ignore[no-untyped-def]
    thread, threads, sync, lengths, rings, places, rank, low, high, loops, key, offsets, indices
):
    """Write the neighbours of my share of the vertices, in order."""
    begin, end = share(offsets.shape[0] - 1, thread, threads)
    for v in range(begin, end):
        if stopping_at(sync, v):
            return
        row = indices[offsets[v] : offsets[v + 1]]
        _row(v, lengths, rings, places, rank, low, high, loops, key, row)
        row.sort()
