"""Tables of numbers in text, read by Polars a block of lines at a time.

What a legal line is, `_Table.exact` and each column's `parse` say, in plain Python.
Polars is the fast path to the same answer: a block that it refuses, or that breaks a
rule, is cut in halves until the piece is small, and that piece is read by the exact
path, which either reads it or says which line is wrong, and why.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from warpath.errors import GraphFormatError
from warpath.graph.check import MAX_VERTICES
from warpath.io.source import Source

Array = NDArray[Any]
_T = TypeVar("_T")

_BLOCK = 1 << 25  # bytes of text parsed at a time; measured: below it Polars' threads starve
_PIECE = 1 << 12  # bytes below which a piece that the fast path refused is not cut again
_SHOWN = 60  # characters of a bad line or field that a message shows

_INTEGER = re.compile(rb"[+-]?[0-9]+")
_FLOAT = re.compile(rb"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_NOT_FINITE = re.compile(rb"[+-]?(nan|inf|infinity)", re.IGNORECASE)
_BLANKS = bytes.maketrans(b"\t\r\v\f", b"    ")


def shown(text: bytes) -> str:
    """``text`` as a message quotes it."""
    words = text.strip().decode("utf-8", "backslashreplace")
    return repr(words if len(words) <= _SHOWN else words[:_SHOWN] + "…")


class Text:
    """A text file, read once from its first line to its last.

    Parameters
    ----------
    source : Source
    comments : tuple of bytes
        What a line that says nothing begins with.

    Attributes
    ----------
    line : int
        1-based number of the next line.
    """

    def __init__(self, source: Source, comments: tuple[bytes, ...] = ()) -> None:
        self.source, self.comments = source, comments
        self.line = 1
        self._block, self._at = b"", 0
        self._tail, self._ended = b"", False

    def error(self, message: str, line: int | None = None) -> GraphFormatError:
        """The error for ``line``; by default for the line that was taken last."""
        return self.source.error(message, max(1, self.line - 1) if line is None else line)

    def is_comment(self, line: bytes) -> bool:
        """Whether ``line`` is blank or a comment."""
        line = line.strip()
        return not line or line.startswith(self.comments)

    def peek_line(self) -> bytes | None:
        """The next line, stripped, which stays to be taken; None at the end."""
        if self._at == len(self._block) and not self._fill():
            return None
        return self._block[self._at : self._block.index(b"\n", self._at)].strip()

    def next_line(self) -> bytes | None:
        """Take the next line, stripped; None at the end."""
        line = self.peek_line()
        if line is not None:
            self._at = self._block.index(b"\n", self._at) + 1
            self.line += 1
        return line

    def skip_comments(self) -> list[bytes]:
        """Take the blank lines and comments that come next."""
        taken = []
        while (line := self.peek_line()) is not None and self.is_comment(line):
            taken.append(line)
            self.next_line()
        return taken

    def header(self, expected: str) -> list[bytes]:
        """Take comments and the line after them; its fields.

        Raises
        ------
        GraphFormatError
            If the file ends before.
        """
        self.skip_comments()
        line = self.next_line()
        if line is None:
            raise self.error(f"expected {expected}, but the file ends here")
        return line.split()

    def blocks(self) -> Iterator[bytes]:
        """Take what is left, in blocks of whole lines; `line` is the number of a block's first."""
        while self._at < len(self._block) or self._fill():
            block = self._block[self._at :]
            self._block, self._at = b"", 0
            yield block
            self.line += block.count(b"\n")

    def _fill(self) -> bool:
        """Read the next block; the last line gets the line end that it may lack."""
        data, cut = self._tail, 0
        while not self._ended and not cut:
            more = self.source.read(_BLOCK)
            self._ended = len(more) < _BLOCK
            data += more
            cut = data.rfind(b"\n") + 1
        if self._ended:
            if data and not data.endswith(b"\n"):
                data += b"\n"
            cut = len(data)
        self._block, self._at, self._tail = data[:cut], 0, data[cut:]
        return cut > 0


@dataclass(frozen=True)
class Ids:
    """A column of vertex ids; kept as int32 counted from 0 (int64 where ``sparse``).

    Parameters
    ----------
    name : str
        What messages call it.
    first : int
        The id of the first vertex: 0 or 1.
    n : int or None
        The number of vertices, where the file has said it.
    sparse : bool
        True: ids may be as large as int64 holds.
    """

    name: str
    first: int = 0
    n: int | None = None
    sparse: bool = False

    @property
    def dtypes(self) -> tuple[str, ...]:
        """Polars dtypes to try, in order."""
        return ("Int32", "Int64") if self.sparse else ("Int32",)

    @property
    def last(self) -> int:
        """The largest id that is legal."""
        if self.n is not None:
            return self.first + self.n - 1
        return int(np.iinfo(np.int64).max) if self.sparse else self.first + MAX_VERTICES - 1

    def convert(self, column: Any) -> Array | None:
        """A parsed column as it is kept; None if a value is not legal."""
        if len(column) and not self.first <= column.min() <= column.max() <= self.last:
            return None
        values: Array = column.to_numpy()
        return values - values.dtype.type(self.first) if self.first else values

    def parse(self, field: bytes) -> int:
        """The value of one field, counted from 0; a ValueError says what is wrong with it."""
        if not _INTEGER.fullmatch(field):
            raise ValueError(f"expected a {self.name} id, an integer, not {shown(field)}")
        value = int(field)
        if value < self.first:
            raise ValueError(f"{self.name} id {value}: ids begin at {self.first} here")
        if value > self.last:
            if self.n is not None:
                raise ValueError(
                    f"{self.name} id {value} is out of range: the file declares {self.n} vertices, "
                    f"{self.first} … {self.last}"
                )
            hint = "" if self.sparse else "; compact=True numbers sparse ids anew"
            raise ValueError(f"{self.name} id {value} is larger than {self.last}{hint}")
        return value - self.first

    def collect(self, values: list[int]) -> Array:
        """Values of fields as the array that `convert` would give."""
        return np.array(values, np.int64 if self.sparse else np.int32)


@dataclass(frozen=True)
class Numbers:
    """A column of weights or coordinates: int32 or int64 where all are integers, else float64.

    Parameters
    ----------
    name : str
    kind : {"any", "integer", "real"}
        Which ones are legal; of "real", integers become floats.
    """

    name: str = "weight"
    kind: str = "any"

    @property
    def dtypes(self) -> tuple[str, ...]:
        """Polars dtypes to try, in order."""
        integers, floats = ("Int32", "Int64"), ("Float64",)
        return {"any": integers + floats, "integer": integers, "real": floats}[self.kind]

    def convert(self, column: Any) -> Array | None:
        """A parsed column as it is kept; None if a value is not legal."""
        values: Array = column.to_numpy()
        # Nothing below 2⁶³ is NaN, infinite, or an integer that int64 cannot hold.
        if values.dtype.kind == "f" and not (np.abs(values) < 2.0**63).all():
            return None
        return values

    def parse(self, field: bytes) -> float:
        """The value of one field; a ValueError says what is wrong with it."""
        if _INTEGER.fullmatch(field) and self.kind != "real":
            value = int(field)
            if not -(2**63) <= value < 2**63:
                raise ValueError(f"{self.name} {value} does not fit in a 64-bit integer")
            return value
        if _NOT_FINITE.fullmatch(field):
            raise ValueError(f"{self.name} {shown(field)}: only finite numbers are legal")
        if self.kind == "integer" or not _FLOAT.fullmatch(field):
            wanted = "an integer" if self.kind == "integer" else "a number"
            raise ValueError(f"expected {self.name}, {wanted}, not {shown(field)}")
        number = float(field)
        if np.isinf(number):
            raise ValueError(f"{self.name} {shown(field)} does not fit in a 64-bit float")
        return number

    def collect(self, values: list[float]) -> Array:
        """Values of fields as the array that `convert` would give."""
        if self.kind == "real" or any(isinstance(value, float) for value in values):
            return np.array(values, np.float64)
        wide = any(not -(2**31) <= value < 2**31 for value in values)
        return np.array(values, np.int64 if wide else np.int32)


@dataclass(frozen=True)
class Tag:
    """A column that holds one word all over, or, without one, a column that nobody reads."""

    word: str | None = None
    name: str = "a column that is not read"
    dtypes: tuple[str, ...] = ("String",)

    def convert(self, column: Any) -> Array | None:
        """Nothing to keep; None if a field is not the word."""
        if self.word is not None and not (column == self.word).all():
            return None
        return np.empty(len(column), bool)

    def parse(self, field: bytes) -> bool:
        """Nothing to keep; a ValueError if the field is not the word."""
        if self.word is not None and field != self.word.encode():
            raise ValueError(f"expected a line that begins with {self.word!r}, not {shown(field)}")
        return True

    def collect(self, values: list[bool]) -> Array:
        """Values of fields as the array that `convert` would give."""
        return np.empty(len(values), bool)


Column = Ids | Numbers | Tag


def read_table(
    text: Text, columns: Sequence[Column], *, rows: int | None = None, delimiter: bytes = b" "
) -> list[Array]:
    """Read the rest of a text, one row a line.

    Parameters
    ----------
    text : Text
    columns : sequence of Column
    rows : int, optional
        How many rows the file promised.
    delimiter : bytes
        What stands between fields, beside blanks; ``b" "``: blanks only (tabs are blanks).

    Returns
    -------
    list of array, shape (rows,), one a column

    Raises
    ------
    GraphFormatError
        At the first line that is not legal, and if there are fewer or more rows than promised.
    """
    table = _Table(text, columns, delimiter)
    parts: list[list[Array]] = []
    taken = 0
    for block in text.blocks():
        part = table.read(block, text.line)
        if rows is not None and taken + len(part[0]) > rows:
            surplus = table.line_of_row(block, rows - taken)
            raise text.error(f"expected {rows} rows, as declared, but there are more", surplus)
        taken += len(part[0])
        parts.append(part)
    if rows is not None and taken < rows:
        raise text.error(f"expected {rows} rows, as declared, but the file ends after {taken}")
    if not parts:
        return [column.collect([]) for column in columns]
    return [np.concatenate(same) if len(same) > 1 else same[0] for same in zip(*parts, strict=True)]


class _Table:
    """How the blocks of one text are read: what worked for a block is tried first on the next."""

    def __init__(self, text: Text, columns: Sequence[Column], delimiter: bytes) -> None:
        self.text, self.columns, self.delimiter = text, columns, delimiter
        self._raw_separator: bytes | None = delimiter  # None: blocks need normalising
        if delimiter == b" " and b"\t" in (text.peek_line() or b""):
            self._raw_separator = b"\t"
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
        for separator in (self._raw_separator, None):
            data = block if separator is not None else squeeze(block, self.delimiter).lstrip(b"\n")
            for level in levels:
                arrays = self._parse(data, separator or self.delimiter, level)
                if arrays is not None:
                    self._raw_separator, self._level = separator, level
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
            fields = split_fields(row, self.delimiter)
            if len(fields) != len(self.columns):
                names = ", ".join(getattr(c, "word", None) or c.name for c in self.columns)
                raise self.text.error(
                    f"expected {len(self.columns)} fields ({names}), not {len(fields)}: {shown(row)}",
                    number,
                )
            for column, field, kept in zip(self.columns, fields, values, strict=True):
                try:
                    kept.append(column.parse(field))
                except ValueError as error:
                    raise self.text.error(str(error), number) from None
        return [column.collect(kept) for column, kept in zip(self.columns, values, strict=True)]

    def line_of_row(self, block: bytes, row: int) -> int:
        """The line number of the ``row``-th row of a block, counted from 0."""
        lines = enumerate(block.split(b"\n"), self.text.line)
        numbers = [number for number, line in lines if not self.text.is_comment(line)]
        return numbers[row]

    def _parse(self, data: bytes, separator: bytes, level: int) -> list[Array] | None:
        marks = [c for c in self.text.comments if data.startswith(c) or b"\n" + c in data]
        for other in marks[1:]:  # Polars knows one kind of comments at a time
            data = (b"\n" + data).replace(b"\n" + other, b"\n" + marks[0])[1:]
        comment = marks[0] if marks else None
        return parse_columns(data, self.columns, separator, level, comment)


def squeeze(block: bytes, delimiter: bytes = b" ", *, empty_lines: bool = False) -> bytes:
    """Lines with blanks collapsed, and none beside a delimiter or a line end.

    Empty lines, but one at the very beginning, are dropped unless ``empty_lines``.
    """
    pairs = [(b"  ", b" "), (b" \n", b"\n"), (b"\n ", b"\n")]
    if delimiter != b" ":
        pairs += [(b" " + delimiter, delimiter), (delimiter + b" ", delimiter)]
    if not empty_lines:
        pairs.append((b"\n\n", b"\n"))
    block = block.translate(_BLANKS)
    for wide, narrow in pairs:
        while wide in block:
            block = block.replace(wide, narrow)
    return block.lstrip(b" ")


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
        Of a block and its line.
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


def split_fields(line: bytes, delimiter: bytes) -> list[bytes]:
    """The fields of a line."""
    if delimiter == b" ":
        return line.split()
    return [field.strip() for field in line.split(delimiter)]


def parse_columns(
    data: bytes,
    columns: Sequence[Column],
    separator: bytes,
    level: int = 0,
    comment: bytes | None = None,
) -> list[Array] | None:
    """Parse lines of fields with single separators by Polars; None if something is not legal.

    ``level`` says which of each column's dtypes is meant.
    """
    import polars as pl

    schema = {
        str(k): getattr(pl, column.dtypes[min(level, len(column.dtypes) - 1)])
        for k, column in enumerate(columns)
    }
    try:
        frame = pl.read_csv(
            data,
            has_header=False,
            schema=schema,
            separator=separator.decode(),
            comment_prefix=comment.decode() if comment else None,
            quote_char=None,
            raise_if_empty=False,
        )
    except pl.exceptions.PolarsError:
        return None
    arrays = []
    for column, values in zip(columns, frame, strict=True):
        array = None if values.null_count() else column.convert(values)
        if array is None:
            return None
        arrays.append(array)
    return arrays


_ROWS = 1 << 22  # rows written at a time: bounds the text in memory to some 100 MB


def write_table(stream: IO[bytes], columns: Sequence[Any], *, separator: str = " ") -> None:
    """Write rows of text.

    Parameters
    ----------
    stream : binary file
    columns : sequence of array, shape (rows,), or str
        A string stands in every row. Floats are written so that reading gives them back
        to the bit (float32 as the float64 that it equals).
    separator : str
    """
    import polars as pl

    rows = max(len(column) for column in columns if not isinstance(column, str))
    for begin in range(0, rows, _ROWS):
        end = min(begin + _ROWS, rows)
        frame = {
            str(k): pl.repeat(column, end - begin, eager=True)
            if isinstance(column, str)
            else _exact_floats(column[begin:end])
            for k, column in enumerate(columns)
        }
        table = pl.DataFrame(frame)
        table.write_csv(stream, include_header=False, separator=separator, quote_style="never")


def _exact_floats(values: Array) -> Array:
    return values.astype(np.float64) if values.dtype == np.float32 else values
