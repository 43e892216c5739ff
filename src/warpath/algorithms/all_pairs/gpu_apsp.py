"""All pairs by the CUDA engine.

Matrices that fit lie on the device. Those that do not, and those of single searches that go to a
file, lie on the host: rows are copied there as they are found, and the blocked method takes the
matrix past the device (`warpath.cuda.out_of_core`), together with the CPU if that is asked for.
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
from warpath.algorithms.all_pairs.apsp_methods import Plan
from warpath.algorithms.all_pairs.cpu_apsp import check_underflow, fill_arcs, search
from warpath.algorithms.all_pairs.host_apsp import matrices
from warpath.algorithms.all_pairs.johnson import potentials
from warpath.algorithms.all_pairs.matrix import AllPairs
from warpath.algorithms.all_pairs.matrix_file import in_files
from warpath.algorithms.all_pairs.rows import Rows, Tick, rows_of
from warpath.algorithms.common.stats import Stats, Stopwatch
from warpath.algorithms.shortest_paths.overflow import narrow
from warpath.cpu.trees import are_trees
from warpath.graph.arrays import to_host
from warpath.graph.distance import longest_path
from warpath.parallel import team

Array = NDArray[Any]

VARIANTS = {
    "floyd-warshall": "plain",
    "blocked-floyd-warshall": "blocked",
    "r-kleene": "r-kleene",
    "repeated-squaring": "repeated-squaring",
}
"""The methods as `warpath.cuda.apsp.floyd_warshall` calls them."""

OUT_OF_CORE = "blocked-floyd-warshall"
"""The dense method whose matrix need not fit on the device."""

_ROWS_AT_ONCE = 1024  # of a matrix that is looked at or on its way to the host: a guess


def run(plan: Plan, target: Path | None, tick: Tick, watch: Stopwatch) -> AllPairs:
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

    if plan.dense and not plan.is_exact_without_them:
        raise ValueError(
            f"exact=True and method {plan.method!r} sum on the CPU: use device='cpu', or "
            "method='sssp', which is exact"
        )
    plan = _with_room_for_sums(plan)
    rows = None
    if not plan.dense:
        rows = rows_of(plan.method, plan.graph, plan.algebra, plan.dtype, "cuda")
    gpus = () if plan.hybrid else several_gpus.chosen(plan)
    if gpus:
        plan = replace(plan, why=f"{plan.why}; rows spread over {len(gpus)} GPUs")
    needed, free = _device_bytes(plan, rows, gpus), out_of_core.free_bytes()
    if plan.hybrid:
        shares: list[float] = []
        past = partial(_past_the_device, gpus, share=shares.append)
        distance, predecessor = matrices(plan, None, past, target, tick)
        said = f"{hybrid.threads()} threads of the CPU made {shares[0]:.1%} of the relaxations"
        plan = replace(plan, why=f"{plan.why}; {said}")
    elif needed <= free and (rows is None or target is None):
        with devices.memory_for(f"{_what(plan)} take {needed:,} bytes"):
            distance, predecessor = (
                _on_device(plan, rows, gpus, tick)
                if target is None
                else _to_files(target, plan, rows, gpus, tick)
            )
    elif (
        rows is not None
        or plan.method == OUT_OF_CORE
        or (plan.cut is not None and gpu_parts.nbytes(plan, plan.cut) <= free)
    ):
        past = partial(_past_the_device, gpus)
        distance, predecessor = matrices(plan, rows, past, target, tick)
        if needed > free and not gpus:
            plan = replace(plan, why=f"{plan.why}; the matrix is larger than the GPU's memory")
    else:
        raise MemoryError(
            f"{_what(plan)} take {needed:,} bytes, and {free:,} bytes of the GPU's memory are "
            f"free: method={OUT_OF_CORE!r} takes a matrix of the host's memory or of a file "
            "(out='d.npy') past the GPU in blocks"
        )
    return AllPairs(
        graph=plan.graph,
        distance=distance,
        predecessor=predecessor,
        stats=_stats(plan, rows, model, watch),
        algebra=plan.algebra.name,
        exact=plan.is_exact,
    )


def _what(plan: Plan) -> str:
    n = plan.graph.num_vertices
    return f"all pairs of {n:,} vertices by method {plan.method!r} in {plan.dtype}"


def _with_room_for_sums(plan: Plan) -> Plan:
    """Let a dense method's integers tell "no path" from sums of negative weights."""
    from warpath.cuda.representation import far_apart

    if not (plan.dense and plan.signed and plan.work.kind == "i"):
        return plan
    fits = longest_path(plan.graph) < far_apart(plan.work)[0]
    return plan if fits else replace(plan, work=np.dtype(np.int64))


def _device_bytes(plan: Plan, rows: Rows | None, gpus: tuple[int, ...]) -> int:
    """What matrices take on the device, and what is taken beside them."""
    from warpath.cuda.apsp import workspace_nbytes

    n = plan.graph.num_vertices
    whole = n * n * (plan.dtype.itemsize + 4 * plan.predecessors)
    if rows is not None:
        return whole + rows.nbytes(plan.predecessors)
    if plan.work != plan.dtype:
        whole += n * n * plan.work.itemsize
    if plan.cut is not None:
        return whole + gpu_parts.nbytes(plan, plan.cut)
    if gpus:
        return whole + several_gpus.share_nbytes(plan, gpus)
    variant = VARIANTS[plan.method]
    return whole + workspace_nbytes(n, plan.work, plan.predecessors, variant, lazy=plan.lazy)


def _on_device(plan: Plan, rows: Rows | None, gpus: tuple[int, ...], tick: Tick) -> tuple[Any, Any]:
    """Distances and predecessors in CuPy arrays."""
    import cupy

    n = plan.graph.num_vertices
    distance = cupy.empty((n, n), plan.dtype)
    predecessor = cupy.empty((n, n), np.int32) if plan.predecessors else None
    if rows is None:
        _dense(plan, gpus, distance, predecessor, tick)
        tick(n, n)
    else:
        rows.fill(np.arange(n, dtype=np.int32), distance, predecessor, tick)
    cupy.cuda.get_current_stream().synchronize()
    return distance, predecessor


def _dense(plan: Plan, gpus: tuple[int, ...], distance: Any, predecessor: Any, tick: Tick) -> None:
    """Fill the device's matrices by a dense method."""
    import cupy

    from warpath.cuda.apsp import floyd_warshall
    from warpath.cuda.dense import fill
    from warpath.cuda.device_graph import on_device

    algebra, n = plan.algebra, plan.graph.num_vertices
    D = distance if plan.work == plan.dtype else cupy.empty((n, n), plan.work)
    if plan.cut is not None:
        gpu_parts.fill(plan, plan.cut, D, predecessor, tick)
    elif gpus:
        several_gpus.close(plan, gpus, D, predecessor, tick)
    else:
        fill(
            on_device(plan.graph), algebra.source(plan.work), algebra.none(plan.work),
            algebra.larger_is_better, D, predecessor,
        )  # fmt: skip
        floyd_warshall(D, predecessor, algebra.name, VARIANTS[plan.method], lazy=plan.lazy)
    _mend(plan, D, predecessor)
    if D is not distance:
        for part in _parts(n):
            distance[part] = cupy.asarray(narrow(D[part].get(), plan.dtype))


def _past_the_device(
    gpus: tuple[int, ...], plan: Plan, D: Array, P: Array | None, tick: Tick,
    share: Callable[[float], None] = lambda part: None,
) -> None:  # fmt: skip
    """Fill the host's matrices by the blocked method; ``share`` is told the CPU's part of the work."""
    from warpath.cuda import out_of_core

    algebra = plan.algebra
    if plan.cut is not None or gpus:
        if plan.cut is not None:
            gpu_parts.fill(plan, plan.cut, D, P, tick)
        else:
            several_gpus.close(plan, gpus, D, P, tick)
        _mend(plan, D, P)
        return
    fill_arcs(plan, D, P, algebra.keys(algebra.none(D.dtype)))
    if algebra.larger_is_better:
        for part in _parts(len(D)):
            D[part] = algebra.values(D[part])
    host = None
    if plan.hybrid:
        host = hybrid.host_products(algebra, D.dtype, P is not None, plan.lazy)
    with devices.memory_for(_what(plan)):
        share(
            out_of_core.floyd_warshall_out_of_core(
                D, P, algebra.name, progress=tick, lazy=plan.lazy, host=host
            )
        )
    _mend(plan, D, P)


def _mend(plan: Plan, D: Any, P: Any) -> None:
    """Search anew for what rounding spoilt, in matrices of CuPy or of NumPy.

    Raises
    ------
    NegativeCycleError
        If there is a negative cycle.
    OverflowError
        If a product is too small for its dtype.
    """
    vertices = np.arange(plan.graph.num_vertices, dtype=np.int32)
    if plan.signed and bool((D.diagonal() < 0).any()):
        # Raises, if it is not rounding that made one of a cycle of weight zero.
        potentials(plan.graph, np.dtype(np.int64) if plan.work.kind == "i" else plan.work)
        search(plan, vertices, D, P)
    elif P is not None and (plan.cut is not None or (plan.signed and plan.work.kind == "f")):
        trees = are_trees(vertices, to_host(P), team.num_threads())
        search(plan, vertices[~trees], D, P)
    if plan.algebra.multiplies:
        none = plan.algebra.none(plan.work)
        reached = [to_host((D[part] != none).sum(axis=1)) for part in _parts(len(D))]
        check_underflow(plan, np.concatenate(reached), lambda u: to_host(D[u]))


def _parts(n: int) -> list[slice]:
    """Slices of some rows each; one at least."""
    return [slice(begin, begin + _ROWS_AT_ONCE) for begin in range(0, max(n, 1), _ROWS_AT_ONCE)]


def _to_files(
    target: Path, plan: Plan, rows: Rows | None, gpus: tuple[int, ...], tick: Tick
) -> tuple[Array, Array | None]:
    """Distances and predecessors in files, memory-mapped, copied from the device at the end."""

    def fill(*files: Array | None) -> None:
        for file, matrix in zip(files, _on_device(plan, rows, gpus, tick), strict=True):
            if file is not None:
                for part in _parts(len(matrix)):
                    file[part] = matrix[part].get()

    return in_files(target, plan.graph.num_vertices, plan.dtype, plan.predecessors, fill)


def _stats(plan: Plan, rows: Rows | None, model: str, watch: Stopwatch) -> Stats:
    n = plan.graph.num_vertices
    return Stats(
        method=plan.method,
        why=plan.why,
        **watch.read(),
        threads=hybrid.threads() if plan.hybrid else 0,
        iterations=n if rows is None else rows.iterations,
        frontier=np.array([n]),
        edges=np.array([n**3 if rows is None else rows.arcs]),
        device=model,
    )
