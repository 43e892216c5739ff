"""Two-dimensional grids: a stand-in for road networks."""

from typing import Any

import numpy as np
from numba import njit

from warpath.generate.counter import Stream, random_bits, stream_key, unit
from warpath.generate.weights import Range, uniform_weights
from warpath.graph.check import as_vertex_count
from warpath.graph.graph import Graph
from warpath.parallel import team
from warpath.parallel.team import barrier, share

_ARCS_A_THREAD = 32768  # guess: some 0.2 ms of work, against some 20 µs to start a team


def grid(
    rows: int,
    columns: int | None = None,
    *,
    keep: float = 1.0,
    directed: bool = False,
    weights: Range | None = None,
    seed: int = 0,
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
    weights, seed
        See `warpath.generate`.

    Raises
    ------
    ValueError
        If rows or columns are negative or their product exceeds 2³¹ − 1, or ``keep`` is
        not in 0 … 1.
    """
    rows = _as_length(rows, "rows")
    columns = rows if columns is None else _as_length(columns, "columns")
    n = as_vertex_count(rows * columns)
    if not 0 <= keep <= 1:
        raise ValueError(f"keep is {keep!r}: a share of the edges is in 0 … 1")
    key = stream_key(seed, Stream.EDGES)
    across = rows * max(0, columns - 1)
    edges = across + max(0, rows - 1) * columns
    arcs = 2 * edges if directed else edges
    source, target = np.empty(arcs, np.int32), np.empty(arcs, np.int32)
    threads = max(1, min(team.num_threads(), arcs // _ARCS_A_THREAD))
    counts = np.zeros(threads, np.int64)
    team.run(_keep, threads, key, columns, across, directed, float(keep), counts, source, target)
    count = int(counts.sum())
    return Graph.from_edges(
        source[:count],
        target[:count],
        uniform_weights(count, weights, seed),
        n=n,
        directed=directed,
    )


def _as_length(value: Any, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 0:
        raise ValueError(f"{name} must be a number of vertices, not {value!r}")
    return int(value)


@njit(nogil=True, cache=True)
def _keep(thread, threads, sync, key, columns, across, directed, keep, counts, source, target):  # type: ignore[no-untyped-def]
    """Count my share of the arcs that are kept, then write them behind those before me.

    Edges in order: the ``across`` ones within rows, then those within columns; edge i's
    arcs, if there are two, are 2i and 2i + 1.
    """
    begin, end = share(source.shape[0], thread, threads)
    count = 0
    for arc in range(begin, end):
        count += unit(random_bits(key, arc)) < keep
    counts[thread] = count
    barrier(sync, threads)  # all counts are there

    place = 0
    for t in range(thread):
        place += counts[t]
    for arc in range(begin, end):
        if unit(random_bits(key, arc)) < keep:
            edge = arc // 2 if directed else arc
            if edge < across:
                row, column = edge // (columns - 1), edge % (columns - 1)
                u, v = row * columns + column, row * columns + column + 1
            else:
                u, v = edge - across, edge - across + columns
            if directed and arc % 2 == 1:
                u, v = v, u
            source[place] = u
            target[place] = v
            place += 1
