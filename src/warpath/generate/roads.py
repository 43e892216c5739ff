"""Road networks: crossings on a grid, joined by roads of several pieces."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.generate.counter import Stream, random_bits, stream_key, unit
from warpath.generate.grid import grid
from warpath.generate.lattice import as_length
from warpath.generate.weights import Range, uniform_weights
from warpath.graph.check import as_number
from warpath.graph.graph import Graph
from warpath.parallel import team, thread_count
from warpath.parallel.jit import compiled
from warpath.parallel.sync import share, stopping_at

Array = NDArray[Any]

_ROADS_PER_THREAD = 16384  # guess: some 0.2 ms of work, against some 20 µs to start a team
_JUNCTION_REACH = 3  # places around the junction from which its further roads come
_MOST_AT_JUNCTION = (2 * _JUNCTION_REACH + 1) ** 2 - 1


def roads(
    rows: int,
    columns: int,
    *,
    keep: float = 0.7,
    pieces: float = 1.0,
    junction: int = 0,
    weights: Range | None = None,
    seed: int = 0,
) -> Graph:
    """A road network, undirected, on the CPU.

    Crossings stand on a grid. Some of the roads between neighbours are built, and each is a
    path: most vertices of a real map are bends with two neighbours.

    Parameters
    ----------
    rows, columns : int
        Rows and columns of crossings. They are the first rows · columns vertices, row by row; bends
        follow, road by road.
    keep : float
        The share of the roads that is built. Below a half, the network falls apart
        (percolation on the square grid).
    pieces : float
        Edges of a road, at least 1; of a number between two integers, some roads have the
        smaller and some the larger.
    junction : int
        If more than 0, the degree of the crossing in the middle (at least): further
        roads, each one piece, lead from there to crossings at most three places away. Maps have a few such.
    weights : (low, high), optional
    seed : int
        See `warpath.generate`.

    Returns
    -------
    Graph
        Crossings first, then bends.

    Raises
    ------
    ValueError
        If a parameter is out of its range, or there are more than 2³¹ − 1 vertices.

    See Also
    --------
    grid : Crossings alone.
    warpath.datasets.load : Real road networks.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.generate.roads(20, 20, keep=0.7, pieces=3, seed=1)
    >>> wp.statistics(g).max_degree
    4
    """
    rows, columns = as_length(rows, "rows"), as_length(columns, "columns")
    if not 1 <= as_number(pieces, "pieces") < 2**31:
        raise ValueError(f"pieces is {pieces!r}: a road has at least one piece")
    if junction not in range(_MOST_AT_JUNCTION + 1):
        raise ValueError(f"junction is {junction!r}: choose a degree in 0 … {_MOST_AT_JUNCTION}")
    crossings = grid(rows, columns, keep=keep, seed=seed)
    source, target, _ = crossings.edges()
    n = crossings.num_vertices
    key = stream_key(seed, Stream.LENGTHS)
    offsets = np.empty(len(source) + 1, np.int64)
    _run(_draw_lengths, offsets, key, int(pieces), float(pieces) % 1)
    np.cumsum(offsets, out=offsets)
    total = int(offsets[-1])
    near, far = np.empty(total, np.int32), np.empty(total, np.int32)
    _run(_build, offsets, source, target, n, near, far)
    if junction:
        middle = rows // 2 * columns + columns // 2
        around = _around(rows, columns, rows // 2, columns // 2)
        there = np.setdiff1d(around, crossings.neighbors(middle), assume_unique=True)
        # Nearest first, which setdiff1d lost.
        there = around[np.isin(around, there)][: max(0, junction - int(crossings.degree[middle]))]
        near = np.concatenate([near, np.full(len(there), middle, np.int32)])
        far = np.concatenate([far, there.astype(np.int32)])
    return Graph.from_edges(
        near,
        far,
        uniform_weights(len(near), weights, seed),
        n=n + total - len(source) if total else n,
        directed=False,
    )


def _run(kernel: Any, offsets: Array, *args: Any) -> None:
    threads = max(1, min(thread_count.num_threads(), len(offsets) // _ROADS_PER_THREAD))
    team.run(kernel, threads, offsets, *args)


@compiled
def _draw_lengths(thread, threads, sync, lengths, key, least, more):  # type: ignore[no-untyped-def]
    """Draw my share of the roads' lengths: road i's stands at i + 1, and 0 before them."""
    begin, end = share(lengths.shape[0], thread, threads)
    for i in range(begin, end):
        lengths[i] = least + (unit(random_bits(key, i)) < more) if i > 0 else 0


@compiled
def _build(thread, threads, sync, offsets, source, target, n, near, far):  # type: ignore[no-untyped-def]
    """Write the pieces of my share of the roads: road i's stand at offsets[i]:offsets[i + 1].

    A road of k pieces has k − 1 bends; those of the roads before it are offsets[i] − i.
    """
    begin, end = share(source.shape[0], thread, threads)
    for i in range(begin, end):
        if stopping_at(sync, i):
            return
        here, bend = source[i], n + offsets[i] - i
        for piece in range(offsets[i], offsets[i + 1] - 1):
            near[piece], far[piece] = here, bend
            here = bend
            bend += 1
        near[offsets[i + 1] - 1], far[offsets[i + 1] - 1] = here, target[i]


def _around(rows: int, columns: int, row: int, column: int) -> Array:
    """The other crossings at most `_JUNCTION_REACH` rows and columns away, nearest first."""
    reach = np.arange(-_JUNCTION_REACH, _JUNCTION_REACH + 1)
    down, right = (axis.ravel() for axis in np.meshgrid(reach, reach, indexing="ij"))
    nearest = np.argsort(down**2 + right**2, kind="stable")[1:]
    r, c = row + down[nearest], column + right[nearest]
    inside = (r >= 0) & (r < rows) & (c >= 0) & (c < columns)
    return r[inside] * columns + c[inside]
