"""Delaunay triangulations of random points."""

import numpy as np

from warpath.generate.counter import Stream, random_bits, stream_key, unit
from warpath.generate.lattice import VERTICES_PER_THREAD
from warpath.graph.check import as_vertex_count
from warpath.graph.graph import Graph
from warpath.parallel import team, thread_count
from warpath.parallel.jit import compiled
from warpath.parallel.sync import share


def delaunay(n: int, *, seed: int = 0) -> Graph:
    """The Delaunay triangulation of n random points in a square: undirected, without weights.

    Vertices are numbered along the strips of a grid over the square, so that neighbours have
    ids that are near each other, as in files of meshes.

    Parameters
    ----------
    n : int
        At least 3.
    seed : int
        See `warpath.generate`.

    Returns
    -------
    Graph
        n vertices, about 3n edges.

    Raises
    ------
    ValueError
        If ``n`` is no integer or less than 3.

    See Also
    --------
    mesh : Vertices on a lattice.
    roads : A road network.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.generate.delaunay(100, seed=1)
    >>> g.num_vertices, g.num_edges < 300
    (100, True)
    """
    from scipy.spatial import Delaunay

    n = as_vertex_count(n)
    if n < 3:
        raise ValueError(f"n is {n}: a triangle has three corners")
    key = stream_key(seed, Stream.PLACES)
    points = np.empty((n, 2))
    team.run(
        _scatter, max(1, min(thread_count.num_threads(), n // VERTICES_PER_THREAD)), key, points
    )
    strips = max(1, int(n**0.5))
    points = points[np.lexsort((points[:, 0], np.floor(points[:, 1] * strips)))]
    corners = Delaunay(points).simplices.astype(np.int32)
    source = np.concatenate([corners[:, 0], corners[:, 1], corners[:, 2]])
    target = np.concatenate([corners[:, 1], corners[:, 2], corners[:, 0]])
    return Graph.from_edges(source, target, n=n, directed=False, merge="min")


@compiled
def _scatter(thread, threads, sync, key, points):  # type: ignore[no-untyped-def]
    """Draw my share of the points."""
    begin, end = share(points.shape[0], thread, threads)
    for v in range(begin, end):
        points[v, 0] = unit(random_bits(key, 2 * v))
        points[v, 1] = unit(random_bits(key, 2 * v + 1))
