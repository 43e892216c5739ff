"""How objects show themselves: one line in a terminal, a small table in a notebook."""

from abc import ABC, abstractmethod
from html import escape
from typing import Any, ClassVar

Row = tuple[str, str]
"""What a value is, and the value."""


def counted(number: int, noun: str, nouns: str | None = None) -> str:
    """A number of things, as people write it.

    Parameters
    ----------
    number : int
    noun : str
        One of them.
    nouns : str, optional
        Several of them, where that is not ``noun`` and an s.

    Examples
    --------
    >>> counted(1, "thread"), counted(2_000, "vertex", "vertices")
    ('1 thread', '2,000 vertices')
    """
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"


def duration(seconds: float) -> str:
    """Seconds, or milliseconds where there are few of them.

    Examples
    --------
    >>> duration(2.5), duration(0.9999), duration(0.01234)
    ('2.50 s', '1.00 s', '12.3 ms')
    """
    return f"{seconds:.2f} s" if seconds >= 0.9995 else f"{seconds * 1e3:.3g} ms"


def number(value: Any) -> str:
    """A number as people read it; other things as they are.

    Examples
    --------
    >>> number(12345), number(1234.5678), number(True)
    ('12,345', '1,234.57', 'yes')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.6g}"
    return str(value)


class ReprMixin(ABC):
    """An object that says in one line what it is, and in a notebook shows a table of two columns."""

    _name: ClassVar[str] = ""
    """What it is called, if that is not the name of its class."""

    @abstractmethod
    def _line(self) -> str:
        """What it is, behind its name."""

    @abstractmethod
    def _rows(self) -> list[Row]:
        """The table."""

    def __repr__(self) -> str:
        return f"<{self._name or type(self).__name__}: {self._line()}>"

    def _repr_html_(self) -> str:
        """The table that a notebook shows."""
        rows = "".join(
            f"<tr><th style='text-align: left'>{escape(name)}</th>"
            f"<td style='text-align: right'>{escape(value)}</td></tr>"
            for name, value in self._rows()
        )
        return (
            f"<table><caption>{escape(self._name or type(self).__name__)}</caption>{rows}</table>"
        )
