"""A matrix in a ``.npy`` file, which has its name only once it is complete."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

UNFINISHED = ".unfinished"


@contextmanager
def writing(path: Path, shape: tuple[int, int], dtype: np.dtype[Any]) -> Iterator[NDArray[Any]]:
    """A memory-mapped array to fill; its file gets the name ``path`` if the block ends well.

    Until then it is called ``path`` and `UNFINISHED`. It is removed if the block raises (as
    Ctrl-C does); a process that is killed leaves it behind under that name.

    Raises
    ------
    OSError
        If the file cannot be made, or the disk has too little space for it.
    """
    unfinished = path.with_name(path.name + UNFINISHED)
    needed, free = shape[0] * shape[1] * dtype.itemsize, shutil.disk_usage(path.parent).free
    if needed > free:
        raise OSError(f"{path} takes {needed:,} bytes, and {free:,} bytes are free on its disk")
    try:
        if needed:
            matrix: Any = np.lib.format.open_memmap(unfinished, mode="w+", dtype=dtype, shape=shape)
        else:  # there is nothing to map
            matrix = np.empty(shape, dtype)
            with unfinished.open("wb") as file:
                np.save(file, matrix)
        # A plain array of the same memory: what kernels were compiled for.
        yield np.asarray(matrix)
        if needed:
            matrix.flush()
        del matrix
        os.replace(unfinished, path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def reading(path: Path) -> NDArray[Any]:
    """The finished matrix, memory-mapped and read-only."""
    try:
        return np.asarray(np.load(path, mmap_mode="r"))
    except ValueError:  # an empty one cannot be mapped
        empty: NDArray[Any] = np.load(path)
        return empty


def check_target(out: Any) -> Path:
    """The path that ``out=`` names.

    Raises
    ------
    ValueError
        If it does not end in .npy, or its folder is not there.
    """
    path = Path(out)
    if path.suffix != ".npy":
        raise ValueError(f"out must name a .npy file, not {str(out)!r}")
    if not path.parent.is_dir():
        raise ValueError(f"out={str(out)!r}: there is no folder {str(path.parent)!r}")
    return path


def predecessor_file(target: Path) -> Path:
    """The file of predecessors beside that of distances."""
    return target.with_suffix(".predecessor.npy")


def in_files(
    target: Path,
    n: int,
    dtype: np.dtype[Any],
    predecessors: bool,
    fill: Callable[[Array, Array | None], None],
) -> tuple[Array, Array | None]:
    """Distances in ``target`` and predecessors, if wanted, in the file beside it.

    ``fill(distance, predecessor)`` fills them, of shape (n, n); returned they are read-only.

    Raises
    ------
    OSError
        See `writing`.
    """
    beside = predecessor_file(target)
    with ExitStack() as files:
        # The last one to be entered is the first to be complete.
        distance = files.enter_context(writing(target, (n, n), dtype))
        predecessor = None
        if predecessors:
            predecessor = files.enter_context(writing(beside, (n, n), np.dtype(np.int32)))
        fill(distance, predecessor)
    return reading(target), reading(beside) if predecessors else None
