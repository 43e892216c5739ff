"""All pairs by the CUDA engine.

Matrices that fit lie on the device. Those that do not, and those of single searches that go to a
file, lie on the host: rows are copied there as they are found. The blocked method and repeated squaring stream the
matrix through the device (`warpath.cuda.out_of_core`), together with the CPU if that is asked for.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath import devices
from warpath.algorithms.all_pairs import gpu_parts, hybrid, several_gpus
from warpath.algorithms.all_pairs.cpu_apsp import check_underflow, fill_arcs, search
from warpath.algorithms.all_pairs.host_apsp import matrices
from warpath.algorithms.all_pairs.johnson import potentials
from warpath.algorithms.all_pairs.matrix_file import in_files
from warpath.algorithms.all_pairs.problem import ApspProblem, plan_of, rows_for
from warpath.algorithms.all_pairs.rows import Rows, Tick
from warpath.algorithms.common.problem import Found
from warpath.algorithms.common.stats import Stats, Stopwatch
from warpath.algorithms.shortest_paths.overflow import in_dtype
from warpath.cpu.trees import are_trees
from warpath.graph.arrays import to_host
from warpath.graph.distance import longest_path
from warpath.parallel import thread_count
from warpath.planning.all_pairs import ApspRun
from warpath.planning.placement import Placement

Array = NDArray[Any]

VARIANTS = {
    "floyd-warshall": "plain",
    "blocked-floyd-warshall": "blocked",
    "r-kleene": "r-kleene",
    "repeated-squaring": "repeated-squaring",
}
"""The methods as `warpath.cuda.apsp.floyd_warshall` calls them."""

OUT_OF_CORE = ("blocked-floyd-warshall", "repeated-squaring")
"""The dense methods whose matrix need not fit on the device."""

_ROWS_AT_ONCE = 1024  # of a matrix that is looked at or on its way to the host: a guess


def run(problem: ApspProblem, how: ApspRun, place: Placement, watch: Stopwatch) -> Found:
    """The answer, in CuPy arrays, in NumPy arrays where those do not fit, or in files.

    Raises
    ------
    DeviceUnavailableError
        If there is no GPU that can be used.
    MemoryError
        If the GPU's memory does not suffice, or the host's.
    NegativeCycleError, OverflowError, ValueError
        See `warpath.apsp`.
    """
    model = devices.require().model
    from warpath.cuda import out_of_core

    if how.dense and not how.is_exact_without_them:
        raise ValueError(
            f"exact=True and method {how.method!r} sum on the CPU: use device='cpu', or "
            "method='sssp', which is exact"
        )
    how = _with_room_for_sums(how)
    rows, target, tick = rows_for(how), problem.target, problem.progress
    plan = plan_of(how, place, rows)
    gpus = () if how.hybrid else several_gpus.chosen(how)
    if gpus:
        how = replace(
            how,
            why=f"{how.why}; {'rows' if how.cut is None else 'parts'} spread over {len(gpus)} GPUs",
        )
    needed, free = _device_bytes(how, rows, gpus), out_of_core.free_bytes()
    if how.hybrid:
        shares: list[float] = []
        past = partial(_past_the_device, gpus, share=shares.append)
        distance, predecessor = matrices(how, None, past, target, tick)
        said = f"{hybrid.threads()} threads of the CPU made {shares[0]:.1%} of the relaxations"
        how = replace(how, why=f"{how.why}; {said}")
    elif needed <= free and (rows is None or target is None):
        with devices.memory_for(f"{_what(how)} take {needed:,} bytes"):
            distance, predecessor = (
                _on_device(how, rows, gpus, tick)
                if target is None
                else _to_files(target, how, rows, gpus, tick)
            )
    elif (
        rows is not None
        or how.method in OUT_OF_CORE
        or (how.cut is not None and gpu_parts.nbytes(how, how.cut) <= free)
    ):
        past = partial(_past_the_device, gpus)
        distance, predecessor = matrices(how, rows, past, target, tick)
        if needed > free and not gpus:
            how = replace(how, why=f"{how.why}; the matrix is larger than the GPU's memory")
    else:
        raise MemoryError(
            f"{_what(how)} take {needed:,} bytes, and {free:,} bytes of the GPU's memory are "
            f"free: method={OUT_OF_CORE[0]!r} takes a matrix of the host's memory or of a file "
            "(out='d.npy') past the GPU in blocks"
        )
    n = how.graph.num_vertices
    return Found(
        distance=distance,
        predecessor=predecessor,
        stats=Stats(
            method=how.method,
            why=how.why,
            **watch.read(),
            threads=hybrid.threads() if how.hybrid else 0,
            iterations=n if rows is None else rows.iterations,
            frontier=np.array([n]),
            edges=np.array([n**3 if rows is None else rows.arcs]),
            device=model,
            plan=plan,
        ),
    )


def _what(how: ApspRun) -> str:
    n = how.graph.num_vertices
    return f"all pairs of {n:,} vertices by method {how.method!r} in {how.dtype}"


def _with_room_for_sums(how: ApspRun) -> ApspRun:
    """Keep "no path" apart from sums of negative weights in a dense method's integers."""
    from warpath.cuda.representation import far_apart

    if not (how.dense and how.signed and how.work.kind == "i"):
        return how
    fits = longest_path(how.graph) < far_apart(how.work)[0]
    return how if fits else replace(how, work=np.dtype(np.int64))


def _device_bytes(how: ApspRun, rows: Rows | None, gpus: tuple[int, ...]) -> int:
    """What matrices take on the device, and what is taken in addition to them."""
    from warpath.cuda.apsp import workspace_nbytes

    n, whole = how.graph.num_vertices, how.answer_nbytes
    if rows is not None:
        return whole + rows.nbytes(how.predecessors, n)
    if how.work != how.dtype:
        whole += n * n * how.work.itemsize
    if how.cut is not None:
        return whole + gpu_parts.nbytes(how, how.cut)
    if gpus:
        return whole + several_gpus.share_nbytes(how, gpus)
    variant = VARIANTS[how.method]
    return whole + workspace_nbytes(n, how.work, how.predecessors, variant, lazy=how.lazy)


def _on_device(
    how: ApspRun, rows: Rows | None, gpus: tuple[int, ...], tick: Tick
) -> tuple[Any, Any]:
    """Distances and predecessors in CuPy arrays."""
    import cupy

    n = how.graph.num_vertices
    distance = cupy.empty((n, n), how.dtype)
    predecessor = cupy.empty((n, n), np.int32) if how.predecessors else None
    if rows is None:
        _dense(how, gpus, distance, predecessor, tick)
        tick(n, n)
    else:
        rows.fill(np.arange(n, dtype=np.int32), distance, predecessor, tick)
    cupy.cuda.get_current_stream().synchronize()
    return distance, predecessor


def _dense(
    how: ApspRun, gpus: tuple[int, ...], distance: Any, predecessor: Any, tick: Tick
) -> None:
    """Fill the device's matrices by a dense method."""
    import cupy

    from warpath.cuda.apsp import floyd_warshall
    from warpath.cuda.dense import fill
    from warpath.cuda.device_graph import on_device

    algebra, n = how.algebra, how.graph.num_vertices
    D = distance if how.work == how.dtype else cupy.empty((n, n), how.work)
    if how.cut is not None:
        gpu_parts.fill(how, how.cut, gpus, D, predecessor, tick)
    elif gpus:
        several_gpus.close(how, gpus, D, predecessor, tick)
    else:
        fill(
            on_device(how.graph), algebra.source(how.work), algebra.none(how.work),
            algebra.larger_is_better, D, predecessor,
        )  # fmt: skip
        floyd_warshall(D, predecessor, algebra.name, VARIANTS[how.method], lazy=how.lazy)
    _mend(how, D, predecessor)
    if D is not distance:
        for part in _parts(n):
            distance[part] = in_dtype(D[part], how.dtype)


def _past_the_device(
    gpus: tuple[int, ...], how: ApspRun, D: Array, P: Array | None, tick: Tick,
    share: Callable[[float], None] = lambda part: None,
) -> None:  # fmt: skip
    """Fill the host's matrices by one of `OUT_OF_CORE`; ``share`` is told the CPU's part of the work."""
    from warpath.cuda import out_of_core

    algebra = how.algebra
    if how.cut is not None or gpus:
        if how.cut is not None:
            gpu_parts.fill(how, how.cut, gpus, D, P, tick)
        else:
            several_gpus.close(how, gpus, D, P, tick)
        _mend(how, D, P)
        return
    fill_arcs(how, D, P, algebra.keys(algebra.none(D.dtype)))
    if algebra.larger_is_better:
        for part in _parts(len(D)):
            D[part] = algebra.values(D[part])
    host = None
    if how.hybrid:
        host = hybrid.host_products(algebra, D.dtype, P is not None, how.lazy)
    with devices.memory_for(_what(how)):
        share(
            out_of_core.floyd_warshall_out_of_core(
                D,
                P,
                algebra.name,
                progress=tick,
                lazy=how.lazy,
                host=host,
                squares=how.method == "repeated-squaring",
            )
        )
    _mend(how, D, P)


def _mend(how: ApspRun, D: Any, P: Any) -> None:
    """Search again for distances that rounding made inexact, in matrices of CuPy or of NumPy.

    Raises
    ------
    NegativeCycleError
        If there is a negative cycle.
    OverflowError
        If a product is too small for its dtype.
    """
    vertices = np.arange(how.graph.num_vertices, dtype=np.int32)
    if how.signed and bool((D.diagonal() < 0).any()):
        # Raises, if it is not rounding that made one of a cycle of weight zero.
        potentials(how.graph, np.dtype(np.int64) if how.work.kind == "i" else how.work)
        search(how, vertices, D, P)
    elif P is not None and (how.cut is not None or (how.signed and how.work.kind == "f")):
        trees = are_trees(vertices, to_host(P), thread_count.num_threads())
        search(how, vertices[~trees], D, P)
    if how.algebra.multiplies:
        none = how.algebra.none(how.work)
        reached = [to_host((D[part] != none).sum(axis=1)) for part in _parts(len(D))]
        check_underflow(how, np.concatenate(reached), lambda u: to_host(D[u]))


def _parts(n: int) -> list[slice]:
    """Slices of some rows each; one at least."""
    return [slice(begin, begin + _ROWS_AT_ONCE) for begin in range(0, max(n, 1), _ROWS_AT_ONCE)]


def _to_files(
    target: Path, how: ApspRun, rows: Rows | None, gpus: tuple[int, ...], tick: Tick
) -> tuple[Array, Array | None]:
    """Distances and predecessors in files, memory-mapped, copied from the device at the end."""

    def fill(*files: Array | None) -> None:
        for file, matrix in zip(files, _on_device(how, rows, gpus, tick), strict=True):
            if file is not None:
                for part in _parts(len(matrix)):
                    file[part] = matrix[part].get()

    return in_files(target, how.graph.num_vertices, how.dtype, how.predecessors, fill)
