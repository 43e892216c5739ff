"""Matrices in ``.npy`` files, which have their names only once all of them are complete."""

import errno
import os
import shutil
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from io import BytesIO
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from warpath.files import UNFINISHED, lock, naming
from warpath.graph.check import wrong_kind

Array = NDArray[Any]

_ZEROS = bytes(1 << 20)  # written at a time where a file system cannot reserve
_CANNOT_RESERVE = (errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL)


@contextmanager
def writing(*wanted: tuple[Path, tuple[int, int], np.dtype[Any]]) -> Iterator[list[Array]]:
    """Memory-mapped arrays to fill; their files get their names, all of them, if the block ends well.

    Until then each is called by its path and `UNFINISHED`, and has all its room on the disk: a
    disk that fills meanwhile does no harm. They are removed if the block raises (as Ctrl-C does).
    A process that is killed leaves them behind; the next one for the same path removes them.

    Parameters
    ----------
    *wanted : (path, shape, dtype)

    Yields
    ------
    list of array

    Warns
    -----
    RuntimeWarning
        If a file of a killed process was removed.

    Raises
    ------
    OSError
        If a file cannot be made, another run is writing it, or the disk has too little space for
        all of them.
    """
    with ExitStack() as stack:
        files = [
            _File(path, stack.enter_context(_claimed(path)), shape, dtype)
            for path, shape, dtype in wanted
        ]
        needed = sum(file.nbytes for file in files)
        free = shutil.disk_usage(_unfinished(files[0].path).parent).free
        if needed > free:
            message = f"this takes {needed:,} bytes, and {free:,} bytes are free on its disk"
            raise OSError(errno.ENOSPC, message, str(files[0].path))
        for file in files:
            file.reserve()
        yield [file.map() for file in files]
        for file in files:
            file.flush()
        for file in reversed(files):  # the first one is the last to be complete
            os.replace(_unfinished(file.path), os.path.realpath(file.path))  # a link stays


class _File:
    """The file of a matrix, open and locked, until it is complete."""

    def __init__(
        self, path: Path, opened: IO[bytes], shape: tuple[int, int], dtype: np.dtype[Any]
    ) -> None:
        self.path = path
        self._opened, self._shape, self._dtype = opened, shape, dtype
        self._matrix: Any = None
        header = BytesIO()
        about = {"descr": npy.dtype_to_descr(dtype), "fortran_order": False, "shape": shape}
        npy.write_array_header_1_0(header, about)
        self._header = header.getvalue()
        self.nbytes = len(self._header) + shape[0] * shape[1] * dtype.itemsize

    def reserve(self) -> None:
        """Take the room on the disk: a mapped file without it ends the process (SIGBUS)."""
        with naming(self.path):
            try:
                os.posix_fallocate(self._opened.fileno(), 0, self.nbytes)
            except (AttributeError, OSError) as error:
                if isinstance(error, OSError) and error.errno not in _CANNOT_RESERVE:
                    raise
                while (written := self._opened.tell()) < self.nbytes:
                    self._opened.write(_ZEROS[: self.nbytes - written])
                self._opened.seek(0)
            self._opened.write(self._header)

    def map(self) -> Array:
        """The matrix, a plain array of the mapped memory: what kernels were compiled for."""
        begin = len(self._header)
        if self.nbytes == begin:  # there is nothing to map
            return np.empty(self._shape, self._dtype)
        self._matrix = np.memmap(self._opened, self._dtype, "r+", begin, self._shape)
        return np.asarray(self._matrix)

    def flush(self) -> None:
        """Write what is in memory only."""
        if self._matrix is not None:
            with naming(self.path):
                self._matrix.flush()


def _unfinished(path: Path) -> Path:
    """What the file is called until it is complete."""
    return Path(os.path.realpath(path) + UNFINISHED)


@contextmanager
def _claimed(path: Path) -> Iterator[IO[bytes]]:
    """The empty file that will be ``path``, locked; removed at the end unless it was renamed."""
    place = _unfinished(path)
    while True:
        with naming(path, place):
            opened = open(place, "r+b", buffering=0, opener=_or_made)  # noqa: SIM115
        with opened:
            if not lock(opened):
                raise BlockingIOError(errno.EAGAIN, "another run is writing this file", str(path))
            if not _is_named(opened, place):
                continue  # that run renamed or removed it since it was opened here
            try:
                if os.fstat(opened.fileno()).st_size:
                    opened.truncate(0)
                    warnings.warn(
                        f"{place}, of a run that was killed, is removed",
                        RuntimeWarning,
                        stacklevel=2,
                    )
                yield opened
            finally:
                if _is_named(opened, place):
                    place.unlink()
            return


def _or_made(path: str, flags: int) -> int:
    """Open a file as it is, or make it."""
    return os.open(path, flags | os.O_CREAT, 0o666)


def _is_named(opened: IO[bytes], path: Path) -> bool:
    """Whether an open file is the one at ``path``."""
    try:
        return os.path.samestat(os.fstat(opened.fileno()), path.stat())
    except FileNotFoundError:
        return False


def reading(path: Path) -> NDArray[Any]:
    """The finished matrix, memory-mapped and read-only."""
    try:
        return np.asarray(np.load(path, mmap_mode="r"))
    except ValueError:  # an empty one cannot be mapped
        empty: NDArray[Any] = np.load(path)
        return empty


def check_target(out: Any, *, predecessors: bool = False) -> Path:
    """The path that ``out=`` names.

    Raises
    ------
    TypeError
        If it is no path.
    ValueError
        If it does not end in .npy, its folder is not there, or it is a folder itself, or the name
        of the predecessors' file is that of a folder.
    """
    if not isinstance(out, (str, os.PathLike)):
        raise wrong_kind("a path as out", out)
    path = Path(out)
    if path.suffix != ".npy":
        raise ValueError(f"out must name a .npy file, not {str(out)!r}")
    if not path.parent.is_dir():
        raise ValueError(f"out={str(out)!r}: there is no folder {str(path.parent)!r}")
    for file in (path, predecessor_file(path)) if predecessors else (path,):
        if file.is_dir():
            raise ValueError(f"out={str(out)!r}: {str(file)!r} is a folder")
    return path


def predecessor_file(target: Path) -> Path:
    """The file of predecessors, in the folder of the distances' file."""
    return target.with_suffix(".predecessor.npy")


def in_files(
    target: Path,
    n: int,
    dtype: np.dtype[Any],
    predecessors: bool,
    fill: Callable[[Array, Array | None], None],
) -> tuple[Array, Array | None]:
    """Distances in ``target`` and predecessors, if wanted, in the file of that name.

    ``fill(distance, predecessor)`` fills them, of shape (n, n); returned they are read-only.

    Warns, raises
    -------------
    See `writing`.
    """
    beside = predecessor_file(target)
    also = [(beside, (n, n), np.dtype(np.int32))] if predecessors else []
    with writing((target, (n, n), dtype), *also) as (distance, *predecessor):
        fill(distance, predecessor[0] if predecessors else None)
    return reading(target), reading(beside) if predecessors else None
