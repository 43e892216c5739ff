"""Files replaced as a whole: a full disk, a kill or an error leaves what stood there before."""

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

# What a file is called until it is complete: ``.name`` + 8 hexadecimal digits + this.
UNFINISHED = ".unfinished"


@contextmanager
def replacing(file: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A new binary file that takes the place of ``file`` when the block ends without an exception.

    Until then it lies in the same folder under a name of its own (`UNFINISHED`), so that
    a process that has the old file open or mapped keeps it. It is removed if the block raises; a
    process that is killed leaves it behind. The new file has the permissions of the old
    one; a symbolic link stays, and the file it leads to is replaced. What is no regular
    file (a pipe, a terminal, ``/dev/stdout``) is written to directly.

    Parameters
    ----------
    file : path

    Yields
    ------
    binary file

    Raises
    ------
    OSError
        If the file cannot be made, written or replaced; it names ``file``.
    """
    target = Path(os.path.realpath(file))
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        mode = None
    if mode is not None and not stat.S_ISREG(mode):
        with _naming(file), open(file, "wb") as stream:
            yield stream
        return
    beside = target.with_name(f".{target.name}.{secrets.token_hex(4)}{UNFINISHED}")
    with _naming(file, unfinished=beside):
        try:
            with open(beside, "xb") as stream:
                yield stream
            if mode is not None:
                beside.chmod(stat.S_IMODE(mode))
            beside.replace(target)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise


@contextmanager
def _naming(file: str | os.PathLike[str], unfinished: Path | None = None) -> Iterator[None]:
    """Errors of the system that name no file, or ``unfinished``, name ``file``, which the user knows."""
    try:
        yield
    except OSError as error:
        named = error.filename is not None and str(error.filename) != str(unfinished)
        if error.errno is not None and not named:
            error.filename, error.filename2 = os.fspath(file), None
        raise
