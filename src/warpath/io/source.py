"""Files and standard streams, opened to read or to write, compressed or not."""

import gzip
import lzma
import mmap
import os
import stat
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import IO, Any

import zstandard

from warpath import files
from warpath.errors import GraphFormatError
from warpath.progress import Progress

File = str | os.PathLike[str]

_CHUNK = 1 << 20  # bytes read at a time: large enough that Python's loop costs nothing

# How many bytes reading may make of a file where `max_bytes` does not say it: real graph files
# compress up to some 20:1, zeros 1000:1 (gzip) and more.
_ALWAYS = 1 << 28
_PER_BYTE = 100

_XZ_MEMORY = 1 << 29  # bytes: "xz -9" takes 65 MB, and a header may ask for 4 GB

# First bytes of each compressed format, what decompresses one member of it, and how many bytes
# are decompressed at a time: they make at most some 70 MB (1,032:1, 7,000:1, 2¹⁷ bytes of 4).
_DECODERS: dict[str, tuple[bytes, Callable[[], Any], int]] = {
    # 31: gzip header, CRC checked
    ".gz": (b"\x1f\x8b", lambda: zlib.decompressobj(wbits=31), 1 << 16),
    ".xz": (b"\xfd7zXZ\x00", lambda: lzma.LZMADecompressor(memlimit=_XZ_MEMORY), 1 << 13),
    ".zst": (b"\x28\xb5\x2f\xfd", lambda: zstandard.ZstdDecompressor().decompressobj(), 1 << 11),
}
_LONGEST_MAGIC = 6
_MARK = b"\xef\xbb\xbf"  # the byte-order mark of UTF-8; no binary format begins so
_DAMAGED = (zlib.error, lzma.LZMAError, zstandard.ZstdError, EOFError)
COMPRESSIONS = tuple(_DECODERS)


def split_suffix(path: Path) -> tuple[Path, str, str]:
    """``a/b.gr.gz`` as (``a/b``, ``.gr``, ``.gz``); suffixes in lower case, "" where there is none."""
    compression = path.suffix.lower()
    if compression in COMPRESSIONS:
        path = path.with_suffix("")
    else:
        compression = ""
    return path.with_suffix(""), path.suffix.lower(), compression


class Source:
    """A file being read: its bytes, decompressed, and its name for messages.

    Whether it is compressed is seen from its first bytes, so that standard input may be
    compressed and a wrong suffix does no harm.

    Parameters
    ----------
    file : path, or "-" for standard input
    max_bytes : int, optional
        How many bytes reading may make of the file; by default 256 MiB, and 100 for each
        byte that was read of it.
    share : (int, int), optional
        (k, ranks): the file is read for one of several ranks, only the k-th share of what it lists, of as many as
        there are ranks; (0, 1): all of it. A reader that knows where rows begin takes it: see `warpath.io.text_blocks.Text.keep_share`.

    Attributes
    ----------
    path : Path or None
        None for standard input.
    name, short_name : str
        With the folder, for messages; without, for a bar.
    compression : str
        ".gz", ".xz", ".zst" or "".
    size : int or None
        Bytes of the file as it is, compressed or not; None for standard input.
    start : int
        Where the content of a plain file begins: after a byte-order mark, which `read` leaves out.
    line : int or None
        The line up to which a text was taken, which the reader of lines says.

    Raises
    ------
    ValueError
        If ``max_bytes`` is negative.
    OSError
        If the file is missing, a directory, or may not be read.
    GraphFormatError
        If it is larger than ``max_bytes``.
    """

    def __init__(
        self, file: File, max_bytes: int | None = None, share: tuple[int, int] | None = None
    ) -> None:
        if max_bytes is not None and max_bytes < 0:
            raise ValueError(f"max_bytes is a number of bytes, not {max_bytes}")
        self.path = None if os.fspath(file) == "-" else Path(file)
        self.name = "<stdin>" if self.path is None else str(self.path)
        self.short_name = "<stdin>" if self.path is None else self.path.name
        self.max_bytes, self.share = max_bytes, share
        self.line: int | None = None
        self._raw: IO[bytes] = sys.stdin.buffer if self.path is None else open(self.path, "rb")  # noqa: SIM115
        status = os.fstat(self._raw.fileno()) if self.path is not None else None
        self._regular = status is not None and stat.S_ISREG(status.st_mode)
        self.size = status.st_size if status else None
        self._progress = Progress(self.short_name, self.size)
        self._taken = self._given = 0  # bytes read of the file, bytes made of them
        self._end: int | None = None  # of what is to be read
        self._ahead = b""
        try:
            first = self._read_raw()
            self.compression = _compression(first)
            self.start = len(_MARK) if first.startswith(_MARK) else 0
            self._pieces = _without_mark(
                self._decompress(first) if self.compression else self._copy(first)
            )
            if self.is_plain and status is not None:
                self.check_size(status.st_size, "the file")
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "Source":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, but not standard input."""
        self._progress.close()
        if self.path is not None:
            self._raw.close()

    def read(self, size: int | None = None) -> bytes:
        """The next ``size`` bytes, fewer only at the end; None: all that is left.

        Raises
        ------
        GraphFormatError
            If compressed data is damaged, ends early or is compressed twice, or there are
            more bytes than the file may hold.
        OSError
            If the file cannot be read; it names the file.
        """
        parts, have = [self._ahead], len(self._ahead)
        while size is None or have < size:
            piece = next(self._pieces, None)
            if piece is None:
                break
            self._given += len(piece)
            self.check_size(self._given, "its content", self.line)
            parts.append(piece)
            have += len(piece)
        data = b"".join(parts)
        size = have if size is None else size
        self._ahead = data[size:]
        return data[:size]

    def peek(self, size: int) -> bytes:
        """The next ``size`` bytes, which stay to be read."""
        data = self.read(size)
        self._ahead = data + self._ahead
        return data

    def whole(self) -> "bytes | mmap.mmap":
        """All bytes of a file of which none was taken: mapped if it is a plain one, else read.

        What is mapped stays as it is if another file takes this one's place.
        """
        if self.is_plain and self._taken:
            return mmap.mmap(self._raw.fileno(), 0, access=mmap.ACCESS_READ)
        return self.read()

    def line_from(self, place: int) -> int:
        """Where the first line begins that begins at byte ``place`` of a plain file, or behind it."""
        if place <= self.start:
            return self.start
        self._raw.seek(place - 1)
        self._raw.readline()
        return self._raw.tell()

    def jump(self, begin: int, end: int) -> None:
        """Go on with the bytes ``begin`` to ``end`` of a plain file."""
        self._raw.seek(begin)
        self._end, self._ahead = max(begin, end), b""
        self._pieces = self._copy(self._read_raw())

    @property
    def taken(self) -> int:
        """Bytes that were read of the file; of a plain one all, since Polars may read the rest."""
        return max(self._taken, self.size or 0) if self.is_plain else self._taken

    @property
    def is_plain(self) -> bool:
        """Whether its bytes lie in a file as they are: others can open that, too, and at any place."""
        return self._regular and not self.compression

    @property
    def limit(self) -> int:
        """Bytes that reading may make of the file."""
        return _ALWAYS + _PER_BYTE * self.taken if self.max_bytes is None else self.max_bytes

    def check_size(self, size: int, what: str, line: int | None = None) -> None:
        """Refuse to make more of the file than it may ask for.

        Parameters
        ----------
        size : int
            Bytes.
        what : str
            Takes these bytes.
        line : int, optional
            Says so.

        Raises
        ------
        GraphFormatError
        """
        limit = self.limit
        if size > limit:
            of = "" if self.max_bytes is not None else f" for the {self.taken:,} bytes read"
            raise self.error(
                f"{what} takes {size:,} bytes or more, and {limit:,} are allowed{of}: if the file "
                "is meant to be so large, allow more by max_bytes=",
                line,
            )

    def error(self, message: str, line: int | None = None) -> GraphFormatError:
        """The error that says what is wrong with this file."""
        return GraphFormatError(self.name, line, message)

    def _read_raw(self) -> bytes:
        try:
            left = _CHUNK if self._end is None else min(_CHUNK, self._end - self._raw.tell())
            data = self._raw.read(left)
        except OSError as error:
            if error.errno is not None and error.filename is None:
                error.filename = self.name
            raise
        self._taken += len(data)
        self._progress.advance(len(data))
        if not data:
            self._progress.close()
        return data

    def _copy(self, data: bytes) -> Iterator[bytes]:
        while data:
            yield data
            data = self._read_raw()

    def _decompress(self, chunk: bytes) -> Iterator[bytes]:
        """Decompress member after member; each must come to its end."""
        _, make, step = _DECODERS[self.compression]
        decoder: Any = None
        head = b""
        try:
            while chunk:
                for begin in range(0, len(chunk), step):
                    data = chunk[begin : begin + step]
                    while data:
                        if decoder is None:
                            data = data.lstrip(b"\0")  # padding between members
                            if not data:
                                break
                            decoder = make()
                        piece = decoder.decompress(data)
                        if len(head) < _LONGEST_MAGIC:
                            head += piece[:_LONGEST_MAGIC]
                            self._refuse_compressed(head)
                        yield piece
                        data = decoder.unused_data
                        if decoder.eof:
                            decoder = None
                chunk = self._read_raw()
        except _DAMAGED as error:
            raise self.error(f"damaged {self.compression} data: {error}") from error
        if decoder is not None:
            raise self.error(f"the {self.compression} data ends early: the file is truncated")

    def _refuse_compressed(self, head: bytes) -> None:
        if inner := _compression(head):
            raise self.error(
                f"compressed twice, {inner} data in {self.compression} data: decompress it once"
            )


def _compression(head: bytes) -> str:
    """The suffix of the compressed format that begins with these bytes; "" if none does."""
    return next((name for name, (magic, *_) in _DECODERS.items() if head.startswith(magic)), "")


def _without_mark(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The same bytes without a byte-order mark before them."""
    head = b""
    for piece in pieces:
        head += piece
        if len(head) >= len(_MARK):
            break
    yield head.removeprefix(_MARK)
    yield from pieces


# What compresses into a stream.
_ENCODERS: dict[str, Callable[[IO[bytes]], Any]] = {
    "": nullcontext,
    # gzip's own default; Python's 9 takes 5× longer
    ".gz": partial(gzip.open, mode="wb", compresslevel=6),
    ".xz": partial(lzma.open, mode="wb"),
    ".zst": partial(zstandard.open, mode="wb", closefd=False),
}


class Counted:
    """A stream that can only be written on, as pipes and gzip's are, and shows how much was written.

    Parameters
    ----------
    stream : binary file
    progress : Progress
        Counts bytes.
    """

    def __init__(self, stream: IO[bytes], progress: Progress) -> None:
        self._stream, self._position, self._progress = stream, 0, progress
        self.flush = stream.flush

    def write(self, data: Any) -> int:
        """Write all of ``data``, a buffer of bytes; how many they are."""
        view = memoryview(data).cast("B")
        for begin in range(0, len(view), _CHUNK):
            piece = view[begin : begin + _CHUNK]
            self._stream.write(piece)
            self._progress.advance(len(piece))
        self._position += len(view)
        return len(view)

    def tell(self) -> int:
        """How many bytes were written."""
        return self._position


@contextmanager
def open_target(file: File) -> Iterator[IO[bytes]]:
    """A binary stream into ``file``, compressed as its suffix says; "-" is standard output.

    A file is replaced when all is written: see `warpath.files.replacing`.
    """
    if os.fspath(file) == "-":
        with files.writing_to(sys.stdout.buffer, "<stdout>") as stream:
            yield stream
        return
    with open_targets(file) as (stream,):
        yield stream


@contextmanager
def open_targets(*paths: File) -> Iterator[list[IO[bytes]]]:
    """As `open_target` of files that belong together: all are replaced, or none."""
    with files.replacing_all(*paths) as streams, ExitStack() as encoders:
        yield [
            encoders.enter_context(_ENCODERS[split_suffix(Path(path))[2]](stream))
            for path, stream in zip(paths, streams, strict=True)
        ]
