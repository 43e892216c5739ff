"""Files and standard streams, opened to read or to write, compressed or not."""

import gzip
import lzma
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Any

import zstandard

from warpath.errors import GraphFormatError
from warpath.io.progress import Progress

File = str | os.PathLike[str]

_CHUNK = 1 << 20  # bytes read at a time: large enough that Python's loop costs nothing

# First bytes of each compressed format, and what decompresses one member of it.
_DECODERS: dict[str, tuple[bytes, Callable[[], Any]]] = {
    ".gz": (b"\x1f\x8b", lambda: zlib.decompressobj(wbits=31)),  # 31: gzip header, CRC checked
    ".xz": (b"\xfd7zXZ\x00", lzma.LZMADecompressor),
    ".zst": (b"\x28\xb5\x2f\xfd", lambda: zstandard.ZstdDecompressor().decompressobj()),
}
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

    Attributes
    ----------
    path : Path or None
        None for standard input.
    name : str
    compression : str
        ".gz", ".xz", ".zst" or "".

    Raises
    ------
    OSError
        If the file is missing, a directory, or may not be read.
    """

    def __init__(self, file: File) -> None:
        self.path = None if os.fspath(file) == "-" else Path(file)
        self.name = "<stdin>" if self.path is None else str(self.path)
        self._raw: IO[bytes] = sys.stdin.buffer if self.path is None else open(self.path, "rb")  # noqa: SIM115
        size = os.fstat(self._raw.fileno()).st_size if self.path is not None else None
        self._progress = Progress(self.name, size)
        first = self._read_raw()
        self.compression = next(
            (name for name, (magic, _) in _DECODERS.items() if first.startswith(magic)), ""
        )
        self._pieces = self._decompress(first) if self.compression else self._copy(first)
        self._ahead = b""

    def __enter__(self) -> "Source":
        return self

    def __exit__(self, *exception: object) -> None:
        self._progress.close()
        if self.path is not None:
            self._raw.close()

    def read(self, size: int | None = None) -> bytes:
        """The next ``size`` bytes, fewer only at the end; None: all that is left.

        Raises
        ------
        GraphFormatError
            If compressed data is damaged or ends early.
        """
        parts, have = [self._ahead], len(self._ahead)
        while size is None or have < size:
            piece = next(self._pieces, None)
            if piece is None:
                break
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

    def error(self, message: str, line: int | None = None) -> GraphFormatError:
        """The error that says what is wrong with this file."""
        return GraphFormatError(self.name, line, message)

    def _read_raw(self) -> bytes:
        data = self._raw.read(_CHUNK)
        self._progress.advance(len(data))
        return data

    def _copy(self, data: bytes) -> Iterator[bytes]:
        while data:
            yield data
            data = self._read_raw()

    def _decompress(self, data: bytes) -> Iterator[bytes]:
        """Decompress member after member; each must come to its end."""
        _, make = _DECODERS[self.compression]
        decoder: Any = None
        try:
            while data or (data := self._read_raw()):
                if decoder is None:
                    data = data.lstrip(b"\0")  # padding between members
                    if not data:
                        continue
                    decoder = make()
                yield decoder.decompress(data)
                data = decoder.unused_data
                if decoder.eof:
                    decoder = None
        except _DAMAGED as error:
            raise self.error(f"damaged {self.compression} data: {error}") from error
        if decoder is not None:
            raise self.error(f"the {self.compression} data ends early: the file is truncated")


@contextmanager
def open_target(file: File) -> Iterator[IO[bytes]]:
    """A binary stream into ``file``, compressed as its suffix says; "-" is standard output."""
    if os.fspath(file) == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    _, _, compression = split_suffix(Path(file))
    openers: dict[str, Any] = {
        "": open,
        ".gz": partial(
            gzip.open, compresslevel=6
        ),  # gzip's own default; Python's 9 takes 5× longer
        ".xz": lzma.open,
        ".zst": zstandard.open,
    }
    with openers[compression](file, "wb") as stream:
        yield stream
