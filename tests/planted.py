"""Faults planted into headers, to prove that a test finds them."""

from dataclasses import dataclass
from pathlib import Path

from warpath.cuda.compile import KERNELS

PLANTED: list["Fault"] = []  # all that were made: tests/emulator/test_planted.py


@dataclass(frozen=True)
class Fault:
    """One change in a header.

    Attributes
    ----------
    header : str or Path
        Below the kernels' own folder; of other kernels a path.
    old, new : str
        `old` occurs exactly once.
    """

    header: str | Path
    old: str
    new: str

    def __post_init__(self) -> None:
        PLANTED.append(self)

    @property
    def path(self) -> Path:
        """Where the header lies."""
        return KERNELS / self.header

    def text(self) -> str:
        """The header's text with the change.

        Raises
        ------
        ValueError
            If `old` does not occur exactly once.
        """
        text = self.path.read_text()
        if text.count(self.old) != 1:
            raise ValueError(
                f"{self.path.name} has {text.count(self.old)} times, not once: {self.old!r}"
            )
        return text.replace(self.old, self.new)
