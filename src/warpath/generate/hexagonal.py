"""Hexagons: three neighbours each."""

import numpy as np

from warpath.generate.lattice import as_length
from warpath.graph.check import as_vertex_count
from warpath.graph.graph import Graph


def hexagonal(rows: int, columns: int) -> Graph:
    """Hexagons as a wall of bricks: undirected, three neighbours each, on the CPU.

    Parameters
    ----------
    rows, columns : int
        Rows and columns of vertices. A row is a path; every other vertex of it is joined to the row above.

    Returns
    -------
    Graph
        rows · columns vertices.

    Raises
    ------
    ValueError
        If a number is no integer or negative, or there are more than 2³¹ − 1 vertices.

    See Also
    --------
    grid : Four neighbours per vertex.

    Examples
    --------
    >>> import warpath as wp
    >>> int(wp.generate.hexagonal(10, 10).degree.max())
    3
    """
    rows, columns = as_length(rows, "rows"), as_length(columns, "columns")
    n = as_vertex_count(rows * columns)
    numbers = np.arange(n, dtype=np.int32)
    row, column = np.divmod(numbers, np.int32(max(1, columns)))
    along = numbers[column + 1 < columns]
    up = numbers[(row + 1 < rows) & ((row + column) % 2 == 0)]
    source, target = np.concatenate([along, up]), np.concatenate([along + 1, up + columns])
    return Graph.from_edges(source, target.astype(np.int32), n=n, directed=False)
