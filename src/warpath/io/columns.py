"""Columns of a table in text: what is legal in one, and how it is kept."""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.graph.check import MAX_VERTICES
from warpath.graph.numbering import TextNumbers
from warpath.io.text_blocks import integer, shown

Array = NDArray[Any]

INTEGER = re.compile(rb"[+-]?[0-9]+")
_FLOAT = re.compile(rb"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
_NOT_FINITE = re.compile(rb"[+-]?(nan|inf|infinity)", re.IGNORECASE)


def is_text(field: bytes) -> bool:
    """Whether a field is neither empty nor a number."""
    return bool(field) and not _FLOAT.fullmatch(field)


@dataclass(frozen=True)
class Ids:
    """A column of vertex ids; kept as int32 counted from 0 (int64 where a sparse one needs it).

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
    negative : bool
        True: ids are names, which may also be below 0.
    hint : str
        What messages say in the end: what to do about an id that is text, below 0 or too large.
    """

    name: str
    first: int = 0
    n: int | None = None
    sparse: bool = False
    negative: bool = False
    hint: str = ""

    @property
    def dtypes(self) -> tuple[str, ...]:
        """Polars dtypes to try, in order."""
        return ("Int32", "Int64") if self.sparse else ("Int32",)

    @property
    def smallest(self) -> int:
        """The smallest id that is legal."""
        return int(np.iinfo(np.int64).min) if self.negative else self.first

    @property
    def last(self) -> int:
        """The largest id that is legal."""
        if self.n is not None:
            return self.first + self.n - 1
        return int(np.iinfo(np.int64).max) if self.sparse else self.first + MAX_VERTICES - 1

    def convert(self, column: Any) -> Array | None:
        """A parsed column as it is kept; None if a value is not legal."""
        if len(column) and not self.smallest <= column.min() <= column.max() <= self.last:
            return None
        values: Array = column.to_numpy()
        return values - values.dtype.type(self.first) if self.first else values

    def parse(self, field: bytes) -> int:
        """The value of one field, counted from 0; a ValueError says what is wrong with it."""
        if not INTEGER.fullmatch(field):
            raise ValueError(
                f"expected a {self.name} id, an integer, not {shown(field)}"
                f"{self.hint if is_text(field) else ''}"
            )
        value = integer(field)
        if value < self.smallest:
            raise ValueError(
                f"{self.name} id {value}: ids begin at {self.smallest} here"
                f"{'' if self.negative else self.hint}"
            )
        if value > self.last:
            if self.n is not None:
                raise ValueError(
                    f"{self.name} id {value} is out of range: the file declares {self.n} vertices, "
                    f"{self.first} … {self.last}"
                )
            hint = "" if self.sparse else self.hint
            raise ValueError(f"{self.name} id {value} is larger than {self.last}{hint}")
        return value - self.first

    def collect(self, values: list[int]) -> Array:
        """Values of fields as the array that `convert` would give."""
        return np.array(values, np.int64 if self.sparse else np.int32)


@dataclass(frozen=True)
class Names:
    """A column of vertices' names; kept as their numbers.

    Blanks around a name do not count, and those within as one.

    Parameters
    ----------
    name : str
        What messages call it.
    numbers : TextNumbers
        What numbers the names.
    """

    name: str
    numbers: TextNumbers
    dtypes: tuple[str, ...] = ("String",)

    def convert(self, column: Any) -> Any:
        """A parsed column as names, which have no numbers yet; None if a value is not legal."""
        column = column.str.replace_all(r"\s+", " ").str.strip_chars()
        if (column == "").any():
            return None
        return column

    def parse(self, field: bytes) -> str:
        """The name in one field; a ValueError says what is wrong with it."""
        try:
            name = " ".join(field.decode().split())
        except UnicodeDecodeError:
            raise ValueError(f"{self.name} {shown(field)} is not UTF-8") from None
        if not name:
            raise ValueError(f"expected a {self.name} id, not {shown(field)}")
        return name

    def collect(self, values: list[str]) -> Array:
        """Values of fields as the array that `convert` would give."""
        return self.numbers.of(values)


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
        if INTEGER.fullmatch(field) and self.kind != "real":
            value = integer(field)
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
        return np.array(values, np.int64)


@dataclass(frozen=True)
class Tag:
    """A column that holds one word all over, or, without one, a column that is not read."""

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


Column = Ids | Names | Numbers | Tag
