r"""Edge lists: one edge a line, as SNAP publishes them.

Comments begin with ``#`` or ``%``. A third field is the weight. Vertices count from 0, or have
names, as the first row says. Three comments are understood, and written: ``# Undirected graph`` and
``# Nodes: 10 Edges: 20``, SNAP's (fewer rows than the second says are a truncated file), and
``# Labels: integers`` or ``text``: ids are names.

Fields are separated by the first of these that is in the first row: tab, comma, semicolon, blank. Tabs
also separate them if the first row holds names of columns without tabs, and the first edge has tabs.
Blanks around a field never count. A tab is such a blank next to a comma or a semicolon. It is one too
where the first row is numbers, as files of numbers may mix both, and where tabs align two or three
words: a field between them would be empty. Tabs that end a row separate nothing. A field may stand in
quotes, as RFC 4180 has them, but on one line; other quotes are characters like any.

A first row of column names is known by those of the ends (`edge_columns.END_NAMES`), or by
``columns=``. Other files of two columns of names are refused: their first row may be an edge or not.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from warpath.errors import GraphFormatError
from warpath.graph.batches import EdgeBatches
from warpath.graph.check import MAX_VERTICES
from warpath.graph.edge_columns import END_NAMES, edge_columns
from warpath.graph.frames import as_column
from warpath.graph.graph import Graph
from warpath.graph.numbering import TextNumbers
from warpath.io.assembly import NUMBERS_ONLY, Listing, read_edges
from warpath.io.columns import INTEGER, Column, Ids, Names, Numbers, Tag
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
# What to do about an id that is text, or below 0; and that is text though ids are names.
_HINTS = (
    "; compact=True takes ids as names",
    "; '# Labels: text' in the first line says that ids are text",
)
_QUOTED = re.compile(rb'(?<![^,;\s])"(?:[^"]|"")*+"(?![^,;\s])')
_ROW = re.compile(rb"[+-]?\d+([ \t]*[,;][ \t]*|[ \t]+)[+-]?\d+([ \t,;].*)?")


def list_edges(
    source: Source,
    edges: EdgeBatches,
    *,
    compact: bool | None = None,
    columns: Sequence[str] | Sequence[int] | None = None,
    weight_column: int | None = None,
    names: bool = False,
    **_: Any,
) -> Listing:
    """Add what an edge list holds to ``edges``; see `warpath.read` for the options.

    Parameters
    ----------
    names : bool
        True: ids are text, unless a comment says that they are integers.

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
    listing = Listing(directed, nodes, said is not None, rows)
    labels = said and said[1].lower()
    hint = "" if labels else NUMBERS_ONLY if source.share else _HINTS[compact is True]
    table = _Rows.of(
        text, columns, weight_column, labels, compact, edges.text, names=names, hint=hint
    )
    if table is None and (counts is None or rows):
        raise text.error("expected an edge, 'SOURCE TARGET [WEIGHT]', but the file ends here")
    if table is None:
        return listing
    before = len(edges)
    if before and edges.named != isinstance(table.columns[table.source], Names):
        raise text.error(
            "vertex ids must be all integers or all text, in all files: '# Labels: text' as the first "
            "line of each says that all are text", text.line,
        )  # fmt: skip
    text.keep_share()
    ends = (table.source, table.target)
    read_edges(text, table.columns, edges, ends=ends, delimiter=table.delimiter, quotes=True)
    if source.share is None:
        listing.check_complete(len(edges) - before, source.name, max(1, text.line - 1))
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
        *,
        names: bool,
        hint: str,
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
        names : bool
            Whether ids are text if no comment says what they are.
        hint : str
            What messages say about ids that are no numbers of vertices.
        """
        first = text.peek_line(strip=False)
        if first is None:
            return None
        known_text = labels == b"text" or (labels is None and names)
        header = split_fields(first, _delimiter(first, first, known_text), quotes=True)
        by_name = chosen is not None and isinstance(chosen[0], str)
        has_header = by_name or (labels is None and _are_names(header))
        if has_header:
            text.next_line()
            text.skip_comments()
        row = text.peek_line(strip=False) if has_header else first
        if row is None:
            return None
        number = text.line
        delimiter = _delimiter(first, row, known_text)
        fields = split_fields(row, delimiter, quotes=True, columns=len(header) if has_header else 0)
        if has_header and len(fields) != len(header):
            raise text.error(
                f"the first row names {len(header)} columns, but a row has {len(fields)} fields: "
                f"{shown(row)}", number,
            )  # fmt: skip
        if weight is not None and not 0 <= weight < len(fields):
            raise text.error(
                f"weight_column={weight}, but a row has {len(fields)} fields: {shown(row)}", number
            )
        try:
            if chosen is not None:
                places = _places(chosen, header, weight)
            elif has_header:
                called = _decoded(header)
                found = edge_columns(called, weight=None if weight is None else called[weight])
                places = [called.index(name) for name in found if name is not None]
                places[2:] = places[2:] if weight is None else [weight]
            else:
                places = [0, 1, 2][: len(fields)] if weight is None else [0, 1, weight]
        except ValueError as error:
            raise text.error(f"{error} (columns=)", number - 1) from None
        if len(fields) < 2 or (
            len(fields) > 3 and chosen is None and not has_header and weight is None
        ):
            hint = "; columns= and weight_column= say which is what" if len(fields) > 3 else ""
            raise text.error(f"expected 'SOURCE TARGET [WEIGHT]', not {shown(row)}{hint}", number)
        if weight is not None and weight in places[:2]:
            raise text.error(f"weight_column={weight} is an end of the edge: {shown(row)}", number)
        for place in places:
            if not 0 <= place < len(fields):
                raise text.error(
                    f"columns={place}, but a row has {len(fields)} fields: {shown(row)}", number
                )
        integers = all(INTEGER.fullmatch(fields[place]) for place in places[:2])
        named = known_text or (labels is None and not integers and compact is not False)
        if named and labels is None and not names and not has_header and chosen is None and (
            len(places) < 3 or not _is_number(fields[places[2]])
        ):  # fmt: skip
            roles = ", ".join(["source", "target", "weight"][: len(places)])
            raise text.error(
                f"{shown(row)}: an edge, or names of columns? columns={places} says that it is an "
                f"edge, columns={['…'] * len(places)} which columns are {roles} (else expected a "
                "source id, an integer)", number,
            )  # fmt: skip
        if names and _are_mixed_numbers(row):
            raise text.error(
                f"{shown(row)}: numbers separated by blanks and tabs, or names that hold blanks? "
                "separate all fields by one tab", number,
            )  # fmt: skip
        may_be_negative = labels == b"integers" or compact is True
        columns: list[Column] = [Tag() for _ in fields]
        for place, what in zip(places, ("source", "target"), strict=False):
            columns[place] = (
                Names(what, numbers)
                if named
                else Ids(what, sparse=compact is not False, negative=may_be_negative, hint=hint)
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
    return [field.decode("utf-8", "replace").strip() for field in fields]


def _is_number(field: bytes) -> bool:
    try:
        Numbers().parse(field)
    except ValueError:
        return False
    return True


def _delimiter(first: bytes, row: bytes, known_text: bool) -> bytes:
    """What separates fields, by the rule above; ``row`` is the first one of data, or ``first`` again."""
    has_header = first is not row
    first, row = _QUOTED.sub(b'""', first), _QUOTED.sub(b'""', row)
    in_row, in_first = _has_tab(row), _has_tab(first)
    mark = b" " if in_first else next((mark for mark in (b",", b";") if mark in first), b" ")
    if mark != b" " or not (in_first or in_row):
        return mark
    words = {len(line.split()) for line in (first, row)}
    if words in ({2}, {3}) and any(b"" in split_fields(line, b"\t") for line in (first, row)):
        return b" "
    if known_text or not all(map(_is_number, row.split())):
        return b"\t"
    return b"\t" if has_header and in_first and in_row else b" "


def _has_tab(row: bytes) -> bool:
    """Whether a tab stands between fields, and not next to a comma or a semicolon."""
    return any(b"\t" in part.strip() for part in row.replace(b";", b",").split(b","))


def _are_mixed_numbers(row: bytes) -> bool:
    """Whether a row of numbers is separated by tabs and by other blanks."""
    words = row.split()
    return b"\t" in row and words != split_fields(row, b"\t") and all(map(_is_number, words))


def _are_names(fields: list[bytes]) -> bool:
    """Whether these are the names of columns: those of the ends are among them."""
    names = {name.lower() for name in _decoded(fields)}
    return any(names.issuperset(pair) for pair in END_NAMES)


def _sniff(head: bytes) -> bool:
    row = first_line(head, COMMENTS)
    names = _are_names(split_fields(row, _delimiter(row, row, False), quotes=True))
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
    quotes = False
    if graph.labels is not None:
        text = graph.labels.dtype.kind not in "iu"
        quotes = text and _need_quotes(graph.labels.tolist())
        comments.append(f"Labels: {'text' if text else 'integers'}")
        names = as_column(graph.labels)
        ends = [names.gather(source), names.gather(target)]
    with open_target(file) as stream:
        stream.write("".join(f"# {comment}\n" for comment in comments).encode())
        columns = [*ends, *([] if weight is None else [weight])]
        write_table(stream, columns, separator=separator, quotes=quotes)


def _need_quotes(labels: list[str]) -> bool:
    """Whether one of these has to stand in quotes; refuse those that `Names` would not read as they are."""
    for label in labels:
        if not label or label != " ".join(label.split()):
            raise ValueError(
                f"the edge-list format cannot hold the label {label!r}: it is empty, or has other blanks "
                "than single ones between words; parquet and npz can"
            )
    return any(label[0] in "#%" or any(mark in label for mark in ',;"') for label in labels)


def read(source: Source, *, compact: bool | None = None, **options: Any) -> Graph:
    """Read a graph; with ``compact=True`` once more where ids that begin as integers go on as text."""
    whole = one_file(list_edges)
    try:
        return whole(source, compact=compact, **options)
    except GraphFormatError as error:
        are_text = compact and error.message.endswith(_HINTS[True])
        if not are_text or source.path is None or not source.path.is_file():
            raise
        refusal = GraphFormatError(*error.args)  # without the frames, which hold the edges
    try:
        with Source(source.path, source.max_bytes) as again:
            return whole(again, compact=True, names=True, **options)
    except GraphFormatError:
        raise refusal from None


FORMAT = Format(
    "edge-list",
    (".txt", ".tsv", ".csv", ".edges", ".edgelist", ".snap"),
    read,
    write,
    names_lost,
    sniff=_sniff,
    options=frozenset({"directed", "compact", "columns", "weight_column"}),
    list_edges=list_edges,
)
