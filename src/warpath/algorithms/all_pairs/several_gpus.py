"""On how many GPUs all pairs are computed, and on which."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath import devices
from warpath.algorithms.all_pairs.apsp_methods import Plan
from warpath.algorithms.all_pairs.rows import Tick

Array = NDArray[Any]

SPREAD = "blocked-floyd-warshall"
"""The method whose rows may be on several GPUs."""

_PAYS_FROM = (
    16_384  # vertices: below, groups of rows are closed and sent for too little work; a guess
)


def chosen(plan: Plan) -> tuple[int, ...]:
    """CUDA's numbers of the GPUs that share the matrix; () if the current one does it alone.

    Raises
    ------
    ValueError
        GPUs that are not there, or for a method that runs on one.
    MemoryError
        If GPUs that were asked for have too little memory for their shares.
    """
    there = [one.number for one in devices.devices()]
    here = devices.require().number
    in_order = [here, *(one for one in there if one != here)]
    n, asked = plan.graph.num_vertices, plan.gpus
    if asked is not None:
        gpus = named(asked, in_order)
        if len(gpus) == 1 and gpus[0] == here:
            return ()
        if plan.method != SPREAD:
            raise ValueError(
                f"devices={asked!r}: method {plan.method!r} runs on the current GPU; "
                f"method={SPREAD!r} is spread over several"
            )
        check_room(plan, gpus)
        return gpus
    gpus = tuple(in_order)
    if plan.method != SPREAD or len(gpus) == 1 or n < _PAYS_FROM:
        return ()
    try:
        check_room(plan, gpus)
    except MemoryError:
        return ()
    return gpus


def are_asked_for(asked: int | Sequence[int] | None) -> bool:
    """Whether ``devices=`` names more than one."""
    if asked is None:
        return False
    return asked > 1 if isinstance(asked, int | np.integer) else len(asked) > 1


def named(asked: int | Sequence[int], there: Sequence[int]) -> tuple[int, ...]:
    """The GPUs that ``devices=`` asks for: the first so many, or these.

    Raises
    ------
    ValueError
        Too many or none, unknown ones, or one twice.
    """
    if isinstance(asked, int | np.integer):
        if not 1 <= asked <= len(there):
            raise ValueError(f"devices={asked}: there are {len(there)} GPUs that can be used")
        return tuple(there[:asked])
    gpus = tuple(int(one) for one in asked)
    if not gpus or len(set(gpus)) < len(gpus) or not set(gpus) <= set(there):
        known = ", ".join(map(str, sorted(there)))
        raise ValueError(f"devices={asked!r}: different ones of {known}")
    return gpus


def share_nbytes(plan: Plan, gpus: tuple[int, ...]) -> int:
    """What each GPU takes."""
    from warpath.cuda import several

    return several.share_nbytes(
        plan.graph.num_vertices, plan.work, plan.predecessors, len(gpus), lazy=plan.lazy
    ) + several.arcs_nbytes(plan.graph, plan.work, len(gpus))


def check_room(plan: Plan, gpus: tuple[int, ...]) -> None:
    """Refuse shares that do not fit, before any is taken.

    Raises
    ------
    MemoryError
        Naming the GPU.
    """
    import cupy

    from warpath.cuda.out_of_core import free_bytes

    needed = share_nbytes(plan, gpus)
    for gpu in gpus:
        with cupy.cuda.Device(gpu):
            free = free_bytes()
        if needed > free:
            raise MemoryError(
                f"a share of all pairs of {plan.graph.num_vertices:,} vertices takes {needed:,} "
                f"bytes of each of {len(gpus)} GPUs, and {free:,} bytes of GPU {gpu}'s are free: "
                "more GPUs have smaller shares; devices=1 takes the matrix past one in blocks"
            )


def close(plan: Plan, gpus: tuple[int, ...], D: Any, P: Any, tick: Tick) -> None:
    """Fill matrices of CuPy or NumPy with the closed rows."""
    from warpath.cuda.several import Shares

    algebra = plan.algebra
    shares = Shares(plan.graph.num_vertices, plan.work, P is not None, gpus)
    none = algebra.none(plan.work)
    shares.fill(plan.graph, algebra.source(plan.work), none, algebra.larger_is_better)
    shares.close(algebra.name, progress=tick, lazy=plan.lazy)
    shares.store(D, P)
