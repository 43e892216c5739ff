"""Two-dimensional grids: a stand-in for road networks."""

import numpy as np

from warpath.generate.counter import Stream, random_bits, stream_key, unit
from warpath.generate.draw import Kernel, part
from warpath.generate.lattice import as_length
from warpath.generate.weights import Range, uniform_weights
from warpath.graph.arrays import module_for
from warpath.graph.check import as_number, as_vertex_count, check_flags
from warpath.graph.graph import Graph
from warpath.parallel.jit import compiled
from warpath.typing import BuildDeviceName

_EDGES_PER_THREAD = 32768  # guess: some 0.2 ms of work, against some 20 µs to start a team


def grid(
    rows: int,
    columns: int | None = None,
    *,
    keep: float = 1.0,
    directed: bool = False,
    weights: Range | None = None,
    seed: int = 0,
    device: BuildDeviceName = "cpu",
) -> Graph:
    """A grid of rows · columns vertices, each joined to its neighbours in row and column.

    With a share of its edges left out it is like a road network: small degrees, a large
    diameter, dead ends and a few vertices cut off.

    Parameters
    ----------
    rows, columns : int
        ``columns`` is ``rows`` by default. The vertex at row r and column c is
        r · columns + c.
    keep : float
        Each edge is kept with this probability.
    directed : bool
        True: each edge is two arcs, kept and weighted each on its own (one-way streets).
    weights : (low, high), optional
    seed : int
    device : {"cpu", "cuda"}
        See `warpath.generate`.

    Returns
    -------
    Graph
        rows · columns vertices.

    Raises
    ------
    ValueError
        If rows or columns are negative or their product exceeds 2³¹ − 1, or ``keep`` is
        not in 0 … 1.
    DeviceUnavailableError, MemoryError
        As `warpath.Graph.from_edges`.

    See Also
    --------
    hexagonal : Three neighbours per vertex.
    roads : Crossings and bends.
    mesh : More neighbours, and three dimensions.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.generate.grid(3, 4)
    >>> g.num_vertices, g.num_edges
    (12, 17)
    >>> wp.bfs(g, 0).path(6)
    [0, 1, 2, 6]
    """
    check_flags(directed=directed)
    rows = as_length(rows, "rows")
    columns = rows if columns is None else as_length(columns, "columns")
    n = as_vertex_count(rows * columns)
    if not 0 <= as_number(keep, "keep") <= 1:
        raise ValueError(f"keep is {keep!r}: a share of the edges is in 0 … 1")
    key = stream_key(seed, Stream.EDGES)
    across = rows * max(0, columns - 1)
    edges = across + max(0, rows - 1) * columns
    arcs = 2 * edges if directed else edges
    xp = module_for(device)
    (kept,) = _KEEP.draw(xp, arcs, (np.bool_,), key, float(keep))
    numbers = xp.flatnonzero(kept)
    drawn = uniform_weights(len(numbers), weights, seed, xp)
    source, target = _ENDS.draw(
        xp, len(numbers), (np.int32, np.int32), numbers, columns, across, bool(directed)
    )
    return Graph.from_edges(source, target, drawn, n=n, directed=directed, device=device)


@compiled
def _keep(thread, threads, sync, first, last, key, share_kept, kept):  # type: ignore[no-untyped-def]
    """Whether each of my share of the arcs is kept."""
    begin, end = part(first, last, thread, threads)
    for arc in range(begin, end):
        kept[arc] = unit(random_bits(key, arc)) < share_kept


@compiled
def _ends(thread, threads, sync, first, last, arcs, columns, across, directed, source, target):  # type: ignore[no-untyped-def]
    """Write the ends of my share of ``arcs``.

    Edges in order: the ``across`` ones within rows, then those within columns; edge i's
    arcs, if there are two, are 2i and 2i + 1.
    """
    begin, end = part(first, last, thread, threads)
    for i in range(begin, end):
        edge = arcs[i] // 2 if directed else arcs[i]
        if edge < across:
            row, column = edge // (columns - 1), edge % (columns - 1)
            u, v = row * columns + column, row * columns + column + 1
        else:
            u, v = edge - across, edge - across + columns
        if directed and arcs[i] % 2 == 1:
            u, v = v, u
        source[i] = u
        target[i] = v


_KEEP = Kernel("keep", _keep, _EDGES_PER_THREAD)
_ENDS = Kernel("grid_ends", _ends, _EDGES_PER_THREAD)
