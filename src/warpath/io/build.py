"""A graph of the edges that a file lists, if its size is in proportion to the file."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.errors import GraphFormatError
from warpath.graph.check import as_vertex_count
from warpath.graph.compact import numbered_ends
from warpath.graph.graph import Graph
from warpath.io.source import Source

Array = NDArray[Any]

_OFFSET_BYTES = np.dtype(np.int32).itemsize


def graph_of_edges(
    source: Source,
    tail: Array,
    head: Array,
    weight: Array | None = None,
    *,
    n: int | None = None,
    line: int | None = None,
    compact: bool | None = None,
    **options: Any,
) -> Graph:
    """`Graph.from_edges`, with errors that name the file.

    A file of a few bytes may declare 2³¹ − 1 vertices, or name the last of them, and a graph
    takes memory for each of its vertices: `Source.check_size` limits that.

    Parameters
    ----------
    source : Source
        The file, read to its end.
    tail, head, weight, compact, **options
        See `Graph.from_edges`.
    n : int, optional
        The number of vertices; by default one more than the largest id.
    line : int, optional
        The line that declares ``n``.

    Raises
    ------
    GraphFormatError
        If the edges are no graph, or there are more vertices than such a file may have.
    """
    try:
        tail, head, least, names = numbered_ends(tail, head, compact=compact, n=n, fetch=True)
        if names is not None:
            options["labels"] = names
        n = as_vertex_count(least if n is None else n)
        source.check_size(_OFFSET_BYTES * (n + 1), f"a graph of {n:,} vertices", line)
        return Graph.from_edges(tail, head, weight, n=n, **options)
    except GraphFormatError:
        raise
    except (ValueError, OverflowError) as error:
        raise source.error(str(error), line) from None
