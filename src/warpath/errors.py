"""What warpath raises beyond Python's own exceptions."""

from collections.abc import Sequence
from typing import Any


class GraphFormatError(ValueError):
    """A graph file that does not say what its format promises.

    Parameters
    ----------
    file : str
        The file's name; ``<stdin>`` for standard input.
    line : int or None
        1-based line (None where the format has none, or the fault is the whole file's).
    message : str
        What was expected and what stood there.
    """

    def __init__(self, file: str, line: int | None, message: str) -> None:
        self.file, self.line, self.message = str(file), line, message
        super().__init__(str(file), line, message)

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}, line {self.line}"
        return f"{place}: {self.message}"


class OperatorError(ValueError):
    """An operator that cannot be translated; the message names its line and says what to write."""


class DeviceUnavailableError(RuntimeError):
    """The device that was asked for cannot be used; the message says what to do about it."""


class NoPathError(ValueError):
    """No path leads from one vertex to the other.

    Attributes
    ----------
    source, target : int, or labels of the graph's vertices
    """

    def __init__(self, source: Any, target: Any) -> None:
        self.source, self.target = source, target
        super().__init__(source, target)

    def __str__(self) -> str:
        return f"no path leads from {self.source} to {self.target}"


class NegativeCycleError(ValueError):
    """The source reaches a cycle of negative weight: no shortest path exists.

    Attributes
    ----------
    cycle : tuple of int, or of labels of the graph's vertices
        The cycle's vertices in order; an arc leads from the last back to the first.
    """

    def __init__(self, cycle: Sequence[Any]) -> None:
        self.cycle = tuple(v.item() if hasattr(v, "item") else v for v in cycle)
        super().__init__(self.cycle)

    def __str__(self) -> str:
        shown = [str(v) for v in self.cycle[:10]]
        if len(self.cycle) > 10:
            shown.append(f"… ({len(self.cycle)} vertices)")
        shown.append(str(self.cycle[0]))
        return f"negative cycle reachable from the source: {' → '.join(shown)}"


class VerificationError(AssertionError):
    """An answer that breaks a property which every right answer has.

    Attributes
    ----------
    broken : str
        The name of the property (see `warpath.verify`).
    """

    def __init__(self, broken: str, message: str) -> None:
        self.broken, self.message = broken, message
        super().__init__(broken, message)

    def __str__(self) -> str:
        return f"{self.broken}: {self.message}"
