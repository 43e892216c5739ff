"""On how many GPUs all pairs are computed, and on which."""

from typing import Any

from warpath import devices
from warpath.algorithms.all_pairs import gpu_parts
from warpath.algorithms.all_pairs.rows import Tick
from warpath.planning.all_pairs import SPREAD, ApspRun

_PAYS_FROM = (
    16_384  # vertices: below, groups of rows are closed and sent for too little work; a guess
)


_SPREAD = (SPREAD, "partitioned")


def chosen(how: ApspRun) -> tuple[int, ...]:
    """CUDA's numbers of the GPUs that share the matrix; () if the current one does it alone.

    Raises
    ------
    ValueError
        GPUs that are not there, or for a method that runs on one.
    MemoryError
        If GPUs that were asked for have too little memory for their shares.
    """
    here, in_order = devices.require().number, devices.in_order()
    n, asked = how.graph.num_vertices, how.gpus
    if asked is not None:
        gpus = devices.named(asked)
        if len(set(gpus)) < len(gpus):
            raise ValueError(f"devices={asked!r}: one is named twice")
        if len(gpus) == 1 and gpus[0] == here:
            return ()
        if how.method not in _SPREAD:
            raise ValueError(
                f"devices={asked!r}: method {how.method!r} runs on the current GPU; "
                f"{' and '.join(map(repr, _SPREAD))} are spread over several"
            )
        check_room(how, gpus)
        return gpus
    gpus = tuple(in_order)
    if how.method != SPREAD or len(gpus) == 1 or n < _PAYS_FROM:
        return ()
    try:
        check_room(how, gpus)
    except MemoryError:
        return ()
    return gpus


def share_nbytes(how: ApspRun, gpus: tuple[int, ...]) -> int:
    """What each GPU takes."""
    from warpath.cuda import several

    if how.cut is not None:
        return gpu_parts.nbytes(how, how.cut)

    return several.share_nbytes(
        how.graph.num_vertices, how.work, how.predecessors, len(gpus), lazy=how.lazy
    ) + several.arcs_nbytes(how.graph, how.work, len(gpus))


def check_room(how: ApspRun, gpus: tuple[int, ...]) -> None:
    """Refuse shares that do not fit, before any is taken.

    Raises
    ------
    MemoryError
        Naming the GPU.
    """
    import cupy

    from warpath.cuda.out_of_core import free_bytes

    needed = share_nbytes(how, gpus)
    for gpu in gpus:
        with cupy.cuda.Device(gpu):
            free = free_bytes()
        if needed > free:
            raise MemoryError(
                f"all pairs of {how.graph.num_vertices:,} vertices take {needed:,} bytes on each of "
                f"{len(gpus)} GPUs. GPU {gpu} has {free:,} bytes free. More GPUs have smaller shares; "
                "devices=1 streams the matrix through one in blocks"
            )


def close(how: ApspRun, gpus: tuple[int, ...], D: Any, P: Any, tick: Tick) -> None:
    """Fill matrices of CuPy or NumPy with the closed rows."""
    from warpath.cuda.several import Shares

    algebra = how.algebra
    shares = Shares(how.graph.num_vertices, how.work, P is not None, gpus)
    none = algebra.none(how.work)
    shares.fill(how.graph, algebra.source(how.work), none, algebra.larger_is_better)
    shares.close(algebra.name, progress=tick, lazy=how.lazy)
    shares.store(D, P)
