"""A text file as lines with numbers: headers line by line, the rest in blocks."""

from collections.abc import Iterator

from warpath.errors import GraphFormatError
from warpath.io.source import Source

_BLOCK = 1 << 25  # bytes of text parsed at a time; measured: below it Polars' threads starve
_SHOWN = 60  # characters of a bad line or field that a message shows


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
