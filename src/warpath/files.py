"""Files replaced as a whole: a full disk, a kill or an error leaves what stood there before."""

import io
import os
import secrets
import stat
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, Any

try:
    import fcntl
except ModuleNotFoundError:  # Windows
    fcntl = None  # type: ignore[assignment]

File = str | os.PathLike[str]

# What a file is called until it is complete: ``.name`` + 8 hexadecimal digits + this.
UNFINISHED = ".unfinished"
_NAME_CHARACTERS = 50  # of the name that the other one keeps: 4 bytes each, file systems take 255

_one_thread = threading.Lock()  # holds a lock file: some file systems lock for the whole process


@contextmanager
def replacing(file: File, *, mode: int | None = None) -> Iterator[IO[bytes]]:
    """A new binary file that takes the place of ``file`` when the block ends without an exception.

    Until then it lies in the same folder under a name of its own (`UNFINISHED`), so that
    a process that has the old file open or mapped keeps it. It is removed if the block raises; a
    process that is killed leaves it behind. A symbolic link stays, and the file it leads to is
    replaced. What is no regular file (a pipe, a terminal, a device) is written to directly. The
    folder must be one that files can be made in, also where the old file could be written.

    Parameters
    ----------
    file : path
    mode : int, optional
        The permissions of the new file; by default those of the old one.

    Yields
    ------
    binary file
        It can be written from its beginning to its end, and has no descriptor.

    Raises
    ------
    OSError
        If the file cannot be made, written or replaced; it names ``file``, also where the library
        that wrote made another exception of it.
    """
    with replacing_all(file, mode=mode) as (stream,):
        yield stream


@contextmanager
def replacing_all(*files: File, mode: int | None = None) -> Iterator[list[IO[bytes]]]:
    """Files that belong together: none is replaced before all are complete; see `replacing`."""
    with ExitStack() as removing:
        targets = []
        with ExitStack() as closing:
            for file in files:
                target = _Target(file)
                removing.callback(target.remove)
                targets.append(target)
                closing.enter_context(target.writing())
            yield [target.stream for target in targets]
        for target in targets:
            target.replace(mode)


def check_replaceable(file: File) -> None:
    """Refuse, before long work, a file that `replacing` would refuse at its end.

    Raises
    ------
    OSError
        If the file cannot be made; it names ``file``.
    """
    target = _Target(file)
    if target.is_replaced:
        with target.writing():
            pass
        target.remove()


class _Target:
    """A file to replace, and the one that takes its place."""

    stream: IO[bytes]

    def __init__(self, file: File) -> None:
        self.file = file
        self._target = Path(os.path.realpath(file))
        self._mode: int | None = None
        with naming(file, self._target), suppress(FileNotFoundError):
            self._mode = self._target.stat().st_mode
        # What is no regular file is written to directly.
        self.is_replaced = self._mode is None or stat.S_ISREG(self._mode)
        name = f".{self._target.name[:_NAME_CHARACTERS]}.{secrets.token_hex(4)}{UNFINISHED}"
        self._place = self._target.with_name(name) if self.is_replaced else Path(file)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Open `stream`."""
        with (
            naming(self.file, self._place),
            open(self._place, "xb" if self.is_replaced else "wb") as opened,
            writing_to(opened, self.file) as self.stream,
        ):
            yield

    def replace(self, mode: int | None = None) -> None:
        """Let the new file take the old one's place, with its permissions if none are given."""
        if mode is None:
            mode = self._mode
        if self.is_replaced:
            with naming(self.file, self._place):
                if mode is not None:
                    self._place.chmod(stat.S_IMODE(mode))
                self._place.replace(self._target)

    def remove(self) -> None:
        """Remove the new file, if it did not take the old one's place."""
        if self.is_replaced:
            self._place.unlink(missing_ok=True)


@contextmanager
def writing_to(stream: IO[bytes], name: File) -> Iterator[IO[bytes]]:
    """A stream that is written to, and whose errors name ``name``.

    Yields
    ------
    binary file

    Raises
    ------
    OSError
        If the stream cannot be written, also where the library that wrote made another exception
        of it.
    """
    noting = _Noting(stream)
    with naming(name):
        try:
            yield noting  # type: ignore[misc]
            stream.flush()
        except Exception as error:
            if noting.failure is None or error is noting.failure:
                raise
            raise noting.failure from error


class _Noting(io.BufferedIOBase):
    """A stream that notes why it could not be written.

    It gives no descriptor: what NumPy and Polars write past Python fails without an errno.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self.failure: OSError | None = None

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        try:
            return self._stream.write(data)
        except OSError as error:
            self.failure = error
            raise

    def flush(self) -> None:
        try:
            self._stream.flush()
        except OSError as error:
            self.failure = error
            raise

    def close(self) -> None:
        """Leave it open: `writing_to` was given an open stream."""


@contextmanager
def naming(file: File, unfinished: Path | None = None) -> Iterator[None]:
    """Errors of the system that name no file, or ``unfinished``, name ``file``, which the user knows."""
    try:
        yield
    except OSError as error:
        named = error.filename is not None and str(error.filename) != str(unfinished)
        if error.errno is not None and not named:
            error.filename = os.fspath(file)
            del error.filename2  # a second name, even None, is printed
        raise


@contextmanager
def locked(file: File) -> Iterator[None]:
    """One thread of one process at a time is in such a block of the same file; others wait.

    The file is made where it is not there, and stays: one that is removed might be locked twice.
    Where the system, or the file system, has no locks, threads of this process alone wait.

    Parameters
    ----------
    file : path
        It holds nothing.

    Raises
    ------
    OSError
        If the file cannot be made.
    """
    with _one_thread, open(file, "ab") as stream:
        lock(stream, wait=True)
        yield


def lock(stream: IO[Any], *, wait: bool = False) -> bool:
    """Lock an open file until it is closed, or its process ends; False if another one holds the lock.

    True also where the system, or the file system, has no locks.
    """
    if fcntl is None:
        return True
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True
