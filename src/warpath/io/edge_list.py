r"""Edge lists: one edge a line, as SNAP publishes them.

Comments begin with ``#`` or ``%``. Fields are separated by blanks, tabs, commas or
semicolons, of which the first row decides; a third field is the weight. Vertices count
from 0, or have names: the first row decides here too. Three comments are understood, and
written: ``# Undirected graph`` and ``# Nodes: 10 Edges: 20``, SNAP's (fewer rows than the second
says are a truncated file), and ``# Labels: integers`` or ``text``: ids are names.

A first row of column names is known by those of the ends (`edge_columns.END_NAMES`), or by
``columns=``. Other files of two columns of names are refused: their first row may be an edge or not.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from warpath.graph.batches import EdgeBatches
from warpath.graph.check import MAX_VERTICES
from warpath.graph.edge_columns import END_NAMES, edge_columns
from warpath.graph.frames import as_column
from warpath.graph.graph import Graph
from warpath.graph.numbering import TextNumbers
from warpath.io.assembly import Listing, read_edges
from warpath.io.columns import Column, Ids, Names, Numbers, Tag
from warpath.io.format import Format, first_line, names_lost, one_file
from warpath.io.source import File, Source, open_target, split_suffix
from warpath.io.table import split_fields, write_table
from warpath.io.text_blocks import Text, shown

COMMENTS = (b"#", b"%")
# What comments say; possessive (*+, ++), so that a long line is looked at once.
_UNDIRECTED, _COUNTS, _LABELS = (
    re.compile(rb"^[ \t]*+[#%]++[ \t]*+" + said, re.IGNORECASE | re.MULTILINE)
    for said in (
        rb"undirected graph",
        rb"nodes:[ \t]*+(\d++)[ \t]++edges:[ \t]*+(\d++)",
        rb"labels:[ \t]*+(integers|text)[ \t\r]*+$",
    )
)
_INTEGER = re.compile(rb"[+-]?[0-9]+")
_ROW = re.compile(rb"[+-]?\d+([ \t]*[,;][ \t]*|[ \t]+)[+-]?\d+([ \t,;].*)?")


def list_edges(
    source: Source,
    edges: EdgeBatches,
    *,
    compact: bool | None = None,
    columns: Sequence[str] | Sequence[int] | None = None,
    weight_column: int | None = None,
    **_: Any,
) -> Listing:
    """Add what an edge list holds to ``edges``; see `warpath.read` for the options.

    Raises
    ------
    GraphFormatError
        Also for a file without a row, unless a comment says ``Nodes: n Edges: 0``.
    """
    text = Text(source, COMMENTS)
    undirected = counts = said = None
    for comments in text.take_comments():
        undirected = undirected or _UNDIRECTED.search(comments)
        counts = counts or _COUNTS.search(comments)
        said = said or _LABELS.search(comments)
    directed = undirected is None
    nodes, rows = map(text.count, counts.groups()) if counts else (0, 0)
    if nodes > MAX_VERTICES:
        raise text.error(f"{nodes} vertices: at most {MAX_VERTICES} are possible")
    listing = Listing(directed, nodes, named=said is not None)
    table = _Rows.of(text, columns, weight_column, said and said[1].lower(), compact, edges.text)
    if table is None and (counts is None or rows):
        raise text.error("expected an edge, 'SOURCE TARGET [WEIGHT]', but the file ends here")
    if table is None:
        return listing
    text.keep_share()
    before = len(edges)
    read_edges(
        text, table.columns, edges, ends=(table.source, table.target), delimiter=table.delimiter
    )
    listed = len(edges) - before
    if listed < rows and source.share is None:
        raise text.error(
            f"a comment says {rows} edges, but the file ends after {listed}: it is truncated "
            "(or else correct the comment)"
        )
    return listing


@dataclass(frozen=True)
class _Rows:
    """What the first rows say of all: their columns, which of them mean what, and the delimiter."""

    columns: list[Column]
    source: int
    target: int
    delimiter: bytes

    @classmethod
    def of(
        cls,
        text: Text,
        chosen: Sequence[str] | Sequence[int] | None,
        weight: int | None,
        labels: bytes | None,
        compact: bool | None,
        numbers: TextNumbers,
    ) -> "_Rows | None":
        """Take the names of columns, if the first row holds them; None if there is no other row.

        Parameters
        ----------
        chosen, weight
            The caller's ``columns`` and ``weight_column``.
        labels : bytes or None
            What a comment says of ids: ``b"integers"`` or ``b"text"``.
        numbers : TextNumbers
            What numbers vertices that are called by text.
        """
        row = text.peek_line()
        if row is None:
            return None
        delimiter = _delimiter(row)
        header = split_fields(row, delimiter)
        by_name = chosen is not None and isinstance(chosen[0], str)
        has_header = by_name or (labels is None and _are_names(header))
        if has_header:
            text.next_line()
            text.skip_comments()
        row = text.peek_line()
        if row is None:
            return None
        fields = split_fields(row, delimiter)
        number = text.line
        try:
            if chosen is not None:
                places = _places(chosen, header, weight)
            elif has_header:
                names = _decoded(header)
                given = None if weight is None or weight >= len(names) else names[weight]
                found = edge_columns(names, weight=given)
                places = [names.index(name) for name in found if name is not None]
            else:
                places = [0, 1, 2][: len(fields)] if weight is None else [0, 1, weight]
        except ValueError as error:
            raise text.error(f"{error} (columns=)", number - 1) from None
        if len(fields) < 2 or (
            len(fields) > 3 and chosen is None and not has_header and weight is None
        ):
            hint = "; columns= and weight_column= say which is what" if len(fields) > 3 else ""
            raise text.error(f"expected 'SOURCE TARGET [WEIGHT]', not {shown(row)}{hint}", number)
        for place in places:
            if not 0 <= place < len(fields) or (place == weight and place in places[:2]):
                what = "weight_column" if place == weight else "columns"
                raise text.error(
                    f"{what}={place}, but a row has {len(fields)} fields: {shown(row)}", number
                )
        integers = all(_INTEGER.fullmatch(fields[place]) for place in places[:2])
        named = labels == b"text" or (labels is None and not integers and compact is not False)
        if named and labels is None and not has_header and chosen is None and (
            len(places) < 3 or not _is_number(fields[places[2]])
        ):  # fmt: skip
            raise text.error(
                f"{shown(row)}: two vertices or two names of columns? columns=[0, 1] says that they "
                'are vertices, columns=["…", "…"] which columns are the ends (else expected a source '
                "id, an integer)", number,
            )  # fmt: skip
        columns: list[Column] = [Tag() for _ in fields]
        for place, what in zip(places, ("source", "target"), strict=False):
            columns[place] = (
                Names(what, numbers) if named else Ids(what, sparse=compact is not False)
            )
        if len(places) > 2:
            columns[places[2]] = Numbers()
        return cls(columns, places[0], places[1], delimiter)


def _places(
    chosen: Sequence[str] | Sequence[int], header: list[bytes], weight: int | None
) -> list[int]:
    """Where the columns stand that the caller named, or counted from 0.

    Raises
    ------
    ValueError
        If they are not two or three, or one is not there.
    """
    wanted = [*chosen]
    if not 2 <= len(wanted) <= 3 or len(set(wanted)) < len(wanted):
        raise ValueError(f"columns are two or three, source, target[, weight], not {wanted}")
    if all(isinstance(one, str) for one in wanted):
        names = _decoded(header)
        for one in wanted:
            if one not in names:
                raise ValueError(f"no column {one!r}: there are {names}")
        wanted = [names.index(one) for one in wanted]
    elif not all(hasattr(one, "__index__") for one in wanted):
        raise ValueError(f"columns are all names or all numbers, not {wanted}")
    places = [int(one) for one in wanted]
    return places if weight is None else [*places[:2], weight]


def _decoded(fields: list[bytes]) -> list[str]:
    return [field.decode("utf-8", "replace").strip('"').strip() for field in fields]


def _is_number(field: bytes) -> bool:
    try:
        Numbers().parse(field)
    except ValueError:
        return False
    return True


def _delimiter(row: bytes) -> bytes:
    return next((mark for mark in (b",", b";") if mark in row), b" ")


def _are_names(fields: list[bytes]) -> bool:
    """Whether these are the names of columns: those of the ends are among them."""
    names = {name.lower() for name in _decoded(fields)}
    return any(names.issuperset(pair) for pair in END_NAMES)


def _sniff(head: bytes) -> bool:
    row = first_line(head, COMMENTS)
    names = _are_names(split_fields(row, _delimiter(row)))
    return names or bool(_ROW.fullmatch(row)) or _COUNTS.search(head) is not None


def write(graph: Graph, file: File) -> None:
    """Write each edge once, after the comments; by commas into ``.csv``, else by tabs.

    Raises
    ------
    ValueError
        If a label cannot stand in such a table.
    """
    source, target, weight = graph.edges()
    separator = "," if split_suffix(Path(file))[1] == ".csv" else "\t"
    kind = "Directed" if graph.directed else "Undirected"
    comments = [f"{kind} graph", f"Nodes: {graph.num_vertices} Edges: {len(source)}"]
    ends: list[Any] = [source, target]
    if graph.labels is not None:
        text = graph.labels.dtype.kind not in "iu"
        if text:
            _check_words(graph.labels.tolist(), separator)
        comments.append(f"Labels: {'text' if text else 'integers'}")
        names = as_column(graph.labels)
        ends = [names.gather(source), names.gather(target)]
    with open_target(file) as stream:
        stream.write("".join(f"# {comment}\n" for comment in comments).encode())
        write_table(stream, [*ends, *([] if weight is None else [weight])], separator=separator)


def _check_words(labels: list[str], separator: str) -> None:
    """Refuse labels that `Names` would not read as they are."""
    marks = ",;" if separator == "\t" else separator
    for label in labels:
        words = label.split()
        whole = bool(words) and label == " ".join(words) and (separator == "," or len(words) == 1)
        if not whole or label[0] in '#%"' or any(mark in label for mark in marks):
            raise ValueError(
                f"the edge-list format cannot hold the label {label!r} here: parquet and npz can"
            )


def _refuse(graph: Graph) -> str | None:
    reason = names_lost(graph)
    if reason is None and graph.labels is not None and graph.labels.dtype.kind in "iu":
        negative = len(graph.labels) and graph.labels.min() < 0
        reason = "holds labels that are not negative" if negative else None
    return reason


FORMAT = Format(
    "edge-list",
    (".txt", ".tsv", ".csv", ".edges", ".edgelist", ".snap"),
    one_file(list_edges),
    write,
    _refuse,
    sniff=_sniff,
    options=frozenset({"directed", "compact", "columns", "weight_column"}),
    list_edges=list_edges,
)
