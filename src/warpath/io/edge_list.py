r"""Edge lists: one edge a line, as SNAP publishes them.

Comments begin with ``#`` or ``%``. Fields are separated by blanks, tabs, commas or
semicolons, of which the first row decides; a third field is the weight. Vertices count
from 0. Two comments of SNAP's are understood, and written: ``# Undirected graph`` and
``# Nodes: 10 Edges: 20``; fewer rows than the second says are a truncated file. A first
row of column names (``source,target``; `_NAMES`) is skipped.
"""

import re
from pathlib import Path

from warpath.graph.check import MAX_VERTICES
from warpath.graph.graph import Graph
from warpath.io.build import graph_of_edges
from warpath.io.columns import Column, Ids, Numbers, Tag
from warpath.io.compact import compact as number_anew
from warpath.io.format import Format, first_line
from warpath.io.source import File, Source, open_target, split_suffix
from warpath.io.table import read_table, split_fields, write_table
from warpath.io.text import Text, shown

COMMENTS = (b"#", b"%")
_NAMES = {
    (b"source", b"target"), (b"src", b"dst"), (b"from", b"to"), (b"tail", b"head"), (b"u", b"v"),
}  # fmt: skip
# What comments say; possessive (*+, ++), so that a long line is looked at once.
_UNDIRECTED, _COUNTS = (
    re.compile(rb"^[ \t]*+[#%]++[ \t]*+" + said, re.IGNORECASE | re.MULTILINE)
    for said in (rb"undirected graph", rb"nodes:[ \t]*+(\d++)[ \t]++edges:[ \t]*+(\d++)")
)
_ROW = re.compile(rb"[+-]?\d+([ \t]*[,;][ \t]*|[ \t]+)[+-]?\d+([ \t,;].*)?")


def read(
    source: Source,
    *,
    directed: bool | None = None,
    compact: bool = False,
    weight_column: int | None = None,
) -> Graph:
    """Read an edge list; see `warpath.read` for the options.

    Raises
    ------
    GraphFormatError
        Also for a file without a row, unless a comment says ``Nodes: n Edges: 0``.
    """
    text = Text(source, COMMENTS)
    undirected = counts = None
    for comments in text.take_comments():
        undirected = undirected or _UNDIRECTED.search(comments)
        counts = counts or _COUNTS.search(comments)
    if directed is None:
        directed = undirected is None
    nodes, edges = map(text.count, counts.groups()) if counts else (0, 0)
    if nodes > MAX_VERTICES:
        raise text.error(f"{nodes} vertices: at most {MAX_VERTICES} are possible")

    columns, delimiter = _columns(text, weight_column, compact)
    if not columns and (counts is None or edges):
        raise text.error("expected an edge, 'SOURCE TARGET [WEIGHT]', but the file ends here")
    arrays = read_table(text, columns or [Ids("source"), Ids("target")], delimiter=delimiter)
    tail, head = arrays[:2]
    if len(tail) < edges:
        raise text.error(
            f"a comment says {edges} edges, but the file ends after {len(tail)}: it is truncated "
            "(or else correct the comment)"
        )
    weight = arrays[weight_column or 2] if any(isinstance(c, Numbers) for c in columns) else None
    labels = None
    if compact:
        tail, head, labels = number_anew(tail, head)
    n = 1 + max((int(ids.max()) for ids in (tail, head) if len(ids)), default=-1)
    if not compact:
        n = max(n, nodes)
    return graph_of_edges(source, tail, head, weight, n=n, directed=directed, labels=labels)


def _columns(text: Text, weight_column: int | None, sparse: bool) -> tuple[list[Column], bytes]:
    """What the first row says of all: its columns and delimiter; no columns if there is no row."""
    row = text.peek_line()
    if row is None:
        return [], b" "
    delimiter = _delimiter(row)
    fields = split_fields(row, delimiter)
    if _are_names(fields):
        text.next_line()
        text.skip_comments()
        if text.peek_line() is None:
            return [], delimiter
    line, number = text.peek_line() or b"", text.line
    if len(fields) < 2 or (len(fields) > 3 and weight_column is None):
        hint = "; weight_column= names the column of several" if len(fields) > 3 else ""
        raise text.error(f"expected 'SOURCE TARGET [WEIGHT]', not {shown(line)}{hint}", number)
    weight = 2 if weight_column is None else weight_column
    if weight_column is not None and not 2 <= weight_column < len(fields):
        raise text.error(
            f"weight_column={weight_column}, but a row has {len(fields)} fields: {shown(line)}",
            number,
        )
    columns: list[Column] = [Ids("source", sparse=sparse), Ids("target", sparse=sparse)]
    columns += [Numbers() if k == weight else Tag() for k in range(2, len(fields))]
    return columns, delimiter


def _delimiter(row: bytes) -> bytes:
    return next((mark for mark in (b",", b";") if mark in row), b" ")


def _are_names(fields: list[bytes]) -> bool:
    """Whether these are the names of columns."""
    return tuple(field.strip(b'"').lower() for field in fields[:2]) in _NAMES


def _sniff(head: bytes) -> bool:
    row = first_line(head, COMMENTS)
    names = _are_names(split_fields(row, _delimiter(row)))
    return names or bool(_ROW.fullmatch(row)) or _COUNTS.search(head) is not None


def write(graph: Graph, file: File) -> None:
    """Write each edge once, after SNAP's two comments; by commas into ``.csv``, else by tabs."""
    source, target, weight = graph.edges()
    separator = "," if split_suffix(Path(file))[1] == ".csv" else "\t"
    kind = "Directed" if graph.directed else "Undirected"
    with open_target(file) as stream:
        stream.write(f"# {kind} graph\n".encode())
        stream.write(f"# Nodes: {graph.num_vertices} Edges: {len(source)}\n".encode())
        columns = [source, target, *([] if weight is None else [weight])]
        write_table(stream, columns, separator=separator)


FORMAT = Format(
    "edge-list",
    (".txt", ".tsv", ".csv", ".edges", ".edgelist", ".snap"),
    read,
    write,
    sniff=_sniff,
    options=frozenset({"directed", "compact", "weight_column"}),
)
