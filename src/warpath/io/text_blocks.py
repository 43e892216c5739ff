"""A text file as lines with numbers: headers line by line, the rest in blocks."""

import re
from collections.abc import Iterator

from warpath.errors import GraphFormatError
from warpath.io.source import Source

# Bytes of text parsed at a time: the more the better for Polars' threads, but parsing takes some
# eight times as much memory, so no more than a part of the file. Blocks of 1 MB take no more time
# than those of 4 MB (R-MAT 18 to 20 without weights, 2 cores, 2026-11).
_BLOCK, _MIN_BLOCK, _PART = 1 << 25, 1 << 20, 64
# Bytes that a line may have: a row of a table has some tens, its comments some hundreds, and of a
# line that is not legal every field may become an object of Python's.
_LINE = 1 << 20
_MAX_DIGITS = 300  # of an integer; Python reads 4,300, and more than 19 are no number of ours
_SHOWN = 60  # characters of a bad line or field that a message shows


def shown(text: bytes) -> str:
    """``text`` as a message quotes it."""
    words = text.strip().decode("utf-8", "backslashreplace")
    return repr(words if len(words) <= _SHOWN else words[:_SHOWN] + "…")


def integer(field: bytes) -> int:
    """The value of decimal digits, with or without a sign.

    Raises
    ------
    ValueError
        If they are too many to be any number that a graph file holds.
    """
    digits = field.lstrip(b"+-").lstrip(b"0")
    if len(digits) > _MAX_DIGITS:
        raise ValueError(f"{shown(field)}: an integer of {len(digits)} digits is too large")
    return int(field[:1].strip(b"0123456789") + (digits or b"0"))


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
    max_line : int
        Bytes that a line may have; no fewer than the file's ``max_bytes``.
    """

    def __init__(self, source: Source, comments: tuple[bytes, ...] = ()) -> None:
        self.source, self.comments = source, comments
        self.line = 1
        self.max_line = max(_LINE, source.max_bytes or 0)
        marks = b"|".join(map(re.escape, comments)) or b"(?!)"
        # Possessive (+ after a quantifier): no state is kept of a line once it has matched.
        self._says_nothing = re.compile(rb"(?>\s*\n|[^\S\n]*+(?:%b)[^\n]*+\n)++" % marks)
        self._size = min(_BLOCK, max(_MIN_BLOCK, (source.size or 0) // _PART))
        self._block, self._at = b"", 0
        self._tail, self._ended = b"", False
        self._read = 0  # bytes of the source

    def error(self, message: str, line: int | None = None) -> GraphFormatError:
        """The error for ``line``; by default for the line that was taken last."""
        return self.source.error(message, max(1, self.line - 1) if line is None else line)

    def is_comment(self, line: bytes) -> bool:
        """Whether ``line`` is blank or a comment."""
        line = line.strip()
        return not line or line.startswith(self.comments)

    def peek_line(self, *, strip: bool = True) -> bytes | None:
        """The next line, stripped unless it is to stay as it is, not taken yet; None at the end."""
        if self._at == len(self._block) and not self._fill():
            return None
        end = self._block.index(b"\n", self._at)
        self._check_lines(self._block[self._at : end])
        line = self._block[self._at : end]
        return line.strip() if strip else line

    def next_line(self) -> bytes | None:
        """Take the next line, stripped; None at the end."""
        line = self.peek_line()
        if line is not None:
            self._at = self._block.index(b"\n", self._at) + 1
            self.line += 1
        return line

    def take_comments(self) -> Iterator[bytes]:
        """Take the blank lines and comments that come next, a run of whole lines at a time."""
        while self._at < len(self._block) or self._fill():
            run = self._says_nothing.match(self._block, self._at)
            if run is None:
                return
            self._at = run.end()
            self.line += run[0].count(b"\n")
            yield run[0]

    def skip_comments(self) -> None:
        """Take the blank lines and comments that come next."""
        for _ in self.take_comments():
            pass

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

    def count(self, word: bytes, line: int | None = None) -> int:
        """The value of digits in ``line``; by default in the line that was taken last.

        Raises
        ------
        GraphFormatError
            If they are too many.
        """
        try:
            return integer(word)
        except ValueError as error:
            raise self.error(str(error), line) from None

    def keep_share(self) -> None:
        """Keep the share of the lines left that the source is asked for, if it is.

        These are the lines that begin in an equal part of the file's bytes.
        """
        k, ranks = self.source.share or (0, 1)
        if ranks == 1:
            return
        size = self.source.size or 0
        taken = self.source.start + self._read - len(self._tail) - (len(self._block) - self._at)
        begin, end = (self.source.line_from(size * i // ranks) for i in (k, k + 1))
        begin, end = (max(place, self.source.line_from(taken)) for place in (begin, end))
        self.source.jump(begin, end)
        self._block, self._at, self._tail, self._ended = b"", 0, b"", False
        if k > 0:
            self.source.name += f" from byte {begin}"
            self.line = 1

    def blocks(self) -> Iterator[bytes]:
        """Take what is left, in blocks of whole lines; `line` is the number of a block's first."""
        while self._at < len(self._block) or self._fill():
            block = self._block[self._at :]
            self._block, self._at = b"", 0
            self._check_lines(block)
            yield block
            self.line += block.count(b"\n")

    def _fill(self) -> bool:
        """Read the next block; the last line gets the line end that it may lack."""
        parts, size, cut = (
            [self._tail] if self._tail else [],
            len(self._tail),
            0,
        )  # one is not copied
        self.source.line = self.line
        while not self._ended and not cut and size <= self.max_line:
            more = self.source.read(self._size)
            self._read += len(more)
            self._ended = len(more) < self._size
            cut = more.rfind(b"\n") + 1
            cut += size if cut else 0
            if more:
                parts.append(more)
            size += len(more)
        if self._ended:
            if size and not parts[-1].endswith(b"\n"):
                parts.append(b"\n")
                size += 1
            cut = size
        data = b"".join(parts)
        if not cut:
            self._check_lines(data)
        self._block, self._at, self._tail = data[:cut], 0, data[cut:]
        return cut > 0

    def _check_lines(self, data: bytes) -> None:
        """Refuse a line that is too long among those that begin with the next one."""
        begin = 0
        while len(data) - begin > self.max_line:
            end = data.rfind(b"\n", begin, begin + self.max_line + 1)
            if end < 0:
                line = self.line + data.count(b"\n", 0, begin)
                raise self.source.error(
                    f"a line of more than {self.max_line:,} bytes: if it is meant to be so long, "
                    "allow more by max_bytes=",
                    line,
                )
            begin = end + 1
