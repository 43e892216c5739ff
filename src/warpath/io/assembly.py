"""A graph of the edges that a file lists, if its size is in proportion to the file."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from warpath.errors import GraphFormatError
from warpath.graph.batches import EdgeBatches
from warpath.graph.check import MAX_VERTICES
from warpath.graph.graph import Graph
from warpath.io.columns import Column, Names, Numbers
from warpath.io.source import Source
from warpath.io.table import narrow, read_batches
from warpath.io.text_blocks import Text

NUMBERS_ONLY = "; distributed=True takes numbers of vertices"  # a hint
_OFFSET_BYTES = np.dtype(np.int32).itemsize


def read_edges(
    text: Text,
    columns: Sequence[Column],
    edges: EdgeBatches,
    *,
    ends: tuple[int, int] = (0, 1),
    rows: int | None = None,
    delimiter: bytes = b" ",
    quotes: bool = False,
) -> None:
    """Read the rest of a text, one edge a line, and add these to ``edges``.

    Parameters
    ----------
    text, columns, rows, delimiter, quotes
        See `read_batches`. A column of `Numbers` is the weight.
    ends : tuple of int
        Which columns are the source and the target.
    """
    source, target = ends
    weights = [place for place, column in enumerate(columns) if isinstance(column, Numbers)]
    named = isinstance(columns[source], Names)
    none = np.empty(0, np.int32)
    edges.add(none, none, *(narrow(columns[place].collect([])) for place in weights))
    for batch in read_batches(text, columns, rows=rows, delimiter=delimiter, quotes=quotes):
        weight = (batch[place] for place in weights)
        try:
            edges.add(batch[source], batch[target], *weight, named=named)
        except (ValueError, OverflowError) as error:
            raise text.error(str(error), text.line) from None
        del batch


class Listing(NamedTuple):
    """What a file that lists edges says of the graph otherwise.

    Parameters
    ----------
    directed : bool or None
        None: it does not say.
    n : int
        A number of vertices, of which it may list fewer.
    named : bool
        Whether integer ids are names.
    edges : int
        As many edges as the file says that it lists: with fewer it is truncated.
    """

    directed: bool | None = None
    n: int = 0
    named: bool = False
    edges: int = 0

    def check_complete(self, listed: int, name: str, line: int | None = None) -> None:
        """Refuse a file called ``name`` of which fewer edges were read than it says."""
        if listed < self.edges:
            raise GraphFormatError(
                name, line,
                f"a comment says {self.edges} edges, but the file ends after {listed}: it is truncated "
                "(or else correct the comment)",
            )  # fmt: skip


def graph_of_listing(
    source: Source,
    edges: EdgeBatches,
    listing: Listing,
    *,
    directed: bool | None,
    compact: bool | None = None,
    **_: Any,
) -> Graph:
    """The graph of edges, and of what the file and the caller say: `graph_of_edges`."""
    if directed is None:
        directed = listing.directed is not False
    named = compact
    if named is None:
        named = listing.named or edges.named or edges.largest >= MAX_VERTICES
    n = None if named else max(listing.n, edges.largest + 1)
    return graph_of_edges(source, edges, n=n, compact=named, directed=directed)


def check_vertices(source: Source, n: int, line: int | None = None) -> None:
    """Refuse more vertices than a graph of such a file may have; ``line`` says how many they are."""
    source.check_size(_OFFSET_BYTES * (n + 1), f"a graph of {n:,} vertices", line)


def graph_of_edges(
    source: Source,
    edges: EdgeBatches,
    *,
    n: int | None = None,
    line: int | None = None,
    compact: bool | None = None,
    directed: bool = True,
) -> Graph:
    """The graph of a file's edges, which are taken from ``edges``; errors name the file.

    A file of a few bytes may declare 2³¹ − 1 vertices, or name the last of them, and a graph
    takes memory for each of its vertices: `Source.check_size` limits that.

    Parameters
    ----------
    source : Source
        The file, read to its end.
    edges : EdgeBatches
    n : int, optional
        The number of vertices; by default one more than the largest id.
    line : int, optional
        The line that declares ``n``.
    compact, directed
        See `Graph.from_edges`.

    Raises
    ------
    GraphFormatError
        If the edges are no graph, or there are more vertices than such a file may have.
    """
    try:
        n, labels = edges.number(compact=compact, n=n)
        check_vertices(source, n, line)
        return Graph._from_parts(*edges.csr(n, mirror=not directed), directed, labels)
    except GraphFormatError:
        raise
    except (ValueError, OverflowError) as error:
        raise source.error(str(error), line) from None
