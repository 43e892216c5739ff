"""Readers and writers of graph files.

`warpath.read` and `warpath.write` choose a format by the file's suffix (one of ``.gz``, ``.xz``,
``.zst`` after it means that the file is compressed), or, in reading, by its content.

================  ========================  =======================================================
format            suffixes                  holds
================  ========================  =======================================================
matrix-market     .mtx                      pattern, integer, real; general (directed), symmetric
dimacs            .gr                       ``p sp``: arcs with integer weights
pace              .gr                       ``p tw``: undirected, no weights
metis             .graph, .metis            undirected; integer edge weights (vertex weights skipped)
el, wel           .el, .wel                 GAPBS's edge lists, without and with weights
sg, wsg           .sg, .wsg                 GAPBS's binary graphs; int32 weights in .wsg
edge-list         .txt .tsv .csv .edges     SNAP's: comments, any separator, optional weight
                  .edgelist .snap
graphalytics      .v, .e, .properties       LDBC Graphalytics: three files; original ids are labels
parquet           .parquet .pq              a table of source, target[, weight]
npz               .npz                      warpath's own: everything; memory-mapped on reading
================  ========================  =======================================================

Edge lists, el, wel and parquet may be the parts of one graph: see `warpath.read`.

A reader takes memory in proportion to its file, not to what the file declares or decompresses
to: see ``max_bytes`` of `warpath.read`.

Coordinates (DIMACS ``.co``) and source vertices (``.ss``) have their own readers and
writers.
"""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

from warpath.typing import FormatName

if TYPE_CHECKING:
    from warpath.distributed.graph import DistributedGraph
    from warpath.graph.graph import Graph
    from warpath.io.dimacs import (
        read_coordinates,
        read_sources,
        write_coordinates,
        write_sources,
    )

__all__ = [
    "formats",
    "read",
    "read_coordinates",
    "read_sources",
    "write",
    "write_coordinates",
    "write_sources",
]

File = str | os.PathLike[str]


def formats() -> tuple[str, ...]:
    """Names of the formats, as ``format=`` takes them.

    Returns
    -------
    tuple of str
        In alphabetical order.

    See Also
    --------
    warpath.read : Reads a graph.
    warpath.write : Writes a graph.

    Examples
    --------
    >>> from warpath import io
    >>> "metis" in io.formats()
    True
    """
    from warpath.io.format_registry import FORMATS

    return tuple(sorted(known.name for known in FORMATS))


@overload
def read(
    file: "File | Sequence[File]",
    *,
    format: FormatName | None = ...,
    directed: bool | None = ...,
    compact: bool | None = ...,
    columns: "Sequence[str] | Sequence[int] | None" = ...,
    weight_column: int | None = ...,
    max_bytes: int | None = ...,
    distributed: Literal[False] = ...,
) -> "Graph": ...
@overload
def read(
    file: "File | Sequence[File]",
    *,
    format: FormatName | None = ...,
    directed: bool | None = ...,
    compact: bool | None = ...,
    columns: "Sequence[str] | Sequence[int] | None" = ...,
    weight_column: int | None = ...,
    max_bytes: int | None = ...,
    distributed: Literal[True],
) -> "DistributedGraph": ...
def read(
    file: "File | Sequence[File]",
    *,
    format: FormatName | None = None,
    directed: bool | None = None,
    compact: bool | None = None,
    columns: "Sequence[str] | Sequence[int] | None" = None,
    weight_column: int | None = None,
    max_bytes: int | None = None,
    distributed: bool = False,
) -> "Graph | DistributedGraph":
    """Read a graph.

    Parameters
    ----------
    file : path, or "-" for standard input; or sequence of paths
        Compressed or not; gzip, xz and Zstandard are recognised by their first bytes. Several
        files are the parts of one graph (edge-list, el, wel, parquet): a folder, a pattern such as
        ``"part-*.parquet"``, or a sequence of paths, in its order. A folder's files are taken by
        name, except those that begin with a dot or an underscore.
    format : str, optional
        A name of `formats`; by default the suffix decides, then the content.
    directed : bool, optional
        For formats that do not say (el, wel, edge-list, parquet; graphalytics without its
        ``.properties``): whether a line is an arc (the default) or an undirected edge. If an el or
        wel file holds the reverse of each arc too, as `write` makes them for undirected graphs,
        False takes these as the two directions. For formats that say: True gives the two arcs
        of each undirected edge as a directed graph. False promises that every arc's reverse is in the
        file, and is checked.
    compact : bool, optional
        True: ids are names (edge-list, parquet): text, or integers, also negative ones. Vertices are numbered 0, 1, … in ascending order
        of their ids, which become `Graph.labels`. False: ids are numbers. By default they are
        names if they are text, or one is 2³¹ − 1 or more, or `write` wrote labels.
    columns : sequence of two or three str or int, optional
        Source, target and, with weights, weight: names of columns, or of an edge list their
        places from 0 (edge-list, parquet). By default the ends are the columns called source and
        target, src and dst, from and to, tail and head, or u and v. The weight is the one called
        weight, w, cost, length or distance. Else they are the first two or three; an edge list whose first row
        may then be names or an edge is refused without this.
    weight_column : int, optional
        Which column of an edge list holds the weights, counted from 0.
    max_bytes : int, optional
        How many bytes the file may hold once it is decompressed, and how many the row
        offsets of its graph may take (4 for each vertex). By default 256 MiB and 100 for each
        byte of the file. Real graph files compress up to some 20:1. A file of zeros, or one whose
        header declares 2³¹ − 1 vertices over a few edges, would fill the memory.
        Pass more for such a file that you trust, less for one that you do not. It is also how
        long a line may be, where it is more than 1 MiB.
    distributed : bool
        True: each rank reads its share of the files, or of the bytes or rows of each, and holds a part
        of the graph (`warpath.distributed`). For edge-list, el, wel and parquet, el and wel without ``directed=False``.
        Ids are numbers.

    Returns
    -------
    Graph or DistributedGraph
        Integer weights of text are int32, or int64 where one needs it; others float64. npz and Parquet keep their dtypes.

    Raises
    ------
    GraphFormatError
        If the file does not say what its format promises, or ends early: with file, line,
        what was expected and what stood there. An empty file is such an error in every format,
        and one beyond ``max_bytes``. Parts of different formats, parts that contradict each
        other, and a part that holds a whole graph.
    ValueError
        An unknown format (the message lists the known ones), an option that the format does
        not take, ``directed=False`` of a file whose arcs are not symmetric, ``max_bytes``
        below 0.
    OSError
        If the file is missing or may not be read; a folder or a pattern without files.
    MemoryError
        If the graph is larger than the memory.

    See Also
    --------
    write : Writes a graph.
    Graph.from_edges : A graph of arrays.
    warpath.io.read_coordinates : The coordinates of a DIMACS graph.

    Notes
    -----
    Complexity: O(n + m) time, and that of reading the file.

    A text that is cut inside its last number looks like a whole one without a line end;
    any other truncation of a file that declares its counts is seen. Edge lists
    declare none, except in SNAP's comment ``# Nodes: n Edges: m``.

    A byte-order mark before a text is left out. In an edge list a tab, comma, semicolon or blank
    separates fields: the first of these that is in its first row. If that row is numbers, tabs and
    blanks both do. A field with separators in it stands in quotes, as RFC 4180 has them, on one
    line; other quotes are characters like any.

    An uncompressed npz file is mapped, not read: another file may take its place, as
    `write` does it, but bytes that are cut off or overwritten in it change the graph, or end
    the process.

    Reading text or a table takes at most some 2.5 times the memory of the graph: see
    docs/topics/limits.md.

    On a terminal a progress bar appears once reading has taken a second; elsewhere
    `warpath.show_progress` asks for lines of text.

    Examples
    --------
    >>> import warpath as wp
    >>> with open("roads.csv", "w") as file:
    ...     _ = file.write("from,to,lanes,km\\nUlm,Bonn,2,12\\nBonn,Kiel,2,5\\n")
    >>> g = wp.read("roads.csv", columns=["from", "to", "km"], directed=False)
    >>> wp.sssp(g, "Kiel")["Ulm"]
    17
    """
    from warpath.graph.check import as_flag
    from warpath.io import format_registry
    from warpath.io.parts import parts_of, read_parts
    from warpath.io.source import Source

    distributed = as_flag(distributed, "distributed")
    directed = None if directed is None else as_flag(directed, "directed")
    compact = None if compact is None else as_flag(compact, "compact")
    if isinstance(columns, str):
        raise ValueError(
            f"columns must be a sequence of names or places, as {columns.split(',')}, not {columns!r}"
        )
    given = {"compact": compact, "columns": columns, "weight_column": weight_column}
    options: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    known = None if format is None else format_registry.by_name(format)
    if distributed:
        from warpath.io.distributed import read_distributed

        return read_distributed(file, known, max_bytes, directed=directed, **options)
    paths = parts_of(file)
    if paths is not None and len(paths) > 1:
        name = os.fspath(file) if isinstance(file, (str, os.PathLike)) else f"{len(paths)} files"
        return read_parts(name, paths, known, max_bytes, directed=directed, **options)
    with Source(paths[0] if paths else file, max_bytes) as source:  # type: ignore[arg-type]
        chosen = known or format_registry.of_source(source)
        options = format_registry.options_for(chosen, options)
        if "directed" in chosen.options:
            return chosen.read(source, directed=directed, **options)
        graph = chosen.read(source, **options)
    if directed is None or directed == graph.directed:
        return graph
    try:
        other = type(graph).from_csr(
            graph.row_offsets,
            graph.column_indices,
            graph.weights,
            directed=directed,
            labels=graph.labels,
        )
        return type(graph)._from_parts(
            *other.resident, directed, graph.labels, graph.edge_ids, graph.geometry
        )
    except ValueError as error:
        raise ValueError(f"{source.name}: {error}") from None


def write(graph: "Graph", file: File, *, format: FormatName | None = None) -> None:
    """Write a graph; `read` gives its arcs, weights and labels back as far as the format holds them.

    Parameters
    ----------
    graph : Graph
    file : path, or "-" for standard output
        A suffix ``.gz``, ``.xz`` or ``.zst`` compresses.
    format : str, optional
        A name of `formats`; by default the suffix decides (``.gr``: dimacs with weights,
        pace without).

    Raises
    ------
    TypeError
        If it is no `Graph`.
    ValueError
        If the format is unknown, or cannot hold this graph: the message says why.
    OSError
        If the file cannot be written: it names the file.

    See Also
    --------
    read : Reads it again.
    Graph.to_frame : The edges as a table.

    Notes
    -----
    Complexity: O(n + m) time, and that of writing the file.

    An old file is replaced when the new one is complete: a full disk, an error or a kill leaves
    the old one. So a graph may be written to the file that it was read from, also while it is
    memory-mapped. Graphalytics' three files are replaced together.

    Labels are kept by edge-list, graphalytics, npz and parquet; the other formats number the
    vertices. Only npz keeps edge ids, coordinates and lines of edges: the others hold edges by the
    order of their ends, and the ids of rows elsewhere would be another table's. Write
    `Graph.to_frame` with columns of your own where a table is to have more. edge-list and parquet
    hold the labels of the ends: `read` numbers vertices by the order of their labels. dimacs, el and wel do not say that a graph is undirected and list both arcs:
    ``directed=False`` in reading makes it undirected again.

    On a terminal a progress bar appears once writing has taken a second: see `warpath.show_progress`.

    Examples
    --------
    >>> import warpath as wp
    >>> wp.write(wp.Graph.from_edges([0, 1], [1, 2], [7, 2]), "small.gr.gz")
    >>> wp.read("small.gr.gz").edges()[2].tolist()
    [7, 2]
    """
    from warpath.io.format_registry import for_writing

    for_writing(graph, file, format).write(graph, file)


def __getattr__(name: str) -> Any:
    """What `warpath.io.dimacs` has of ``__all__``, imported when it is needed."""
    if name not in __all__:
        raise AttributeError(f"module 'warpath.io' has no attribute {name!r}")
    from warpath.io import dimacs

    return getattr(dimacs, name)


def __dir__() -> list[str]:
    return list(__all__)
