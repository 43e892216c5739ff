"""All pairs' matrices on the host: in memory, or in files."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.all_pairs.matrix_file import in_files
from warpath.algorithms.all_pairs.rows import Rows, Tick
from warpath.algorithms.shortest_paths.overflow import in_dtype
from warpath.planning import memory
from warpath.planning.all_pairs import ApspRun

Array = NDArray[Any]

_ROWS_AT_ONCE = 1024  # that are narrowed: a guess


def matrices(
    how: ApspRun,
    rows: Rows | None,
    run_dense: Callable[[ApspRun, Array, Array | None, Tick], None],
    target: Path | None,
    tick: Tick,
) -> tuple[Array, Array | None]:
    """Distances and predecessors, in files where there is a target.

    Parameters
    ----------
    rows : Rows or None
        What makes the rows; None of a dense method.
    run_dense : callable
        ``run_dense(how, D, P, tick)`` fills matrices of ``how.work`` and int32.

    Raises
    ------
    MemoryError
        If there is not enough, before any is taken.
    OSError
        If a file cannot be made.
    """
    n = how.graph.num_vertices
    memory.check(
        (how.answer_nbytes if target is None else 0)
        + (how.dense_nbytes if rows is None else rows.nbytes(how.predecessors, n)),
        lambda: f"all pairs of {n:,} vertices by method {how.method!r} in {how.dtype}",
        _instead(how, target),
    )

    def fill(distance: Array, predecessor: Array | None) -> None:
        if rows is not None:
            rows.fill(np.arange(n, dtype=np.int32), distance, predecessor, tick)
            return
        D = distance if how.work == how.dtype else np.empty((n, n), how.work)
        P = predecessor
        if P is None and how.keeps_predecessors:
            P = np.empty((n, n), np.int32)
        run_dense(how, D, P, tick)
        if D is not distance:
            for begin in range(0, n, _ROWS_AT_ONCE):
                part = slice(begin, begin + _ROWS_AT_ONCE)
                distance[part] = in_dtype(D[part], how.dtype)

    if target is not None:
        return in_files(target, n, how.dtype, how.predecessors, fill)
    distance = np.empty((n, n), how.dtype)
    predecessor = np.empty((n, n), np.int32) if how.predecessors else None
    fill(distance, predecessor)
    return distance, predecessor


def _instead(how: ApspRun, target: Path | None) -> str:
    """What to do about a matrix that is too large."""
    if target is None:
        return (
            "out='d.npy' writes it to a file, and with method='sssp' row by row; "
            "warpath.eccentricity, warpath.diameter and warpath.closeness need no matrix"
        )
    return "method='sssp' works row by row" if how.dense else "a graph of fewer vertices fits"
