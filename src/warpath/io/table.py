"""Tables of numbers in text, read by Polars a block of lines at a time.

What a legal line is, `_Table.exact` and each column's `parse` say, in plain Python.
Polars is the fast path to the same answer. A block that it refuses, or that breaks a rule, is cut in
halves until the piece is small. The exact path then reads that piece, or says which line is wrong,
and why.
"""

import io
import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from typing import IO, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from warpath.io.columns import Column, Ids, Names, is_text
from warpath.io.text_blocks import Text, shown
from warpath.parallel.jit import compiled
from warpath.progress import Progress

Array = NDArray[Any]
_T = TypeVar("_T")

_PIECE = 1 << 12  # bytes below which a piece that the fast path refused is not cut again
_ROW = re.compile(rb"[+-]?[0-9]|[a-z][ \t]")  # how a row begins: an id, or a tag
_ROWS = 1 << 20  # rows written at a time: bounds the text in memory to some 25 MB
# What bytes.split takes for blanks: space, and from tab to carriage return all but the line end.
_SPACE, _TAB, _LINE_END, _RETURN, _QUOTE = b' \t\n\r"'
# Fields and what separates them, by the delimiter: what regular quotes hold, or else all of the field.
_REGULAR = rb'"((?:[^"]|"")*+)"'
_FIELDS = {
    mark: re.compile(
        rb"%b[^\S%b]*+(?:%b(?=[^\S%b]*+(?:%b|\Z))|([^%b]*))" % (mark, mark, _REGULAR, *[mark] * 3)
    )
    for mark in (b",", b";", b"\t")
} | {b" ": re.compile(_REGULAR + rb"(?!\S)|(\S+)")}
# What `_squeeze` says of the quotes in a text.
_NOT_QUOTED, _QUOTED, _IRREGULAR = range(3)


def read_table(
    text: Text, columns: Sequence[Column], *, rows: int | None = None, delimiter: bytes = b" "
) -> list[Array]:
    """Read the rest of a text, one row a line, as one array a column: see `read_batches`."""
    parts: list[list[Array]] = [[] for _ in columns]
    for batch in read_batches(text, columns, rows=rows, delimiter=delimiter):
        for pieces, piece in zip(parts, batch, strict=True):
            pieces.append(piece)
    return [
        narrow(np.concatenate(pieces) if pieces else column.collect([]))
        for column, pieces in zip(columns, parts, strict=True)
    ]


def read_batches(
    text: Text,
    columns: Sequence[Column],
    *,
    rows: int | None = None,
    delimiter: bytes = b" ",
    quotes: bool = False,
) -> Iterator[list[Array]]:
    """Read the rest of a text, one row a line, a block of lines at a time.

    Parameters
    ----------
    text : Text
    columns : sequence of Column
    rows : int, optional
        How many rows the file promised.
    delimiter : bytes
        What stands between fields, and may have blanks around it; ``b" "``: blanks only (tabs are
        blanks).
    quotes : bool
        Whether a field may stand in quotes, as RFC 4180 has them, but on one line.

    Yields
    ------
    list of array, one a column, integers as int32 where they fit

    Raises
    ------
    GraphFormatError
        At the first line that is not legal, and if there are fewer or more rows than promised.
    """
    table = _Table(text, columns, delimiter, quotes)
    taken = 0
    for block in text.blocks():
        part = table.read(block, text.line)
        if rows is not None and taken + len(part[0]) > rows:
            surplus = table.line_of_row(block, rows - taken)
            raise text.error(f"expected {rows} rows, as declared, but there are more", surplus)
        taken += len(part[0])
        yield [narrow(values) for values in part]
        del part
    if rows is not None and taken < rows:
        raise text.error(f"expected {rows} rows, as declared, but the file ends after {taken}")


def narrow(values: Array) -> Array:
    """Integers as int32 where all fit; other arrays as they are."""
    fits = np.iinfo(np.int32)
    wide = values.dtype == np.int64
    if wide and (not len(values) or (values.min() >= fits.min and values.max() <= fits.max)):
        return values.astype(np.int32)
    return values


class _Table:
    """How the blocks of one text are read: what worked for a block is tried first on the next."""

    def __init__(
        self, text: Text, columns: Sequence[Column], delimiter: bytes, quotes: bool
    ) -> None:
        self.text, self.columns, self.delimiter, self.quotes = text, columns, delimiter, quotes
        self._raw_separator: bytes | None = delimiter  # None: blocks need normalising
        if delimiter == b" " and b"\t" in (text.peek_line() or b""):
            self._raw_separator = b"\t"
        # Of names that blanks separate in the first row, a tab may separate those that hold blanks.
        self._named = any(isinstance(column, Names) for column in columns)
        self._refuses_tabs = self._named and delimiter == self._raw_separator == b" "
        self._level = 0  # which of the columns' dtypes

    def read(self, block: bytes, line: int) -> list[Array]:
        """The columns of a block whose first line has the number ``line``."""
        parts = read_pieces(block, line, self.fast, self.exact)
        return (
            parts[0] if len(parts) == 1 else [np.concatenate(p) for p in zip(*parts, strict=True)]
        )

    def fast(self, block: bytes, line: int) -> list[Array] | None:
        """The columns by Polars; None if it, or a column, refuses the block."""
        levels = range(self._level, max(len(column.dtypes) for column in self.columns))
        if self._refuses_tabs and b"\t" in block:
            return None
        quoted = self.quotes and b'"' in block
        # Polars would take a comment after blanks for a name.
        indented = self._named and (b"\n " in block or b"\n\t" in block or block[:1].isspace())
        for separator in (None,) if quoted or indented else (self._raw_separator, None):
            data, found = block, _NOT_QUOTED
            if separator is None:
                data, found = squeezed(block, self.delimiter, quotes=quoted)
            if found == _IRREGULAR:
                return None
            for level in levels:
                arrays = self._parse(data, separator or self.delimiter, level, found == _QUOTED)
                if arrays is not None:
                    self._level = level
                    if not (quoted or indented):
                        self._raw_separator = separator
                    return arrays
            if separator is None:
                return None
        return None

    def exact(self, block: bytes, line: int) -> list[Array]:
        """The columns by the definition; the error names the first line that breaks it."""
        values: list[list[Any]] = [[] for _ in self.columns]
        for number, row in enumerate(block.split(b"\n"), line):
            if self.text.is_comment(row):
                continue
            if self._refuses_tabs and b"\t" in row.strip():
                raise self.text.error(
                    f"a tab in {shown(row)}, but blanks separate the names in the first row: separate "
                    "all fields by a tab", number,
                )  # fmt: skip
            fields = split_fields(
                row, self.delimiter, quotes=self.quotes, columns=len(self.columns)
            )
            if len(fields) != len(self.columns):
                names = ", ".join(getattr(c, "word", None) or c.name for c in self.columns)
                hints = (c.hint for c in self.columns if isinstance(c, Ids))
                # Names that hold blanks, perhaps, with a tab between them.
                hint = next(hints, "") if b"\t" in row and any(map(is_text, fields)) else ""
                raise self.text.error(
                    f"expected {len(self.columns)} fields ({names}), not {len(fields)}: {shown(row)}"
                    f"{hint}", number,
                )  # fmt: skip
            for column, field, kept in zip(self.columns, fields, values, strict=True):
                try:
                    kept.append(column.parse(field))
                except ValueError as error:
                    raise self.text.error(str(error), number) from None
        return [column.collect(kept) for column, kept in zip(self.columns, values, strict=True)]

    def line_of_row(self, block: bytes, row: int) -> int:
        """The line number of the ``row``-th row of a block, counted from 0."""
        lines = enumerate(io.BytesIO(block), self.text.line)
        numbers = (number for number, line in lines if not self.text.is_comment(line))
        return next(itertools.islice(numbers, row, None))

    def _parse(self, data: bytes, separator: bytes, level: int, quoted: bool) -> list[Array] | None:
        marks = [c for c in self.text.comments if data.startswith(c) or b"\n" + c in data]
        for other in marks[1:]:  # Polars knows one kind of comments at a time
            data = (b"\n" + data).replace(b"\n" + other, b"\n" + marks[0])[1:]
        comment = marks[0] if marks else None
        return parse_columns(data, self.columns, separator, level, comment, quoted=quoted)


def squeezed(block: bytes, delimiter: bytes, *, quotes: bool) -> tuple[bytes, int]:
    """Lines with single blanks between fields, and none next to a delimiter or a line end; and which quotes there are.

    Empty lines are dropped. Between quotes all stays as it is.

    `_QUOTED`: all quotes are those of RFC 4180. `_IRREGULAR`: one is part of a field, or not closed.
    """
    out = np.empty(len(block), np.uint8)
    text = np.frombuffer(block, np.uint8)
    size, found = _squeeze(text, ord(delimiter), quotes, out)
    return out[:size].tobytes(), found


@compiled
def _squeeze(text, delimiter, quotes, squeezed):  # type: ignore[no-untyped-def]
    """Copy ``text``, a blank only where a field stood before it and another one follows.

    If tabs separate fields, those at a line's end are dropped: see `split_fields`.
    """
    size, found = 0, _NOT_QUOTED
    last, blank = _LINE_END, False
    # Within quotes; after quotes that were closed, where a field has to end or the quotes go on.
    inside, closed = False, False
    for character in text:
        if inside and character != _LINE_END:
            closed = character == _QUOTE
            inside = not closed
            squeezed[size] = character
            size += 1
            last = character
            continue
        if character == _SPACE or (
            _TAB <= character <= _RETURN and character != _LINE_END and character != delimiter
        ):
            blank = True
            continue
        if quotes:
            ends = character in (_LINE_END, delimiter)
            begins = last in (_LINE_END, delimiter) or (blank and delimiter == _SPACE)
            if inside:
                inside, found = False, _IRREGULAR
            elif character == _QUOTE and (begins or (closed and not blank)):
                inside, found = True, max(found, _QUOTED)
            elif character == _QUOTE or (closed and not begins and not ends):
                found = _IRREGULAR
            closed = False
        if character == _LINE_END:
            while delimiter == _TAB and last == _TAB:
                size -= 1
                last = squeezed[size - 1] if size else _LINE_END
            if last == _LINE_END:
                blank = False
                continue
        elif blank and last != _LINE_END and last != delimiter and character != delimiter:
            squeezed[size] = _SPACE
            size += 1
        squeezed[size] = character
        size += 1
        last, blank = character, False
    return size, found


def read_pieces(
    block: bytes,
    line: int,
    fast: Callable[[bytes, int], _T | None],
    exact: Callable[[bytes, int], _T],
) -> list[_T]:
    """Read a block by ``fast``, and where that gives None, piece by piece.

    A refused block is cut in two until it is small; then ``exact`` reads it or raises the
    error. So one odd line costs a few more passes over its block, not a slow one.

    Parameters
    ----------
    block : bytes
        Whole lines.
    line : int
        The number of the first.
    fast, exact : callable
        Take a block and its line.
    """
    part = fast(block, line)
    if part is not None:
        return [part]
    cut = block.rfind(b"\n", 0, len(block) // 2) + 1
    if len(block) <= _PIECE or not cut:
        return [exact(block, line)]
    left, right = block[:cut], block[cut:]
    parts = read_pieces(left, line, fast, exact)
    return parts + read_pieces(right, line + left.count(b"\n"), fast, exact)


def split_fields(
    line: bytes, delimiter: bytes, *, quotes: bool = False, columns: int = 0
) -> list[bytes]:
    """The fields of a line.

    With ``quotes``, those of RFC 4180 are taken off; other quotes are characters of their fields.
    If tabs separate fields, empty ones at the end, beyond ``columns``, are dropped.
    """
    if quotes and b'"' in line:
        found = _FIELDS[delimiter].findall(line if delimiter == b" " else delimiter + line)
        fields = [quoted.replace(b'""', b'"') or other.strip() for quoted, other in found]
    elif delimiter == b" ":
        return line.split()
    else:
        fields = [field.strip() for field in line.split(delimiter)]
    while delimiter == b"\t" and len(fields) > columns and not fields[-1]:
        fields.pop()
    return fields


def parse_columns(
    data: bytes,
    columns: Sequence[Column],
    separator: bytes,
    level: int = 0,
    comment: bytes | None = None,
    *,
    quoted: bool = False,
) -> list[Array] | None:
    """Parse lines of fields with single separators by Polars; None if something is not legal.

    ``level`` says which of each column's dtypes is meant. Polars makes a column of every field
    of the first line, at some 450 bytes each, whatever ``schema`` says, and decompresses what
    begins as compressed data does. So where that line is no row, it gets one of ours.
    """
    import polars as pl

    first = data[: data.find(b"\n") + 1]
    is_row = _ROW.match(first) and first.count(separator) == len(columns) - 1
    ours = b"" if is_row else separator.join([b"0"] * len(columns)) + b"\n"
    schema = {
        str(k): getattr(pl, column.dtypes[min(level, len(column.dtypes) - 1)])
        for k, column in enumerate(columns)
    }
    try:
        frame = pl.read_csv(
            ours + data if ours else data,
            has_header=False,
            schema=schema,
            separator=separator.decode(),
            comment_prefix=comment.decode() if comment else None,
            quote_char='"' if quoted else None,
            raise_if_empty=False,
        )
    except pl.exceptions.PolarsError:
        return None
    arrays = []
    for column, values in zip(columns, frame[1:] if ours else frame, strict=True):
        array = None if values.null_count() else column.convert(values)
        if array is None:
            return None
        arrays.append(array)
    # Only now: names in a block that is refused get no numbers.
    return [
        column.numbers.of_column(array) if isinstance(column, Names) else array
        for column, array in zip(columns, arrays, strict=True)
    ]


def write_table(
    stream: IO[bytes], columns: Sequence[Any], *, separator: str = " ", quotes: bool = False
) -> None:
    """Write rows of text.

    Parameters
    ----------
    stream : binary file
    columns : sequence of array, shape (rows,), or str
        A string stands in every row. Floats are written so that reading gives them back
        to the bit (float32 as the float64 that it equals).
    separator : str
    quotes : bool
        Whether text stands in quotes, each quote within it doubled.
    """
    import polars as pl

    rows = max(len(column) for column in columns if not isinstance(column, str))
    with Progress("Writing", rows, "steps") as progress:
        for begin in range(0, rows, _ROWS):
            end = min(begin + _ROWS, rows)
            frame = {
                str(k): pl.repeat(column, end - begin, eager=True)
                if isinstance(column, str)
                else _exact_floats(column[begin:end])
                for k, column in enumerate(columns)
            }
            table = pl.DataFrame(frame)
            table.write_csv(
                stream,
                include_header=False,
                separator=separator,
                quote_style="non_numeric" if quotes else "never",
            )
            progress.advance(end - begin)


def _exact_floats(values: Array) -> Array:
    return values.astype(np.float64) if values.dtype == np.float32 else values
