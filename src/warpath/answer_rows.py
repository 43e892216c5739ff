"""`AnswerRows`: what answers for several sources have in common, with a row of arrays for each."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, Generic, TypeVar

from numpy.typing import NDArray

One = TypeVar("One")


class AnswerRows(ABC, Generic[One]):
    """One answer, or several, which are counted: a subclass says what an element is, and has the distances."""

    @property
    @abstractmethod
    def _values(self) -> NDArray[Any]:
        """Two-dimensional where there are several answers."""

    @abstractmethod
    def __getitem__(self, which: Any) -> Any:
        """The answer at a place, where there are several."""

    def __len__(self) -> int:
        """Number of sources with a row of their own.

        Raises
        ------
        TypeError
            If there is only one answer.
        """
        if self._values.ndim == 1:
            raise TypeError("these are the paths of one answer; only several have a length")
        return len(self._values)

    def __iter__(self) -> Iterator[One]:
        """The answers for the sources, one after the other.

        Raises
        ------
        TypeError
            If there is only one answer.
        """
        return (self[row] for row in range(len(self)))

    def _row(self, which: Any) -> int:
        """The number of a row, which may count from the end.

        Raises
        ------
        TypeError, IndexError
            If it is no number of a row.
        """
        if not hasattr(which, "__index__"):
            raise TypeError(f"rows are counted: 0 … {len(self) - 1}, not {which!r}")
        row: int = which.__index__()
        if not -len(self) <= row < len(self):
            raise IndexError(f"row {row} of {len(self)} sources")
        return row
