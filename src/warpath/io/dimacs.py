"""The 9th DIMACS Challenge's files: graphs ``.gr``, coordinates ``.co``, sources ``.ss``.

Format: http://www.diag.uniroma1.it/challenge9/format.shtml. Vertices count from 1, weights
are integers, every line begins with a letter: ``c`` comment, ``p`` problem, ``a`` arc.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from warpath.graph.batches import EdgeBatches
from warpath.graph.check import MAX_VERTICES, as_ids, check_below, check_unmasked
from warpath.graph.graph import Graph
from warpath.io.assembly import graph_of_edges, read_edges
from warpath.io.columns import Column, Ids, Numbers, Tag
from warpath.io.format import Format, first_line
from warpath.io.source import File, Source, open_target
from warpath.io.table import read_table, write_table
from warpath.io.text_blocks import Text, shown

COMMENTS = (b"c",)


def read(source: Source) -> Graph:
    """Read a directed graph with integer weights."""
    text = Text(source, COMMENTS)
    n, arcs = read_problem(text, "p sp VERTICES ARCS")
    line = text.line - 1
    columns: list[Column] = [
        Tag("a"),
        Ids("tail", 1, n),
        Ids("head", 1, n),
        Numbers(kind="integer"),
    ]
    edges = EdgeBatches()
    read_edges(text, columns, edges, ends=(1, 2), rows=arcs)
    return graph_of_edges(source, edges, n=n, line=line)


def read_problem(text: Text, form: str, line: str = "the problem line") -> list[int]:
    """The numbers of a line that is given as its words; capitals are numbers, the first of vertices."""
    words = text.header(f"{line} '{form}'")
    wanted = form.split()
    fits = len(words) == len(wanted) and all(
        word.isdigit() if want.isupper() else word == want.encode()
        for word, want in zip(words, wanted, strict=True)
    )
    if not fits:
        raise text.error(f"expected {line} '{form}', not {shown(b' '.join(words))}")
    numbers = [text.count(word) for word in words if word.isdigit()]
    if numbers[0] > MAX_VERTICES:
        raise text.error(f"{numbers[0]} vertices: at most {MAX_VERTICES} are possible")
    return numbers


def write(graph: Graph, file: File) -> None:
    """Write every arc of a graph: of an undirected one both directions."""
    source, target, weight = graph.coo()
    assert weight is not None  # _refuse
    with open_target(file) as stream:
        stream.write(f"p sp {graph.num_vertices} {graph.num_arcs}\n".encode())
        write_table(stream, ["a", source + 1, target + 1, weight])


def _refuse(graph: Graph) -> str | None:
    if graph.weights is None:
        return "needs weights"
    if graph.weights.dtype.kind == "f":
        return f"has integer weights, not {graph.weights.dtype}: npz holds these"
    return None


FORMAT = Format(
    "dimacs",
    (".gr",),
    read,
    write,
    _refuse,
    sniff=lambda head: first_line(head, COMMENTS).split()[:2] == [b"p", b"sp"],
)


def read_coordinates(file: File, *, max_bytes: int | None = None) -> NDArray[Any]:
    """Read a DIMACS ``.co`` file: where the vertices are.

    Parameters
    ----------
    file : path, or "-" for standard input
        Compressed or not.
    max_bytes : int, optional
        See `warpath.read`.

    Returns
    -------
    array, shape (n, 2)
        x and y of each vertex: int32 or int64, float64 where one is no integer.

    Raises
    ------
    GraphFormatError
        If a vertex is missing or there twice, and as `warpath.read`.
    OSError
        If the file is missing or may not be read.

    See Also
    --------
    write_coordinates : Writes such a file.
    warpath.Graph.with_coordinates : A graph with these coordinates.

    Examples
    --------
    >>> from warpath import io
    >>> io.write_coordinates([[9, 48], [7, 50]], "towns.co")
    >>> io.read_coordinates("towns.co").tolist()
    [[9, 48], [7, 50]]
    """
    with Source(file, max_bytes) as source:
        text = Text(source, COMMENTS)
        (n,) = read_problem(text, "p aux sp co VERTICES")
        columns: list[Column] = [Tag("v"), Ids("vertex", 1, n), Numbers("x"), Numbers("y")]
        _, vertex, x, y = read_table(text, columns, rows=n)
        coordinates = np.empty((n, 2), np.result_type(x, y))
        coordinates[vertex] = np.column_stack([x, y])
        missing = np.flatnonzero(np.bincount(vertex, minlength=n) == 0)
        if len(missing):
            raise source.error(f"vertex {missing[0] + 1} has no coordinates, another has two")
        return coordinates


def write_coordinates(coordinates: ArrayLike, file: File) -> None:
    """Write a DIMACS ``.co`` file: where the vertices are.

    Parameters
    ----------
    coordinates : array, shape (n, 2)
        x and y of each vertex.
    file : path, or "-" for standard output
        A suffix ``.gz``, ``.xz`` or ``.zst`` compresses.

    Raises
    ------
    ValueError
        If the array has another shape, masked elements or others than finite numbers.
    OSError
        If the file cannot be written: it names the file.

    See Also
    --------
    read_coordinates : Reads it again.

    Examples
    --------
    >>> from warpath import io
    >>> io.write_coordinates([[9, 48], [7, 50]], "towns.co.gz")
    """
    check_unmasked(coordinates, "coordinates")
    coordinates = np.asarray(coordinates)
    if coordinates.ndim != 2 or coordinates.shape[1] != 2:
        raise ValueError(f"coordinates have the shape (n, 2), not {coordinates.shape}")
    if coordinates.dtype.kind not in "iuf" or not np.isfinite(coordinates).all():
        raise ValueError("coordinates are finite numbers")
    n = len(coordinates)
    with open_target(file) as stream:
        stream.write(f"p aux sp co {n}\n".encode())
        write_table(stream, ["v", np.arange(1, n + 1), coordinates[:, 0], coordinates[:, 1]])


def read_sources(file: File, *, max_bytes: int | None = None) -> NDArray[Any]:
    """Read a DIMACS ``.ss`` file: source vertices of a benchmark.

    Parameters
    ----------
    file : path, or "-" for standard input
        Compressed or not.
    max_bytes : int, optional
        See `warpath.read`.

    Returns
    -------
    int32 array, shape (k,)
        Counted from 0.

    Raises
    ------
    GraphFormatError
        As `warpath.read`.
    OSError
        If the file is missing or may not be read.

    See Also
    --------
    write_sources : Writes such a file.

    Examples
    --------
    >>> from warpath import io
    >>> io.write_sources([0, 41], "sources.ss")
    >>> io.read_sources("sources.ss").tolist()
    [0, 41]
    """
    with Source(file, max_bytes) as source:
        text = Text(source, COMMENTS)
        (k,) = read_problem(text, "p aux sp ss SOURCES")
        return read_table(text, [Tag("s"), Ids("source", 1)], rows=k)[1]


def write_sources(sources: ArrayLike, file: File) -> None:
    """Write a DIMACS ``.ss`` file: source vertices of a benchmark.

    Parameters
    ----------
    sources : integer array, shape (k,)
        Vertices, counted from 0.
    file : path, or "-" for standard output
        A suffix ``.gz``, ``.xz`` or ``.zst`` compresses.

    Raises
    ------
    ValueError
        If one is negative, no integer, or larger than a vertex id can be.
    OSError
        If the file cannot be written: it names the file.

    See Also
    --------
    read_sources : Reads it again.

    Examples
    --------
    >>> from warpath import io
    >>> io.write_sources([0, 41], "sources.ss")
    """
    ids = check_below(as_ids(sources, "sources"), MAX_VERTICES, "sources")
    with open_target(file) as stream:
        stream.write(f"p aux sp ss {len(ids)}\n".encode())
        write_table(stream, ["s", ids.astype(np.int64) + 1])
